"""The SKB file as such: making it, opening it, telling it from other files.

>>> with open_skb("kb.skb") as connection:                       # doctest: +SKIP
...     connection.execute("SELECT count(*) FROM page")
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

from weft.errors import NotAKnowledgeBase
from weft.file_format.header import APPLICATION_ID, SCHEMA_VERSION, check_present, read_header
from weft.file_format.structure import ADVICE, check_structure, declarations

# What version 2 brings stays as it is here, whatever skb.sql declares later: a later declaration of these views is a
# later migration's, which a file of version 2 needs as well.
RELATION_TEXT = """
CREATE VIEW relation_text (id, subject, relation, object, said_by, subject_uri, object_uri) AS
SELECT
    relation.id,
    subject.name,
    relation_type.name,
    object.name,
    (SELECT group_concat(said, '; ') FROM (
        SELECT DISTINCT ifnull(page.title, source_item.source) AS said
        FROM relation_source
        JOIN source_item ON source_item.id = relation_source.source_id
        LEFT JOIN page ON page.id = relation_source.page_id
        WHERE relation_source.relation_id = relation.id
        ORDER BY said)),
    subject.uri,
    object.uri
FROM relation
JOIN relation_type ON relation_type.id = relation.type_id
JOIN entity AS subject ON subject.id = relation.subject_id
JOIN entity AS object ON object.id = relation.object_id"""
# What is searched of an entity: of its text the beginning, or all of its document but the relations.
ENTITY_TEXT = """
CREATE VIEW entity_text (id, name, aliases, text) AS
SELECT
    entity.id,
    entity.name,
    ifnull((SELECT group_concat(alias.name, ' ') FROM alias WHERE alias.entity_id = entity.id), ''),
    CASE WHEN (SELECT value FROM meta WHERE key = 'node_documents') = 'true' THEN
        ifnull((SELECT group_concat(type, ', ') FROM (SELECT DISTINCT type FROM entity_type
                WHERE entity_type.entity_id = entity.id ORDER BY type)), '') || char(10) ||
        ifnull((SELECT group_concat(key || ': ' || value, char(10)) FROM (SELECT DISTINCT key, value FROM attribute
                WHERE attribute.entity_id = entity.id ORDER BY key, value)), '') || char(10) ||
        ifnull((SELECT group_concat(text, char(10)) FROM (SELECT chunk.text FROM chunk
                WHERE chunk.page_id = entity.page_id AND chunk.kind <> 'infobox' AND chunk.section_id IS
                (SELECT first.section_id FROM chunk AS first WHERE first.page_id = entity.page_id
                 AND first.kind <> 'infobox' ORDER BY first.position LIMIT 1)
                ORDER BY chunk.position)), '')
    ELSE
        ifnull((SELECT chunk.text FROM chunk WHERE chunk.page_id = entity.page_id
                ORDER BY chunk.position LIMIT 1), '')
    END
FROM entity"""
# Attributes with names for ids, for people who query the file; a page's title says who said it, else the source.
ATTRIBUTE_TEXT = """
CREATE VIEW attribute_text (id, entity, key, value, number, date, said_by, uri) AS
SELECT
    attribute.id,
    entity.name,
    attribute.key,
    attribute.value,
    attribute.number,
    attribute.date,
    ifnull((SELECT min(page.title) FROM page WHERE page.source_id = attribute.source_id), source_item.source),
    entity.uri
FROM attribute
JOIN entity ON entity.id = attribute.entity_id
LEFT JOIN source_item ON source_item.id = attribute.source_id"""


# What version 3 leaves out of indexes: rows that none of their searches can find.
PARTIAL_INDEXES = (
    ("attribute_number", "attribute (key, number)", "number"),
    ("attribute_date", "attribute (key, date)", "date"),
    ("entity_page", "entity (page_id)", "page_id"),
    ("relation_source_page", "relation_source (page_id)", "page_id"),
)


def _to_version_2(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE page ADD COLUMN named_by_title INTEGER NOT NULL DEFAULT 1")
    connection.execute("CREATE TABLE checksum (block INTEGER PRIMARY KEY, hash BLOB NOT NULL)")
    connection.execute(
        "CREATE TABLE sentence_end"
        " (block INTEGER PRIMARY KEY, ids BLOB NOT NULL, counts BLOB NOT NULL, ends BLOB NOT NULL)"
    )
    connection.execute(
        "CREATE TABLE array (name TEXT NOT NULL, block INTEGER NOT NULL, dtype TEXT NOT NULL, data BLOB NOT NULL,"
        " PRIMARY KEY (name, block))"
    )
    connection.execute("DROP VIEW entity_text")
    connection.execute(ENTITY_TEXT)
    connection.execute(RELATION_TEXT)
    connection.execute(ATTRIBUTE_TEXT)


def _to_version_3(connection: sqlite3.Connection) -> None:
    for name, columns, present in PARTIAL_INDEXES:
        connection.execute(f"DROP INDEX {name}")
        connection.execute(f"CREATE INDEX {name} ON {columns} WHERE {present} IS NOT NULL")


MIGRATIONS: dict[int, Callable[[sqlite3.Connection], None]] = {1: _to_version_2, 2: _to_version_3}
"""From version n to n + 1; never edited once released, only added to."""


def open_skb(path: Path | str) -> sqlite3.Connection:
    """Open an SKB for reading only; raise NotAKnowledgeBase for anything else."""
    path = Path(path)
    header = read_header(path)
    check_present(path, header)
    # One thread at a time uses a connection, but a pool hands it from one to another.
    connection = sqlite3.connect(f"file:{_uri_path(path)}?mode=ro", uri=True, check_same_thread=False)
    try:
        _protect(connection)
        connection.execute("PRAGMA query_only = ON")
        check_structure(connection, path)
    except NotAKnowledgeBase:
        connection.close()
        raise
    return connection


def create(path: Path) -> sqlite3.Connection:
    """Make an empty SKB at `path` and return a writing connection."""
    connection = sqlite3.connect(path)
    _set_up_writing(connection)
    # One transaction: the disk is waited for once, rather than once a table.
    connection.executescript(f"BEGIN; {declarations()}")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    connection.commit()
    return connection


def open_for_writing(path: Path) -> sqlite3.Connection:
    """Open an SKB to write, migrated to the present schema; raise NotAKnowledgeBase for anything else."""
    version = read_header(path).version
    connection = sqlite3.connect(path)
    try:
        _protect(connection)
        _set_up_writing(connection)
        for number in range(version, SCHEMA_VERSION):
            MIGRATIONS[number](connection)
            connection.execute(f"PRAGMA user_version = {number + 1}")
            connection.commit()
        check_structure(connection, path)
    except NotAKnowledgeBase:
        connection.close()
        raise
    except sqlite3.DatabaseError as error:
        connection.close()
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
            raise
        raise NotAKnowledgeBase(f"{path}: not a knowledge base, or damaged ({error}); {ADVICE}") from error
    return connection


def _protect(connection: sqlite3.Connection) -> None:
    """See to it that nothing in a file of a stranger runs, and that malformed pages are noticed as they are read."""
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")


def _set_up_writing(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA cache_size = -65536")
    connection.execute("PRAGMA temp_store = FILE")
    # Temporary tables have a cache of their own, of 2 MB: each of a million links is looked up in one of them.
    connection.execute("PRAGMA temp.cache_size = -131072")
    # What is deleted is overwritten, whatever SQLite was compiled to do.
    connection.execute("PRAGMA secure_delete = ON")


def _uri_path(path: Path) -> str:
    return str(path.absolute()).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
