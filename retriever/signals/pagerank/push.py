"""Personalised PageRank over chunks and entities, by local pushes.

One walk goes from a chunk to what it cites and to its own page's entity, from
an entity to the chunks that cite it, to its own page's chunks and along its
relations, both ways. Only what the walk reaches is touched, so the cost follows
the answer's neighbourhood and not the graph. (Andersen, Chung, Lang 2006,
"Local graph partitioning using PageRank vectors", section 3.)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.context import Context
from retriever.index.csr import ranges
from weft.arrays.adjacency import Adjacency, Csr
from weft.arrays.chunk_table import ChunkTable


class Walk(NamedTuple):
    """The graph as one CSR matrix: chunks are nodes 0 to `n_chunks`, entities follow; `values` are a node's shares.

    `degrees` (n,) are the lengths of the rows.
    """

    n_chunks: int
    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    values: NDArray[np.float32]
    degrees: NDArray[np.int64]


def walk_of(context: Context) -> Walk:
    """Build the walk's matrix from the citations, the pages and the relations of an SKB; O(edges)."""
    adjacency, chunk_table = context.adjacency, context.chunk_table
    n_chunks = len(adjacency.chunk_ids)
    edges = [_cited(adjacency, n_chunks), _owned(adjacency, chunk_table, n_chunks), _related(adjacency, n_chunks)]
    rows, columns, values = (np.concatenate(each) for each in zip(*edges, strict=True))
    rows, columns, values = np.append(rows, columns), np.append(columns, rows), np.append(values, values)
    n_nodes = n_chunks + len(adjacency.entity_ids)
    order = np.lexsort((columns, rows))
    indptr = np.zeros(n_nodes + 1, np.int64)
    np.cumsum(np.bincount(rows, minlength=n_nodes), out=indptr[1:])
    totals = np.bincount(rows, values, minlength=n_nodes)
    shares = values[order] / totals[rows[order]]
    return Walk(n_chunks, indptr, columns[order].astype(np.int32), shares.astype(np.float32), np.diff(indptr))


Edges = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]


def _rows(csr: Csr) -> NDArray[np.int64]:
    return np.repeat(np.arange(len(csr.indptr) - 1), np.diff(csr.indptr))


def _cited(adjacency: Adjacency, n_chunks: int) -> Edges:
    cites = adjacency.cites
    return _rows(cites), cites.indices.astype(np.int64) + n_chunks, np.ones(len(cites.indices))


def _owned(adjacency: Adjacency, chunk_table: ChunkTable, n_chunks: int) -> Edges:
    if not len(chunk_table.page_ids):
        return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)
    owners = np.searchsorted(adjacency.entity_ids, chunk_table.entities_of(chunk_table.pages))
    chunks = np.arange(n_chunks)
    return chunks, owners + n_chunks, np.ones(n_chunks)


def _related(adjacency: Adjacency, n_chunks: int) -> Edges:
    outgoing = adjacency.outgoing
    rows = _rows(outgoing) + n_chunks
    return rows, outgoing.indices.astype(np.int64) + n_chunks, np.ones(len(outgoing.indices))


def push(
    walk: Walk, seeds: NDArray[np.int64], weights: NDArray[np.float32], stop: float = 0.35, least: float = 2e-5
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return the nodes that a walk from the seeds reaches and how often it ends there.

    The walk ends at each step with probability `stop`. Mass below `least` times
    a node's degree stays where it is, so every value is exact up to that.
    """
    n_nodes = len(walk.indptr) - 1
    rest, ended = np.zeros(n_nodes), np.zeros(n_nodes)
    np.add.at(rest, seeds, weights / max(1e-12, float(weights.sum())))
    frontier = np.unique(seeds)
    touched = [frontier]
    while len(frontier := frontier[rest[frontier] > least * np.maximum(1, walk.degrees[frontier])]):
        mass = rest[frontier]
        ended[frontier] += stop * mass
        rest[frontier] = 0
        counts = walk.degrees[frontier]
        edges = ranges(walk.indptr[frontier], counts)
        reached = walk.indices[edges]
        np.add.at(rest, reached, np.repeat((1 - stop) * mass, counts) * walk.values[edges])
        frontier = np.unique(reached).astype(np.int64)
        touched.append(frontier)
    nodes = np.unique(np.concatenate(touched))
    return nodes, (ended[nodes] + stop * rest[nodes]).astype(np.float32)
