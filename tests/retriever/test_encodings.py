"""Dense and sparse vectors do the same."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from retriever.encodings import DenseVectors, SparseVectors, Vectors
from retriever.signals.path.edge_scores import cosines_of_sums
from weft.arrays.blobs import starts_of
from weft.sparse.sparse_rows import SparseRows

WORDS = np.array([-70, -3, 0, 5, 11, 900], np.int64)


def both(rows: NDArray[np.float32]) -> tuple[DenseVectors, SparseVectors]:
    held = rows != 0
    sparse = SparseRows(starts_of(held.sum(1)), np.tile(WORDS, (len(rows), 1))[held], rows[held])
    return DenseVectors(rows), SparseVectors(sparse)


def drawn(n: int, random: np.random.Generator) -> NDArray[np.float32]:
    rows = random.random((n, len(WORDS))).astype(np.float32)
    rows[random.random(rows.shape) < 0.6] = 0
    return rows


def test_products_of_neighbours_are_the_same() -> None:
    random = np.random.default_rng(0)
    for n in (0, 1, 7, 60):
        one, two, which = drawn(n, random), drawn(5, random), random.integers(0, 5, n)
        expected = (one.astype(np.float64) * two[which]).sum(1)
        for left, right in zip(both(one), both(two), strict=True):
            np.testing.assert_allclose(left.beside(right, which), expected, atol=1e-6)  # type: ignore[arg-type]


def test_cosines_of_sums_are_those_of_sums_that_are_made() -> None:
    random = np.random.default_rng(1)
    for n in (1, 5, 80):
        labels, ways, vectors = drawn(n, random), drawn(3, random), drawn(2, random)
        labels[0], ways[0] = 0, 0
        which = random.integers(0, 3, n)
        which[0] = 0
        sums = labels.astype(np.float64) + ways[which]
        lengths = np.linalg.norm(sums, axis=1)
        best = (sums @ vectors.T.astype(np.float64)).max(1)
        expected = np.divide(best, lengths, out=np.zeros(n), where=lengths > 0)
        for parts in zip(both(labels), both(ways), both(vectors), strict=True):
            own: tuple[Vectors, ...] = parts
            np.testing.assert_allclose(cosines_of_sums(own[0], own[1], which, own[2]), expected, atol=3e-6)
