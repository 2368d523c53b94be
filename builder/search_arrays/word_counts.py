"""How many words the full-text index has of every chunk and of every entity."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import numpy as np

from builder.search_arrays.row_batches import BATCH, column, indices
from weft.arrays.blobs import Array


def word_count_arrays(connection: sqlite3.Connection) -> Iterator[tuple[str, Array]]:
    """Yield the words of the rows of each index, all columns together, in the order of the ids."""
    for unit in ("chunk", "entity"):
        ids = column(connection, f"SELECT id FROM {unit} ORDER BY id")
        words = np.zeros(len(ids), np.int32)
        cursor = connection.execute(f"SELECT id, sz FROM {unit}_fts_docsize WHERE id IN (SELECT id FROM {unit})")
        while rows := cursor.fetchmany(BATCH):
            known, sizes = zip(*rows, strict=True)
            words[indices(ids, np.array(known))] = _sums(sizes)
        yield f"{unit}.words", words


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
