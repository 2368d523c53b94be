"""RDF files to triples of canonical terms.

Read `terms` and `reader` (which parser reads what) first. `ntriples` and `turtle` read blocks of lines: plain
ones by `plain_lines`, others by `oxigraph` where it is installed, what that leaves by `rdflib_terms`.
`literals` and `predicates` say what values and predicates mean.
"""
