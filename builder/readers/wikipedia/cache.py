"""Pages fetched from wikis, by title and revision, in one file that outlives the builds."""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from weft.errors import UnreadableSource
from weft.http.cache_folder import cache_folder, private_file, private_folder
from weft.text.json_text import parsed_json

# `asked` maps each name asked for to the title of its page, so that offline builds find pages by the same names.
SCHEMA = """
CREATE TABLE IF NOT EXISTS page (
    host TEXT, title TEXT, revision INTEGER, modified TEXT, redirects TEXT, html BLOB, PRIMARY KEY (host, title)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS asked (host TEXT, name TEXT, title TEXT, PRIMARY KEY (host, name)) WITHOUT ROWID;
"""


MOST_BYTES = 100_000_000
"""Bound of a cached page when decompressed, in bytes: a damaged or foreign file must not fill memory."""


class PageState(NamedTuple):
    """The state of a page except its text; `redirects` are the titles that lead to it."""

    title: str
    revision: int
    modified: str | None
    redirects: tuple[str, ...]


class PageCache:
    """The pages of one wiki that were fetched before; an entry that is damaged counts as not there."""

    def __init__(self, folder: Path, host: str, most_bytes: int = MOST_BYTES) -> None:
        """Open the cache or make it; raise UnreadableSource where that cannot be.

        A file that is no cache is replaced; only time is lost.
        """
        self._host = host
        self._most_bytes = most_bytes
        path = private_folder(folder) / "wikipedia.sqlite"
        try:
            self._connection = _opened(path)
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF not in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
                raise _unusable(folder, error) from error
            try:
                _remove(path)
                self._connection = _opened(path)
            except (OSError, sqlite3.Error) as failure:
                raise _unusable(folder, failure) from failure

    def html(self, title: str, revision: int) -> bytes | None:
        """Return the HTML of this revision, None where it is not in the cache."""
        row = self._connection.execute(
            "SELECT html FROM page WHERE host = ? AND title = ? AND revision = ?", (self._host, title, revision)
        ).fetchone()
        return _inflated(row[0], self._most_bytes) if row else None

    def state(self, name: str) -> PageState | None:
        """Return the page that was fetched when `name` was asked for."""
        row = self._connection.execute(
            "SELECT page.title, revision, modified, redirects FROM asked JOIN page"
            " ON page.host = asked.host AND page.title = asked.title WHERE asked.host = ? AND name = ?",
            (self._host, name),
        ).fetchone()
        return _state(*row) if row else None

    def put(self, state: PageState, html: bytes) -> None:
        """Keep a page in place of its earlier revisions."""
        redirects = json.dumps(state.redirects, ensure_ascii=False)
        with self._connection:
            self._connection.execute(
                "INSERT OR REPLACE INTO page VALUES (?, ?, ?, ?, ?, ?)",
                (self._host, state.title, state.revision, state.modified, redirects, zlib.compress(html, 6)),
            )

    def put_names(self, name: str, state: PageState) -> None:
        """Remember which page a name led to, and which other names do; written with the next page or at the end."""
        self._connection.execute("INSERT OR REPLACE INTO asked VALUES (?, ?, ?)", (self._host, name, state.title))
        self._connection.execute(
            "UPDATE page SET modified = ?, redirects = ? WHERE host = ? AND title = ?",
            (state.modified, json.dumps(state.redirects, ensure_ascii=False), self._host, state.title),
        )

    def __enter__(self) -> Self:
        """Return the open cache."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Write what was remembered and close the file."""
        try:
            self._connection.commit()
        except sqlite3.Error as failure:
            raise UnreadableSource(f"{cache_folder()}: the cache cannot be written ({failure})") from failure
        finally:
            self._connection.close()


def _opened(path: Path) -> sqlite3.Connection:
    os.close(private_file(path))
    connection = sqlite3.connect(path, timeout=30)
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.executescript(SCHEMA)
        connection.execute("SELECT host, title, revision, modified, redirects, html FROM page LIMIT 1")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _remove(path: Path) -> None:
    for each in (path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")):
        each.unlink(missing_ok=True)


def _unusable(folder: Path, error: Exception) -> UnreadableSource:
    return UnreadableSource(f"{folder}: cannot hold a cache ({error}); name another as WEFT_CACHE")


def _inflated(kept: object, most_bytes: int) -> bytes | None:
    if not isinstance(kept, bytes):
        return None
    inflating = zlib.decompressobj()
    try:
        html = inflating.decompress(kept, most_bytes)
    except zlib.error:
        return None
    return html if inflating.eof else None


def _state(title: object, revision: object, modified: object, redirects: object) -> PageState | None:
    try:
        names = parsed_json(redirects) if isinstance(redirects, str) else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        return None
    if not isinstance(title, str) or not isinstance(revision, int) or not isinstance(modified, str | None):
        return None
    return PageState(title, revision, modified, tuple(names))
