"""Grounding: which nodes of a graph fit a pattern, at which scope of candidates first.

`levels` are nodes with the scope from which each counts, `edges` walks along the graph, `relations` the edges that
triplets mean. `consistency` makes the symbols of a pattern agree with each other, `join` looks for whole assignments,
`scope` grows the candidates until there are answers enough, `proof` shows why a node is one.
"""
