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

from retriever.index.csr import distinct
from weft.arrays.adjacency import Walk
from weft.arrays.blobs import ranges

Nodes = NDArray[np.int64]
Mass = NDArray[np.float64]


class Masses:
    """Two arrays of zeros by node (n,) for each walk that is on its way.

    A walk clears the few nodes that it touched, which is sooner done than to
    make arrays as long as the graph. Threads may share it.
    """

    def __init__(self, n_nodes: int) -> None:
        self._n_nodes = n_nodes
        self._free: list[tuple[Mass, Mass]] = []

    def take(self) -> tuple[Mass, Mass]:
        """Return two arrays of zeros that nobody else has."""
        try:
            return self._free.pop()
        except IndexError:
            return np.zeros(self._n_nodes), np.zeros(self._n_nodes)

    def give_back(self, *masses: Mass, touched: Nodes) -> None:
        """Take two arrays back that are zero but where they were touched."""
        rest, ended = masses
        rest[touched] = ended[touched] = 0
        self._free.append((rest, ended))


def push(
    walk: Walk, seeds: Nodes, weights: NDArray[np.float32], stop: float = 0.35, least: float = 2e-5,
    masses: Masses | None = None,
) -> tuple[Nodes, NDArray[np.float32]]:
    """Return the nodes that a walk from the seeds reaches and how often it ends there.

    The walk ends at each step with probability `stop`, and goes on along any
    edge as likely as along any other. Mass below `least` times a node's degree
    stays where it is, so every value is exact up to that.
    """
    masses = masses or Masses(len(walk.indptr) - 1)
    rest, ended = masses.take()
    np.add.at(rest, seeds, weights / max(1e-12, float(weights.sum())))
    frontier = distinct(seeds)
    touched = [frontier]
    while len(frontier := frontier[rest[frontier] > least * np.maximum(1, _degrees(walk, frontier))]):
        mass, counts = rest[frontier], _degrees(walk, frontier)
        ended[frontier] += stop * mass
        rest[frontier] = 0
        reached = walk.indices[ranges(walk.indptr[frontier], counts)]
        share = (1 / np.maximum(1, counts)).astype(np.float32)
        np.add.at(rest, reached, np.repeat((1 - stop) * mass * share, counts))
        frontier = distinct(reached).astype(np.int64)
        touched.append(frontier)
    nodes = distinct(np.concatenate(touched))
    found = (ended[nodes] + stop * rest[nodes]).astype(np.float32)
    masses.give_back(rest, ended, touched=nodes)
    return nodes, found


def _degrees(walk: Walk, nodes: Nodes) -> Nodes:
    return walk.indptr[nodes + 1] - walk.indptr[nodes]
