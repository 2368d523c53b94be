"""The SKB file as such: making it, opening it, telling it from other files.

>>> with open_skb("kb.skb") as connection:                       # doctest: +SKIP
...     connection.execute("SELECT count(*) FROM page")
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

from weft.errors import NotAKnowledgeBase, OldSchema
from weft.shipped import shipped

APPLICATION_ID = 0x57454654
"""`WEFT` in ASCII, in the SQLite header."""

SCHEMA_VERSION = 2


def _to_version_2(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE page ADD COLUMN named_by_title INTEGER NOT NULL DEFAULT 1")


MIGRATIONS: dict[int, Callable[[sqlite3.Connection], None]] = {1: _to_version_2}
"""From version n to n + 1; never edited once released, only added to."""


def open_skb(path: Path | str) -> sqlite3.Connection:
    """Open an SKB for reading only; raise NotAKnowledgeBase for anything else."""
    path = Path(path)
    if path.is_dir():
        raise NotAKnowledgeBase(f"{path}: is a folder, not a knowledge base")
    if not path.is_file():
        raise NotAKnowledgeBase(f"{path}: no such file; build one with weft build SOURCE -o {path}")
    if path.stat().st_size == 0:
        raise NotAKnowledgeBase(f"{path}: an empty file, not a knowledge base; remove it and build again")
    connection = sqlite3.connect(f"file:{_uri_path(path)}?mode=ro", uri=True)
    try:
        version = _version(connection, path)
        connection.execute("PRAGMA query_only = ON")
        connection.execute("PRAGMA trusted_schema = OFF")
    except NotAKnowledgeBase:
        connection.close()
        raise
    if version < SCHEMA_VERSION:
        connection.close()
        raise OldSchema(f"{path}: schema version {version} is old; run weft build on it to bring it up")
    return connection


def create(path: Path) -> sqlite3.Connection:
    """Make an empty SKB at `path` and return a writing connection."""
    connection = sqlite3.connect(path)
    _set_up_writing(connection)
    connection.executescript(shipped("schemas").joinpath("skb.sql").read_text(encoding="utf-8"))
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    connection.commit()
    return connection


def open_for_writing(path: Path) -> sqlite3.Connection:
    """Open an SKB to write, migrated to the present schema; raise NotAKnowledgeBase for anything else."""
    connection = sqlite3.connect(path)
    try:
        version = _version(connection, path)
        _set_up_writing(connection)
    except NotAKnowledgeBase:
        connection.close()
        raise
    for number in range(version, SCHEMA_VERSION):
        MIGRATIONS[number](connection)
        connection.execute(f"PRAGMA user_version = {number + 1}")
        connection.commit()
    return connection


def _set_up_writing(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA cache_size = -65536")
    connection.execute("PRAGMA temp_store = FILE")


def _version(connection: sqlite3.Connection, path: Path) -> int:
    try:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        if application == APPLICATION_ID and version <= SCHEMA_VERSION:
            connection.execute("SELECT value FROM meta LIMIT 1").fetchone()
    except sqlite3.DatabaseError as error:
        raise NotAKnowledgeBase(f"{path}: not a knowledge base, or damaged ({error})") from error
    if application != APPLICATION_ID:
        raise NotAKnowledgeBase(f"{path}: an SQLite file of another program, not a knowledge base")
    if version > SCHEMA_VERSION:
        raise NotAKnowledgeBase(
            f"{path}: schema version {version}, but this Weft reads up to {SCHEMA_VERSION}; upgrade Weft"
        )
    return int(version)


def _uri_path(path: Path) -> str:
    return str(path.absolute()).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
