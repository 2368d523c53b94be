"""Training a fusion: `dataset` (questions to tables), `fit`, `practice` (on one SKB, on top of a fusion),
`answerability` (whether anything fits), and `thesis` for its five features.
`relations` fits what autofocus plans by.
"""
