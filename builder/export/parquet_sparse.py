"""Sparse vectors as Parquet, by uri, with no more than a block of them in memory."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from builder.export.parquet_vectors import ids_by_uri, owners_by_uri
from builder.request import Progress
from weft.arrays.blobs import starts_of
from weft.sparse.sparse_rows import SparseRows, decode_sparse, with_hashes, words_of_space

ENTRY = np.dtype([("word", "<i8"), ("weight", "<f4")])


def write_sparse_vectors(connection: sqlite3.Connection, path: Path, space: str, progress: Progress) -> int:
    """Write a space as rows of id, uri, words and weights, by uri; return how many, and no file when it has none.

    The rows of the blocks are written to a temporary file in the order of uris
    first, which is then read from start to end.
    """
    ids = ids_by_uri(connection, space)
    if not len(ids):
        return 0
    with tempfile.TemporaryFile(dir=path.parent, buffering=0) as entries:
        sizes = _materialize(connection, space, ids, entries)
        _stream(connection, path, space, (np.sort(ids), sizes, entries), progress)
    return len(ids)


def _materialize(
    connection: sqlite3.Connection, space: str, ids: NDArray[np.int64], entries: BinaryIO
) -> NDArray[np.int64]:
    """Write every row where the rows before it in `ids` end; return the sizes of the rows (n,) in that order."""
    sizes = np.zeros(len(ids), np.int64)
    for places, rows in _placed(connection, space, ids):
        sizes[places] = rows.sizes
    starts = starts_of(sizes)
    for places, rows in _placed(connection, space, ids):
        inner = np.argsort(places)
        places, rows = places[inner], rows.taken(inner)
        table = np.empty(len(rows.words), ENTRY)
        table["word"], table["weight"] = rows.words, rows.weights
        for run in np.split(np.arange(len(places)), np.flatnonzero(np.diff(places) != 1) + 1):
            part = table[rows.starts[run[0]] : rows.starts[run[-1] + 1]]
            os.pwrite(entries.fileno(), part.tobytes(), int(starts[places[run[0]]]) * ENTRY.itemsize)
    return sizes


def _placed(
    connection: sqlite3.Connection, space: str, ids: NDArray[np.int64]
) -> Iterator[tuple[NDArray[np.int64], SparseRows]]:
    """Yield the rows of each block with their places (n,) in `ids`."""
    order = np.argsort(ids)
    known, words = ids[order], words_of_space(connection, space)
    for own, data in connection.execute("SELECT ids, rows FROM vector WHERE space = ? ORDER BY block", (space,)):
        block = np.frombuffer(own, "<i8")
        yield order[np.searchsorted(known, block)], with_hashes(decode_sparse(data, len(block)), words)


def _stream(
    connection: sqlite3.Connection,
    path: Path,
    space: str,
    kept: tuple[NDArray[np.int64], NDArray[np.int64], BinaryIO],
    progress: Progress,
) -> None:
    """Write the rows of a file, whose ids are known sorted and whose sizes by uri, beside their ids and uris."""
    import pyarrow as pa
    from pyarrow.parquet import ParquetWriter

    known, sizes, file = kept
    types = [("id", pa.int64()), ("uri", pa.string()), ("words", pa.list_(pa.int64())),
             ("weights", pa.list_(pa.float32()))]  # fmt: skip
    schema = pa.schema([pa.field(name, kind, nullable=False) for name, kind in types])
    done = 0
    with ParquetWriter(path, schema, compression="zstd") as writer:
        for ids, uris in owners_by_uri(connection, space, known):
            starts = starts_of(sizes[done : done + len(ids)])
            table = np.fromfile(file, ENTRY, int(starts[-1]))
            offsets = pa.array(starts, pa.int32())
            lists = [
                pa.ListArray.from_arrays(offsets, pa.array(np.ascontiguousarray(table[name])))
                for name in ("word", "weight")
            ]
            writer.write_batch(pa.record_batch([pa.array(ids), pa.array(uris, pa.string()), *lists], schema=schema))
            done += len(ids)
            progress.advance(len(ids))
