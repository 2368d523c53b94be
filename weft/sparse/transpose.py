"""The postings of sparse vectors: the rows of a space, which are written first, word by word.

Words are numbered in the order of their hashes, which takes two readings of the
blocks, and counted in another; more of them then put each row's number and weight
in its place, for as many words at a time as `MOST_ENTRIES` allows (a counting sort).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from weft.arrays.blobs import POSTING, Array, append_arrays, starts_of
from weft.sparse.hash_places import HashPlaces
from weft.sparse.sparse_rows import SparseRows, decode_sparse, encode_sparse, posting_array
from weft.sparse.vector_postings import IN_PARTS, posting_arrays

MOST_ENTRIES = 1 << 24
"""Rows of words that are in memory at once, 8 bytes each, unless one word has more."""

MOST_YIELDED = 1 << 20
"""Rows of words that are written at a time."""


def delete_postings(connection: sqlite3.Connection) -> None:
    """Take out the postings of all spaces."""
    connection.execute("DELETE FROM array WHERE name GLOB ?", (f"{POSTING}*",))


def write_postings(connection: sqlite3.Connection, space: str) -> None:
    """Write the postings of a space whose rows are in `vector`, with hashes for words, and number these words."""
    words = _number_words(connection, space)
    parts = chain([(posting_array(space, "word"), words)], postings_of(connection, space, len(words)))
    in_parts = [posting_array(space, part) for part in IN_PARTS]
    append_arrays(connection, posting_arrays([space]), parts, in_parts)


def postings_of(connection: sqlite3.Connection, space: str, n_words: int) -> Iterator[tuple[str, Array]]:
    """Yield the arrays of a space's postings but the words, in parts with their names, as they follow from the rows.

    Raise ValueError where the rows have other words than the space.
    """
    sizes = np.zeros(n_words, np.int64)
    for _, rows in _blocks(connection, space):
        sizes += np.bincount(rows.words, minlength=n_words)
    yield posting_array(space, "size"), sizes
    starts = starts_of(sizes)
    for part in _parts(starts):
        numbers, weights = _transposed(_blocks(connection, space), part, starts[part.start : part.stop + 1])
        for begin in range(0, len(numbers), MOST_YIELDED):
            yield posting_array(space, "row"), numbers[begin : begin + MOST_YIELDED]
            yield posting_array(space, "weight"), weights[begin : begin + MOST_YIELDED]


def _number_words(connection: sqlite3.Connection, space: str) -> NDArray[np.int64]:
    """Put the number of each word in place of its hash; return the hashes (words,), ascending."""
    found = [_distinct(rows.words) for _, rows in _blocks(connection, space)]
    words = _distinct(np.concatenate([np.empty(0, np.int64), *found]))
    places = HashPlaces(words)
    blocks = connection.execute("SELECT rowid, length(ids) / 8 FROM vector WHERE space = ?", (space,)).fetchall()
    for block, n in blocks:
        (data,) = connection.execute("SELECT rows FROM vector WHERE rowid = ?", (block,)).fetchone()
        rows = decode_sparse(data, n)
        numbered = encode_sparse(rows._replace(words=places.of(rows.words)))
        connection.execute("UPDATE vector SET rows = ? WHERE rowid = ?", (numbered, block))
    return words


def _distinct(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the distinct numbers, ascending; `np.unique` hashes them first, which takes five times as long."""
    ordered = np.sort(numbers)
    distinct: NDArray[np.int64] = ordered[np.append(np.ones(min(1, len(ordered)), bool), ordered[1:] != ordered[:-1])]
    return distinct


def _blocks(connection: sqlite3.Connection, space: str) -> Iterator[tuple[int, SparseRows]]:
    """Yield the blocks of a space, each with the number of rows before it."""
    n_before = 0
    query = "SELECT length(ids) / 8, rows FROM vector WHERE space = ? ORDER BY block"
    for n, data in connection.execute(query, (space,)):
        yield n_before, decode_sparse(data, n)
        n_before += n


def _parts(starts: NDArray[np.int64]) -> Iterator[slice]:
    """Yield ranges of words with at most `MOST_ENTRIES` rows together, one word at least."""
    begin, n = 0, len(starts) - 1
    while begin < n:
        end = int(np.searchsorted(starts, starts[begin] + MOST_ENTRIES, side="right")) - 1
        yield slice(begin, max(begin + 1, end))
        begin = max(begin + 1, end)


def _transposed(
    blocks: Iterable[tuple[int, SparseRows]], words: slice, starts: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """Return the rows that hold each of some consecutive words, ascending, word after word, and the weights there.

    `starts` (words + 1,) says where those of each word begin.
    """
    numbers, weights = np.empty(starts[-1] - starts[0], np.int32), np.empty(starts[-1] - starts[0], np.float32)
    free = starts[:-1] - starts[0]
    for n_before, rows in blocks:
        among = (rows.words >= words.start) & (rows.words < words.stop)
        own = rows.words[among] - words.start
        order = np.argsort(own, kind="stable")
        counts = np.bincount(own, minlength=len(free))
        # A word's rows of this block stand one after the other, from the first free place of the word on.
        places = np.repeat(free - (np.cumsum(counts) - counts), counts) + np.arange(len(own))
        numbers[places] = (rows.numbers[among] + n_before)[order]
        weights[places] = rows.weights[among][order]
        free += counts
    return numbers, weights
