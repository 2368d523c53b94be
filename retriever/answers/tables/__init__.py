"""Tables and lists: the rows that a question selects, and whether one has yes or no (`rows`), and of all rows the one
with the most of what is asked for (`superlatives`).
"""
