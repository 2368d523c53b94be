"""Logistic regression, as a network without hidden layers."""

from __future__ import annotations

import numpy as np

from retriever.fusion.dense import Layer, Network
from retriever.learning.table import Table


def fit(table: Table, seed: int, *, penalty: float = 1.0) -> tuple[Network, ...]:
    """Fit by scikit-learn with L2 of `penalty` (its C is 1 / penalty)."""
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=1.0 / penalty, max_iter=1000, random_state=seed)
    model.fit(table.features.astype(np.float64), table.labels, sample_weight=table.row_weights())
    return ((Layer(model.coef_.T.astype(np.float32), model.intercept_.astype(np.float32)),),)
