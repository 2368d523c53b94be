"""What words mean: `meanings` (words that say what others ask, and how alike words are), `synonyms` (words that may say
the same), `hypernyms` (what nouns are kinds of) and `adjectives` (what they compare).
"""
