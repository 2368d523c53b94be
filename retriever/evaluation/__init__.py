"""Evaluation: what methods find of the gold, what they answer, and how sure that is.

Read `run` first, then `outcomes` (each question), `measures`, `tables`, `intervals`, `paired`, `misses`; `answers`
measures answers, `errors` tells where focused retrieval loses questions, `beir` writes what other tools read, `report`
is a folder, `ahead` has a language model's replies ready, `asking` goes on where it refuses one.
"""
