"""Where ids stand in a sorted array of them, by one look-up each."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.types import Ids

FREE_IDS, SPARSEST = 1_000_000, 16
"""Ids up to so many, and so many times the number of ids, are looked up in an array by id; others are searched for."""


class Places(NamedTuple):
    """Sorted `ids` (n,), and by each id its index, -1 for what is none; `by_id` is empty where ids are too sparse."""

    ids: Ids
    by_id: NDArray[np.int32]

    def of(self, ids: Ids) -> NDArray[np.int64]:
        """Return the index of each id, -1 for one that is not there; O(1) each."""
        if len(self.by_id):
            return self.by_id.take(ids, mode="clip").astype(np.int64)
        if not len(self.ids):
            return np.full(len(ids), -1)
        indices = np.minimum(np.searchsorted(self.ids, ids), len(self.ids) - 1)
        return np.where(self.ids[indices] == ids, indices, -1)


def places_of(ids: Ids) -> Places:
    """Return where sorted positive ids stand."""
    if not len(ids) or ids[0] < 1 or ids[-1] > FREE_IDS + SPARSEST * len(ids):
        return Places(ids, np.empty(0, np.int32))
    by_id = np.full(int(ids[-1]) + 2, -1, np.int32)
    by_id[ids] = np.arange(len(ids))
    return Places(ids, by_id)
