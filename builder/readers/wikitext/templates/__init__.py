"""What templates show, without their sources: `registry` finds the rule of a name, `parser_functions` the
ones that begin with #; then `infobox` (with `labels`), `measures`, `dates`, `phrases`, `countries`.
"""
