"""BM25 of whole tables at once: what each word adds to every row's score, read from FTS5 once and kept."""

from __future__ import annotations

import sqlite3
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from weft.full_text import score_query, searched_words

MOST = 12_000_000
"""Rows of words that are kept, 12 bytes each: 144 MB. The words not searched for the longest are dropped beyond."""


class Posting(NamedTuple):
    """The rows (n,) that hold a word, sorted, and what it adds to the score of each."""

    rows: NDArray[np.int32]
    scores: NDArray[np.float64]


class Postings:
    """Scores all rows of `chunk_fts` or `entity_fts`, to the last bit as FTS5 does.

    FTS5's score of a question is the sum of its words' scores, in their order,
    so these are asked for one by one. A frequent word costs as much as a whole
    search once, and nothing afterwards.
    """

    def __init__(self, connection: sqlite3.Connection, table: str) -> None:
        self._connection = connection
        self._table = table
        (last,) = connection.execute(f"SELECT ifnull(max(id), 0) FROM {table.removesuffix('_fts')}").fetchone()
        self._size = int(last) + 1
        self._kept: dict[str, Posting] = {}
        self._n_kept = 0
        self._last: tuple[str, NDArray[np.float64]] | None = None

    def scores(self, question: str) -> NDArray[np.float64]:
        """Return the score of every row, by its id, 0 for one without any word; kept for the last question."""
        if self._last is None or self._last[0] != question:
            total = np.zeros(self._size)
            for word in searched_words(question):
                rows, scores = self.of(word)
                total[rows] += scores
            self._last = (question, total)
        return self._last[1]

    def best(
        self, question: str, k: int, allowed: NDArray[np.int64] | None = None
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Return what `search_full_text` does, ranking only rows that are `allowed`; scores stay the table's."""
        total = self.scores(question)
        ids = np.flatnonzero(total) if allowed is None else allowed[total[allowed] > 0]
        scores = total[ids]
        if 0 < k < len(ids):
            top = scores >= np.partition(scores, len(ids) - k)[len(ids) - k]
            ids, scores = ids[top], scores[top]
        order = np.lexsort((ids, -scores))[: len(ids) if k > 0 else 0]
        return ids[order], scores[order].astype(np.float32)

    def of(self, word: str) -> Posting:
        """Return the rows that hold a word."""
        found = self._kept.pop(word, None)
        if found is None:
            found = self._read(word)
            self._n_kept += len(found.rows)
        self._kept[word] = found
        while self._n_kept > MOST and len(self._kept) > 1:
            self._n_kept -= len(self._kept.pop(next(iter(self._kept))).rows)
        return found

    def _read(self, word: str) -> Posting:
        rows = self._connection.execute(*score_query(self._table, f'"{word}"')).fetchall()
        table = np.fromiter(chain.from_iterable(rows), np.float64, 2 * len(rows)).reshape(-1, 2)
        return Posting(table[:, 0].astype(np.int32), table[:, 1].copy())
