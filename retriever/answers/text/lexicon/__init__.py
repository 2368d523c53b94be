"""What words mean: `meanings` (words that say what others ask, and how alike words are), `synonyms` (words that may say
the same) and `hypernyms` (what nouns are kinds of).
"""
