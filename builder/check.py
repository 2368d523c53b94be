"""Check that an SKB is whole: the file, its references, its spans, its index, its vectors and its arrays."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from builder.search_arrays.all_arrays import array_problems
from builder.source_layer.equal_contents import NAME, SAME
from builder.source_layer.writer import DUPLICATE
from builder.vector_check import vector_problems
from weft.arrays.sentence_table import load_sentence_table
from weft.file_format.checksums import differences
from weft.text.names import uri_part

# Reasons and uris are compared by substr, since LIKE would read "%" and "_" in them as wildcards; spans count from 0
# and substr from 1.
EMPTY_QUERIES = {
    "a page has no entity of its uri": "SELECT uri FROM page WHERE NOT EXISTS"
    " (SELECT 1 FROM entity WHERE entity.uri = page.uri AND entity.page_id = page.id)",
    "an entity names a page of another uri": "SELECT entity.uri FROM entity JOIN page ON page.id = page_id"
    " WHERE page.uri <> entity.uri",
    "a page's uri is not its title's": "SELECT uri FROM page WHERE uri <> uri_part(title)"
    " AND (named_by_title OR substr(uri, 1, length(uri_part(title)) + 2) <> uri_part(title) || ' (')"
    " AND uri NOT IN (SELECT uri FROM entity WHERE graph_id IS NOT NULL)",
    "no page is called by a title that pages share": "SELECT uri FROM page WHERE NOT named_by_title"
    " AND uri_part(title) NOT IN (SELECT uri FROM page)",
    "a duplicate's title has no page": f"SELECT source || ': ' || place FROM source_item WHERE state = 'duplicate'"
    f" AND substr(reason, 1, {len(DUPLICATE)}) = '{DUPLICATE}'"
    f" AND uri_part(substr(reason, {len(DUPLICATE) + 1})) NOT IN (SELECT uri FROM page)",
    "a duplicate's page is gone": f"SELECT source || ': ' || place FROM source_item WHERE state = 'duplicate'"
    f" AND substr(reason, 1, {len(SAME)}) = '{SAME}'"
    f" AND substr(reason, {len(SAME) + 1}) NOT IN (SELECT {NAME} FROM source_item WHERE state = 'ok')",
    "a chunk's section is of another page": "SELECT chunk.uri FROM chunk JOIN section ON section.id = section_id"
    " WHERE section.page_id <> chunk.page_id",
    "a section's parent is of another page": "SELECT section.uri FROM section JOIN section AS above"
    " ON above.id = section.parent_id WHERE above.page_id <> section.page_id",
    "a link's span is not its anchor": "SELECT chunk.uri FROM link JOIN chunk ON chunk.id = chunk_id"
    ' WHERE substr(text, start + 1, "end" - start) <> anchor',
    "a mention's span is not its name": "SELECT chunk.uri FROM mention JOIN chunk ON chunk.id = chunk_id"
    ' WHERE substr(text, start + 1, "end" - start) <> anchor',
    "a link leads to no citation": "SELECT DISTINCT chunk.uri FROM link JOIN chunk ON chunk.id = link.chunk_id"
    " JOIN entity ON entity.uri = uri_part(link.target) WHERE NOT EXISTS (SELECT 1 FROM cites"
    " WHERE cites.chunk_id = chunk.id) AND entity.page_id IS NOT chunk.page_id",
    "a relation has no source": "SELECT id FROM relation WHERE id NOT IN (SELECT relation_id FROM relation_source)",
    "an entity has no reason to be": "SELECT uri FROM entity WHERE page_id IS NULL AND graph_id IS NULL"
    " AND id NOT IN (SELECT entity_id FROM cites) AND id NOT IN (SELECT subject_id FROM relation)"
    " AND id NOT IN (SELECT object_id FROM relation)"
    " AND uri NOT IN (SELECT uri_part(target) FROM link)"
    " AND name NOT IN (SELECT value FROM statement WHERE kind = 'redirect')",
    "a chunk is missing in the full-text index": "SELECT uri FROM chunk WHERE id NOT IN"
    " (SELECT id FROM chunk_fts_docsize)",
    "the full-text index holds a chunk that is gone": "SELECT id FROM chunk_fts_docsize WHERE id NOT IN"
    " (SELECT id FROM chunk)",
    "an entity is missing in the full-text index": "SELECT uri FROM entity WHERE id NOT IN"
    " (SELECT id FROM entity_fts_docsize)",
}
"""Queries that must find nothing, by the meaning of a row found; each is one invariant of the tables."""


def problems(connection: sqlite3.Connection, path: Path | None = None) -> Iterator[str]:
    """Yield what is wrong, one line each; nothing for an intact file. Given its path, every byte of it is read."""
    yield from differences(path) if path is not None else ()
    connection.create_function("uri_part", 1, uri_part, deterministic=True)
    try:
        for (line,) in connection.execute("PRAGMA integrity_check"):
            if line != "ok":
                yield f"the file is damaged: {line}"
                return
        for table, row, parent, _ in connection.execute("PRAGMA foreign_key_check"):
            yield f"{table} row {row} refers to no {parent}"
        for meaning, query in EMPTY_QUERIES.items():
            found = connection.execute(query).fetchmany(4)
            if found:
                shown = ", ".join(str(row[0]) for row in found[:3])
                yield f"{meaning}: {shown}{', ...' if len(found) > 3 else ''}"
        yield from vector_problems(connection)
        wrong = list(_sentence_problems(connection))
        # The other arrays follow from the ends of sentences, too.
        yield from wrong or array_problems(connection)
    except (sqlite3.DatabaseError, ValueError) as error:
        yield f"the file is damaged: {error}"


def _sentence_problems(connection: sqlite3.Connection) -> Iterator[str]:
    """Yield where the ends of sentences are not those of the chunks' texts."""
    found = load_sentence_table(connection)
    chunks = np.array(connection.execute("SELECT id, length(text) FROM chunk ORDER BY id").fetchall(), np.int64)
    ids, lengths = chunks.reshape(-1, 2).T
    if not np.array_equal(found.ids, ids):
        yield f"ends of sentences: of {len(found.ids)} chunks, but there are {len(ids)}, or they are not in order"
    elif found.starts[-1] != len(found.ends) or np.any(np.diff(found.starts) < 1):
        yield "ends of sentences: a chunk has none, or there are more than the chunks have"
    elif np.any(found.ends[found.starts[1:] - 1] != lengths):
        yield "ends of sentences: a chunk's last is not its text's"
    else:
        begins = np.zeros(len(found.ends), bool)
        begins[found.starts[:-1]] = True
        if np.any((np.diff(found.ends, prepend=0) <= 0) & ~begins) or np.any(found.ends[begins] < 0):
            yield "ends of sentences: not ascending"
