"""Learned fusion, a feature table to one score each.

Read `models` (the interface) first; `logistic`, `mlp`, `listwise`, `thesis` (with `thesis_network`) and `rrf` are
models, `dense` runs networks, `two_stage` joins two passes; `store` and `shipped` keep them in files, `seen` knows
the questions that one was trained on.
"""
