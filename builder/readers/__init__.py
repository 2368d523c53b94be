"""A source to documents.

Read `formats` (the table of all formats), `source` (what a user names) and `registry` (which calls a format's
module: `items` lists a source's documents, `parse` parses one) first. One module or folder a format: `jsonl`,
`enterprise`, `natural_questions` (with `nq_records`), `html`, `wikitext`, `text`, `wikipedia`, `graphs`; `mixed_folder`
reads each file as what it is. `ignored` counts what is no document, `distinct_places` tells documents of one
name apart, `json_lines` reads lines of JSON, `links` finds what links between files lead to, `preformatted`
reads a page of one preformatted text as plain text.
"""
