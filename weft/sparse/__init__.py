"""Sparse vectors in the SKB, those of `tfidf`: `sparse_rows`, row by row, `vector_postings`, word by word, and
`transpose`, which writes these from the rows, with `hash_places`, where a hash stands among all, and
`vocabulary`, the words of texts and how many texts hold each.

The rows are what other programs read and what rows are compared with each other by; a question is compared with all
rows of a space by the postings of its words, which a search reads one at a time.
"""
