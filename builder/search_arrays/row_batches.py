"""Rows of a query as arrays."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

BATCH = 65_536
"""Rows read at a time, so that few Python objects live at once."""


def batches_of(connection: sqlite3.Connection, query: str, width: int) -> Iterator[NDArray[np.int64]]:
    """Yield a query's integers as (n, width), at most `BATCH` rows at a time."""
    cursor = connection.execute(query)
    while rows := cursor.fetchmany(BATCH):
        yield np.fromiter(chain.from_iterable(rows), np.int64, len(rows) * width).reshape(-1, width)


def column(connection: sqlite3.Connection, query: str) -> NDArray[np.int64]:
    """Return a query's one column of integers."""
    return np.concatenate([np.empty(0, np.int64), *(batch[:, 0] for batch in batches_of(connection, query, 1))])


def indices(sorted_ids: NDArray[np.int64], ids: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return where ids stand among sorted ones; every id must be there."""
    return np.searchsorted(sorted_ids, ids).astype(np.int32)


def text_batches(
    connection: sqlite3.Connection, query: str, most_rows: int, most_characters: int
) -> Iterator[list[tuple[Any, ...]]]:
    """Yield a query's rows, whose last column is a text, a batch at a time that is closed at one of two bounds."""
    rows: list[tuple[Any, ...]] = []
    n_characters = 0
    for row in connection.execute(query):
        rows.append(row)
        n_characters += len(row[-1])
        if len(rows) == most_rows or n_characters > most_characters:
            yield rows
            rows, n_characters = [], 0
    if rows:
        yield rows
