"""Tables and lists: the rows that a question selects, and whether one has yes or no (`rows`), of all rows of a `whole`
table the one with the most of what is asked for (`superlatives`), who has a place in it (`placed`), and how many rows
there are (`row_counts`). `ordered` are enumerations from the most to the least, `symbols` what a cell such as "O"
stands for.
"""
