"""What an SKB says, as facts that can be asked for, each with the chunk that says it.

`fact` has the types and `store` keeps all of them in a file of its own; they are read from `sentences` (by their
`things` and `phrases`), or from `clauses` (and by `meanings` of words that are no links), from
`rows` of infoboxes and tables, and from relations and attributes that are `stored`. What else rows say is only `known`,
so that nothing is taken for the one answer that is not. `gather` reads all, and `definitions`, which tell what
something is.
"""
