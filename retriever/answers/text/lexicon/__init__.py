"""What words mean: `meanings` (words that say what others ask, and how alike words are) and `hypernyms` (what nouns are
kinds of).
"""
