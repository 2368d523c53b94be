"""What `weft evaluate -o` writes: `summary`, `records`, `markdown`, `plots`, `importances`, all by `folder`; `compare`
reads an older one.
"""
