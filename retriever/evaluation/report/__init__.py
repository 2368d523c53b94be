"""What `weft evaluate -o` writes: `summary`, `records`, `markdown`, `plots`, all by `folder`; `compare` reads an
older one.
"""
