"""Ranks of candidates by a score: among all of them, and among those of their page."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from retriever.types import Ids


def ranks_of(scores: NDArray[np.floating]) -> NDArray[np.int64]:
    """Return each row's rank from 0, equal scores by index."""
    ranks = np.empty(len(scores), np.int64)
    ranks[np.argsort(-scores, kind="stable")] = np.arange(len(scores))
    return ranks


def rank_within(pages: Ids, scores: NDArray[np.floating]) -> NDArray[np.float32]:
    """Return one over the rank, from 1, of each row among those of its page."""
    order = np.lexsort((-scores, pages))
    grouped = pages[order]
    ranks = np.empty(len(pages))
    ranks[order] = np.arange(len(pages)) - np.searchsorted(grouped, grouped)
    return (1 / (1 + ranks)).astype(np.float32)
