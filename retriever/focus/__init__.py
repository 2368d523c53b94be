"""Focused retrieval over typed graphs: what a question says of nodes and edges, and which nodes fit it (docs/focus.md).

`pattern` is what all parts hand on: symbols, triplets and the target that a question asks for. Patterns come from
`cypher` and from `triplets`, lists in JSON; `grounding` finds the nodes that fit one, by their `node_types`.
"""
