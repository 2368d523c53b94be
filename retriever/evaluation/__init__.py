"""Evaluation: what methods find of the gold, and how sure that is.

Read `run` first, then `outcomes` (each question), `measures`, `tables`, `intervals`, `paired`, `misses`, `curves`,
`importances`; `beir` writes what other tools read, `report` is a folder, `ahead` has a language model's replies ready.
"""
