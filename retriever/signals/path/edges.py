"""The edges of entities as arrays: relations are read both ways, against their direction as `is_X_of`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.index.csr import are_in, slices
from retriever.types import Scores
from weft.arrays.adjacency import Adjacency, Csr


class Edges(NamedTuple):
    """Edges (n,) from members to `nodes`, positions of entities; `members` number the paths that they go on."""

    nodes: NDArray[np.int64]
    types: NDArray[np.int64]
    backward: NDArray[np.bool_]
    members: NDArray[np.int64]
    scores: Scores

    def joined(self, more: Edges) -> Edges:
        """Return these edges and more."""
        return Edges(
            np.append(self.nodes, more.nodes),
            np.append(self.types, more.types),
            np.append(self.backward, more.backward),
            np.append(self.members, more.members),
            np.append(self.scores, more.scores),
        )

    def taken(self, kept: NDArray[np.bool_] | NDArray[np.int64]) -> Edges:
        """Return some edges."""
        return Edges(self.nodes[kept], self.types[kept], self.backward[kept], self.members[kept], self.scores[kept])


NO_EDGES = Edges(
    np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, bool), np.empty(0, np.int64), np.empty(0, np.float32)
)


def neighbours(adjacency: Adjacency, places: NDArray[np.int64], members: NDArray[np.int64]) -> Edges:
    """Return the edges of members, which stand at some places among the entities, without scores.

    A type that leads to a neighbour both ways is read forward alone; an entity
    is no neighbour of its own.
    """
    forth, back = (_read_from(csr, places) for csr in (adjacency.outgoing, adjacency.incoming))
    n, n_types = len(adjacency.entity_ids), len(adjacency.type_ids)
    keys, back_keys = ((each.members * n_types + each.types) * n + each.nodes for each in (forth, back))
    back = back.taken(~are_in(back_keys, np.sort(keys)))
    found = forth.joined(back._replace(backward=~back.backward))
    found = found.taken(found.nodes != places[found.members])
    return found._replace(members=members[found.members])


def _read_from(csr: Csr, places: NDArray[np.int64]) -> Edges:
    """Return edges of a table as read forward, without scores; their members are indices of `places`."""
    found, owners = slices(csr, places)
    nodes, types = csr.indices[found].astype(np.int64), csr.values[found].astype(np.int64)
    return Edges(nodes, types, np.zeros(len(nodes), bool), owners, np.zeros(len(nodes), np.float32))
