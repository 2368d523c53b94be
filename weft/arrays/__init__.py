"""The arrays of an SKB: `full_text` and `postings` for words, `vectors` for embeddings, `adjacency` for
relations, `chunk_table` for where chunks stand, `sentence_table` for where their sentences end.
Each module reads on its own.
"""
