"""Which entity has a title: in memory while that fits, else in a temporary table on disk."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping

from weft.names import name_key, resource_title, uri_text

BYTES_A_KEY = 220
"""What a title and its entity take in a dictionary, measured on titles of 20 letters."""

MOST_MEMOS = 1_000_000


def titles_of(connection: sqlite3.Connection) -> Iterator[tuple[str, int]]:
    """Yield (title, entity) of every entity that is no graph's node, then of the redirects to one."""
    for identity, uri in connection.execute("SELECT id, uri FROM entity WHERE graph_id IS NULL"):
        yield uri_text(uri), identity
    yield from connection.execute(
        "SELECT title, entity.id FROM temp.redirect JOIN entity ON entity.uri = uri_part(target) WHERE graph_id IS NULL"
    )


class OnDisk:
    """Titles in a temporary table, looked up one at a time."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        connection.execute("DROP TABLE IF EXISTS temp.title_key")
        connection.execute("CREATE TEMP TABLE title_key (title TEXT PRIMARY KEY, id INTEGER) WITHOUT ROWID")
        connection.executemany("INSERT OR IGNORE INTO temp.title_key VALUES (?, ?)", titles_of(connection))

    def get(self, title: str) -> int | None:
        """Return the entity with this title, or None; O(log n), from disk."""
        row = self._connection.execute("SELECT id FROM temp.title_key WHERE title = ?", (title,)).fetchone()
        return None if row is None else int(row[0])


def keys_of(connection: sqlite3.Connection, memory_mb: float) -> Mapping[str, int] | OnDisk:
    """Return the titles of all entities as a table that takes at most so much memory."""
    (n_keys,) = connection.execute(
        "SELECT (SELECT count(*) FROM entity) + (SELECT count(*) FROM temp.redirect)"
    ).fetchone()
    if n_keys * BYTES_A_KEY > memory_mb * 1e6:
        return OnDisk(connection)
    ids: dict[str, int] = {}
    for title, identity in titles_of(connection):
        ids.setdefault(title, identity)
    return ids


class EntityOfTerm(dict[str, int | None]):
    """Which entity a resource is: by primary topic, title, redirect, label; remembered by term."""

    def __init__(self, connection: sqlite3.Connection, memory_mb: float) -> None:
        """Prepare to join terms; the names pass (`builder.fact_names`) must have been."""
        super().__init__()
        self._ids = keys_of(connection, memory_mb)
        self._topics: dict[str, str] = dict(connection.execute("SELECT term, title FROM temp.topic"))
        self._labelled = self._by_label(connection)
        self._most = min(MOST_MEMOS, int(memory_mb * 1e6 / BYTES_A_KEY))

    def __missing__(self, term: str) -> int | None:
        found = None
        if self._topics and term in self._topics:
            found = self._ids.get(self._topics[term])
        if found is None and term[0] == "<":
            found = self._ids.get(resource_title(term[1:-1]))
        if found is None and self._labelled:
            found = self._labelled.get(term)
        # What names nothing is not remembered: most terms of a dump are such, and each is rare.
        if found is not None:
            if len(self) >= self._most:
                self.clear()
            self[term] = found
        return found

    def _by_label(self, connection: sqlite3.Connection) -> dict[str, int]:
        """Join resources of unknown title whose label is an entity's name: exactly, else by the one name key."""
        labels = [
            (term, name)
            for term, title, name in connection.execute("SELECT term, title, name FROM temp.label ORDER BY term, name")
            if self._ids.get(title) is None
        ]
        by_key: dict[str, set[int]] = {name_key(name): set() for _, name in labels}
        for title, identity in titles_of(connection) if labels else ():
            key = name_key(title)
            if key in by_key:
                by_key[key].add(identity)
        joined: dict[str, int] = {}
        for term, name in labels:
            candidates = by_key[name_key(name)]
            exact = self._ids.get(name)
            if exact is not None or len(candidates) == 1:
                joined.setdefault(term, exact if exact is not None else next(iter(candidates)))
        return joined
