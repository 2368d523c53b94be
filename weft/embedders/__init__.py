"""Embedders, texts to unit vectors.

Read `base` (the protocol) first, then `tfidf` (the default, whose rows are sparse) and `registry` (what a name means).
`lsa`, `minilm`, `onnx` and `openai` are the others, `fake` is for tests; `stored` keeps the arrays of a fitted one in
the SKB. `word_vectors` are no embedder: they are read beside each of them.
"""
