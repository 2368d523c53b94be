"""What learning needs that is not a model: `table` (features, labels, groups), `standardise`, `mask`, `monotone`,
`lists`, `sampling`, `adam`, `log_odds`.
"""
