"""Rows of a dense vector space, compared with vectors by reading them all."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from retriever.encodings import DenseVectors, Vectors, dense
from retriever.index.dense.byte_codes import ByteCodes, are_at_hand, codes_of
from retriever.protocols import Pass
from retriever.types import Scores

BATCH = 8192
"""Rows gathered at a time."""

BLOCK = 256
"""Rows read at a time for several vectors."""

THREADS = min(4, os.cpu_count() or 1)
SMALL = 16_384
"""Rows that one thread reads sooner than several begin."""

OFTEN = 24
"""Making codes takes as long as about so many comparisons, so rows that are compared more often are coded."""

MOST_CODED = 1 << 30
"""Bytes of rows that are coded: with all else that a search keeps, the codes of more would take memory beyond what is
promised (docs/performance.md), and exact comparison of so many is within its time."""

WORKERS = ThreadPoolExecutor(THREADS, "similarity")

Matrix = NDArray[np.float32]


class DenseRows:
    """Rows (n, d) of unit length; what sessions share of them are codes, made once many rows are compared often."""

    one_by_one = True
    least = -np.inf

    def __init__(self, matrix: Matrix) -> None:
        self.matrix = matrix
        self._n_compared = 0
        self._codes: ByteCodes | None = None
        self._coding = Lock()

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.matrix)

    def compare(self, vectors: Vectors) -> list[Pass]:
        """Begin to compare each row with vectors, one at least, in one reading; estimate where rows are coded.

        One core reads rows twice as fast by `einsum` as by a matrix product, whose threads wait for each other besides.
        """
        rows, own = self.matrix, dense(vectors)
        scores = [np.empty(len(rows), np.float32) for _ in own]
        if len(rows) < SMALL:
            cosines(rows, own, scores)
            return [Pass(each, ()) for each in scores]
        if codes := self._coded(len(own)):
            return [codes.estimate(each) for each in own]
        borders = np.linspace(0, len(rows), THREADS + 1).astype(int).tolist()
        parts = [slice(*each) for each in pairwise(borders)]
        running = [WORKERS.submit(cosines, rows[part], own, [each[part] for each in scores]) for part in parts]
        return [Pass(each, running) for each in scores]

    def _coded(self, n: int) -> ByteCodes | None:
        """Return the codes, None while few vectors were compared, n with this time, of many rows or without library."""
        if self.matrix.nbytes > MOST_CODED:
            return None
        with self._coding:
            self._n_compared += n
            if self._codes is None and self._n_compared > OFTEN and are_at_hand():
                self._codes = codes_of(self.matrix)
            return self._codes

    def some(self, indices: NDArray[np.int64], vectors: Vectors) -> NDArray[np.float32]:
        """Return the cosines (m, n) of vectors with the rows at some indices.

        A matrix product may give equal rows different last bits, by where they
        stand; this sum takes every row by itself.
        """
        scores = np.empty((len(vectors), len(indices)), np.float32)
        for start in range(0, len(indices), BATCH):
            part = slice(start, start + BATCH)
            cosines(self.matrix[indices[part]], dense(vectors), [each[part] for each in scores])
        return scores

    def taken(self, indices: NDArray[np.int64]) -> DenseRows:
        """Return some of the rows."""
        return DenseRows(self.matrix[indices])

    def at(self, indices: NDArray[np.int64]) -> Vectors:
        """Return some of the rows as vectors."""
        return DenseVectors(self.matrix[indices])


def cosines(rows: Matrix, vectors: Matrix, scores: Sequence[Scores]) -> None:
    """Write each row's cosine with every vector; several vectors take rows that the processor's cache holds."""
    step = len(rows) if len(vectors) == 1 else BLOCK
    for start in range(0, len(rows), max(1, step)):
        part = slice(start, start + step)
        for vector, own in zip(vectors, scores, strict=True):
            np.einsum("ij,j->i", rows[part], vector, out=own[part])
