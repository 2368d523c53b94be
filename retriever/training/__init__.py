"""Training a fusion: `dataset` (questions to tables) and `fit`."""
