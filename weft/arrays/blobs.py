"""Named arrays in the SKB: blocks of little-endian numbers, read without a loop over rows.

`ARRAYS` declares them all; `docs/schema.md` says what each holds. Rows of unequal length are two arrays: `X.size`
has the length of each row, and what the rows hold lies row after row.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

BLOCK_BYTES = 1 << 24
"""A block is closed when it has so many bytes; SQLite takes blobs of up to 10^9."""

PIECE_BYTES = 1 << 16
"""Bytes of a blob that are read at once."""

IN_PARTS = frozenset(("word.chunk", "word.times"))
"""Arrays that are read in parts: their blocks have `PART_BYTES` each, the last one what is left."""

PART_BYTES = 1 << 14
"""A rare word is a few bytes and a frequent one 100 kB: of blocks of this size little is read that is not asked for."""

IDS, NUMBERS, BYTES, WEIGHTS = "<i8", "<i4", "|u1", "<f4"
"""Types of arrays: ids of rows, everything that counts or numbers, flags or UTF-8, and weights of words."""

POSTING = "posting."
"""What the names of the arrays of sparse vectors begin with, which are written with the vectors."""

ARRAYS = {
    **dict.fromkeys(("chunk.id", "page.id", "section.id", "entity.id", "relation_type.id"), IDS),
    **dict.fromkeys(
        (
            "chunk.page", "chunk.section", "chunk.position", "chunk.kind", "chunk.length", "chunk.words",
            "entity.words", "page.entity",
            "cites.size", "cites.entity", "cites.count", "cited_in.size", "cited_in.chunk", "cited_in.count",
            "outgoing.size", "outgoing.entity", "outgoing.type", "incoming.size", "incoming.entity", "incoming.type",
            "walk.size", "walk.node", "text.size", "text.stem", "sentence.size", "sentence.stems", "title.size",
            "title.stem", "heading.size", "heading.stem", "stem.number", "link.size", "link.entity", "link.start",
            "link.end", "link.sentence", "context.size", "context.stem", "word.size", "word.chunk", "chunk.uri_rank",
            "entity.uri_rank",
        ),
        NUMBERS,
    ),
    **dict.fromkeys(("kind.text", "chunk.has_number", "chunk.has_year", "stem.text", "word.text", "word.times"), BYTES),
}  # fmt: skip
"""The type of each array that a search reads whole, by name; `weft.sparse.vector_postings` names those beside them."""

Array = NDArray[Any]


def write_arrays(connection: sqlite3.Connection, parts: Iterable[tuple[str, Array]]) -> None:
    """Write all of `ARRAYS` anew from their parts, given in any order of names; memory holds a block of each."""
    connection.execute("DELETE FROM array WHERE name NOT GLOB ?", (f"{POSTING}*",))
    append_arrays(connection, ARRAYS, parts, IN_PARTS)


def append_arrays(
    connection: sqlite3.Connection,
    types: Mapping[str, str],
    parts: Iterable[tuple[str, Array]],
    in_parts: Collection[str],
) -> None:
    """Write the arrays of the types given by name, of which there are none yet, some of them to be read in parts."""
    waiting = {name: bytearray() for name in types}
    blocks = dict.fromkeys(types, 0)

    def close(name: str, n_bytes: int) -> None:
        blocks[name] += 1
        row = (name, blocks[name], types[name], bytes(waiting[name][:n_bytes]))
        connection.execute("INSERT INTO array VALUES (?, ?, ?, ?)", row)
        del waiting[name][:n_bytes]

    for name, values in parts:
        waiting[name] += np.ascontiguousarray(values, types[name]).tobytes()
        while name in in_parts and len(waiting[name]) >= PART_BYTES:
            close(name, PART_BYTES)
        if len(waiting[name]) >= BLOCK_BYTES:
            close(name, len(waiting[name]))
    for name in types:
        if waiting[name] or not blocks[name]:
            close(name, len(waiting[name]))


def read_array(connection: sqlite3.Connection, name: str, dtype: str | None = None) -> Array:
    """Return an array, of the type that `ARRAYS` says unless one is given; ValueError where it is not of whole numbers.

    An SKB that was never built has arrays without numbers.
    """
    query = "SELECT rowid, length(data) FROM array WHERE name = ? ORDER BY block"
    blocks = connection.execute(query, (name,)).fetchall()
    whole = np.empty(sum(n_bytes for _, n_bytes in blocks), np.uint8)
    start = 0
    for row, n_bytes in blocks:
        fill(whole[start : start + n_bytes], connection, "array", "data", row)
        start += n_bytes
    return np.frombuffer(whole, dtype or ARRAYS[name])


def read_slice(connection: sqlite3.Connection, name: str, start: int, end: int, dtype: str | None = None) -> Array:
    """Return the numbers `start` to `end` of an array in parts, of the type that `ARRAYS` says unless one is given.

    Raise ValueError where it has fewer.
    """
    kind = np.dtype(dtype or ARRAYS[name])
    if start == end:
        return np.empty(0, kind)
    size = "SELECT length(data) FROM array WHERE name = ? AND block = 1"
    (n_bytes,) = connection.execute(size, (name,)).fetchone() or (0,)
    if not n_bytes:
        raise ValueError(f"{name}: the array has no numbers; its buffer is missing")
    width = kind.itemsize
    first, last = start * width // n_bytes, (end * width - 1) // n_bytes
    query = "SELECT data FROM array WHERE name = ? AND block BETWEEN ? AND ? ORDER BY block"
    data = b"".join(own for (own,) in connection.execute(query, (name, first + 1, last + 1)))
    return np.frombuffer(data, kind, end - start, start * width - first * n_bytes)


def fill(whole: NDArray[np.uint8], connection: sqlite3.Connection, table: str, column: str, row: int) -> None:
    """Read a blob into an array of its length.

    Pieces take a quarter of the time of a whole blob, for which the system would find memory anew.
    """
    with connection.blobopen(table, column, row, readonly=True) as blob:
        for start in range(0, len(whole), PIECE_BYTES):
            piece = whole[start : start + PIECE_BYTES]
            piece[:] = np.frombuffer(blob.read(len(piece)), np.uint8)


def starts_of(sizes: Array) -> NDArray[np.int64]:
    """Return where rows (n,) of the given lengths begin, and behind them where the last one ends, (n + 1,)."""
    starts = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=starts[1:])
    return starts


def ranges(starts: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the concatenated ranges start, start + 1, ... of the given lengths."""
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    indices: NDArray[np.int64] = np.arange(total) + np.repeat(starts - (ends - counts), counts)
    return indices
