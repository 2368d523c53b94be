"""Write an SKB as JSON Lines that are equal for equal knowledge, however it came about."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from hashlib import blake2b
from typing import Any

from weft.arrays.vectors import SPACES, load_vectors
from weft.meta import get_meta
from weft.sparse.sparse_rows import SPARSE, load_sparse

ITEM = "(SELECT source || ': ' || place FROM source_item WHERE source_item.id = {}.source_id)"
PAGE = "(SELECT uri FROM page WHERE page.id = {}.page_id)"
CHUNK = "(SELECT uri FROM chunk WHERE chunk.id = {}.chunk_id)"
ENTITY = "(SELECT uri FROM entity WHERE entity.id = {}.entity_id)"

TABLES: dict[str, str] = {
    "source_item": "SELECT source, place, content_hash, state, reason FROM source_item",
    "page": f"SELECT uri, title, {ITEM.format('page')} AS source, url, language, modified FROM page",
    "section": f"SELECT uri, {PAGE.format('section')} AS page, (SELECT uri FROM section AS above WHERE above.id ="
    " section.parent_id) AS parent, title, level, position, path_text FROM section",
    "chunk": f"SELECT uri, {PAGE.format('chunk')} AS page, (SELECT uri FROM section WHERE section.id ="
    " chunk.section_id) AS section, position, kind, part, marks_links, text FROM chunk",
    "statement": f"SELECT {ITEM.format('statement')} AS source, {PAGE.format('statement')} AS page, kind, key, value"
    " FROM statement",
    "link": f'SELECT {CHUNK.format("link")} AS chunk, start, "end", target, fragment, anchor FROM link',
    "mention": f'SELECT {CHUNK.format("mention")} AS chunk, start, "end", target, fragment, anchor FROM mention',
    "entity": f"SELECT uri, name, type, label, {PAGE.format('entity')} AS page, (SELECT source FROM source_item"
    " WHERE source_item.id = entity.graph_id) AS graph FROM entity",
    "entity_type": f"SELECT {ENTITY.format('entity_type')} AS entity, type, {ITEM.format('entity_type')} AS source"
    " FROM entity_type",
    "attribute": f"SELECT {ENTITY.format('attribute')} AS entity, key, value, number, date,"
    f" {ITEM.format('attribute')} AS source FROM attribute",
    "alias": f"SELECT name_key, {ENTITY.format('alias')} AS entity, kind, weight, name FROM alias",
    "cites": f"SELECT {CHUNK.format('cites')} AS chunk, {ENTITY.format('cites')} AS entity, count FROM cites",
    "relation_type": "SELECT name FROM relation_type",
    "relation": "SELECT subject.uri AS subject, relation_type.name AS type, object.uri AS object FROM relation"
    " JOIN entity AS subject ON subject.id = subject_id JOIN relation_type ON relation_type.id = type_id"
    " JOIN entity AS object ON object.id = object_id",
    "relation_source": "SELECT subject.uri AS subject, relation_type.name AS type, object.uri AS object,"
    f" {ITEM.format('relation_source')} AS source, {PAGE.format('relation_source')} AS page FROM relation_source"
    " JOIN relation ON relation.id = relation_id JOIN entity AS subject ON subject.id = subject_id"
    " JOIN relation_type ON relation_type.id = type_id JOIN entity AS object ON object.id = object_id",
}
"""How each table is read, with uris in place of ids; rows are ordered by their columns from left to right."""

# The rows that have a vector, by space, with the name that orders them.
OWNERS = {
    "chunk": "SELECT id, uri FROM chunk",
    "section": "SELECT id, uri FROM section",
    "label": "SELECT id, uri FROM entity",
    "relation_type": "SELECT id, name FROM relation_type",
    "document": "SELECT id, uri FROM entity",
    "document+relations": "SELECT id, uri FROM entity",
}


def dump(connection: sqlite3.Connection, *, vectors: bool = False) -> Iterator[str]:
    """Yield every table but `meta` as JSON Lines, without ids, times and paths; vectors when asked for."""
    for table, query in TABLES.items():
        width = len(connection.execute(f"SELECT * FROM ({query}) LIMIT 0").description)
        order = ", ".join(str(column + 1) for column in range(width))
        cursor = connection.execute(f"SELECT * FROM ({query}) ORDER BY {order}")
        names = [column[0] for column in cursor.description]
        for row in cursor:
            yield _line({"table": table} | dict(zip(names, row, strict=True)))
    if vectors:
        yield from _arrays(connection)
        yield from _vectors(connection)


def _arrays(connection: sqlite3.Connection) -> Iterator[str]:
    for name, dtype, shape, data in connection.execute("SELECT * FROM embedder_array ORDER BY name"):
        digest = blake2b(data, digest_size=16).hexdigest()
        yield _line({"table": "embedder_array", "name": name, "dtype": dtype, "shape": shape, "hash": digest})


def _vectors(connection: sqlite3.Connection) -> Iterator[str]:
    rows = _sparse_rows if get_meta(connection, "vector_dtype") == SPARSE else _dense_rows
    for space in SPACES:
        uris = dict(connection.execute(OWNERS[space]))
        hashes = dict(connection.execute("SELECT id, hash FROM vector_text WHERE space = ?", (space,)))
        ids, row_of = rows(connection, space)
        for place in sorted(range(len(ids)), key=lambda place: uris[ids[place]]):
            record = {"table": "vector", "space": space, "uri": uris[ids[place]], "row": row_of(place)}
            yield _line(record | ({"hash": hashes[ids[place]]} if ids[place] in hashes else {}))


def _dense_rows(connection: sqlite3.Connection, space: str) -> tuple[list[int], Callable[[int], list[float]]]:
    """Return the ids of a space, and what gives the row at a place as its numbers."""
    found = load_vectors(connection, space)
    return found.ids.tolist(), lambda place: [round(value, 6) for value in found.rows[place].tolist()]


def _sparse_rows(connection: sqlite3.Connection, space: str) -> tuple[list[int], Callable[[int], dict[str, float]]]:
    """Return the ids of a space, and what gives the row at a place as weights by the words' hashes."""
    ids, (starts, words, weights) = load_sparse(connection, space)

    def row_of(place: int) -> dict[str, float]:
        part = slice(starts[place], starts[place + 1])
        return {
            str(word): round(weight, 6)
            for word, weight in zip(words[part].tolist(), weights[part].tolist(), strict=True)
        }

    return ids.tolist(), row_of


def _line(record: dict[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False)
