"""The graph of an SKB as CSR arrays, loaded in one pass a table."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Csr(NamedTuple):
    """Neighbours by row: those of row i are `indices[indptr[i]:indptr[i + 1]]`, `values` beside them."""

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    values: NDArray[np.int32]

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


def load_adjacency(connection: sqlite3.Connection) -> Adjacency:
    """Read the whole graph; 12 bytes an edge and direction."""
    chunk_ids = _column(connection, "SELECT id FROM chunk ORDER BY id", 1)[:, 0]
    entity_ids = _column(connection, "SELECT id FROM entity ORDER BY id", 1)[:, 0]
    type_ids = _column(connection, "SELECT id FROM relation_type ORDER BY id", 1)[:, 0]
    cites = _column(connection, "SELECT chunk_id, entity_id, count FROM cites", 3)
    chunk, cited = np.searchsorted(chunk_ids, cites[:, 0]), np.searchsorted(entity_ids, cites[:, 1])
    facts = _column(connection, "SELECT subject_id, object_id, type_id FROM relation", 3)
    subject, object_ = np.searchsorted(entity_ids, facts[:, 0]), np.searchsorted(entity_ids, facts[:, 1])
    kind = np.searchsorted(type_ids, facts[:, 2])
    return Adjacency(
        chunk_ids,
        entity_ids,
        type_ids,
        _csr(chunk, cited, cites[:, 2], len(chunk_ids)),
        _csr(cited, chunk, cites[:, 2], len(entity_ids)),
        _csr(subject, object_, kind, len(entity_ids)),
        _csr(object_, subject, kind, len(entity_ids)),
    )


def _column(connection: sqlite3.Connection, query: str, width: int) -> NDArray[np.int64]:
    """Return a query's integers as (n, width), read in batches so that few Python objects live at once."""
    cursor = connection.execute(query)
    batches = []
    while rows := cursor.fetchmany(65_536):
        batches.append(np.array(rows, np.int64))
    return np.concatenate(batches) if batches else np.empty((0, width), np.int64)


def _csr(rows: NDArray[np.int64], columns: NDArray[np.int64], values: NDArray[np.int64], n_rows: int) -> Csr:
    order = np.lexsort((values, columns, rows))
    indptr = np.zeros(n_rows + 1, np.int64)
    np.cumsum(np.bincount(rows, minlength=n_rows), out=indptr[1:])
    return Csr(indptr, columns[order].astype(np.int32), values[order].astype(np.int32))
