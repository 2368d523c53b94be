"""Checksums of a finished SKB: SQLite keeps none of its pages, and a flipped bit must not go unseen.

The table `checksum` holds a hash of each MiB of the file. Its own pages count
as zeros, and so do the counters of the header, which change as it is filled. In
row -1 it holds the header's change counter: any program that writes the file by
SQLite changes that, so an edit can be told from damage.
"""

from __future__ import annotations

import os
import sqlite3
import struct
from collections.abc import Iterator
from contextlib import closing
from hashlib import blake2b, file_digest
from pathlib import Path

from weft.file_format.header import read_header

# A hash for every MiB, of 8 bytes: chance damage goes unseen once in 2 to the 64.
BLOCK_BYTES = 1 << 20
HASH_BYTES = 8
CHANGES = -1
"""The row of the change counter."""

COUNTERS = (slice(24, 28), slice(92, 100))
"""Bytes of the header that every transaction changes: change counter, valid-for number, version of SQLite."""

INTERIOR, LEAF = 0x05, 0x0D
"""First byte of a page of a table's b-tree: <https://www.sqlite.org/fileformat2.html#b_tree_pages>."""


def write_checksums(connection: sqlite3.Connection, path: Path) -> None:
    """Put the hash of every block of the file on record; nothing may be written afterwards. Linear in the file.

    The rows are made first and filled in a second transaction, which moves no
    page, since every value keeps its length.
    """
    connection.execute("DELETE FROM checksum")
    connection.execute("INSERT INTO checksum VALUES (?, zeroblob(?))", (CHANGES, HASH_BYTES))
    connection.commit()
    n_blocks = 0
    while (needed := -(-path.stat().st_size // BLOCK_BYTES)) > n_blocks:
        connection.executemany(
            "INSERT INTO checksum VALUES (?, zeroblob(?))", ((block, HASH_BYTES) for block in range(n_blocks, needed))
        )
        connection.commit()
        n_blocks = needed
    rows = [(found, block) for block, found in enumerate(_hashes(connection, path))]
    changes = (read_header(path).changes + 1) % (1 << 32)
    rows.append((changes.to_bytes(HASH_BYTES, "big"), CHANGES))
    connection.executemany("UPDATE checksum SET hash = ? WHERE block = ?", rows)
    connection.commit()


def was_changed(connection: sqlite3.Connection, path: Path) -> str | None:
    """Tell what is in the way of comparing a file with its checksums: it has none, or was edited; None: nothing."""
    row = connection.execute("SELECT hash FROM checksum WHERE block = ?", (CHANGES,)).fetchone()
    if row is None:
        return "it has no checksums; run weft build on it to write them"
    if row[0] != read_header(path).changes.to_bytes(HASH_BYTES, "big"):
        return "another program changed it after it was built, so that its checksums tell nothing"
    return None


def identity(path: Path) -> str | None:
    """Return what tells the present content of an SKB from any other; None where there is no file.

    Reads its checksums; all of a file where none can be read. Raises
    NotAKnowledgeBase where the header is none of an SKB.
    """
    if not path.exists():
        return None
    found = blake2b(digest_size=2 * HASH_BYTES)
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        try:
            for row in connection.execute("SELECT block, hash FROM checksum ORDER BY block"):
                found.update(repr(row).encode())
        except (sqlite3.DatabaseError, ValueError):
            with path.open("rb") as file:
                found.update(file_digest(file, lambda: blake2b(digest_size=HASH_BYTES)).digest())
    return f"{read_header(path).changes}-{found.hexdigest()}"


def edit_of(path: Path) -> str | None:
    """Tell what is in the way of comparing a file with its checksums, as `was_changed`; None where they are damaged."""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        try:
            return was_changed(connection, path)
        except (sqlite3.DatabaseError, ValueError):
            return None


def differences(path: Path) -> Iterator[str]:
    """Yield how a file differs from what was built, a line each; nothing where every byte is as it was.

    Reads the whole file, a MiB at a time. Raises NotAKnowledgeBase for a header
    that tells it already.
    """
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        try:
            if changed := was_changed(connection, path):
                yield changed
                return
            recorded = dict(connection.execute("SELECT block, hash FROM checksum WHERE block >= 0"))
            found = dict(enumerate(_hashes(connection, path)))
        except (sqlite3.DatabaseError, ValueError, struct.error) as error:
            yield f"its checksums cannot be read ({error})"
            return
    size = path.stat().st_size
    for block in sorted(recorded.keys() | found.keys()):
        if recorded.get(block) != found.get(block):
            start = block * BLOCK_BYTES
            end = min(start + BLOCK_BYTES, size) if start < size else start + BLOCK_BYTES
            yield f"bytes {start:,} to {end - 1:,} are not those that were built"


def _hashes(connection: sqlite3.Connection, path: Path) -> Iterator[bytes]:
    """Yield the hash of each block, with zeros for what the checksums themselves change."""
    page_size = read_header(path).page_size
    (root,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'checksum'").fetchone()
    own: dict[int, list[int]] = {}
    with path.open("rb") as file:
        for page in _pages_of(file.fileno(), root, page_size):
            block, offset = divmod((page - 1) * page_size, BLOCK_BYTES)
            own.setdefault(block, []).append(offset)
        number = 0
        while data := bytearray(file.read(BLOCK_BYTES)):
            for offset in own.get(number, ()):
                data[offset : offset + page_size] = bytes(page_size)
            for counter in COUNTERS if number == 0 else ():
                data[counter] = bytes(counter.stop - counter.start)
            yield blake2b(data, digest_size=HASH_BYTES).digest()
            number += 1


def _pages_of(descriptor: int, root: int, page_size: int) -> list[int]:
    """Return the pages of a table's b-tree that keeps all rows within their pages; raise ValueError for no such.

    No page is read twice, and none beyond the file's end: linear in the file.
    """
    pages: dict[int, None] = {}
    waiting = [root]
    while waiting:
        number = waiting.pop()
        page = os.pread(descriptor, page_size, (number - 1) * page_size) if number > 1 else b""
        if number in pages or len(page) < page_size or page[0] not in (INTERIOR, LEAF):
            raise ValueError(f"page {number} is none of a table")
        pages[number] = None
        if page[0] == INTERIOR:
            n_cells, right = struct.unpack_from(">H", page, 3)[0], struct.unpack_from(">I", page, 8)[0]
            cells = struct.unpack_from(f">{n_cells}H", page, 12)
            waiting += [right, *(struct.unpack_from(">I", page, cell)[0] for cell in cells)]
    return list(pages)
