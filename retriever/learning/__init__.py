"""What learning needs that is not a model: `table` (features, labels, groups), `standardise`, `mask`, `sampling`,
`log_odds`.
"""
