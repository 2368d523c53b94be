"""Which chunks hold each word of their full-text index, and how often."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import numpy as np

from builder.search_arrays.chunk_places import lines
from builder.search_arrays.row_batches import column, indices
from weft.arrays.blobs import Array
from weft.arrays.full_text import occurrences, vocabulary
from weft.arrays.word_table import OFTEN, TIMES

BATCH = 1 << 20
"""Occurrences in memory at once, unless a single word has more."""

TABLE = "chunk_fts"


def word_posting_arrays(connection: sqlite3.Connection) -> Iterator[tuple[str, Array]]:
    """Yield the words in the order of their UTF-8, and by word the chunks that hold it. Linear in all occurrences."""
    chunks = column(connection, "SELECT id FROM chunk ORDER BY id")
    for words, counts in _batches(connection):
        found = occurrences(connection, TABLE, words[0], words[-1])
        numbers, rows = np.repeat(np.arange(len(words)), counts), found >> 2
        is_first = np.append(True, (numbers[1:] != numbers[:-1]) | (rows[1:] != rows[:-1]))
        firsts = np.flatnonzero(is_first)
        yield "word.text", lines(words)
        yield "word.size", np.bincount(numbers[firsts], minlength=len(words))
        yield "word.chunk", indices(chunks, rows[firsts])
        yield "word.times", np.minimum(OFTEN, np.add.reduceat(TIMES[found & 3], firsts))


def _batches(connection: sqlite3.Connection) -> Iterator[tuple[list[str], list[int]]]:
    """Yield words, and how often each occurs."""
    words: list[str] = []
    counts: list[int] = []
    n_all = 0
    cursor = connection.execute(f"SELECT term, cnt FROM {vocabulary(connection, TABLE, 'row')}")
    for word, count in cursor:
        if words and n_all + count > BATCH:
            yield words, counts
            words, counts, n_all = [], [], 0
        words.append(word)
        counts.append(count)
        n_all += count
    if words:
        yield words, counts
