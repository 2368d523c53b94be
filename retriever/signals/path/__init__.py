"""Paths of the graph chosen for a question: `signal`, then `subgraph` with its `edges` and `edge_scores`, and
`catalogue` (what can be chosen), `selection` (what is), `chunks` (the passages of a choice).
"""
