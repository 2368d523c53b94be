"""Signals: each proposes units, scores any unit, and shows its evidence.

Read `bm25` and `vector` first, then `related`, `page`, `section`, `entity`, `mentioned`; `seeds` begins `pagerank`,
and `path` is a folder.
"""
