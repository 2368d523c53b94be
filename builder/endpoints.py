"""Live endpoints as fact files: what one says of the titles at hand is fetched once and kept in the cache."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path

from builder.sparql import DBPEDIA, WIKIPEDIA_PAGES, fetch_to_file

FETCHED = "fetched.nt"


def cache_folder() -> Path:
    """Return where fetched things are kept: `WEFT_CACHE`, or `weft` in the user's cache folder."""
    if folder := os.environ.get("WEFT_CACHE"):
        return Path(folder)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "weft"


def fetch_facts(
    connection: sqlite3.Connection,
    urls: Sequence[str],
    languages: tuple[str, ...],
    resource_prefix: str | None,
    advance: Callable[[int], None],
) -> list[tuple[str, str, Path]]:
    """Fetch what endpoints say of every page and link target; return fact files (label, kind, path).

    Nothing is asked again while endpoint, titles and languages are the same:
    delete `sparql` in the cache folder to ask anew. `WEFT_PAUSE` is the pause
    between requests in seconds. Raises UnreadableSource
    when an endpoint cannot be reached.
    """
    prefix = resource_prefix or DBPEDIA
    files = []
    for url in urls:
        key = blake2b(repr((url, languages, prefix)).encode(), digest_size=16)
        for title in _titles(connection):
            key.update(title.encode() + b"\n")
        path = cache_folder() / "sparql" / key.hexdigest() / FETCHED
        if not path.is_file():
            path.parent.mkdir(parents=True, exist_ok=True)
            fetch_to_file(
                url, _titles(connection), path, languages=languages, resource_prefix=prefix,
                page_prefixes=_page_prefixes(connection), progress=advance,
            )  # fmt: skip
        files.append((url, "rdf", path))
    return files


def _titles(connection: sqlite3.Connection) -> Iterator[str]:
    rows = connection.execute(
        "SELECT title FROM page UNION SELECT target FROM link UNION SELECT value FROM statement JOIN source_item"
        " ON source_item.id = source_id WHERE kind = 'redirect' AND source NOT IN"
        " (SELECT value ->> 'label' FROM json_each((SELECT value FROM meta WHERE key = 'facts'))) ORDER BY 1"
    )
    return (title for (title,) in rows)


def _page_prefixes(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Return the addresses under which pages lie, by their own urls, and Wikipedia's."""
    rows = connection.execute(
        "SELECT DISTINCT substr(url, 1, instr(url, '/wiki/') + 5) FROM page WHERE instr(url, '/wiki/')"
    )
    return tuple(sorted({*WIKIPEDIA_PAGES, *(prefix for (prefix,) in rows)}))
