"""What learning needs that is not a model: `table` (features, labels, groups), `standardise`, `mask`, `monotone`,
`sampling`, `log_odds`.
"""
