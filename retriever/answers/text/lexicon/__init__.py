"""What words mean: `meanings` (words that say what others ask, and how alike words are), `synonyms` (words that may say
the same), `hypernyms` (what nouns are kinds of), `adjectives` (what they compare) and `units` (what they measure);
`given_names` tell the sex of somebody.
"""
