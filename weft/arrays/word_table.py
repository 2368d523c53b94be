"""Which chunks hold each word of their full-text index, and how often, read from the arrays word by word."""

from __future__ import annotations

import sqlite3
from bisect import bisect_left
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from weft.arrays.blobs import read_array, read_slice, starts_of
from weft.arrays.full_text import WEIGHTS

Starts = NDArray[np.int64]

SHARE = 2
"""Times are counted in halves, since that is the least weight of a column."""

OFTEN = 255
"""A word that stands in a chunk as often as this, or oftener, is asked of the index itself."""

TIMES = np.array([SHARE * weight for weight in WEIGHTS["chunk_fts"].values()], np.int64)
"""What an occurrence counts, by its column."""


class WordTable(NamedTuple):
    """Words in the order of their UTF-8, each followed by a line end: word i is `text[begins[i]:begins[i + 1] - 1]`.

    It stands in the chunks `starts[i]` to `starts[i + 1]` of the array `word.chunk`.
    """

    text: bytes
    begins: memoryview
    starts: Starts

    def span(self, word: str, *, prefix: bool = False) -> tuple[int, int]:
        """Return where the chunks of a word, or of all words that begin so, stand in the arrays; O(log n)."""
        first = self._place(word.encode())
        # No byte of UTF-8 is 255, and a line end precedes all that a word can go on with.
        last = self._place(word.encode() + (b"\xff" if prefix else b"\n"))
        return int(self.starts[first]), int(self.starts[last])

    def beginning(self, prefix: str) -> list[str]:
        """Return the words that begin so, in their order; O(log n) and as many as there are."""
        first, last = self._place(prefix.encode()), self._place(prefix.encode() + b"\xff")
        return self.text[self.begins[first] : self.begins[last]].decode().split("\n")[:-1]

    def _place(self, key: bytes) -> int:
        return bisect_left(range(len(self.begins) - 1), key, key=self._word)

    def _word(self, index: int) -> bytes:
        return self.text[self.begins[index] : self.begins[index + 1] - 1]


def load_word_table(connection: sqlite3.Connection) -> WordTable:
    """Read all words, not where they stand; 16 bytes a word beside its letters."""
    text = read_array(connection, "word.text")
    begins = np.append(0, np.flatnonzero(text == ord("\n")) + 1)
    # Single numbers of a view are read in a third of the time of an array's.
    return WordTable(text.tobytes(), begins.data, starts_of(read_array(connection, "word.size")))


def chunks_of(connection: sqlite3.Connection, span: tuple[int, int]) -> NDArray[np.int32]:
    """Return the indices of the chunks of a span, those of each word ascending."""
    return read_slice(connection, "word.chunk", *span)


def times_of(connection: sqlite3.Connection, span: tuple[int, int]) -> NDArray[np.uint8]:
    """Return how often a word stands in each chunk of its span, in halves, `OFTEN` at most."""
    return read_slice(connection, "word.times", *span)
