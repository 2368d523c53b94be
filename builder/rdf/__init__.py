"""RDF files to triples of canonical terms.

Read `terms` and `reader` (which parser reads what) first; `ntriples` and `turtle` parse, `rdflib_terms`
takes what they do not; `literals` and `predicates` say what values and predicates mean.
"""
