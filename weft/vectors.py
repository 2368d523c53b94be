"""Embeddings in the SKB: blocks of little-endian rows, read as one matrix a space."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from weft.meta import get_meta

BLOCK = 4096
"""At most this many rows in one block."""

SPACES = ("chunk", "section", "label", "relation_type", "document", "document+relations")


class Vectors(NamedTuple):
    """A space as arrays: `ids` (n,) int64 in the order of `rows` (n, d) float32, rows of unit length."""

    ids: NDArray[np.int64]
    rows: NDArray[np.float32]


def load_vectors(connection: sqlite3.Connection, space: str) -> Vectors:
    """Read a space whole; no rows when the SKB has none of it."""
    blocks = connection.execute(
        "SELECT ids, rows FROM vector WHERE space = ? ORDER BY block", (space,)
    ).fetchall()
    if not blocks:
        return Vectors(np.empty(0, np.int64), np.empty((0, 0), np.float32))
    ids = [np.frombuffer(each, "<i8") for each, _ in blocks]
    dtype = get_meta(connection, "vector_dtype", "float32")
    rows = [decode_rows(data, len(own), dtype) for own, (_, data) in zip(ids, blocks, strict=True)]
    return Vectors(np.concatenate(ids).astype(np.int64), np.concatenate(rows))


def decode_rows(data: bytes, n: int, dtype: str) -> NDArray[np.float32]:
    """Return a block's rows as float32 (n, d), from float32 or float16."""
    kept = np.frombuffer(data, np.dtype("<f2" if dtype == "float16" else "<f4"))
    rows: NDArray[np.float32] = kept.astype(np.float32).reshape(n, -1)
    return rows


def encode_rows(rows: NDArray[np.float32], dtype: str) -> bytes:
    """Return the blob of a block's rows, `dtype` being float32 or float16."""
    return np.ascontiguousarray(rows, "<f2" if dtype == "float16" else "<f4").tobytes()


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
    (block,) = connection.execute(
        "SELECT ifnull(max(block), 0) + 1 FROM vector WHERE space = ?", (space,)
    ).fetchone()
    connection.execute(
        "INSERT INTO vector VALUES (?, ?, ?, ?)",
        (space, block, np.asarray(ids, "<i8").tobytes(), encode_rows(rows, dtype)),
    )
    if hashes is not None:
        connection.executemany(
            "INSERT OR REPLACE INTO vector_text VALUES (?, ?, ?)",
            ((space, identity, value) for identity, value in zip(ids, hashes, strict=True)),
        )


def text_hash(text: str) -> int:
    """Return a signed 64-bit hash of an embedded text, the same on every machine."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little", signed=True)


def unit_rows(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Scale every row to length 1; a row of zeros stays."""
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64))
    scale = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    scaled: NDArray[np.float32] = (rows * scale[:, None]).astype(np.float32)
    return scaled
