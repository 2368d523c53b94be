"""Focused retrieval over typed graphs: what a question says of nodes and edges, and which nodes fit it (docs/focus.md).

`pattern` is what all parts hand on: symbols, triplets and the target that a question asks for. Patterns come from
`cypher` and from `triplets`, lists in JSON; `schema` puts them in a graph's words, `target_type` tells what is asked
for. `symbols` finds what each name may mean among the nodes that meet its conditions (`attributes`), `grounding` the
nodes that fit the whole, by their `node_types`. Without a language model `planner` finds paths; `order` puts
what they reach in its order, `merge` makes one ranking of what relations lead to and what is similar; `by_pattern`
(cypher) and `systems` are the methods.
"""
