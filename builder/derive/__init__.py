"""The derived layer, what follows from the whole.

Read `pipeline` first: it names every stage in order. `workspace` declares the temporary tables that stages hand on,
`stage_inputs` tells whether what a stage follows from has changed. The stages: `fact_files` and `fact_names` (what fact
files say of names), `redirects`, `triples`, `entities`, `graph_nodes` and `node_uris`, `mentions`, `co_mention`,
`entity_index`, `facts`, `aliases` (also types and labels), `embeddings`.
"""
