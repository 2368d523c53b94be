"""Training a fusion: `dataset` (questions to tables), `fit`, and `thesis` for its five features."""
