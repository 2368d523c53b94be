"""Arrays that are made from the source layer so that a search need not.

`sentence_ends` finds where the sentences of chunks end.
"""
