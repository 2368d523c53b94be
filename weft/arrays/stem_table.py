"""The stems of texts, titles and headings as numbers, in the order in which the texts say them."""

from __future__ import annotations

import re
import sqlite3
from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from weft.arrays.blobs import read_array, starts_of

Numbers = NDArray[np.int32]
Starts = NDArray[np.int64]


class Rows(NamedTuple):
    """Numbers by row: those of row i are `numbers[starts[i]:starts[i + 1]]`."""

    starts: Starts
    numbers: Numbers


class Vocabulary(NamedTuple):
    """All stems in the order of their UTF-8, each followed by a line end, where each begins, and its number."""

    text: bytes
    starts: Starts
    numbers: Numbers

    def number(self, stem: str) -> int:
        """Return the number of a stem, -1 for one that nothing says; O(log n)."""
        key, n = stem.encode(), len(self.numbers)
        index = bisect_left(range(n), key, key=self._stem)
        return int(self.numbers[index]) if index < n and self._stem(index) == key else -1

    def numbers_of(self, stems: Sequence[str]) -> Numbers:
        """Return the number of each stem, -1 for one that nothing says."""
        return np.fromiter(map(self.number, stems), np.int32, len(stems))

    def holding(self, letter: str) -> Numbers:
        """Return the numbers of the stems that hold a letter. O(length of all stems)."""
        places = [found.start() for found in re.finditer(re.escape(letter.encode()), self.text)]
        return self.numbers[np.unique(np.searchsorted(self.starts, places, side="right") - 1)]

    def _stem(self, index: int) -> bytes:
        return self.text[self.starts[index] : self.starts[index + 1] - 1]


class StemTable(NamedTuple):
    """Stems of chunks (n,) in the order of their ids, of pages' titles and of sections' headings.

    `texts` has a chunk's stems in the order of its text. Sentence j ends before
    the stem `sentence_ends[j]`; those of chunk i are `sentences[i]` to
    `sentences[i + 1]`. `titles` and `headings` have each stem once; a heading's
    first `own_sizes` are its own, the others those of the headings above it.
    """

    vocabulary: Vocabulary
    texts: Rows
    sentences: Starts
    sentence_ends: Starts
    titles: Rows
    headings: Rows
    own_sizes: NDArray[np.int32]
    section_ids: NDArray[np.int64]
    has_number: NDArray[np.bool_]
    has_year: NDArray[np.bool_]


def load_stem_table(connection: sqlite3.Connection) -> StemTable:
    """Read all stems; 4 bytes a word of a text."""
    text = read_array(connection, "stem.text")
    ends = np.flatnonzero(text == ord("\n")) + 1
    starts = np.concatenate([[0], ends])
    return StemTable(
        Vocabulary(text.tobytes(), starts, read_array(connection, "stem.number")),
        read_rows(connection, "text"),
        starts_of(read_array(connection, "sentence.size")),
        starts_of(read_array(connection, "sentence.stems"))[1:],
        read_rows(connection, "title"),
        read_rows(connection, "heading"),
        read_array(connection, "heading.own"),
        read_array(connection, "section.id"),
        read_array(connection, "chunk.has_number").astype(bool),
        read_array(connection, "chunk.has_year").astype(bool),
    )


def read_rows(connection: sqlite3.Connection, name: str) -> Rows:
    """Return rows of stems that were written under a name."""
    return Rows(starts_of(read_array(connection, f"{name}.size")), read_array(connection, f"{name}.stem"))
