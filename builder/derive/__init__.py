"""The derived layer: all that follows from the source layer as a whole.

Read `pipeline` first: it names every stage in order. `workspace` declares the temporary tables that stages pass on,
`stage_inputs` tells whether the inputs of a stage have changed. The stages: `fact_files` and `fact_names` (the names
that fact files state), `redirects`, `triples`, `entities`, `graph_nodes` and `node_uris`, `mentions`, `co_mention`,
`entity_index`, `facts`, `aliases` (also types and labels), `embeddings`.
"""
