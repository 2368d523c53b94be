"""The arrays of a fitted embedder, in the SKB."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weft.embedders.base import Embedder
from weft.embedders.registry import NotAllowed, embedder_on_record
from weft.errors import WeftError
from weft.meta import get_meta
from weft.sparse.sparse_rows import SPARSE


def save_arrays(connection: sqlite3.Connection, embedder: Embedder) -> None:
    """Write a fitted embedder's arrays into the SKB."""
    connection.execute("DELETE FROM embedder_array")
    connection.executemany(
        "INSERT INTO embedder_array VALUES (?, ?, ?, ?)",
        (
            (name, array.dtype.newbyteorder("<").str, " ".join(map(str, array.shape)), array.tobytes())
            for name, array in _little_endian(embedder.arrays())
        ),
    )


def load_embedder(connection: sqlite3.Connection, name: str) -> Embedder:
    """Return the embedder that an SKB was built with, ready to encode questions.

    Raise WeftError where it is not allowed, and where the vectors are not of the
    kind that it gives now, as in a file of an earlier revision.
    """
    embedder = embedder_on_record(name)
    if isinstance(embedder, NotAllowed):
        raise WeftError(embedder.reason())
    kind = get_meta(connection, "vector_dtype")
    if kind is not None and (kind == SPARSE) != embedder.sparse:
        raise WeftError(f"{name}: gives other vectors than the knowledge base has, which an earlier revision made;"
                        " build it again from its sources")  # fmt: skip
    rows = connection.execute("SELECT name, dtype, shape, data FROM embedder_array").fetchall()
    embedder.restore(
        {
            key: np.frombuffer(data, dtype).reshape([int(size) for size in shape.split()])
            for key, dtype, shape, data in rows
        }
    )
    return embedder


def _little_endian(arrays: dict[str, NDArray[Any]]) -> Iterator[tuple[str, NDArray[Any]]]:
    for name, array in sorted(arrays.items()):
        yield name, np.ascontiguousarray(array.astype(array.dtype.newbyteorder("<")))
