"""Which rows of a sparse space hold a word, and how much it weighs there: read a word at a time, and kept.

A question is compared with every row by adding up the postings of its words: a
sum in the order of the words, so that equal rows get the same bits wherever they stand.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from weft.arrays.blobs import IDS, NUMBERS, WEIGHTS, read_array, read_slice, starts_of
from weft.arrays.shared import Recent
from weft.sparse.sparse_rows import posting_array, words_of_space

PARTS = {"word": IDS, "size": NUMBERS, "row": NUMBERS, "weight": WEIGHTS}
"""The arrays of a space's postings and their types; `posting_array` gives their names."""

IN_PARTS = ("row", "weight")
"""The parts of which a search reads no more than it needs."""

MOST = 12_000_000
"""Rows of words that are kept, 8 bytes each: 96 MB a space. The words not asked for the longest are dropped beyond."""


class VectorPosting(NamedTuple):
    """The rows (n,) that hold a word, ascending, and its weight in each."""

    rows: NDArray[np.int32]
    weights: NDArray[np.float32]


class VectorPostings:
    """The postings of a space; threads may share them, each with a connection of its own to the same file."""

    def __init__(self, connection: sqlite3.Connection, space: str) -> None:
        """Read which words there are; raise ValueError where the arrays do not fit each other."""
        blocks = connection.execute("SELECT ids FROM vector WHERE space = ? ORDER BY block", (space,))
        self.ids = np.frombuffer(b"".join(ids for (ids,) in blocks), "<i8")
        self._space = space
        self._words = words_of_space(connection, space)
        sizes = read_array(connection, posting_array(space, "size"), NUMBERS)
        self._starts = starts_of(sizes)
        if len(self._words) != len(sizes) or np.any(sizes < 1):
            raise ValueError(f"postings of {space}: {len(self._words)} words and {len(sizes)} sizes")
        self._kept: Recent[int, VectorPosting] = Recent(MOST, lambda posting: len(posting.rows))

    def scores(
        self, connection: sqlite3.Connection, words: NDArray[np.int64], weights: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """Return the inner product of one sparse vector with every row (n,); O(n + rows that hold its words)."""
        total = np.zeros(len(self.ids), np.float32)
        for word, weight in zip(words.tolist(), weights, strict=True):
            posting = self.of(connection, word)
            # A row holds a word once, so that this adds to each row what it should.
            total[posting.rows] += weight * posting.weights
        return total

    def of(self, connection: sqlite3.Connection, word: int) -> VectorPosting:
        """Return the rows that hold a word, by its hash."""
        return self._kept.of(word, lambda: self._read(connection, word))

    def _read(self, connection: sqlite3.Connection, word: int) -> VectorPosting:
        index = int(np.searchsorted(self._words, word))
        if index == len(self._words) or self._words[index] != word:
            return VectorPosting(np.empty(0, np.int32), np.empty(0, np.float32))
        start, end = self._starts[index : index + 2].tolist()
        rows, weights = (
            read_slice(connection, posting_array(self._space, name), start, end, PARTS[name]) for name in IN_PARTS
        )
        if rows.min(initial=0) < 0 or rows.max(initial=0) >= len(self.ids):
            raise ValueError(f"postings of {self._space}: a row beyond the {len(self.ids)} that there are")
        return VectorPosting(rows, weights)


def posting_arrays(spaces: Iterable[str]) -> dict[str, str]:
    """Return the arrays of spaces' postings by name, with their types."""
    return {posting_array(space, part): dtype for space in spaces for part, dtype in PARTS.items()}
