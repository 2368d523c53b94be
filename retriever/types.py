"""The types that every ranking goes through: tables of arrays, never lists of objects."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Unit = Literal["chunk", "entity"]


class Ranking(NamedTuple):
    """Hits from best to worst: `ids` (n,) of `unit`, `scores` (n,), `features` (n, s) named by `columns`.

    `groups` (n,) tells which hits were found together; hits of an earlier group
    come before those of a later one.
    """

    unit: Unit
    ids: NDArray[np.int64]
    scores: NDArray[np.float32]
    features: NDArray[np.float32]
    columns: tuple[str, ...]
    groups: NDArray[np.int32]


def ranking(unit: Unit, ids: NDArray[np.int64], scores: NDArray[np.float32], column: str) -> Ranking:
    """Make the ranking of a single signal, in the order given."""
    scores = scores.astype(np.float32)
    return Ranking(unit, ids, scores, scores[:, None], (column,), np.zeros(len(ids), np.int32))
