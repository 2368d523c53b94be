"""Fingerprints: hashes that tell a stage whether its inputs have changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path


def hash_of_files(paths: Iterable[Path]) -> str:
    """Return a hash of the bytes of files in their order; missing ones are skipped.

    Raises OSError for a file that cannot be read.
    """
    digest = blake2b(digest_size=16)
    for path in paths:
        if path.is_file():
            with path.open("rb") as file:
                while block := file.read(1 << 20):
                    digest.update(block)
            digest.update(b"\0")
    return digest.hexdigest()


def hash_of_rows(connection: sqlite3.Connection, *queries: str) -> str:
    """Return a hash of the queries' first columns, in their order; memory holds a batch of rows."""
    digest = blake2b(digest_size=16)
    for query in queries:
        cursor = connection.execute(query)
        while rows := cursor.fetchmany(10_000):
            digest.update("".join(f"{row[0]}\n" for row in rows).encode())
        digest.update(b"\0")
    return digest.hexdigest()
