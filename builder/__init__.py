"""Documents and facts to an SKB.

Read `request` (what a build is asked) and `build` (the pipeline on one page) first. The folders are its
steps, and each imports only what comes before it: `storage`, `http`, `streams`, `documents`, `rdf`,
`sparql`, `readers` (a source to documents), `source_layer` (documents to rows), `search_arrays` (texts to arrays),
`derive` (rows to entities, citations, relations, indexes and vectors). `values` reads numbers and dates.
`readable_facts` refuses fact files that are none, `plan` says what a build would do. `provenance`, `info`, `dump`
and `check` with `vector_check` keep and read what a build leaves; `export` and `spark` come last.
"""
