"""Live endpoints as fact files: the triples about the titles at hand are fetched once and kept in the cache."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b, scrypt
from pathlib import Path

from builder.request import FactInput
from builder.sparql.fetch import DBPEDIA, MOST_BYTES, WIKIPEDIA_PAGES, FetchOptions, fetch_to_file
from builder.storage.fingerprints import hash_of_files
from weft.errors import UnreadableSource
from weft.http.addresses import shown
from weft.http.cache_folder import cache_folder, private_file, private_folder
from weft.http.limits import is_offline

LEAST_BYTES = 2_000_000
"""Bound of an answer, in bytes, where the page limit is smaller: one page of rows needs that much."""

FETCHED = "fetched.nt"


def labels_of_endpoints(urls: Sequence[str]) -> dict[str, str]:
    """Return the endpoints by label, which is the address without its secrets; UnreadableSource where two share one."""
    labels: dict[str, str] = {}
    for url in urls:
        if labels.setdefault(shown(url), url) != url:
            raise UnreadableSource(f"{shown(url)}: named twice, with different credentials; name it once")
    return labels


def fetch_facts(
    connection: sqlite3.Connection,
    urls: Sequence[str],
    languages: tuple[str, ...],
    resource_prefix: str | None,
    advance: Callable[[int], None],
    most_bytes: int = MOST_BYTES,
) -> list[FactInput]:
    """Fetch the triples of endpoints about every page and link target; return them as fact files.

    Nothing is asked again while endpoint, credentials, titles and languages are the same:
    delete `sparql` in the cache folder to ask anew. `WEFT_PAUSE` is the pause
    between requests in seconds. Raises UnreadableSource
    when an endpoint cannot be reached, and with WEFT_OFFLINE when its triples
    are not in the cache.
    """
    prefix = resource_prefix or DBPEDIA
    files = []
    for label, url in labels_of_endpoints(urls).items():
        key = blake2b(repr((label, languages, prefix)).encode("utf-8", "surrogatepass"), digest_size=16)
        key.update(_hash_of_secrets(url))
        for title in _titles(connection):
            key.update(title.encode() + b"\n")
        folder = private_folder(private_folder(private_folder(cache_folder()) / "sparql") / key.hexdigest())
        path = folder / FETCHED
        if not _is_whole(path):
            if is_offline():
                raise UnreadableSource(f"{label}: what it says is not in the cache, and WEFT_OFFLINE is set")
            path.unlink(missing_ok=True)
            options = FetchOptions(
                languages, prefix, _page_prefixes(connection), most_bytes=max(most_bytes, LEAST_BYTES)
            )
            fetch_to_file(url, _titles(connection), path, options, progress=advance)
            _seal(path)
        files.append(FactInput(label, "rdf", path))
    return files


def _hash_of_secrets(url: str) -> bytes:
    """Return a hash that tells credentials apart; scrypt is slow, so that they cannot be found by guessing."""
    label = shown(url)
    if label == url:
        return b""
    secret, salt = (text.encode("utf-8", "surrogatepass") for text in (url, label))
    return scrypt(secret, salt=salt, n=1 << 14, r=8, p=1)


def _is_whole(path: Path) -> bool:
    """Tell whether a fetched file is there, with the hash that was written beside it."""
    seal = path.with_name(path.name + ".hash")
    if path.is_symlink() or seal.is_symlink() or not path.is_file() or not seal.is_file():
        return False
    return seal.read_bytes()[:100] == hash_of_files([path]).encode()


def _seal(path: Path) -> None:
    path.chmod(0o600)
    with os.fdopen(private_file(path.with_name(path.name + ".hash")), "wb") as file:
        file.truncate()
        file.write(hash_of_files([path]).encode())


def _titles(connection: sqlite3.Connection) -> Iterator[str]:
    rows = connection.execute(
        # Pages, link targets and the targets of documents' redirects; those of fact files would make it a whole dump.
        "SELECT title FROM page UNION SELECT target FROM link UNION SELECT value FROM statement JOIN source_item"
        " ON source_item.id = source_id WHERE kind = 'redirect' AND source NOT IN"
        " (SELECT value ->> 'label' FROM json_each((SELECT value FROM meta WHERE key = 'facts'))) ORDER BY 1"
    )
    return (title for (title,) in rows)


def _page_prefixes(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Return the addresses under which pages lie, by their own urls, and Wikipedia's."""
    rows = connection.execute(
        # Up to and including "/wiki/": 5 more characters than the position of its first slash.
        "SELECT DISTINCT substr(url, 1, instr(url, '/wiki/') + 5) FROM page WHERE instr(url, '/wiki/')"
    )
    return tuple(sorted({*WIKIPEDIA_PAGES, *(prefix for (prefix,) in rows)}))
