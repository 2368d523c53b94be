"""Rows of an SKB in batches, and writing them as lines: what the text formats share."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TextIO

from builder.request import Progress

Row = tuple[Any, ...]

BATCH = 8192
"""Rows held at once."""

FIELD = "\x1f"
"""Separates the values of a list in one column: the unit separator, which text hardly holds."""


class RowWriter(NamedTuple):
    """One kind of line of an export: the rows it is made of and how one of them is written."""

    name: str
    query: str
    line: Callable[[Row], str]


def read_whole(connection: sqlite3.Connection) -> None:
    """Set a connection's page cache to 64 MB: reading by uri jumps within the file, whose rows are in order of ids."""
    connection.execute("PRAGMA cache_size = -65536")


def batches(connection: sqlite3.Connection, query: str, size: int = BATCH) -> Iterator[list[Row]]:
    """Yield a query's rows, at most `size` at once."""
    cursor = connection.execute(query)
    while rows := cursor.fetchmany(size):
        yield rows


def write_rows(
    connection: sqlite3.Connection, out: TextIO, parts: Iterable[RowWriter], progress: Progress
) -> dict[str, int]:
    """Write the lines of all parts and return how many rows each had."""
    counts = {}
    for part in parts:
        progress.stage(part.name)
        counts[part.name] = 0
        for rows in batches(connection, part.query):
            out.write("".join(map(part.line, rows)))
            counts[part.name] += len(rows)
            progress.advance(len(rows))
    return counts
