"""The graph of an SKB as CSR arrays, as the builder wrote them."""

from __future__ import annotations

import sqlite3
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from weft.arrays.blobs import read_array, starts_of


class Csr(NamedTuple):
    """Neighbours by row: those of row i are `indices[indptr[i]:indptr[i + 1]]`, `values` beside them.

    `values` may be of few bytes, in which sums of them do not fit.
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    values: NDArray[np.integer]

    def row(self, i: int) -> NDArray[np.int32]:
        """Return the neighbours of row i; O(1)."""
        return self.indices[self.indptr[i] : self.indptr[i + 1]]


class Adjacency(NamedTuple):
    """Dense positions of chunks and entities (`chunk_ids`, `entity_ids`, sorted) and how they are joined.

    `cites` leads from chunks to entities and `cited_in` back, with counts;
    `outgoing` and `incoming` from entities to entities with positions in
    `type_ids`.
    """

    chunk_ids: NDArray[np.int64]
    entity_ids: NDArray[np.int64]
    type_ids: NDArray[np.int64]
    cites: Csr
    cited_in: Csr
    outgoing: Csr
    incoming: Csr


class Walk(NamedTuple):
    """The graph as one CSR table: chunks are nodes 0 to `n_chunks`, entities follow.

    A chunk leads to what it cites and to its page's entity, an entity to the
    chunks that cite it, to its page's chunks, and along its relations, both ways.
    """

    n_chunks: int
    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]


def load_adjacency(connection: sqlite3.Connection) -> Adjacency:
    """Read the whole graph; of an edge and direction 4 bytes and as many as its type needs."""
    type_ids = read_array(connection, "relation_type.id")
    kept_as = np.min_scalar_type(max(0, len(type_ids) - 1))
    return Adjacency(
        read_array(connection, "chunk.id"),
        read_array(connection, "entity.id"),
        type_ids,
        _csr(connection, "cites", "entity", "count"),
        _csr(connection, "cited_in", "chunk", "count"),
        *(_typed(_csr(connection, name, "entity", "type"), kept_as) for name in ("outgoing", "incoming")),
    )


def load_walk(connection: sqlite3.Connection) -> Walk:
    """Read the graph that a random walk goes on; 4 bytes an edge and direction."""
    n_chunks = len(read_array(connection, "chunk.id"))
    return Walk(n_chunks, starts_of(read_array(connection, "walk.size")), read_array(connection, "walk.node"))


def _typed(table: Csr, kept_as: np.dtype[Any]) -> Csr:
    return table._replace(values=table.values.astype(kept_as))


def _csr(connection: sqlite3.Connection, name: str, indices: str, values: str) -> Csr:
    return Csr(
        starts_of(read_array(connection, f"{name}.size")),
        read_array(connection, f"{name}.{indices}"),
        read_array(connection, f"{name}.{values}"),
    )
