"""Arrays that are made from the tables so that a search need not read these row by row.

`sentence_ends` finds where the sentences of chunks end, `plain_words` which full stops certainly end them. `all_arrays`
writes and checks what the others make: `csr` of the graph, `chunk_places` of where chunks stand, `token_ids` of texts'
stems, `links` of where links lead (`link_targets`), `word_postings` of the full-text indexes. `row_batches` reads
queries, `text_batches` the texts and their words, of which `vocabulary` numbers the stems.
"""
