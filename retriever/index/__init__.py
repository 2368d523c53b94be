"""Arrays that signals rank by: `vectors` (exact, of `dense` rows or `posted_rows`), `places` (of ids in them), `terms`
(how rare they are) and `stem_finder` (who says them), `links`, `hierarchy` (chunks of a page or section), `csr`, `lift`
(from entities to chunks and back), and `ties` (the order of equal scores).
"""
