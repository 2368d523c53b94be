"""Embedders, texts to unit vectors.

Read `base` (the protocol) first, then `tfidf` (the default) and `registry` (what a name means);
`stored` keeps the arrays of a fitted one in the SKB, `fake` is for tests.
"""
