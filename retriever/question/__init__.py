"""What a question says: `reader` reads it, `entity_linking` finds the entities that it names, by `name_lookup`; `words`
splits it into words and the runs of them that may be names; `identifiers` are options, variables and the like in it;
`filters` is what `--type`, `--page` and `--where` allow.
"""
