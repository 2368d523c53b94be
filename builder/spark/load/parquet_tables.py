"""The Parquet tables of a Spark build, and the source layer filled from them in one pass a table."""

from __future__ import annotations

import re
import sqlite3
from array import array
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from typing import Any

from builder.source_layer.rows import PENDING_URI
from weft.errors import WeftError

TABLES_VERSION = 2
"""Of the tables that `builder.spark` writes and `builder.spark.load.knowledge_base` reads."""

BATCH_ROWS = 4096
Row = dict[str, Any]


class NoTables(WeftError):
    """No tables of one finished build of this version, or nothing here that could read them."""


def store_of(place: str) -> tuple[Any, str]:
    """Return the file system that a path or a uri of a store names, and the path within it."""
    from pyarrow.fs import FileSystem, LocalFileSystem

    if "://" not in place:
        return LocalFileSystem(), place
    # Spark's name of the store that Arrow calls s3.
    store, path = FileSystem.from_uri(re.sub("^s3[an]:", "s3:", place))
    return store, path


class Tables:
    """A folder of Parquet tables, on a disk or in a store."""

    def __init__(self, place: str) -> None:
        """Open the folder; raise NoTables where pyarrow is not installed. Nothing is read yet."""
        if find_spec("pyarrow") is None:
            raise NoTables("pyarrow is not installed: pip install 'weft[spark]'")
        self.place = place
        self._store, self._root = store_of(place)

    def batches(self, table: str) -> Iterator[list[Row]]:
        """Yield a table's rows in its order, some thousand at once; nothing for a table that is not there."""
        from pyarrow.parquet import ParquetFile

        for path in self._files(table):
            with self._store.open_input_file(path) as file:
                for batch in ParquetFile(file).iter_batches(BATCH_ROWS):
                    yield batch.to_pylist()

    def rows(self, table: str) -> Iterator[Row]:
        """Yield a table's rows in its order."""
        for batch in self.batches(table):
            yield from batch

    def _files(self, table: str) -> list[str]:
        from pyarrow.fs import FileSelector

        found = self._store.get_file_info(FileSelector(f"{self._root}/{table}", allow_not_found=True))
        # Spark numbers the files of a sorted table in the order of their rows.
        return sorted(each.path for each in found if each.base_name.endswith(".parquet"))


class Pages:
    """Page ids by uri for rows that come in the order of pages."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Start at the first page."""
        self._uris = connection.execute("SELECT uri, id FROM page ORDER BY id")
        self._uri: str | None = None
        self._id = 0

    def id_of(self, uri: str) -> int:
        """Return the id of a page that is this one or a later one; raise NoTables for any other."""
        while self._uri != uri:
            row = self._uris.fetchone()
            if row is None:
                raise NoTables(f"{uri}: the tables name a page that the table of pages lacks; build them anew")
            self._uri, self._id = row
        return self._id


def load_source_layer(
    connection: sqlite3.Connection, tables: Tables, labels: Sequence[str], advance: Callable[[int], None]
) -> None:
    """Fill the empty source layer; ids follow the tables' order, indexes are made at the end."""
    _empty(connection)
    indexes = connection.execute(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"
    ).fetchall()
    for name, _ in indexes:
        connection.execute(f"DROP INDEX {name}")
    _load_items(connection, tables, labels)
    n_pages = _load_pages(connection, tables, labels, advance)
    sections = _load_sections(connection, tables, n_pages)
    chunks = _load_chunks(connection, tables, n_pages, sections)
    _load_links(connection, tables, chunks)
    _load_statements(connection, tables, labels)
    for _, sql in indexes:
        connection.execute(sql)


def _empty(connection: sqlite3.Connection) -> None:
    """Take everything out of a copy of an earlier SKB, what names the job apart."""
    for table in ("chunk_fts", "entity_fts"):
        connection.execute(f"INSERT INTO {table} ({table}) VALUES ('delete-all')")
    names = connection.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND instr(name, '_fts') = 0 AND name <> 'meta'"
    ).fetchall()
    for (name,) in names:
        connection.execute(f"DELETE FROM {name}")
    connection.execute("DELETE FROM meta WHERE key NOT IN ('job', 'copied_from')")


def _load_items(connection: sqlite3.Connection, tables: Tables, labels: Sequence[str]) -> None:
    connection.executemany(
        "INSERT INTO source_item (source, place, content_hash, state, reason) VALUES (?, ?, ?, ?, ?)",
        (
            (labels[row["rank"]], row["place"], row["content_hash"], row["state"], row["reason"])
            for row in tables.rows("source_item")
        ),
    )


ITEM = "(SELECT id FROM source_item WHERE source = ? AND place = ?)"


def _load_pages(
    connection: sqlite3.Connection, tables: Tables, labels: Sequence[str], advance: Callable[[int], None]
) -> int:
    n_pages = 0
    for batch in tables.batches("page"):
        connection.executemany(
            f"INSERT INTO page VALUES (?, ?, ?, {ITEM}, ?, ?, ?, ?)",
            (
                (n, row["uri"], row["title"], labels[row["rank"]], row["place"], row["url"], row["language"],
                 row["modified"], not row["uri"].startswith(PENDING_URI))
                for n, row in enumerate(batch, n_pages + 1)
            ),
        )  # fmt: skip
        n_pages += len(batch)
        advance(len(batch))
    return n_pages


def _load_sections(connection: sqlite3.Connection, tables: Tables, n_pages: int) -> array[int]:
    """Load the sections; return by page id the section id before its first one."""
    pages, before = Pages(connection), array("q", bytes(8 * (n_pages + 1)))
    first = 1
    for batch in tables.batches("section"):
        rows = []
        for own, row in enumerate(batch, first):
            page = pages.id_of(row["page"])
            before[page] = base = own - row["position"]
            parent = None if row["parent"] is None else base + row["parent"]
            rows.append(
                (own, row["uri"], page, parent, row["title"], row["level"], row["position"], row["path_text"])
            )
        connection.executemany("INSERT INTO section VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
        first += len(batch)
    return before


def _load_chunks(
    connection: sqlite3.Connection, tables: Tables, n_pages: int, sections: array[int]
) -> array[int]:
    """Load the chunks; return by page id the chunk id before its first one."""
    pages, before = Pages(connection), array("q", bytes(8 * (n_pages + 1)))
    first = 1
    for batch in tables.batches("chunk"):
        rows = []
        for own, row in enumerate(batch, first):
            page = pages.id_of(row["page"])
            before[page] = own - row["position"]
            section = None if row["section"] is None else sections[page] + row["section"]
            rows.append(
                (own, row["uri"], page, section, row["position"], row["kind"], row["part"], int(row["marks_links"]),
                 row["text"])
            )  # fmt: skip
        connection.executemany("INSERT INTO chunk VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        first += len(batch)
    return before


def _load_links(connection: sqlite3.Connection, tables: Tables, chunks: array[int]) -> None:
    pages = Pages(connection)
    for batch in tables.batches("link"):
        connection.executemany(
            "INSERT INTO link VALUES (?, ?, ?, ?, ?, ?)",
            (
                (chunks[pages.id_of(row["page"])] + row["chunk"], row["start"], row["end"], row["target"],
                 row["fragment"], row["anchor"])
                for row in batch
            ),
        )  # fmt: skip


def _load_statements(connection: sqlite3.Connection, tables: Tables, labels: Sequence[str]) -> None:
    pages = Pages(connection)
    for batch in tables.batches("statement"):
        connection.executemany(
            f"INSERT INTO statement (source_id, page_id, kind, key, value) VALUES ({ITEM}, ?, ?, ?, ?)",
            (
                (labels[row["rank"]], row["place"],
                 None if row["kind"] == "redirect" else pages.id_of(row["page"]),
                 row["kind"], row["key"], row["value"])
                for row in batch
            ),
        )  # fmt: skip
