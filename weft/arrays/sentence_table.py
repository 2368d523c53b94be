"""Where the sentences of chunks end, as the builder found them: blocks of arrays, read as one."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

BLOCK = 4096
"""At most this many chunks in one block."""


class SentenceTable(NamedTuple):
    """Sorted chunk `ids` (n,) int64, and the ends of chunk i: `ends[starts[i]:starts[i + 1]]`, int32.

    An end is the offset behind a sentence's last character in `chunk.text`, in
    Unicode code points; a chunk's last end is its length.
    """

    ids: NDArray[np.int64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int32]

    def of(self, chunk: int) -> list[int] | None:
        """Return the ends of a chunk's sentences, ascending, or None where none are stored; O(log n)."""
        row = int(np.searchsorted(self.ids, chunk))
        if row == len(self.ids) or self.ids[row] != chunk:
            return None
        found: list[int] = self.ends[self.starts[row] : self.starts[row + 1]].tolist()
        return found


def load_sentence_table(connection: sqlite3.Connection) -> SentenceTable:
    """Read all blocks; 16 bytes a chunk and 4 a sentence."""
    rows = connection.execute("SELECT ids, counts, ends FROM sentence_end ORDER BY block").fetchall()
    ids, counts, ends = (b"".join(parts) for parts in zip(*rows, strict=True)) if rows else (b"", b"", b"")
    lengths = np.frombuffer(counts, "<i4")
    return SentenceTable(
        np.frombuffer(ids, "<i8").astype(np.int64, copy=False),
        np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]),
        np.frombuffer(ends, "<i4").astype(np.int32, copy=False),
    )


def write_block(connection: sqlite3.Connection, ids: Sequence[int], ends: Sequence[Sequence[int]]) -> None:
    """Append a block of chunks with the ends of their sentences; the ids go on ascending from block to block."""
    (block,) = connection.execute("SELECT ifnull(max(block), 0) + 1 FROM sentence_end").fetchone()
    flat = np.fromiter((end for row in ends for end in row), "<i4")
    counts = np.fromiter(map(len, ends), "<i4", len(ends))
    connection.execute(
        "INSERT INTO sentence_end VALUES (?, ?, ?, ?)",
        (block, np.asarray(ids, "<i8").tobytes(), counts.tobytes(), flat.tobytes()),
    )
