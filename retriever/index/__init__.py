"""Arrays that signals rank by: `vectors` (exact, of `dense` rows or `posted_rows`), `places` (of ids in them), `terms`
(how rare they are), `stem_finder` (who says them) and `near_stems` (what may stand for them), `links`, `hierarchy`
(chunks of a page or section), `csr`, `lift` (from entities to chunks and back), and `ties` (the order of equal scores).
"""
