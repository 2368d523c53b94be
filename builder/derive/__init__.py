"""The derived layer, what follows from the whole.

Read `pipeline` first: it names every stage in order. `fact_files` and `fact_names` (what fact files say of
names), `redirects`, `entities`, `graph_nodes` and `node_uris`, `mentions`, `co_mention`, `entity_index`, `facts`,
`triples`, `aliases` (also types and labels), `embeddings`.
"""
