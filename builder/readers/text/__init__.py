"""Text files to documents: `files` (which, and their titles), `markdown` with `markdown_parser` and `markdown_inline`,
`rst` with `rst_parsing`, `plain`; `front_matter`, `links`, `names`, `block` and `named_entities` serve them.
"""
