"""Paired comparison: the difference of two methods on the same questions, its interval and its p-value.

The test is Fisher's randomisation test: were the methods alike, each question's
two results could as well have come the other way round (Smucker, Allan and
Carterette, "A comparison of statistical significance tests for information
retrieval evaluation", 2007).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from retriever.evaluation.intervals import CELLS, RESAMPLES, Sampled, interval
from retriever.evaluation.tables import Columns, Floats, averages

SAME = 1e-9
"""Statistics that differ by less are the same: sums of equal terms in another order."""


def compare(first: Sampled, second: Sampled, columns: Columns, seed: int) -> dict[str, dict[str, float]]:
    """Return, for each measure, `difference` (first minus second), `low`, `high` and `p`, two-sided.

    The rows of both belong to the same questions, and their resamples too.
    """
    low, high = interval(first.resampled - second.resampled)
    difference = first.means - second.means
    p = _p_values(first.values, second.values, columns, np.abs(difference), seed)
    keys = ("difference", "low", "high", "p")
    values = np.stack([difference, low, high, p], axis=1)
    return {
        name: {key: round(float(value), 6) for key, value in zip(keys, row, strict=True)}
        for name, row in zip(columns.averaged, values, strict=True)
    }


def _p_values(first: Floats, second: Floats, columns: Columns, observed: Floats, seed: int) -> Floats:
    """Return the share of exchanges that differ as much as observed; a random test counts the observed one too.

    With signs s, the exchanged means are mid + s(first - second)/2 and mid - s(first - second)/2.
    """
    n = len(first)
    middle = (first + second).mean(0) / 2
    extreme, total = np.zeros(len(observed)), 0
    for signs in _signs(n, seed):
        half = signs @ (first - second) / (2 * n)
        exchanged = averages(middle + half, columns) - averages(middle - half, columns)
        extreme += (np.abs(exchanged) >= observed - SAME).sum(0)
        total += len(signs)
    return extreme / total if _is_exact(n) else (extreme + 1) / (total + 1)


def _is_exact(n: int) -> bool:
    return n < RESAMPLES.bit_length()


def _signs(n: int, seed: int) -> Iterator[Floats]:
    """Yield batches of signs (r, n): all of them where that takes no more than the resamples, else random ones."""
    if _is_exact(n):
        bits = np.arange(2**n)[:, None] >> np.arange(n)
        yield np.where(bits & 1, -1.0, 1.0)
        return
    random = np.random.default_rng([seed, 2])
    step = max(1, CELLS // n)
    for start in range(0, RESAMPLES, step):
        size = min(step, RESAMPLES - start)
        yield np.where(random.integers(0, 2, (size, n), np.int8), -1.0, 1.0)
