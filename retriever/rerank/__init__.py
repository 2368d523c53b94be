"""Rerankers: a language model puts the first hits into another order (docs/methods.md).

`pointwise` grades each hit, `listwise` orders them in one prompt or in windows, `pairwise` compares two at a time in
the `rounds` of a sort. `overflow` decides before a call how much of each hit's document is shown, `asking` asks for
many replies at once.
"""
