"""The graph as CSR arrays: citations and relations both ways, and the graph that a random walk goes on."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from builder.search_arrays.row_batches import batches_of, column, indices
from weft.arrays.blobs import Array, starts_of

Numbers = NDArray[np.int32]

NODES = 65_536
"""Nodes of the walk whose neighbours are put together at once."""


class Edges(NamedTuple):
    """Edges by row: `sizes` (n,) is the number of each row's, `columns` and `values` lie row after row."""

    sizes: Numbers
    columns: Numbers
    values: Numbers


def citations(connection: sqlite3.Connection) -> Edges:
    """Return which entities each chunk cites, and how often."""
    chunks = column(connection, "SELECT id FROM chunk ORDER BY id")
    entities = column(connection, "SELECT id FROM entity ORDER BY id")
    return _edges(connection, "SELECT chunk_id, entity_id, count FROM cites ORDER BY 1, 2", chunks, entities, None)


def graph_arrays(connection: sqlite3.Connection, cites: Edges) -> Iterator[tuple[str, Array]]:
    """Yield the arrays of citations and relations; memory holds the edges, 40 bytes each."""
    chunks = column(connection, "SELECT id FROM chunk ORDER BY id")
    entities = column(connection, "SELECT id FROM entity ORDER BY id")
    types = column(connection, "SELECT id FROM relation_type ORDER BY id")
    yield from zip(("chunk.id", "entity.id", "relation_type.id"), (chunks, entities, types), strict=True)
    cited_in = _reversed(cites, len(entities))
    yield from _named("cites", ("size", "entity", "count"), cites)
    yield from _named("cited_in", ("size", "chunk", "count"), cited_in)
    # In the order of the table's own index; those of one subject are put in order of their objects here.
    facts = "SELECT subject_id, object_id, type_id FROM relation ORDER BY subject_id, type_id, object_id"
    outgoing = _by_column(_edges(connection, facts, entities, entities, types))
    incoming = _reversed(outgoing, len(entities))
    yield from _named("outgoing", ("size", "entity", "type"), outgoing)
    yield from _named("incoming", ("size", "entity", "type"), incoming)
    owners = indices(entities, column(connection, OWNERS))
    owned = _reversed(Edges(np.ones(len(chunks), np.int32), owners, np.zeros(len(chunks), np.int32)), len(entities))
    own = owned._replace(sizes=np.ones(len(chunks), np.int32), columns=owners)
    n = len(chunks)
    yield from _joined([(cites, n), (own, n)])
    yield from _joined([(cited_in, 0), (owned, 0), (outgoing, n), (incoming, n)])


OWNERS = "SELECT entity.id FROM chunk JOIN entity ON entity.page_id = chunk.page_id ORDER BY chunk.id"
"""The entity of each chunk's page."""


def _edges(
    connection: sqlite3.Connection, query: str, rows: NDArray[np.int64], columns: NDArray[np.int64],
    values: NDArray[np.int64] | None,
) -> Edges:  # fmt: skip
    """Return the edges of a query that gives (row, column, value) in order, as indices; values without ids stay."""
    sizes = np.zeros(len(rows), np.int32)
    parts: list[tuple[Numbers, Numbers]] = [(np.empty(0, np.int32), np.empty(0, np.int32))]
    for batch in batches_of(connection, query, 3):
        np.add.at(sizes, indices(rows, batch[:, 0]), 1)
        value = batch[:, 2].astype(np.int32) if values is None else indices(values, batch[:, 2])
        parts.append((indices(columns, batch[:, 1]), value))
    return Edges(sizes, *(np.concatenate(each) for each in zip(*parts, strict=True)))


def _by_column(edges: Edges) -> Edges:
    """Return the same edges, those of one row by column, then by value."""
    rows = np.repeat(np.arange(len(edges.sizes), dtype=np.int32), edges.sizes)
    order = np.lexsort((edges.values, edges.columns, rows))
    return edges._replace(columns=edges.columns[order], values=edges.values[order])


def _reversed(edges: Edges, n_columns: int) -> Edges:
    """Return the same edges by column; those of one column stand in the order of the rows."""
    order = np.argsort(edges.columns, kind="stable")
    rows = np.repeat(np.arange(len(edges.sizes), dtype=np.int32), edges.sizes)
    sizes = np.bincount(edges.columns, minlength=n_columns).astype(np.int32)
    return Edges(sizes, rows[order], edges.values[order])


def _named(name: str, parts: tuple[str, str, str], edges: Edges) -> Iterator[tuple[str, Array]]:
    return zip((f"{name}.{part}" for part in parts), edges, strict=True)


def _joined(edges: list[tuple[Edges, int]]) -> Iterator[tuple[str, Array]]:
    """Yield the walk's arrays of nodes that have several kinds of edges, each with the number of its first node."""
    tables = [(each, starts_of(each.sizes), first) for each, first in edges]
    for start in range(0, len(edges[0][0].sizes), NODES):
        rows, nodes = [], []
        for each, starts, first in tables:
            sizes = each.sizes[start : start + NODES]
            rows.append(np.repeat(np.arange(len(sizes)), sizes))
            nodes.append(each.columns[starts[start] : starts[start + len(sizes)]] + np.int32(first))
        row, node = np.concatenate(rows), np.concatenate(nodes)
        yield "walk.size", np.bincount(row, minlength=len(edges[0][0].sizes[start : start + NODES]))
        yield "walk.node", node[np.lexsort((node, row))]
