"""Paths of the graph chosen for a question: `signal`, then `subgraph` and `catalogue` (what can be chosen),
`selection` (what is), `chunks` (the passages of a choice).
"""
