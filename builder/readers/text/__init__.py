"""Text files to documents: `files` (which, and their titles), `markdown` with `markdown_parser`, `markdown_inline` and
`extensions`, `rst`, `plain_text`; `front_matter`, `links`, `names`, `block` and `named_entities` serve them.
"""
