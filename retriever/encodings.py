"""Vectors of texts, dense or sparse as the embedder gives them, with all that is done with several of them.

How one is compared with all rows of a space stands in `retriever.index`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from weft.sparse.sparse_rows import SparseRows, concatenated, no_rows, summed


class Vectors(Protocol):
    """Vectors (m,) of one embedder, which nothing changes. Two that are put together are of the same kind."""

    def __len__(self) -> int:
        """Return their number."""

    def __getitem__(self, index: slice | NDArray[np.int64] | NDArray[np.bool_]) -> Self:
        """Return some of them, in the order given."""

    def __add__(self, other: Self) -> Self:
        """Return the sum of each with the one beside it."""

    def joined(self, other: Self) -> Self:
        """Return these and others behind them."""

    def row_keys(self) -> list[bytes]:
        """Return for each what no other vector has."""

    def any(self) -> NDArray[np.bool_]:
        """Tell of each (m,) whether it is not zero."""

    def zeros(self, n: int) -> Self:
        """Return n vectors of the same kind, all zero."""

    def lengths(self) -> NDArray[np.float32]:
        """Return the length of each (m,)."""

    def mean(self) -> Self:
        """Return the one vector of unit length that points as their sum does, or zero as that."""

    def beside(self, others: Self, which: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the inner product of each with the one of others at its index `which` (m,)."""

    def meet(self, others: Self) -> NDArray[np.bool_]:
        """Tell of each (m,) whether its product with any of others can be other than zero."""

    def products(self, others: Self) -> NDArray[np.float32]:
        """Return the inner product of each with each of a few others (m, others), the same bits wherever it stands."""


class DenseVectors:
    """Vectors as rows (m, d)."""

    def __init__(self, rows: NDArray[np.float32]) -> None:
        self.rows = rows

    def __len__(self) -> int:
        """Return their number."""
        return len(self.rows)

    def __getitem__(self, index: slice | NDArray[np.int64] | NDArray[np.bool_]) -> Self:
        """Return some of them, in the order given."""
        return type(self)(self.rows[index])

    def __add__(self, other: Self) -> Self:
        """Return the sum of each with the one beside it."""
        return type(self)(self.rows + other.rows)

    def joined(self, other: Self) -> Self:
        """Return these and others behind them."""
        return type(self)(np.concatenate([each.rows for each in (self, other) if len(each)] or [self.rows]))

    def row_keys(self) -> list[bytes]:
        """Return for each what no other vector has."""
        return [each.tobytes() for each in self.rows]

    def any(self) -> NDArray[np.bool_]:
        """Tell of each (m,) whether it is not zero."""
        return np.asarray(self.rows.any(axis=1), np.bool_)

    def zeros(self, n: int) -> Self:
        """Return n vectors of the same kind, all zero."""
        return type(self)(np.zeros((n, self.rows.shape[1]), np.float32))

    def lengths(self) -> NDArray[np.float32]:
        """Return the length of each (m,)."""
        found: NDArray[np.float32] = np.sqrt(np.einsum("ij,ij->i", self.rows, self.rows))
        return found

    def mean(self) -> Self:
        """Return the one vector of unit length that points as their sum does, or zero as that."""
        total = self.rows.sum(axis=0, keepdims=True, dtype=np.float64)
        return type(self)((total / (np.linalg.norm(total) or 1.0)).astype(np.float32))

    def beside(self, others: Self, which: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the inner product of each with the one of others at its index `which` (m,)."""
        found: NDArray[np.float64] = np.einsum("ij,ij->i", self.rows, others.rows[which], dtype=np.float64)
        return found

    def meet(self, others: Self) -> NDArray[np.bool_]:
        """Tell of each (m,) whether its product with any of others can be other than zero."""
        return self.any() & bool(others.any().any())

    def products(self, others: Self) -> NDArray[np.float32]:
        """Return the inner product of each with each of a few others (m, others), the same bits wherever it stands."""
        found = np.empty((len(self), len(others)), np.float32)
        for column, other in enumerate(others.rows):
            found[:, column] = np.einsum("ij,j->i", self.rows, other)
        return found


class SparseVectors:
    """Vectors as weights of words (m,)."""

    def __init__(self, rows: SparseRows) -> None:
        self.rows = rows

    def __len__(self) -> int:
        """Return their number."""
        return self.rows.n

    def __getitem__(self, index: slice | NDArray[np.int64] | NDArray[np.bool_]) -> Self:
        """Return some of them, in the order given."""
        return type(self)(self.rows.taken(np.arange(len(self))[index]))

    def __iter__(self) -> Iterator[tuple[NDArray[np.int64], NDArray[np.float32]]]:
        """Yield the words of each, ascending, and their weights."""
        for start, end in zip(self.rows.starts[:-1], self.rows.starts[1:], strict=True):
            yield self.rows.words[start:end], self.rows.weights[start:end]

    def __add__(self, other: Self) -> Self:
        """Return the sum of each with the one beside it."""
        one, two = self.rows, other.rows
        numbers, words = np.append(one.numbers, two.numbers), np.append(one.words, two.words)
        return type(self)(summed(one.n, numbers, words, np.append(one.weights, two.weights).astype(np.float64)))

    def joined(self, other: Self) -> Self:
        """Return these and others behind them."""
        return type(self)(concatenated([self.rows, other.rows]))

    def row_keys(self) -> list[bytes]:
        """Return for each what no other vector has."""
        return [words.tobytes() + weights.tobytes() for words, weights in self]

    def any(self) -> NDArray[np.bool_]:
        """Tell of each (m,) whether it is not zero."""
        return self.rows.sizes > 0

    def zeros(self, n: int) -> Self:
        """Return n vectors of the same kind, all zero."""
        return type(self)(no_rows(n))

    def lengths(self) -> NDArray[np.float32]:
        """Return the length of each (m,)."""
        squares = self.rows.weights.astype(np.float64) ** 2
        return np.sqrt(np.bincount(self.rows.numbers, squares, len(self))).astype(np.float32)

    def mean(self) -> Self:
        """Return the one vector of unit length that points as their sum does, or zero as that."""
        words, weights = self.rows.words, self.rows.weights.astype(np.float64)
        total = summed(1, np.zeros(len(words), np.int64), words, weights)
        length = float(np.linalg.norm(total.weights.astype(np.float64))) or 1.0
        return type(self)(total._replace(weights=(total.weights / length).astype(np.float32)))

    def beside(self, others: Self, which: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the inner product of each with the one of others at its index `which` (m,)."""
        one, two = self.rows, others.rows
        words, known = np.unique(two.words, return_inverse=True)
        if not len(words):
            return np.zeros(len(self))
        places = np.minimum(np.searchsorted(words, one.words), len(words) - 1)
        shared = np.flatnonzero(words[places] == one.words)
        numbers = one.numbers[shared]
        # A row and a word as one number, ascending as the entries of sparse rows are.
        keys, own = two.numbers * len(words) + known, which[numbers] * len(words) + places[shared]
        found = np.minimum(np.searchsorted(keys, own), len(keys) - 1)
        products = np.where(keys[found] == own, one.weights[shared].astype(np.float64) * two.weights[found], 0.0)
        return np.asarray(np.bincount(numbers, products, len(self)), np.float64)

    def meet(self, others: Self) -> NDArray[np.bool_]:
        """Tell of each (m,) whether its product with any of others can be other than zero: they share a word."""
        shared = np.isin(self.rows.words, others.rows.words)
        return np.bincount(self.rows.numbers[shared], minlength=len(self)) > 0

    def products(self, others: Self) -> NDArray[np.float32]:
        """Return the inner product of each with each of a few others (m, others), the same bits wherever it stands."""
        found, numbers = np.zeros((len(self), len(others)), np.float32), self.rows.numbers
        for column, (words, weights) in enumerate(others):
            if len(words):
                places = np.minimum(np.searchsorted(words, self.rows.words), len(words) - 1)
                shared = np.flatnonzero(words[places] == self.rows.words)
                own = self.rows.weights[shared].astype(np.float64) * weights[places[shared]]
                found[:, column] = np.bincount(numbers[shared], own, len(self))
        return found


NO_VECTORS: Vectors = DenseVectors(np.empty((0, 0), np.float32))


def vectors_of(rows: NDArray[np.float32] | SparseRows) -> Vectors:
    """Return what an embedder gives as vectors."""
    return SparseVectors(rows) if isinstance(rows, SparseRows) else DenseVectors(rows)


def dense(vectors: Vectors) -> NDArray[np.float32]:
    """Return dense vectors as rows (m, d); raise TypeError for sparse ones."""
    if isinstance(vectors, DenseVectors):
        return vectors.rows
    raise TypeError("sparse vectors are compared with dense ones")


def sparse(vectors: Vectors) -> SparseVectors:
    """Return sparse vectors as such; raise TypeError for dense ones, but not where there is none."""
    if isinstance(vectors, SparseVectors):
        return vectors
    if len(vectors):
        raise TypeError("dense vectors are compared with sparse ones")
    return SparseVectors(no_rows())
