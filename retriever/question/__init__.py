"""What a question says: `reader` reads it, `entity_linking` finds the entities that it names, by `name_lookup`, `words`
its keywords and what it asks for; `filters` is what `--type`, `--page` and `--where` allow.
"""
