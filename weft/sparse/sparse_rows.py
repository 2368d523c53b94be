"""Rows with few numbers other than zero: as arrays, and as the blocks of table `vector` that hold them."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from weft.arrays.blobs import IDS, KEPT, NUMBERS, POSTING, WEIGHTS, narrowed, ranges, read_array, starts_of, widened
from weft.meta import get_meta

SPARSE = "sparse"
"""What `meta` calls the type of vectors that are kept as sparse rows."""


class SparseRows(NamedTuple):
    """Rows (n,): row i weighs the words `words[starts[i]:starts[i + 1]]`, ascending, as `weights` says beside them.

    `starts` (n + 1,) begins with 0, `words` (e,) are hashes, and `weights` (e,) are float32.
    """

    starts: NDArray[np.int64]
    words: NDArray[np.int64]
    weights: NDArray[np.float32]

    @property
    def n(self) -> int:
        """The number of rows."""
        return len(self.starts) - 1

    @property
    def sizes(self) -> NDArray[np.int64]:
        """The number of words of each row (n,)."""
        return np.diff(self.starts)

    @property
    def numbers(self) -> NDArray[np.int64]:
        """The row of each word (e,)."""
        return np.repeat(np.arange(self.n), self.sizes)

    def taken(self, indices: NDArray[np.int64]) -> SparseRows:
        """Return some rows, in the order given."""
        begins = self.starts[indices]
        sizes = self.starts[indices + 1] - begins
        entries = ranges(begins, sizes)
        return SparseRows(starts_of(sizes), self.words[entries], self.weights[entries])


class SparseSpace(NamedTuple):
    """A space as arrays: sorted `ids` (n,) and, beside them, sparse `rows` of unit length."""

    ids: NDArray[np.int64]
    rows: SparseRows


def no_rows(n: int = 0) -> SparseRows:
    """Return n rows without any word."""
    return SparseRows(np.zeros(n + 1, np.int64), np.empty(0, np.int64), np.empty(0, np.float32))


def concatenated(parts: Sequence[SparseRows]) -> SparseRows:
    """Return the rows of all parts, one after the other."""
    if len(parts) == 1:
        return parts[0]
    parts = [no_rows(), *parts]
    sizes = np.concatenate([each.sizes for each in parts])
    words, weights = (np.concatenate([each[column] for each in parts]) for column in (1, 2))
    return SparseRows(starts_of(sizes), words, weights)


def summed(n: int, numbers: NDArray[np.int64], words: NDArray[np.int64], weights: NDArray[np.float64]) -> SparseRows:
    """Return n rows of what is given word by word, in any order; what is said twice of a row and word adds up."""
    order = np.lexsort((words, numbers))
    numbers, words, weights = numbers[order], words[order], weights[order]
    if len(words):
        first = np.flatnonzero(np.append(True, (numbers[1:] != numbers[:-1]) | (words[1:] != words[:-1])))
        numbers, words, weights = numbers[first], words[first], np.add.reduceat(weights, first)
    return SparseRows(starts_of(np.bincount(numbers, minlength=n)), words, weights.astype(np.float32))


def encode_sparse(rows: SparseRows) -> bytes:
    """Return the blob of a block's rows: all words, all weights, the number of words of each row.

    Words are numbers in the space, in as few bytes as the largest takes, or, until these are known, hashes, each of
    8 bytes; how many it is follows from the blob's length.
    """
    _, words = narrowed(np.ascontiguousarray(rows.words, IDS))
    sizes = np.ascontiguousarray(rows.sizes, NUMBERS)
    return words + np.ascontiguousarray(rows.weights, WEIGHTS).tobytes() + sizes.tobytes()


def decode_sparse(data: bytes, n: int) -> SparseRows:
    """Return a block's n rows with their words as they are kept; raise ValueError where the blob has another length."""
    if len(data) < 4 * n:
        raise ValueError(f"a block of {n} sparse rows has {len(data)} bytes")
    sizes = np.frombuffer(data, NUMBERS, n, len(data) - 4 * n)
    starts = starts_of(sizes)
    n_entries = int(starts[-1])
    width, left = divmod(len(data) - 4 * n, n_entries) if n_entries else (KEPT[IDS] + 4, len(data) - 4 * n)
    kept = next((kept for kept, own in KEPT.items() if own == width - 4), None)
    if left or kept is None or np.any(sizes < 0):
        raise ValueError(f"a block of {n} sparse rows with {n_entries} words has {len(data)} bytes")
    words = widened(data[: n_entries * (width - 4)], kept, IDS)
    return SparseRows(starts, words, np.frombuffer(data, WEIGHTS, n_entries, len(words) * (width - 4)))


def with_hashes(rows: SparseRows, words: NDArray[np.int64]) -> SparseRows:
    """Return rows with hashes in place of the words' numbers; raise ValueError where there is no such number."""
    if len(rows.words) and not 0 <= rows.words.min() <= rows.words.max() < len(words):
        raise ValueError(f"sparse rows have a word beyond the {len(words)} that there are")
    return rows._replace(words=words[rows.words])


def words_of_space(connection: sqlite3.Connection, space: str) -> NDArray[np.int64]:
    """Return the hashes of a space's words (words,), ascending."""
    return read_array(connection, posting_array(space, "word"), IDS)


def posting_array(space: str, part: str) -> str:
    """Return the name in table `array` of a space's words, or of a part of their postings."""
    return f"{POSTING}{space}.{part}"


def load_sparse(connection: sqlite3.Connection, space: str) -> SparseSpace:
    """Read a space whole, its rows by id, none when the SKB has none of it; raise ValueError where it is dense."""
    if (kind := get_meta(connection, "vector_dtype")) != SPARSE:
        raise ValueError(f"vectors of type {kind}, not {SPARSE}")
    words = words_of_space(connection, space)
    blocks = connection.execute("SELECT ids, rows FROM vector WHERE space = ? ORDER BY block", (space,))
    ids, parts = [np.empty(0, np.int64)], [no_rows()]
    for own, data in blocks:
        ids.append(np.frombuffer(own, "<i8"))
        parts.append(with_hashes(decode_sparse(data, len(ids[-1])), words))
    joined, rows = np.concatenate(ids), concatenated(parts)
    order = np.argsort(joined, kind="stable")
    in_order = bool(np.all(joined[1:] > joined[:-1]))
    return SparseSpace(joined, rows) if in_order else SparseSpace(joined[order], rows.taken(order))
