"""Documents to rows, replaced document by document: `rows` (what is written), `writer` (where it goes),
`ingest` (all sources through the readers); `shared_titles`, `equal_contents` and `duplicates` settle which
document is the page of a title, `repeats` which chunks say what most pages do; `left_out` counts, `unread` tells
what the system does not let us read, `gone` which files are gone, `removal` finds what `weft remove` takes out.
"""
