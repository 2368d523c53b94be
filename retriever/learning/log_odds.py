"""Scores that are log-odds, as probabilities."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def probability(scores: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return 1 / (1 + exp(-score)) for scores of any shape; a far score does not overflow."""
    return np.asarray(np.exp(-np.logaddexp(0.0, -scores.astype(np.float64))))


def log_odds(chances: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return log(p / (1 - p)) of probabilities of any shape; those of 0 and 1 give large scores, not infinite ones.

    >>> probability(log_odds(np.array([0.25, 1.0]))).round(3).tolist()
    [0.25, 1.0]
    """
    inside = np.clip(chances, 1e-6, 1 - 1e-6)
    return np.log(inside / (1.0 - inside)).astype(np.float32)
