"""Steps of typed paths, and all that lies one step from a set of entities."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.session import Session
from weft.arrays.adjacency import Adjacency, Csr
from weft.text.names import relation_words

Places = NDArray[np.int64]
"""Places of entities in the arrays of the graph, sorted, each once."""

UNTYPED = -1


class Step(NamedTuple):
    """A relation, whether it is read from object to subject, and the type of what it leads to (or `UNTYPED`)."""

    predicate: int
    inverse: bool
    type: int


Path = tuple[Step, ...]


class Schema(NamedTuple):
    """The names of relations and types, and the type (n,) of each entity, by number."""

    predicates: tuple[str, ...]
    types: tuple[str, ...]
    type_of: NDArray[np.int32]

    def name(self, step: Step) -> str:
        """Return a step as files name it: `>directed_by`, `<target:drug`."""
        kind = f":{self.types[step.type]}" if step.type != UNTYPED else ""
        return f"{'<' if step.inverse else '>'}{self.predicates[step.predicate]}{kind}"

    def words(self, step: Step) -> str:
        """Return a step as it is read: `directed by`, `is target of`."""
        words = relation_words(self.predicates[step.predicate])
        return f"is {words} of" if step.inverse else words


def schema_of(session: Session) -> Schema:
    """Return what an SKB's graph is made of; read once for all sessions."""
    return session.part("schema of steps", _schema)


def _schema(session: Session) -> Schema:
    connection = session.skb.connection
    names = dict(connection.execute("SELECT id, name FROM relation_type"))
    kinds = dict(connection.execute("SELECT id, type FROM entity WHERE type IS NOT NULL"))
    types = tuple(sorted(set(kinds.values())))
    numbers = {name: number for number, name in enumerate(types)}
    ids = session.adjacency.entity_ids.tolist()
    type_of = np.array([numbers[kinds[each]] if each in kinds else UNTYPED for each in ids], np.int32)
    return Schema(tuple(names[each] for each in session.adjacency.type_ids.tolist()), types, type_of)


def one_step(adjacency: Adjacency, schema: Schema, places: Places) -> dict[Step, Places]:
    """Return what lies one step from any of some entities, by the kind of step; O(edges of these)."""
    found: dict[Step, Places] = {}
    for inverse, rows in ((False, adjacency.outgoing), (True, adjacency.incoming)):
        others, predicates = _edges(rows, places)
        keys = predicates.astype(np.int64) * (len(schema.types) + 1) + schema.type_of[others] + 1
        order = np.argsort(keys, kind="stable")
        kinds, starts = np.unique(keys[order], return_index=True)
        for kind, part in zip(kinds.tolist(), np.split(others[order], starts[1:]), strict=False):
            predicate, kind_of = divmod(kind, len(schema.types) + 1)
            found[Step(predicate, inverse, kind_of - 1)] = np.unique(part).astype(np.int64)
    return found


def ends_by(adjacency: Adjacency, places: Places, predicate: int, *, inverse: bool) -> Places:
    """Return what one relation leads to from any of some entities; O(edges of these)."""
    others, predicates = _edges(adjacency.incoming if inverse else adjacency.outgoing, places)
    return np.unique(others[predicates == predicate]).astype(np.int64)


def n_edges(adjacency: Adjacency, places: Places) -> int:
    """Return how many edges `one_step` would read."""
    tables = adjacency.outgoing, adjacency.incoming
    return int(sum((rows.indptr[places + 1] - rows.indptr[places]).sum() for rows in tables))


def _edges(rows: Csr, places: Places) -> tuple[NDArray[np.int32], NDArray[np.integer]]:
    """Return the other ends and the predicates of all edges in some rows."""
    starts, ends = rows.indptr[places], rows.indptr[places + 1]
    sizes = ends - starts
    before = np.cumsum(sizes) - sizes
    at = np.arange(int(sizes.sum())) + np.repeat(starts - before, sizes)
    return rows.indices[at], rows.values[at]
