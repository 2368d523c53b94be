"""All arrays of an SKB: written at the end of a build, and compared with what the tables give."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from builder.search_arrays.chunk_places import place_arrays
from builder.search_arrays.csr import citations, graph_arrays
from builder.search_arrays.link_targets import LinkTargets
from builder.search_arrays.links import link_arrays, links_in
from builder.search_arrays.text_batches import batches, sentences_in, words_in
from builder.search_arrays.token_ids import name_arrays, text_arrays
from builder.search_arrays.vocabulary import Vocabulary
from builder.search_arrays.word_postings import word_count_arrays, word_posting_arrays
from weft.arrays.blobs import ARRAYS, Array, may_be_kept, widened, write_arrays

FORM = 6
"""Part of the stage's fingerprint: a new number makes an update write all arrays again."""


def write_search_arrays(connection: sqlite3.Connection) -> None:
    """Write every array anew; memory holds the vocabulary, the graph's edges and a batch of texts."""
    write_arrays(connection, _arrays(connection))


def array_problems(connection: sqlite3.Connection) -> Iterator[str]:
    """Yield which arrays are not those that follow from the tables, each once."""
    yield from differing_arrays(connection, ARRAYS, _arrays(connection))


def differing_arrays(
    connection: sqlite3.Connection, types: Mapping[str, str], parts: Iterable[tuple[str, Array]]
) -> Iterator[str]:
    """Yield which stored arrays are not as their parts say, or not of the types given by name."""
    stored = {name: _Stored(connection, name, dtype) for name, dtype in types.items()}
    wrong = {name for name in types if not stored[name].has_type()}
    for name, values in parts:
        data = np.ascontiguousarray(values, types[name]).tobytes()
        if name not in wrong and stored[name].next(len(data)) != data:
            wrong.add(name)
    for name in types:
        if name in wrong or not stored[name].is_at_end():
            yield f"array {name}: not what follows from the tables"


def _arrays(connection: sqlite3.Connection) -> Iterator[tuple[str, Array]]:
    vocabulary = Vocabulary()
    cites = citations(connection)
    yield from graph_arrays(connection, cites)
    yield from place_arrays(connection)
    yield from word_count_arrays(connection)
    yield from word_posting_arrays(connection)
    targets = LinkTargets(connection, cites)
    for batch in batches(connection):
        words, sentences = words_in(batch, vocabulary), sentences_in(batch)
        yield from text_arrays(batch, words, sentences)
        yield from link_arrays(batch, words, sentences, links_in(connection, batch, targets), vocabulary)
    yield from name_arrays(connection, vocabulary)
    yield from vocabulary.arrays()


class _Stored:
    """The bytes of a stored array, read from its beginning to its end, a block at a time."""

    def __init__(self, connection: sqlite3.Connection, name: str, dtype: str) -> None:
        self._connection = connection
        self._name = name
        self._dtype = dtype
        blocks = "SELECT dtype, data FROM array WHERE name = ? ORDER BY block"
        self._blocks = iter(connection.execute(blocks, (name,)))
        self._left = b""

    def has_type(self) -> bool:
        """Tell whether every block is kept as numbers of the array's type may be, and there is one."""
        blocks = "SELECT DISTINCT dtype FROM array WHERE name = ?"
        kept = {dtype for (dtype,) in self._connection.execute(blocks, (self._name,))}
        return bool(kept) and all(may_be_kept(dtype, self._dtype) for dtype in kept)

    def next(self, n_bytes: int) -> bytes:
        """Return the next bytes as numbers of the array's type, fewer where the array ends or a block is damaged."""
        while len(self._left) < n_bytes and (row := next(self._blocks, None)):
            self._left += self._numbers(*row)
        found, self._left = self._left[:n_bytes], self._left[n_bytes:]
        return found

    def is_at_end(self) -> bool:
        """Tell whether all bytes are read."""
        return not self._left and not any(data for _, data in self._blocks)

    def _numbers(self, kept: str, data: bytes) -> bytes:
        try:
            return widened(data, kept, self._dtype).tobytes()
        except ValueError:
            return b""
