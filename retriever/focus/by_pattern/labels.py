"""What a graph has, told to a model: types with names of some nodes, relations with the types that they join."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.focus.grounding.relations import relation_names
from retriever.focus.node_types import NodeTypes, node_types
from retriever.focus.schema import Words, read_schema
from retriever.session import Session

MOST_TYPES = 60
MOST_RELATIONS = 120
"""The most frequent are told."""

MOST_ATTRIBUTES = 60
N_NAMES = 5
MOST_READ = 1 << 21
"""About how many edges are read to see which types relations join."""

MOST_LETTERS = 60
"""What is told of a name."""


class Labels(NamedTuple):
    """Lines about types (by type), and all lines about relations and attributes."""

    types: dict[str, str]
    relations: str
    attributes: str

    def of_types(self, names: Words) -> str:
        """Return the lines about some types."""
        return "\n".join(line for name, line in self.types.items() if name in names.names)


def labels_of(session: Session) -> Labels:
    """Return what a graph has; read once for all sessions."""
    return session.part("labels for models", _read)


def _read(session: Session) -> Labels:
    types = node_types(session)
    frequent = sorted(types.names, key=lambda name: (-types.count(name), name))[:MOST_TYPES]
    keys = ", ".join(read_schema(session).attributes.names[:MOST_ATTRIBUTES]) or "none but name"
    return Labels({name: _type_line(session, types, name) for name in frequent}, _relation_lines(session, types), keys)


def _type_line(session: Session, types: NodeTypes, name: str) -> str:
    """Return a type with the names of nodes at equal distances."""
    places = types.places[types.names.index(name)]
    at = np.unique(np.linspace(0, len(places) - 1, N_NAMES).astype(np.int64))
    entities = session.skb.entities(session.adjacency.entity_ids[places[at]].tolist())
    return f"{name}: {', '.join(entity.name[:MOST_LETTERS] for entity in entities)}"


def _relation_lines(session: Session, types: NodeTypes) -> str:
    """Return each relation, the most frequent first, with the pair of types that it joins most often."""
    edges, kinds = session.adjacency.outgoing, _first_types(session, types)
    step = max(1, len(edges.indices) // MOST_READ)
    at = np.arange(0, len(edges.indices), step)
    starts = np.searchsorted(edges.indptr, at, side="right") - 1
    n_types = len(types.names) + 1
    pairs = kinds[starts].astype(np.int64) * n_types + kinds[edges.indices[at]]
    keys, counts = np.unique(edges.values[at].astype(np.int64) * n_types**2 + pairs, return_counts=True)
    names = [*types.names, "any"]
    total: dict[int, int] = {}
    best: dict[int, tuple[int, int]] = {}
    for key, count in zip(keys.tolist(), counts.tolist(), strict=True):
        relation, pair = divmod(key, n_types**2)
        total[relation] = total.get(relation, 0) + count
        best[relation] = max(best.get(relation, (0, 0)), (count, -pair))
    order = sorted(total, key=lambda relation: (-total[relation], relation))[:MOST_RELATIONS]
    told = relation_names(session)
    return "\n".join(
        f"{told[relation]}: {names[-best[relation][1] // n_types]} -> {names[-best[relation][1] % n_types]}"
        for relation in order
    )


def _first_types(session: Session, types: NodeTypes) -> NDArray[np.int32]:
    """Return for each node the number of its rarest type, that behind the last where it has none."""
    found = np.full(len(session.adjacency.entity_ids), len(types.names), np.int32)
    for number in sorted(range(len(types.names)), key=lambda number: -len(types.places[number])):
        found[types.places[number]] = number
    return found
