"""Personalised PageRank over chunks and entities, by local pushes.

One walk goes from a chunk to what it cites and to its own page's entity, from
an entity to the chunks that cite it, to its own page's chunks and along its
relations, both ways. Only what the walk reaches is touched, so the cost follows
the answer's neighbourhood and not the graph. (Andersen, Chung, Lang 2006,
"Local graph partitioning using PageRank vectors", section 3.)
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from retriever.index.csr import ranges
from weft.arrays.adjacency import Walk


def push(
    walk: Walk, seeds: NDArray[np.int64], weights: NDArray[np.float32], stop: float = 0.35, least: float = 2e-5
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return the nodes that a walk from the seeds reaches and how often it ends there.

    The walk ends at each step with probability `stop`, and goes on along any
    edge as likely as along any other. Mass below `least` times a node's degree
    stays where it is, so every value is exact up to that.
    """
    n_nodes = len(walk.indptr) - 1
    rest, ended = np.zeros(n_nodes), np.zeros(n_nodes)
    np.add.at(rest, seeds, weights / max(1e-12, float(weights.sum())))
    frontier = np.unique(seeds)
    touched = [frontier]
    while len(frontier := frontier[rest[frontier] > least * np.maximum(1, _degrees(walk, frontier))]):
        mass, counts = rest[frontier], _degrees(walk, frontier)
        ended[frontier] += stop * mass
        rest[frontier] = 0
        reached = walk.indices[ranges(walk.indptr[frontier], counts)]
        share = (1 / np.maximum(1, counts)).astype(np.float32)
        np.add.at(rest, reached, np.repeat((1 - stop) * mass * share, counts))
        frontier = np.unique(reached).astype(np.int64)
        touched.append(frontier)
    nodes = np.unique(np.concatenate(touched))
    return nodes, (ended[nodes] + stop * rest[nodes]).astype(np.float32)


def _degrees(walk: Walk, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
    return walk.indptr[nodes + 1] - walk.indptr[nodes]
