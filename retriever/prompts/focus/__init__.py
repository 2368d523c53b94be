"""What focused retrieval asks, a module each: `target_type` which type of node a question asks for, `cypher` a query
for its nodes, `triplets` the same as triplets in JSON, `candidates` which nodes a name of it may mean.

Names of nodes, types and relations are shown as they stand in the knowledge base: they are text, and a reply can do no
more than ask for nodes that are there.
"""
