"""Which entity a resource means: by tables of titles, topics and labels, in memory while they fit, else on disk."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from itertools import chain

from builder.derive.workspace import empty
from weft.text.names import name_key, resource_title, uri_text

BYTES_A_KEY = 220
"""Memory of a title and its entity in a dictionary, in bytes, measured on titles of 20 letters."""

MOST_MEMOS = 1_000_000
"""Bound of the resolver's memo, in terms; it is emptied when full, so memory does not grow with the dump."""


def titles_of(connection: sqlite3.Connection) -> Iterator[tuple[str, int]]:
    """Yield (title, entity) of every entity that is no graph's node, then of the redirects to one."""
    for identity, uri in connection.execute("SELECT id, uri FROM entity WHERE graph_id IS NULL"):
        yield uri_text(uri), identity
    yield from connection.execute(
        "SELECT title, entity.id FROM temp.redirect JOIN entity ON entity.uri = uri_part(target) WHERE graph_id IS NULL"
    )


class OnDisk:
    """Keys in a temporary table, looked up one at a time."""

    def __init__(self, connection: sqlite3.Connection, table: str, pairs: Iterator[tuple[str, int]]) -> None:
        """Fill the table with (key, entity); of equal keys the first counts."""
        self._connection = connection
        self._look_up = f"SELECT id FROM temp.{table} WHERE key = ?"
        empty(connection, table)
        connection.executemany(f"INSERT OR IGNORE INTO temp.{table} VALUES (?, ?)", pairs)

    def get(self, key: str) -> int | None:
        """Return the entity with this key, or None; O(log n), from disk."""
        row = self._connection.execute(self._look_up, (key,)).fetchone()
        return None if row is None else int(row[0])


Keys = Mapping[str, int] | OnDisk


def keys_of(connection: sqlite3.Connection, table: str, pairs: Iterator[tuple[str, int]], most: int) -> Keys:
    """Return (key, entity) pairs as a table, the first of equal keys counting; more than `most` go to disk."""
    ids: dict[str, int] = {}
    for key, identity in pairs:
        ids.setdefault(key, identity)
        if len(ids) > most:
            return OnDisk(connection, table, chain(ids.items(), pairs))
    return ids


class EntityResolver(dict[str, int | None]):
    """Which entity a resource is: by primary topic, title, redirect, label; memoised by term."""

    def __init__(self, connection: sqlite3.Connection, memory_mb: float) -> None:
        """Prepare to join terms; `builder.derive.fact_names` must have run.

        The key tables together take at most `memory_mb` (in 10**6 bytes): titles, which are
        looked up most, then topics, then labels.
        """
        super().__init__()
        room = int(memory_mb * 1e6 / BYTES_A_KEY)
        self._most = min(MOST_MEMOS, room)
        self._titles = keys_of(connection, "title_key", titles_of(connection), room)
        room -= _in_memory(self._titles)
        self._topics = keys_of(connection, "topic_key", _by_topic(connection, self._titles), room)
        room -= _in_memory(self._topics)
        self._labels = keys_of(connection, "label_key", _by_label(connection, self._titles), room)

    def __missing__(self, term: str) -> int | None:
        found = self._topics.get(term)
        if found is None and term[0] == "<":
            found = self._titles.get(resource_title(term[1:-1]))
        if found is None:
            found = self._labels.get(term)
        # Unknown terms are not memoised: most terms of a dump are unknown, and each is rare.
        if found is not None:
            if len(self) >= self._most:
                self.clear()
            self[term] = found
        return found


def _in_memory(keys: Keys) -> int:
    return 0 if isinstance(keys, OnDisk) else len(keys)


def _by_topic(connection: sqlite3.Connection, titles: Keys) -> Iterator[tuple[str, int]]:
    """Yield (term, entity) of the resources that are the topic of an entity's page."""
    for term, title in connection.execute("SELECT term, title FROM temp.topic"):
        identity = titles.get(title)
        if identity is not None:
            yield term, identity


def _by_label(connection: sqlite3.Connection, titles: Keys) -> Iterator[tuple[str, int]]:
    """Yield (term, entity) of resources of unknown title whose label is an entity's name: exactly, else by its key."""
    execute = connection.execute
    empty(connection, "open_label")
    connection.executemany(
        "INSERT INTO temp.open_label VALUES (?, ?, ?, ?)",
        (
            (term, name, name_key(name), titles.get(name))
            for term, title, name in execute("SELECT term, title, name FROM temp.label")
            if titles.get(title) is None
        ),
    )
    _materialize_spellings(connection)
    yield from execute(
        # An exact name wins over a name key; the order makes the first of two labels of one term the same each time.
        "SELECT term, ifnull(open_label.id, spelling.id) FROM temp.open_label LEFT JOIN temp.spelling USING (key)"
        " WHERE ifnull(open_label.id, spelling.id) IS NOT NULL ORDER BY term, name"
    )


def _materialize_spellings(connection: sqlite3.Connection) -> None:
    """Fill `spelling` (key, id) with the keys of open labels that are of one entity's names and redirects alone."""
    execute = connection.execute
    empty(connection, "spelling")
    if not execute("SELECT 1 FROM temp.open_label WHERE id IS NULL LIMIT 1").fetchone():
        return
    execute(
        # min(id) = max(id): the key belongs to one entity, however many of its names share it.
        "INSERT INTO temp.spelling SELECT key, min(id) FROM"
        " (SELECT name_key(uri_text(uri)) AS key, id FROM entity WHERE graph_id IS NULL UNION ALL"
        "  SELECT name_key(title), entity.id FROM temp.redirect JOIN entity ON entity.uri = uri_part(target)"
        "  WHERE graph_id IS NULL)"
        " WHERE key IN (SELECT key FROM temp.open_label WHERE id IS NULL) GROUP BY key HAVING min(id) = max(id)"
    )
