"""What templates show, without their sources: tables say which rule a name has, modules what the rules do.

Read `registry` (from a name to its rule) and `tables` (how the .tsv files are read) first; `phrases`, `measures`,
`dates` and `blocks` hold the rules, `infobox` that of the boxes, `parser_functions` those of names with a colon.
"""
