"""Feature columns on one scale: z = (x - mean) / std, within a question or over a training set.

std is the population's; a constant column becomes 0. Columns named as binary
stay as they are (Giardini 2024).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.learning.table import Features, Rows

NOISE = 1e-6  # a spread below this share of the mean is float32 rounding, not information
FEW_COLUMNS, FEW_ROWS = 16, 1 << 14
"""What is converted to float64 at once: a training set may be gigabytes."""


class Scale(NamedTuple):
    """Mean and std (s,) of each column over a training set; 0 and 1 for binary ones."""

    mean: NDArray[np.float32]
    std: NDArray[np.float32]


def within_questions(
    features: Features, columns: Sequence[str], binary: Collection[str] = (), groups: Rows | None = None
) -> Features:
    """Standardise the rows of each question by themselves; without `groups` all rows are of one question."""
    if not len(features):
        return features.astype(np.float32)
    own = np.zeros(len(features), np.int64) if groups is None else np.unique(groups, return_inverse=True)[1]
    order = np.argsort(own, kind="stable")
    starts = np.searchsorted(own[order], np.arange(own.max() + 1))
    counts = np.diff(np.append(starts, len(own)))[:, None]
    values = features[order].astype(np.float64)
    mean = np.add.reduceat(values, starts) / counts
    values -= mean[own[order]]
    std = np.sqrt(np.add.reduceat(values * values, starts) / counts)
    values *= _inverse(mean, std)[own[order]]
    result = np.empty(features.shape, np.float32)
    result[order] = values
    return _keep(result, features, columns, binary)


def over_all(features: Features, columns: Sequence[str], binary: Collection[str] = ()) -> Scale:
    """Return the scale of a training set, for `rescale`."""
    mean, std = np.zeros(features.shape[1]), np.zeros(features.shape[1])
    for start in range(0, len(mean), FEW_COLUMNS):
        few = slice(start, start + FEW_COLUMNS)
        mean[few] = features[:, few].mean(axis=0, dtype=np.float64)
        std[few] = features[:, few].std(axis=0, dtype=np.float64)
    std[_inverse(mean, std) == 0] = 0.0
    kept = [index for index, name in enumerate(columns) if name in binary]
    mean[kept], std[kept] = 0.0, 1.0
    return Scale(mean.astype(np.float32), std.astype(np.float32))


def rescale(features: Features, scale: Scale) -> Features:
    """Return (features - mean) / std of features (n, s), 0 where std is 0."""
    inverse = np.divide(1.0, scale.std, where=scale.std > 0, out=np.zeros(len(scale.std), np.float64))
    found = np.empty(features.shape, np.float32)
    for start in range(0, len(features), FEW_ROWS):
        rows = slice(start, start + FEW_ROWS)
        found[rows] = (features[rows].astype(np.float64) - scale.mean) * inverse
    return found


def _inverse(mean: NDArray[np.float64], std: NDArray[np.float64]) -> NDArray[np.float64]:
    varies = std > NOISE * np.abs(mean)
    return np.divide(1.0, std, where=varies, out=np.zeros_like(std))


def _keep(result: Features, features: Features, columns: Sequence[str], binary: Collection[str]) -> Features:
    kept = [index for index, name in enumerate(columns) if name in binary]
    result[:, kept] = features[:, kept]
    return result
