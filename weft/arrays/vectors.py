"""Embeddings in the SKB: blocks of little-endian rows, read as one matrix a space."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from weft.arrays.blobs import fill
from weft.meta import get_meta

BLOCK = 4096
"""At most this many rows in one block."""

DOCUMENT_SPACES = ("document", "document+relations")
"""The spaces of entities' documents, without their relations and with them: where a build was asked for them."""

DTYPES = ("float32", "float16")
"""How dense rows are kept; `weft.sparse` has those that are not dense."""

SPACES = ("chunk", "section", "label", "relation_type", *DOCUMENT_SPACES)


class Vectors(NamedTuple):
    """A space as arrays: sorted `ids` (n,) int64 and, beside them, `rows` (n, d) float32 of unit length."""

    ids: NDArray[np.int64]
    rows: NDArray[np.float32]


def load_vectors(connection: sqlite3.Connection, space: str) -> Vectors:
    """Read a space whole, block by block into one matrix by id; no rows when the SKB has none of it.

    Blocks in the order of the ids, as a build writes them, are read into their place.
    """
    blocks = "SELECT rowid, ids, length(rows) FROM vector WHERE space = ? ORDER BY block"
    kept = connection.execute(blocks, (space,)).fetchall()
    ids = np.frombuffer(b"".join(own for _, own, _ in kept), "<i8")
    dtype = _kept(get_meta(connection, "vector_dtype", "float32"))
    width = sum(n_bytes for *_, n_bytes in kept) // (len(ids) * dtype.itemsize) if len(ids) else 0
    order = None if (ids[1:] > ids[:-1]).all() else np.argsort(ids, kind="stable")
    indices = None if order is None else np.argsort(order)
    rows = np.empty((len(ids), width), np.float32)
    start = 0
    for row, own, n_bytes in kept:
        end = start + len(own) // 8
        block = rows[start:end]
        if dtype == rows.dtype and indices is None and block.nbytes == n_bytes:
            fill(block.reshape(-1).view(np.uint8), connection, "vector", "rows", row)
        else:
            data = np.empty(n_bytes, np.uint8)
            fill(data, connection, "vector", "rows", row)
            rows[slice(start, end) if indices is None else indices[start:end]] = data.view(dtype).reshape(-1, width)
        start = end
    return Vectors(ids if order is None else ids[order], rows)


def decode_rows(data: bytes, n: int, dtype: str) -> NDArray[np.float32]:
    """Return a block's rows as float32 (n, d), from float32 or float16."""
    rows: NDArray[np.float32] = np.frombuffer(data, _kept(dtype)).astype(np.float32).reshape(n, -1)
    return rows


def encode_rows(rows: NDArray[np.float32], dtype: str) -> bytes:
    """Return the blob of a block's rows, `dtype` being float32 or float16."""
    return np.ascontiguousarray(rows, _kept(dtype)).tobytes()


def _kept(dtype: str) -> np.dtype[Any]:
    if dtype not in DTYPES:
        raise ValueError(f"vectors of type {dtype}, not {' or '.join(DTYPES)}")
    return np.dtype("<f2" if dtype == "float16" else "<f4")


def write_block(
    connection: sqlite3.Connection,
    space: str,
    ids: Sequence[int],
    rows: NDArray[np.float32],
    *,
    dtype: str = "float32",
    hashes: Iterable[int] | None = None,
) -> None:
    """Append one block, and the hashes of its texts where they are to be reused."""
    append_block(connection, space, ids, encode_rows(rows, dtype))
    if hashes is not None:
        connection.executemany(
            "INSERT OR REPLACE INTO vector_text VALUES (?, ?, ?)",
            ((space, identity, value) for identity, value in zip(ids, hashes, strict=True)),
        )


def append_block(connection: sqlite3.Connection, space: str, ids: Sequence[int], rows: bytes) -> None:
    """Append one block of rows as they are kept."""
    (block,) = connection.execute("SELECT ifnull(max(block), 0) + 1 FROM vector WHERE space = ?", (space,)).fetchone()
    connection.execute("INSERT INTO vector VALUES (?, ?, ?, ?)", (space, block, np.asarray(ids, "<i8").tobytes(), rows))


def text_hash(text: str) -> int:
    """Return a signed 64-bit hash of an embedded text, the same on every machine."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little", signed=True)


def text_hashes(texts: Iterable[bytes]) -> NDArray[np.int64]:
    """Return the hash (n,) of each text, which is given in UTF-8."""
    return np.frombuffer(b"".join([blake2b(text, digest_size=8).digest() for text in texts]), "<i8").astype(np.int64)


def unit_rows(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Scale every row (n, d) to length 1; a row of zeros stays."""
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64))
    scale = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    scaled: NDArray[np.float32] = (rows * scale[:, None]).astype(np.float32)
    return scaled
