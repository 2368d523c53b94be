"""Arrays that signals rank by: `vectors` (exact) and `ann` (approximate), `terms`, `links`, `hierarchy` (chunks of
a page or section), `csr`, and `ties` (the order of equal scores).
"""
