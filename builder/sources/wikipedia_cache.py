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

SCHEMA = """
CREATE TABLE IF NOT EXISTS page (
    host TEXT, title TEXT, revision INTEGER, modified TEXT, redirects TEXT, html BLOB, PRIMARY KEY (host, title)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS asked (host TEXT, name TEXT, title TEXT, PRIMARY KEY (host, name)) WITHOUT ROWID;
"""


class PageState(NamedTuple):
    """What a wiki says of a page beside its text; `redirects` are the titles that lead to it."""

    title: str
    revision: int
    modified: str | None
    redirects: tuple[str, ...]


def cache_folder() -> Path:
    """Return where fetched things are kept: WEFT_CACHE, or `weft` in the user's cache folder."""
    return Path(os.environ.get("WEFT_CACHE") or Path.home() / ".cache" / "weft")


class PageCache:
    """The pages of one wiki that were fetched before."""

    def __init__(self, folder: Path, host: str) -> None:
        """Open the cache or make it; raise UnreadableSource where that cannot be."""
        self._host = host
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(folder / "wikipedia.sqlite", timeout=30)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")
            self._connection.executescript(SCHEMA)
        except (OSError, sqlite3.Error) as error:
            raise UnreadableSource(f"{folder}: cannot hold a cache ({error}); name another as WEFT_CACHE") from error

    def html(self, title: str, revision: int) -> bytes | None:
        """Return the text of this revision."""
        row = self._connection.execute(
            "SELECT html FROM page WHERE host = ? AND title = ? AND revision = ?", (self._host, title, revision)
        ).fetchone()
        return zlib.decompress(row[0]) if row else None

    def state(self, name: str) -> PageState | None:
        """Return the page that was fetched when `name` was asked for."""
        row = self._connection.execute(
            "SELECT page.title, revision, modified, redirects FROM asked JOIN page"
            " ON page.host = asked.host AND page.title = asked.title WHERE asked.host = ? AND name = ?",
            (self._host, name),
        ).fetchone()
        return PageState(row[0], row[1], row[2], tuple(json.loads(row[3]))) if row else None

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
