"""Rows of a sparse vector space, compared with vectors by the postings of their words."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from retriever.encodings import SparseVectors, Vectors, sparse
from retriever.protocols import Pass
from weft.sparse.sparse_rows import SparseRows
from weft.sparse.vector_postings import VectorPostings


class PostedRows:
    """Rows as postings and, read only where rows are compared with each other, as such; `load` gives these."""

    one_by_one = False
    matrix = None
    least = 1e-6
    """Most rows share no word with a question, and are no nearer than others that share none."""

    def __init__(
        self,
        postings: VectorPostings,
        connection: sqlite3.Connection,
        load: Callable[[], SparseRows],
        chosen: NDArray[np.int64] | None = None,
    ) -> None:
        """Take all rows of a space, or those at the `chosen` indices."""
        self._postings = postings
        self._connection = connection
        self._load = load
        self._chosen = chosen

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self._postings.ids if self._chosen is None else self._chosen)

    def compare(self, vectors: Vectors) -> list[Pass]:
        """Compare each row with vectors; O(rows that hold one of their words)."""
        scores = (self._postings.scores(self._connection, *each) for each in sparse(vectors))
        return [Pass(each if self._chosen is None else each[self._chosen], ()) for each in scores]

    def some(self, indices: NDArray[np.int64], vectors: Vectors) -> NDArray[np.float32]:
        """Return the cosines (m, n) of vectors with the rows at some indices."""
        return np.stack([each.scores[indices] for each in self.compare(vectors)])

    def taken(self, indices: NDArray[np.int64]) -> PostedRows:
        """Return some of the rows."""
        chosen = indices if self._chosen is None else self._chosen[indices]
        return PostedRows(self._postings, self._connection, self._load, chosen)

    def at(self, indices: NDArray[np.int64]) -> Vectors:
        """Return some of the rows as vectors."""
        return SparseVectors(self._load().taken(indices if self._chosen is None else self._chosen[indices]))
