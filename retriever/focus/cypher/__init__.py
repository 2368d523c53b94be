"""Cypher as language models write it, read into a query pattern; what is not understood becomes a warning.

`parser` reads a query by its clauses; `tokens` and `cursor` are what it reads, `paths` and `conditions` what stands
behind MATCH and WHERE, `operands` the two sides of a comparison, `written` the
records of what is said, `draft` what has been understood so far. `reference` reads
queries as published, for comparison.
"""
