"""Dense vectors as Parquet, by uri, with no more than a block of them in memory."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from builder.dump import OWNERS
from builder.export.rows import batches
from builder.request import Progress
from weft.arrays.vectors import decode_rows
from weft.meta import get_meta


def vector_file(space: str) -> str:
    """Return the name of a space's file."""
    return f"vector_{space.replace('+', '_')}.parquet"


def write_vectors(connection: sqlite3.Connection, path: Path, space: str, progress: Progress) -> int:
    """Write a space as rows of id, uri and vector, by uri; return how many, and write no file when it has none.

    After an update the blocks are not in the order of uris: their rows are written
    to a temporary matrix file of shape (rows, dimensions), float32, in that order
    first, which is then read from start to end.
    """
    dtype = get_meta(connection, "vector_dtype", "float32")
    n_rows, n_bytes = connection.execute(
        "SELECT ifnull(sum(length(ids)), 0) / 8, ifnull(sum(length(rows)), 0) FROM vector WHERE space = ?", (space,)
    ).fetchone()
    if not n_rows:
        return 0
    width = n_bytes // n_rows // (2 if dtype == "float16" else 4)
    with tempfile.TemporaryFile(dir=path.parent, buffering=0) as matrix:
        ids = ids_by_uri(connection, space)
        _materialize(connection, space, dtype, ids, matrix)
        _stream(connection, path, space, np.sort(ids), (matrix, width), progress)
    return int(n_rows)


def ids_by_uri(connection: sqlite3.Connection, space: str) -> NDArray[np.int64]:
    """Return the ids that have a vector, in the order of their uris."""
    blocks = connection.execute("SELECT ids FROM vector WHERE space = ? ORDER BY block", (space,))
    known = np.frombuffer(b"".join(ids for (ids,) in blocks), "<i8")
    owners = chain.from_iterable(batches(connection, _by_uri(space)))
    ordered = np.fromiter((identity for identity, _ in owners), np.int64)
    return ordered[np.isin(ordered, known)]


def owners_by_uri(
    connection: sqlite3.Connection, space: str, known: NDArray[np.int64]
) -> Iterator[tuple[NDArray[np.int64], list[str]]]:
    """Yield the ids and uris of what has a vector, by uri, in batches."""
    for owners in batches(connection, _by_uri(space)):
        own = np.array([identity for identity, _ in owners], np.int64)
        there = np.isin(own, known)
        yield own[there], [uri for (_, uri), found in zip(owners, there.tolist(), strict=True) if found]


def _by_uri(space: str) -> str:
    return f"SELECT * FROM ({OWNERS[space]}) ORDER BY 2"


def _materialize(
    connection: sqlite3.Connection, space: str, dtype: str, ids: NDArray[np.int64], matrix: BinaryIO
) -> None:
    """Write every block's rows at the index of their ids in `ids`, rows that stay neighbours with one write."""
    # Shapes: ids, order, known (rows of the space,); block, places, inner (rows of the block,).
    order = np.argsort(ids)
    known = ids[order]
    for own, data in connection.execute("SELECT ids, rows FROM vector WHERE space = ? ORDER BY block", (space,)):
        block = np.frombuffer(own, "<i8")
        places = order[np.searchsorted(known, block)]
        inner = np.argsort(places)
        rows, places = decode_rows(data, len(block), dtype)[inner], places[inner]
        for run in np.split(np.arange(len(places)), np.flatnonzero(np.diff(places) != 1) + 1):
            os.pwrite(matrix.fileno(), rows[run[0] : run[-1] + 1].tobytes(), int(places[run[0]]) * rows[0].nbytes)


def _stream(
    connection: sqlite3.Connection,
    path: Path,
    space: str,
    known: NDArray[np.int64],
    matrix: tuple[BinaryIO, int],
    progress: Progress,
) -> None:
    """Write the rows of `matrix`, a file and its width, beside the ids and uris that have one."""
    import pyarrow as pa
    from pyarrow.parquet import ParquetWriter

    file, width = matrix
    schema = pa.schema(
        [
            pa.field("id", pa.int64(), nullable=False),
            pa.field("uri", pa.string(), nullable=False),
            pa.field("vector", pa.list_(pa.float32(), width), nullable=False),
        ]
    )
    with ParquetWriter(path, schema, compression="zstd") as writer:
        for ids, uris in owners_by_uri(connection, space, known):
            rows = np.fromfile(file, np.float32, len(uris) * width)
            vectors = pa.FixedSizeListArray.from_arrays(pa.array(rows), width)
            columns = [pa.array(ids), pa.array(uris, pa.string()), vectors]
            writer.write_batch(pa.record_batch(columns, schema=schema))
            progress.advance(len(uris))
