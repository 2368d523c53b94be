"""Nodes by a pattern that a language model writes: the method `cypher`, and what others take of it.

`labels` tells a model what the graph has, `queries` asks it for a pattern, `ranker` ranks what fits, `reasons` says
why, `chunks` ranks what is written of it, and `method` makes the method of its options.
"""
