"""Plans without a language model: which paths of relations lead from what a question names to what it asks for.

`steps` walks the graph a kind of relation at a time, `wording` reads the question's words around the names in it,
`likeness` compares these with the words of relations and types, `kinds` with the names that relations lead to,
`asked_type` with the texts of nodes.
`features` says what speaks for a path, `model` weighs that (by default, or as `weft train --relations` found it and
`store` keeps it), `plan` ranks paths and what they reach, and `walks` tells the nodes on the way.
"""
