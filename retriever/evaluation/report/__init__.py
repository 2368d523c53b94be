"""What `weft evaluate -o` writes: `summary`, `curves`, `records`, `markdown`, `plots`, `importances`, all by `folder`;
`compare` reads an older one.
"""
