"""Reciprocal rank fusion: the sum of 1 / (k + rank) over columns (Cormack, Clarke and Buettcher 2009). No training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retriever.fusion.dense import BadNetwork
from retriever.learning.table import Features, Table

# Rounded so that equal ranks tie; a rank further down changes a score by more than that.
DECIMALS = 7


class ReciprocalRank:
    """Ranks the rows of one question by each column: the highest value first, or the lowest for `ascending` ones.

    Rows of equal value share the best of their ranks. `use` names the columns that count, None for all.
    """

    name = "rrf"

    def __init__(self, k: float = 60.0, use: Sequence[str] | None = None, ascending: Sequence[str] = ()) -> None:
        self.settings: dict[str, Any] = {"k": k, "use": None if use is None else list(use), "ascending": [*ascending]}
        self._k = np.float32(k)
        self._signs = np.empty(0, np.float32)

    def fit(self, table: Table, seed: int = 0) -> None:
        """Take the columns' order from the table; nothing is learned."""
        use, ascending = self.settings["use"], self.settings["ascending"]
        self._signs = np.array(
            [0 if use is not None and name not in use else -1 if name in ascending else 1 for name in table.columns],
            np.float32,
        )

    def score(self, features: Features) -> NDArray[np.float32]:
        """Return the sums (n,), rounded to seven decimals; `features` are all the rows of one question."""
        return np.asarray(np.round(self.terms(features).sum(axis=1), DECIMALS), np.float32)

    def terms(self, features: Features) -> NDArray[np.float64]:
        """Return each column's term (n, s)."""
        result = np.zeros(features.shape, np.float64)
        for column in np.flatnonzero(self._signs):
            values = -self._signs[column] * features[:, column]
            ranks = 1 + np.searchsorted(np.sort(values), values, side="left")
            result[:, column] = 1.0 / (float(self._k) + ranks)
        return result

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """Return `k` (1,), and `signs` (s,): 1, -1 or 0 for highest first, lowest first, not used."""
        return {"k": np.array([self._k]), "signs": self._signs}

    def restore(self, arrays: Mapping[str, NDArray[np.float32]]) -> None:
        """Take back what `arrays` gave; raise BadNetwork for anything else."""
        k, signs = arrays.get("k"), arrays.get("signs")
        if k is None or k.shape != (1,) or k[0] < 0 or signs is None or len(arrays) > 2:
            raise BadNetwork("reciprocal rank fusion has two arrays, k with one number and signs")
        if signs.ndim != 1 or not np.isin(signs, (-1, 0, 1)).all():
            raise BadNetwork("array signs must hold 1, -1 or 0 for each column")
        self._k, self._signs = k[0], signs

    def inputs(self) -> int:
        """Return the number of columns."""
        return len(self._signs)
