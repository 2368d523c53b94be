"""What learning needs that is not a model: `table` (features, labels, groups), `standardise`, `mask`, `monotone`,
`lists`, `sampling`, `log_odds`.
"""
