"""The arrays of an SKB: `full_text` and `postings` for words, `vectors` for embeddings, `blobs` for all that the
builder wrote under a name, of which `adjacency` has the graph and `chunk_table` where chunks stand, `neighbours` for
the relations of some entities, and `sentence_table` for where their sentences end. Each module reads on its own;
`shared` keeps what several readers of one file have in common.
"""
