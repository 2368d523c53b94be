"""Where every chunk stands, as arrays: its page, section, position and kind."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import numpy as np

from builder.search_arrays.row_batches import BATCH, column, indices
from weft.arrays.blobs import Array

PLACES = "SELECT page_id, ifnull(section_id, 0), position, kind FROM chunk ORDER BY id"


def place_arrays(connection: sqlite3.Connection) -> Iterator[tuple[str, Array]]:
    """Yield the arrays of the chunk table, the pages with their entities, and the order of uris."""
    kinds = [kind for (kind,) in connection.execute("SELECT DISTINCT kind FROM chunk ORDER BY kind")]
    yield "kind.text", lines(kinds)
    pages = column(connection, "SELECT page_id FROM entity WHERE page_id IS NOT NULL ORDER BY page_id")
    owners = column(connection, "SELECT id FROM entity WHERE page_id IS NOT NULL ORDER BY page_id")
    sections = column(connection, "SELECT id FROM section ORDER BY id")
    yield from (_uri_ranks(connection, table) for table in ("chunk", "entity"))
    yield "page.id", pages
    yield "page.entity", indices(column(connection, "SELECT id FROM entity ORDER BY id"), owners)
    yield "section.id", sections
    number = {kind: index for index, kind in enumerate(kinds)}
    cursor = connection.execute(PLACES)
    while rows := cursor.fetchmany(BATCH):
        page, section, position, kind = np.array([(*row[:3], number[row[3]]) for row in rows], np.int64).T
        yield "chunk.page", indices(pages, page)
        # -1 in a lead, which stands in no section.
        yield "chunk.section", np.where(section > 0, indices(sections, section), -1)
        yield "chunk.position", position
        yield "chunk.kind", kind


def _uri_ranks(connection: sqlite3.Connection, table: str) -> tuple[str, Array]:
    """Return the place of each row's uri in the order of them all, by id."""
    return f"{table}.uri_rank", np.argsort(column(connection, f"SELECT id FROM {table} ORDER BY uri"))


def lines(texts: list[str]) -> Array:
    """Return texts as UTF-8, each followed by a line end."""
    return np.frombuffer("".join(f"{text}\n" for text in texts).encode(), np.uint8)
