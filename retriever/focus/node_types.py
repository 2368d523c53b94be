"""Which nodes have a type, as positions in the graph's arrays; a node without any type has every type."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.session import Session
from retriever.types import Ids
from weft.skb import Skb

Places = NDArray[np.int64]
NO_PLACES = np.empty(0, np.int64)


class NodeTypes(NamedTuple):
    """Nodes by type: `names` (m,) sorted, `places[t]` the sorted positions of type t, `untyped` those without any."""

    names: tuple[str, ...]
    places: tuple[Places, ...]
    untyped: Places

    def of(self, kind: str) -> Places:
        """Return the sorted positions of the nodes that may have a type: none of an unknown one but the untyped."""
        own = self.places[self.names.index(kind)] if kind in self.names else NO_PLACES
        return np.union1d(own, self.untyped) if len(self.untyped) else own

    def count(self, kind: str) -> int:
        """Return how many nodes are said to have a type."""
        return len(self.places[self.names.index(kind)]) if kind in self.names else 0


def node_types(session: Session) -> NodeTypes:
    """Return the types of all nodes; read once for all sessions, O(nodes)."""
    return session.part("node types", _read)


def ids_of_type(session: Session, kind: str) -> Ids:
    """Return the sorted ids of the nodes that may have a type, the same array each time."""
    return session.part(f"nodes of type {kind}", lambda own: own.adjacency.entity_ids[node_types(own).of(kind)])


def _read(session: Session) -> NodeTypes:
    entity_ids = session.adjacency.entity_ids
    names, kinds, ids = _rows(session.skb)
    places = np.searchsorted(entity_ids, ids)
    is_typed = np.zeros(len(entity_ids), bool)
    is_typed[places] = True
    by_kind = tuple(np.sort(places[kinds == kind]) for kind in range(len(names)))
    return NodeTypes(names, by_kind, np.flatnonzero(~is_typed))


def _rows(skb: Skb) -> tuple[tuple[str, ...], NDArray[np.int32], Ids]:
    """Return the names of types, and the type and id of every node and each of its types."""
    found = skb.connection.execute("SELECT DISTINCT type FROM entity_type ORDER BY type")
    names = tuple(name for (name,) in found)
    number = {name: index for index, name in enumerate(names)}
    rows = skb.connection.execute("SELECT DISTINCT entity_id, type FROM entity_type").fetchall()
    kinds = np.fromiter((number[kind] for _, kind in rows), np.int32, len(rows))
    return names, kinds, np.fromiter((entity for entity, _ in rows), np.int64, len(rows))
