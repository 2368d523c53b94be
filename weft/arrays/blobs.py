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

PIECE_NUMBERS = PIECE_BYTES // 4
"""Numbers of a block that are read at once where they are kept in fewer bytes."""

IN_PARTS = frozenset(("word.chunk", "word.times"))
"""Arrays that are read in parts: their blocks have `PART_BYTES` each, the last one what is left."""

PART_BYTES = 1 << 14
"""A rare word is a few bytes and a frequent one 100 kB: of blocks of this size little is read that is not asked for.

Bytes are those of the array's type, so that all blocks but the last have as many numbers, whatever each is kept as.
"""

IDS, NUMBERS, BYTES, WEIGHTS = "<i8", "<i4", "|u1", "<f4"
"""Types of arrays: ids of rows, everything that counts or numbers, flags or UTF-8, and weights of words."""

KEPT = {"|u1": 1, "<u2": 2, "|V3": 3, "<i4": 4, "<i8": 8}
"""As what whole numbers may be kept, with their bytes: a block as the first that holds its numbers, none below 0 but as
the last two. `|V3` is an unsigned number of three bytes, the lowest one first, for which numpy has no other name."""

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
            "title.stem", "heading.size", "heading.own", "heading.stem", "stem.number", "link.size", "link.entity",
            "link.start", "link.end", "link.sentence", "context.size", "context.stem", "word.size", "word.chunk",
            "chunk.uri_rank", "entity.uri_rank",
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
        dtype, data = narrowed(np.frombuffer(bytes(waiting[name][:n_bytes]), types[name]))
        connection.execute("INSERT INTO array VALUES (?, ?, ?, ?)", (name, blocks[name], dtype, data))
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


def narrowed(values: Array) -> tuple[str, bytes]:
    """Return as what numbers are kept in the fewest bytes, and these; weights stay as they are."""
    least, most = (int(values.min(initial=0)), int(values.max(initial=0))) if values.dtype.kind in "iu" else (-1, 0)
    for kept, width in KEPT.items():
        if least < 0 or width >= values.itemsize:
            break
        if most < 256**width // (2 if kept[1] == "i" else 1):
            return kept, _three_bytes(values) if width == 3 else values.astype(kept).tobytes()
    return values.dtype.str, values.tobytes()


def _three_bytes(values: Array) -> bytes:
    return values.astype("<u4").view(np.uint8).reshape(-1, 4)[:, :3].tobytes()


def widened(data: bytes, kept: str, dtype: str) -> Array:
    """Return what is kept as numbers of another type; raise ValueError where the bytes are not whole numbers."""
    width = width_of(kept, dtype)
    if len(data) % width:
        raise ValueError(f"{len(data)} bytes are no buffer of numbers of {width}")
    if width == 3:
        # Each number with the byte behind it, which is masked: a third of the time of copying three bytes of each.
        numbers = np.ndarray(len(data) // 3, "<i4", data + b"\0", strides=(3,)) & 0xFFFFFF
        return numbers.astype(dtype, copy=False)
    return np.frombuffer(data, kept).astype(dtype, copy=False)


def width_of(kept: str, dtype: str) -> int:
    """Return the bytes of a number as it is kept; raise ValueError where numbers of a type are never kept so."""
    if not may_be_kept(kept, dtype):
        raise ValueError(f"a buffer of {kept} in place of {dtype}")
    return KEPT.get(kept, np.dtype(dtype).itemsize)


def may_be_kept(kept: str, dtype: str) -> bool:
    """Tell whether numbers of a type may be kept as those of another: whole numbers in fewer bytes."""
    return kept == dtype or (dtype in KEPT and KEPT.get(kept, KEPT[dtype]) < KEPT[dtype])


def read_array(connection: sqlite3.Connection, name: str, dtype: str | None = None) -> Array:
    """Return an array, of the type that `ARRAYS` says unless one is given; ValueError where it is not of whole numbers.

    An SKB that was never built has arrays without numbers.
    """
    kind = dtype or ARRAYS[name]
    query = "SELECT rowid, dtype, length(data) FROM array WHERE name = ? ORDER BY block"
    blocks = connection.execute(query, (name,)).fetchall()
    sizes = [n_bytes // width_of(kept, kind) for _, kept, n_bytes in blocks]
    whole, start = np.empty(sum(sizes), kind), 0
    for (row, kept, n_bytes), size in zip(blocks, sizes, strict=True):
        if n_bytes % width_of(kept, kind):
            raise ValueError(f"{name}: {n_bytes} bytes are no buffer of {kept}")
        part = whole[start : start + size]
        if kept == kind:
            fill(part.view(np.uint8), connection, "array", "data", row)
        else:
            _fill_wider(part, connection, row, kept)
        start += size
    return whole


def _fill_wider(part: Array, connection: sqlite3.Connection, row: int, kept: str) -> None:
    """Read a block into an array of a wider type, in pieces that the processor's cache holds."""
    with connection.blobopen("array", "data", row, readonly=True) as blob:
        for start in range(0, len(part), PIECE_NUMBERS):
            piece = part[start : start + PIECE_NUMBERS]
            piece[:] = widened(blob.read(len(piece) * KEPT[kept]), kept, part.dtype.str)


def read_slice(connection: sqlite3.Connection, name: str, start: int, end: int, dtype: str | None = None) -> Array:
    """Return the numbers `start` to `end` of an array in parts, of the type that `ARRAYS` says unless one is given.

    Raise ValueError where it has fewer.
    """
    kind = dtype or ARRAYS[name]
    if start == end:
        return np.empty(0, kind)
    size = "SELECT dtype, length(data) FROM array WHERE name = ? AND block = 1"
    kept, n_bytes = connection.execute(size, (name,)).fetchone() or (kind, 0)
    if not (n_numbers := n_bytes // width_of(kept, kind)):
        raise ValueError(f"{name}: the array has no numbers; its buffer is missing")
    first, last = start // n_numbers, (end - 1) // n_numbers
    query = "SELECT data, dtype FROM array WHERE name = ? AND block BETWEEN ? AND ? ORDER BY block"
    rows = connection.execute(query, (name, first + 1, last + 1))
    parts = [widened(data, own, kind) for data, own in rows]
    whole = parts[0] if len(parts) == 1 else np.concatenate([np.empty(0, kind), *parts])
    found = whole[start - first * n_numbers : end - first * n_numbers]
    if len(found) < end - start:
        raise ValueError(f"{name}: the array's buffer ends before number {end}")
    return found


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
