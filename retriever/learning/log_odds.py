"""Scores that are log-odds, as probabilities."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def probability(scores: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return 1 / (1 + exp(-score)) for scores of any shape; a far score does not overflow."""
    return np.asarray(np.exp(-np.logaddexp(0.0, -scores.astype(np.float64))))
