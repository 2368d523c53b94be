"""Check that the vectors of an SKB are whole: their blocks, their owners, and the postings of sparse ones."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from builder.derive.embeddings import texts_of
from builder.derive.workspace import create_functions
from builder.dump import OWNERS
from builder.search_arrays.all_arrays import differing_arrays
from weft.arrays.blobs import Array
from weft.arrays.vectors import SPACES, decode_rows
from weft.embedders.stored import load_embedder
from weft.meta import get_meta
from weft.sparse.sparse_rows import SPARSE, SparseRows, decode_sparse, posting_array, with_hashes, words_of_space
from weft.sparse.transpose import postings_of
from weft.sparse.vector_postings import posting_arrays

WIDTHS = {"float32": 4, "float16": 2}
"""Bytes of a number in a block of dense vectors."""


def vector_problems(connection: sqlite3.Connection) -> Iterator[str]:
    """Yield what is wrong with the vectors, one line each."""
    dtype = get_meta(connection, "vector_dtype", "float32")
    broken = False
    for space in SPACES:
        for problem in (*_block_problems(connection, space, dtype), *_owner_problems(connection, space)):
            broken = True
            yield problem
    if not broken:
        yield from _posting_problems(connection, dtype)
    if not broken and dtype == SPARSE:
        yield from _text_problems(connection)


def _block_problems(connection: sqlite3.Connection, space: str, dtype: str) -> Iterator[str]:
    """Yield which blocks of a space cannot be read, or have rows that are not of unit length."""
    widths: set[int] = set()
    query = "SELECT block, ids, rows FROM vector WHERE space = ? ORDER BY block"
    for block, ids, rows in connection.execute(query, (space,)):
        try:
            squares, width = _squares(ids, rows, dtype)
        except ValueError:
            yield f"vector block {space} {block} has rows of broken length"
            continue
        widths.add(width)
        # Rows have unit length, but for rounding to float16, or are zero for texts without known words.
        lengths = np.sqrt(squares)
        if not np.all((np.abs(lengths - 1) < 1e-2) | (lengths == 0)):
            yield f"vector block {space} {block} has rows that are not of unit length"
    if len(widths) > 1:
        yield f"vectors of {space} have several lengths: {sorted(widths)}"


def _squares(ids: bytes, data: bytes, dtype: str) -> tuple[NDArray[np.float64], int]:
    """Return the squared length of each row of a block, and the rows' width, 0 where they are sparse."""
    n = len(ids) // 8
    if len(ids) % 8 or not n or not data:
        raise ValueError("no rows, or ids that are cut short")
    if dtype == SPARSE:
        rows = decode_sparse(data, n)
        if np.any((rows.words[1:] <= rows.words[:-1]) & (np.diff(rows.numbers) == 0)):
            raise ValueError("words of a row that do not ascend")
        squares = np.bincount(rows.numbers, rows.weights.astype(np.float64) ** 2, n)
        return squares.astype(np.float64), 0
    if len(data) % (n * WIDTHS[dtype]):
        raise ValueError("rows of several lengths")
    matrix = decode_rows(data, n, dtype).astype(np.float64)
    return (matrix**2).sum(axis=1), matrix.shape[1]


def _owner_problems(connection: sqlite3.Connection, space: str) -> Iterator[str]:
    """Yield where a space's rows are not those of what it embeds, each once."""
    owners = {identity for identity, _ in connection.execute(OWNERS[space])}
    seen: set[int] = set()
    n_rows = 0
    for (ids,) in connection.execute("SELECT ids FROM vector WHERE space = ?", (space,)):
        own = np.frombuffer(ids[: len(ids) // 8 * 8], "<i8").tolist()
        n_rows += len(own)
        seen.update(own)
    if n_rows > len(seen):
        yield f"vectors of {space}: {n_rows - len(seen)} twice"
    if seen != owners and (seen or not space.startswith("document")):
        yield f"vectors of {space}: {len(owners - seen)} missing, {len(seen - owners)} of what is gone"


def _posting_problems(connection: sqlite3.Connection, dtype: str) -> Iterator[str]:
    """Yield which postings are not those of the rows; dense ones have none."""
    kept = {name for (name,) in connection.execute("SELECT DISTINCT name FROM array")}
    with_rows = {space for (space,) in connection.execute("SELECT DISTINCT space FROM vector")}
    types: dict[str, str] = {}
    for space in SPACES:
        own = posting_arrays([space])
        if dtype != SPARSE:
            yield from (f"array {name}: though vectors are dense" for name in own if name in kept)
        elif space in with_rows or not kept.isdisjoint(own):
            types |= own
    made = [space for space in SPACES if posting_array(space, "word") in types]
    arrays = (part for space in made for part in _space_arrays(connection, space))
    yield from differing_arrays(connection, types, arrays)


def _space_arrays(connection: sqlite3.Connection, space: str) -> Iterator[tuple[str, Array]]:
    """Yield the postings that follow from the rows, whose words are checked by the texts."""
    words = words_of_space(connection, space)
    yield posting_array(space, "word"), words
    yield from postings_of(connection, space, len(words))


def _text_problems(connection: sqlite3.Connection) -> Iterator[str]:
    """Yield which blocks of sparse rows are not those of the texts."""
    create_functions(connection)
    embedder = load_embedder(connection, get_meta(connection, "embedder"))
    for space in SPACES:
        texts, words = texts_of(connection, space), words_of_space(connection, space)
        query = "SELECT block, ids, rows FROM vector WHERE space = ? ORDER BY block"
        for block, ids, data in connection.execute(query, (space,)):
            own = np.frombuffer(ids, "<i8")
            given = list(islice(texts, len(own)))
            found = with_hashes(decode_sparse(data, len(own)), words)
            expected = embedder.encode([text for _, text in given])
            assert isinstance(expected, SparseRows), "a sparse embedder gives sparse rows"
            if own.tolist() != [identity for identity, _ in given] or not _are_equal(found, expected):
                yield f"vector block {space} {block} is not what follows from the texts"


def _are_equal(one: SparseRows, other: SparseRows) -> bool:
    same = np.array_equal(one.starts, other.starts) and np.array_equal(one.words, other.words)
    # Another machine may round a logarithm otherwise.
    return bool(same and np.allclose(one.weights, other.weights, atol=1e-5))
