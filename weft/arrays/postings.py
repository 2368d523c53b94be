"""BM25 of whole tables at once: what each word adds to every row's score, read from FTS5 once and kept.

FTS5's score of a question is the sum of its words' scores, in their order:

    ln((rows - n + 0.5) / (n + 0.5)) * 2.2 f / (f + 1.2 (0.25 + 0.75 length / mean length))

for a word that stands in n rows and, its occurrences weighed by their column, f
times in this one. FTS5 looks up every row's length again for every word; here
lengths are those that the builder wrote, as is for chunks where each word stands.
(https://www.sqlite.org/fts5.html#the_bm25_function)
"""

from __future__ import annotations

import math
import sqlite3
from itertools import chain
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from weft.arrays.blobs import read_array
from weft.arrays.full_text import (
    WEIGHTS,
    document_frequency,
    occurrences,
    phrase,
    score_query,
    searched_words,
    vocabulary,
)  # fmt: skip
from weft.arrays.shared import Recent
from weft.arrays.word_table import OFTEN, SHARE, WordTable, chunks_of, load_word_table, times_of
from weft.errors import NotAKnowledgeBase

MOST, OVERHEAD = 12_000_000, 40
"""Rows of words that are kept, 12 bytes each: 144 MB, and how many a word itself counts as. The words not searched for
the longest are dropped beyond."""

MOST_COUNTED = 100_000
"""Rows of a word beyond which no more are counted."""

FREE_IDS, SPARSEST = 10_000_000, 64
"""Ids up to so many, and so many times the rows, are in order: updates leave gaps."""


class Posting(NamedTuple):
    """The rows (n,) that hold a word, sorted, and what it adds to the score of each."""

    rows: NDArray[np.int32]
    scores: NDArray[np.float64]


class Postings:
    """Scores all rows of `chunk_fts` or `entity_fts` as FTS5 does.

    A frequent word costs as much as a whole search once, and next to nothing
    afterwards. Threads may share it, each with a connection of its own to the
    same file. There are `n_rows`, with ids below `n_ids`.
    """

    def __init__(self, connection: sqlite3.Connection, table: str) -> None:
        self._table = table
        self._ids, self._lengths = _lengths(connection, table)
        self.n_rows, self.n_ids = len(self._ids), len(self._lengths)
        mean = float(self._lengths.sum()) / max(1, self.n_rows)
        self._damping = 1.2 * (0.25 + 0.75 * self._lengths / (mean or 1.0))
        self._kept: Recent[str, Posting] = Recent(MOST, lambda posting: OVERHEAD + len(posting.rows))
        self._known: WordTable | None = None
        self._lock = Lock()

    def scores(self, connection: sqlite3.Connection, question: str) -> NDArray[np.float64]:
        """Return the score of every row, by its id, 0 for one without any word."""
        found = [self.of(connection, word) for word in searched_words(question)]
        if not found:
            return np.zeros(self.n_ids)
        rows, scores = (np.concatenate(each) for each in zip(*found, strict=True))
        # Row by row the sums are made in the order of the words.
        total: NDArray[np.float64] = np.bincount(rows, scores, self.n_ids).astype(np.float64, copy=False)
        return total

    def scores_of(
        self, connection: sqlite3.Connection, question: str, rows: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Return the scores of some rows (n,); O(n log rows) a word."""
        total = np.zeros(len(rows))
        for word in searched_words(question):
            posting = self.of(connection, word)
            # Of one type, so that the whole posting is not cast.
            own = rows.astype(posting.rows.dtype)
            places = np.minimum(np.searchsorted(posting.rows, own), len(posting.rows) - 1)
            if len(posting.rows):
                total += np.where(posting.rows[places] == rows, posting.scores[places], 0.0)
        return total

    def of(self, connection: sqlite3.Connection, word: str) -> Posting:
        """Return the rows that hold a word."""
        return self._kept.of(word, lambda: self._read(connection, word))

    def saturated(self, connection: sqlite3.Connection, word: str) -> Posting:
        """Return the rows that hold a word, and what it adds to the score of each but for its rarity: 0 to 2.2."""
        posting = self.of(connection, word)
        return Posting(posting.rows, posting.scores / self._rarity(len(posting.rows)))

    def beginning(self, connection: sqlite3.Connection, prefix: str) -> list[str]:
        """Return the words of the index that begin so, in their order."""
        words = self._words(connection)
        if words is not None:
            return words.beginning(prefix)
        name = vocabulary(connection, self._table, "row")
        last = f"{prefix}\U0010ffff"
        found = connection.execute(f"SELECT term FROM {name} WHERE term BETWEEN ? AND ?", (prefix, last))
        return [word for (word,) in found]

    def frequency(self, connection: sqlite3.Connection, word: str, *, prefix: bool = False) -> int:
        """Return in how many rows a word, or one that begins so, stands, as `document_frequency` does."""
        words = self._words(connection)
        if words is None or not (word.isascii() and word.isalnum()):
            return document_frequency(connection, self._table, word, prefix=prefix, most=MOST_COUNTED)
        first, last = span = words.span(word.lower(), prefix=prefix)
        if not prefix or last - first < 2:
            return min(last - first, MOST_COUNTED)
        said = np.zeros(self.n_rows, bool)
        said[chunks_of(connection, span)] = True
        return min(int(np.count_nonzero(said)), MOST_COUNTED)

    def _words(self, connection: sqlite3.Connection) -> WordTable | None:
        """Return where the build wrote the words of chunks; None for entities, and for a file without these arrays."""
        if self._table != "chunk_fts":
            return None
        with self._lock:
            if self._known is None:
                self._known = load_word_table(connection)
        return self._known if self._known.text else None

    def _read(self, connection: sqlite3.Connection, word: str) -> Posting:
        if not word.isascii():
            return self._asked(connection, word)
        words = self._words(connection)
        if words is None:
            return self._listed(connection, word)
        span = words.span(word.lower())
        times = times_of(connection, span)
        if (times == OFTEN).any():
            return self._asked(connection, word)
        return self._posting(self._ids[chunks_of(connection, span)], times.astype(np.float64) / SHARE)

    def _listed(self, connection: sqlite3.Connection, word: str) -> Posting:
        """Return the rows of a word from FTS5's list of its occurrences."""
        found = occurrences(connection, self._table, word.lower(), word.lower())
        rows, starts = np.unique(found >> 2, return_index=True)
        weights = np.array([*WEIGHTS[self._table].values()])[found & 3]
        return self._posting(rows, np.add.reduceat(weights, starts) if len(rows) else np.empty(0))

    def _posting(self, rows: NDArray[np.int64], times: NDArray[np.float64]) -> Posting:
        """Return what a word adds that stands in rows so many times, its occurrences weighed."""
        scores = self._rarity(len(rows)) * ((times * 2.2) / (times + self._damping[rows]))
        return Posting(rows.astype(np.int32), scores)

    def _rarity(self, n: int) -> float:
        """Return how rare a word of n rows is, as FTS5 reckons it."""
        rarity = math.log((self.n_rows - n + 0.5) / (n + 0.5))
        return rarity if rarity > 0 else 1e-6

    def _asked(self, connection: sqlite3.Connection, word: str) -> Posting:
        """Return the rows of a word that FTS5 may fold or cut in its own way."""
        found = connection.execute(*score_query(self._table, phrase(word)))
        table = np.fromiter(chain.from_iterable(found), np.float64).reshape(-1, 2)
        return Posting(table[:, 0].astype(np.int32), table[:, 1].copy())


def _check_ids(connection: sqlite3.Connection, table: str, ids: NDArray[np.int64]) -> None:
    """Raise NotAKnowledgeBase where arrays by id would be out of proportion to the rows; `ids` are sorted."""
    wrong = int(ids[0] if ids[0] < 0 else ids[-1])
    if 0 <= wrong <= FREE_IDS + SPARSEST * len(ids):
        return
    path = next(file for _, name, file in connection.execute("PRAGMA database_list") if name == "main")
    raise NotAKnowledgeBase(
        f"{path}: damaged, or worn by many updates: {table} has the row {wrong:,} of {len(ids):,} in all; move it away"
        " and build it from its sources"
    )


def _lengths(connection: sqlite3.Connection, table: str) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the ids of the rows, and the words in every row, by its id."""
    unit = table.removesuffix("_fts")
    ids = read_array(connection, f"{unit}.id")
    if not len(ids):
        return ids, np.zeros(1)
    _check_ids(connection, table, ids)
    lengths = np.zeros(int(ids[-1]) + 1)
    lengths[ids] = read_array(connection, f"{unit}.words")
    return ids, lengths
