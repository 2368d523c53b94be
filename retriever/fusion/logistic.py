"""Logistic regression, as a network without hidden layers."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from retriever.fusion.dense import Layer, Network
from retriever.learning.table import Table

MOST_ITERATIONS = 1000


def fit(table: Table, seed: int, *, penalty: float = 1.0, rising: Collection[str] = ()) -> tuple[Network, ...]:
    """Fit with L2 of `penalty` (scikit-learn's C is 1 / penalty); the weights of `rising` columns are at least 0.

    scikit-learn fits where none is rising; it knows no bounds, so that scipy's L-BFGS-B minimises the same loss else.
    """
    bounded = np.array([name in rising for name in table.columns])
    weight, bias = _bounded(table, penalty, bounded) if bounded.any() else _free(table, seed, penalty)
    return ((Layer(weight.astype(np.float32)[:, None], np.array([bias], np.float32)),),)


def _free(table: Table, seed: int, penalty: float) -> tuple[NDArray[np.float64], float]:
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=1.0 / penalty, max_iter=MOST_ITERATIONS, random_state=seed)
    model.fit(table.features.astype(np.float64), table.labels, sample_weight=table.row_weights())
    return model.coef_[0], float(model.intercept_[0])


def _bounded(table: Table, penalty: float, bounded: NDArray[np.bool_]) -> tuple[NDArray[np.float64], float]:
    from scipy.optimize import Bounds, minimize

    features = np.column_stack([table.features.astype(np.float64), np.ones(len(table.labels))])
    sign = np.where(table.labels, 1.0, -1.0)
    row_weights = table.row_weights().astype(np.float64)

    def loss(values: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        margin = sign * (features @ values)
        total = float(row_weights @ np.logaddexp(0.0, -margin)) + 0.5 * penalty * float(values[:-1] @ values[:-1])
        slope = features.T @ (-sign * row_weights * np.exp(-np.logaddexp(0.0, margin)))
        slope[:-1] += penalty * values[:-1]
        return total, slope

    least = np.append(np.where(bounded, 0.0, -np.inf), -np.inf)
    start = np.zeros(features.shape[1])
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=Bounds(least, np.inf),
                     options={"maxiter": MOST_ITERATIONS})  # fmt: skip
    return found.x[:-1], float(found.x[-1])
