"""Where the links and mentions of chunks lead, as arrays."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from weft.arrays.blobs import read_array, starts_of
from weft.arrays.stem_table import Numbers, Rows, Starts, read_rows


class LinkTable(NamedTuple):
    """Links (n,) by chunk, in reading order: those of chunk i are `starts[i]` to `starts[i + 1]`.

    Each leads to the entity at one of `entities`, over the characters `begins`
    to `ends` of its chunk, in one of the `sentences` of the stem table;
    `contexts` has the stems around it, each once.
    """

    starts: Starts
    entities: Numbers
    begins: Numbers
    ends: Numbers
    sentences: NDArray[np.int64]
    contexts: Rows


def load_link_table(connection: sqlite3.Connection) -> LinkTable:
    """Read all links; about 90 bytes a link."""
    sizes = read_array(connection, "link.size")
    first = starts_of(read_array(connection, "sentence.size"))[:-1]
    return LinkTable(
        starts_of(sizes),
        read_array(connection, "link.entity"),
        read_array(connection, "link.start"),
        read_array(connection, "link.end"),
        np.repeat(first, sizes) + read_array(connection, "link.sentence"),
        read_rows(connection, "context"),
    )
