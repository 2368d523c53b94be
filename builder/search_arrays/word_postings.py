"""How many words the full-text index has of each row, and which chunks hold each word, how often."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import numpy as np

from builder.search_arrays import row_batches
from builder.search_arrays.chunk_places import lines
from builder.search_arrays.row_batches import column, indices
from weft.arrays.blobs import Array
from weft.arrays.full_text import occurrences, vocabulary
from weft.arrays.word_table import OFTEN, TIMES

BATCH = 1 << 20
"""Occurrences in memory at once, unless a single word has more."""

TABLE = "chunk_fts"


def word_count_arrays(connection: sqlite3.Connection) -> Iterator[tuple[str, Array]]:
    """Yield the words of the rows of each index, all columns together, in the order of the ids."""
    for unit in ("chunk", "entity"):
        ids = column(connection, f"SELECT id FROM {unit} ORDER BY id")
        words = np.zeros(len(ids), np.int32)
        cursor = connection.execute(f"SELECT id, sz FROM {unit}_fts_docsize WHERE id IN (SELECT id FROM {unit})")
        while rows := cursor.fetchmany(row_batches.BATCH):
            known, sizes = zip(*rows, strict=True)
            words[indices(ids, np.array(known))] = _sums(sizes)
        yield f"{unit}.words", words


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


def _sums(sizes: tuple[bytes, ...]) -> Array:
    """Return the sum of each row's numbers.

    FTS5 keeps the words of a row's columns one after the other as its own
    numbers: seven bits a byte, the high bit set in all but the last.
    """
    data = np.frombuffer(b"".join(sizes), np.uint8)
    owners = np.repeat(np.arange(len(sizes)), [len(each) for each in sizes])
    worth = np.where(data < 128, 1.0, 128.0)
    for _ in range(3):
        worth[:-1] = np.where(data[:-1] < 128, 1.0, 128.0 * worth[1:])
    return np.bincount(owners, (data & 127) * worth, len(sizes)).astype(np.int64)
