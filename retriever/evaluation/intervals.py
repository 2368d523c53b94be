"""Percentile bootstrap: how far an average could lie from this one, had other questions been asked.

Questions are drawn with replacement, as many as there are; the interval holds
the middle 95% of the averages of such draws (Efron and Tibshirani, "An
Introduction to the Bootstrap", 1993, chapter 13).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from retriever.evaluation.tables import Columns, Floats, averages

RESAMPLES = 10_000
LEVEL = 0.95
CELLS = 4_000_000
"""So many draws are held at once."""


class Sampled(NamedTuple):
    """Measures of questions (n, m), their averages with F-measures (a,), and those of every resample (r, a)."""

    values: Floats
    means: Floats
    resampled: Floats


def sample(values: Floats, columns: Columns, seed: int) -> Sampled:
    """Average the rows of a table, and resamples of them."""
    return Sampled(values, averages(values.mean(0), columns), averages(resampled_means(values, seed), columns))


def resampled_means(values: Floats, seed: int, n_resamples: int = RESAMPLES) -> Floats:
    """Return the column means (n_resamples, m) of resamples of the rows of `values` (n, m).

    The same seed and number of rows draw the same rows, so that methods are
    compared on equal questions. Takes O(n_resamples n m).
    """
    n = len(values)
    random = np.random.default_rng([seed, 1])
    means = np.empty((n_resamples, values.shape[1]))
    step = max(1, CELLS // n)
    for start in range(0, n_resamples, step):
        size = min(step, n_resamples - start)
        drawn = random.integers(0, n, (size, n)) + n * np.arange(size)[:, None]
        times = np.bincount(drawn.ravel(), minlength=size * n).reshape(size, n)
        means[start : start + size] = times.astype(np.float64) @ values / n
    return means


def interval(means: Floats, level: float = LEVEL) -> tuple[Floats, Floats]:
    """Return the ends of the middle part of resampled means (r, m), for each column."""
    low, high = np.percentile(means, [50 * (1 - level), 50 * (1 + level)], axis=0)
    return low, high
