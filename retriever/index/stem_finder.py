"""Which of some stems texts, sentences, titles and headings say, found in arrays of stems' numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.session import Session
from weft.arrays.blobs import ranges
from weft.arrays.stem_table import Numbers, Rows, StemTable
from weft.text.pairs import is_single

Indices = NDArray[np.int64]
Flags = NDArray[np.bool_]


class Found(NamedTuple):
    """Stems found in rows: in which row (m,), which stem, and at which place of all numbers."""

    rows: Indices
    stems: NDArray[np.int32]
    places: Indices


class StemFinder:
    """Finds stems (w,), each once, wherever they are said."""

    def __init__(self, table: StemTable, columns: NDArray[np.int32], n_stems: int) -> None:
        """Take the column of each stem of the vocabulary, by number, -1 for those that are not looked for."""
        self.table = table
        self.n_stems = n_stems
        self._columns = columns

    def counts(self, found: Found, n: int) -> NDArray[np.int64]:
        """Return how often each of n rows says each stem (n, w)."""
        flat = np.bincount(found.rows * self.n_stems + found.stems, minlength=n * self.n_stems)
        return flat.reshape(n, self.n_stems)

    def in_texts(self, chunks: Indices) -> Found:
        """Return where the texts of chunks say the stems."""
        starts = self.table.texts.starts
        return self._found(self.table.texts.numbers, starts[chunks], starts[chunks + 1])

    def of_sentences(self, sentences: Indices) -> Flags:
        """Tell which stems each sentence says (n, w)."""
        ends = self.table.sentence_ends
        starts = np.where(sentences > 0, ends[sentences - 1], 0)
        return self._flags(self.table.texts.numbers, starts, ends[sentences])

    def of_own_headings(self, sections: Indices) -> Flags:
        """Tell which stems the headings of sections hold (n, w), those of the headings above them apart."""
        starts = self.table.headings.starts[sections]
        return self._flags(self.table.headings.numbers, starts, starts + self.table.own_sizes[sections])

    def of_rows(self, rows: Rows, indices: Indices) -> Flags:
        """Tell which stems some rows of titles, headings or contexts hold (n, w)."""
        return self._flags(rows.numbers, rows.starts[indices], rows.starts[indices + 1])

    def _flags(self, numbers: Numbers, starts: Indices, ends: Indices) -> Flags:
        found = self._found(numbers, starts, ends)
        flags = np.zeros((len(starts), self.n_stems), bool)
        flags[found.rows, found.stems] = True
        return flags

    def _found(self, numbers: Numbers, starts: Indices, ends: Indices) -> Found:
        counts = ends - starts
        places = ranges(starts, counts)
        stems = self._columns[numbers[places]]
        known = np.flatnonzero(stems >= 0)
        return Found(np.repeat(np.arange(len(starts)), counts)[known], stems[known], places[known])


def stem_finder(session: Session, stems: Sequence[str]) -> StemFinder:
    """Return what finds stems in an SKB, each of them once."""
    table, wanted = session.stem_table, tuple(stems)
    columns = session.memo.of("stems", wanted, lambda: _columns(table, wanted))
    return StemFinder(table, columns, len(wanted))


def _columns(table: StemTable, stems: Sequence[str]) -> NDArray[np.int32]:
    numbers = table.vocabulary.numbers_of(stems)
    said = np.flatnonzero(numbers >= 0)
    columns = np.full(len(table.vocabulary.numbers), -1, np.int32)
    for column, stem in enumerate(stems):
        if is_single(stem):  # texts hold it in pairs with the letters beside it
            columns[table.vocabulary.holding(stem)] = column
    columns[numbers[said]] = said
    return columns


def weight_of(flags: Flags, weights: Iterable[float]) -> NDArray[np.float64]:
    """Return the weight (n,) of what each row says (n, w), one stem added after the other."""
    total = np.zeros(len(flags))
    for column, weight in enumerate(weights):
        total += np.where(flags[:, column], weight, 0.0)
    return total
