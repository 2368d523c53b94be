"""The arrays of an SKB: `full_text` and `postings` for words, `vectors` for embeddings, `blobs` for all that the
builder wrote under a name. Of these `adjacency` has the graph, `chunk_table` where chunks stand, `stem_table` what
they say, `word_table` which of them hold a word and `link_table` where they lead. `neighbours` has the relations of
some entities, `sentence_table` where the sentences of chunks end. Each module reads on its own; `shared` keeps what
several readers of one file have in common.
"""
