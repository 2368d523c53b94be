"""Triplets as links in the graph's arrays: which edges of which relations lead from one symbol to the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.focus.grounding.edges import Link, Table
from retriever.focus.pattern import Pattern, Triplet
from retriever.session import Session
from weft.arrays.adjacency import Csr

FREQUENT = 4
"""A relation with an edge for every so many nodes has its edges set apart, which then are read alone."""

READ = 1 << 20
"""Edges that are read at once to tell relations apart, which takes eight bytes an edge."""


class Strictness(NamedTuple):
    """What must fit: the types of nodes, the relations of edges, and their directions.

    STaRK's graphs have lost their directions, and models guess them, so that these are not asked for at first.
    """

    nodes: bool = True
    edges: bool = True
    directions: bool = False


def links_of(session: Session, pattern: Pattern, strict: Strictness) -> list[Link]:
    """Return a pattern's triplets as links between the positions of its symbols, in their order."""
    position = {symbol.variable: index for index, symbol in enumerate(pattern.symbols)}
    return [_link(session, triplet, position, strict) for triplet in pattern.triplets]


def relation_names(session: Session) -> tuple[str, ...]:
    """Return the name of each relation type, in the order of the graph's arrays."""
    return session.part("relation names", _relation_names)


def _relation_names(session: Session) -> tuple[str, ...]:
    names = dict(session.skb.connection.execute("SELECT id, name FROM relation_type").fetchall())
    return tuple(names[identity] for identity in session.adjacency.type_ids.tolist())


def _link(session: Session, triplet: Triplet, position: Mapping[str, int], strict: Strictness) -> Link:
    kinds = None
    if triplet.predicates and strict.edges:
        wanted, names = set(triplet.predicates), relation_names(session)
        kinds = np.fromiter((name in wanted for name in names), bool, len(names))
    both = not (triplet.directed and strict.directions)
    outgoing, incoming = (_tables(session, side, kinds) for side in ("outgoing", "incoming"))
    return Link(
        position[triplet.subject], position[triplet.object], kinds, True, both,
        (*outgoing, *(incoming if both else ())), (*incoming, *(outgoing if both else ())), triplet.least, triplet.most,
    )  # fmt: skip


def _tables(session: Session, side: str, kinds: NDArray[np.bool_] | None) -> tuple[Table, ...]:
    """Return the edges of some relations, each frequent one by itself."""
    whole: Csr = getattr(session.adjacency, side)
    if kinds is None:
        return (Table(whole),)
    counts = session.part("edges of each relation", _counts)
    frequent = kinds & (FREQUENT * counts > len(session.adjacency.entity_ids))
    apart = tuple(Table(_apart(session, side, relation)) for relation in np.flatnonzero(frequent).tolist())
    others = kinds & ~frequent
    return (*apart, Table(whole, others)) if others.any() else apart


def _counts(session: Session) -> NDArray[np.int64]:
    values, n = session.adjacency.outgoing.values, len(session.adjacency.type_ids)
    counted = [np.bincount(values[start : start + READ], minlength=n) for start in range(0, len(values), READ)]
    return np.sum(counted, axis=0, dtype=np.int64) if counted else np.zeros(n, np.int64)


def _apart(session: Session, side: str, relation: int) -> Csr:
    """Return the edges of one relation; made once for all sessions, O(edges)."""

    def made(own: Session) -> Csr:
        whole: Csr = getattr(own.adjacency, side)
        n_kept = int(own.part("edges of each relation", _counts)[relation])
        indptr, indices, n = np.full(len(whole.indptr), n_kept), np.empty(n_kept, np.int32), 0
        for start in range(0, len(whole.indices), READ):
            kept = start + np.flatnonzero(whole.values[start : start + READ] == relation)
            rows = slice(*np.searchsorted(whole.indptr, (start, start + READ)))
            indptr[rows] = n + np.searchsorted(kept, whole.indptr[rows])
            indices[n : n + len(kept)] = whole.indices[kept]
            n += len(kept)
        return Csr(indptr, indices, np.empty(0, np.int32))

    return session.part(f"{side} edges of relation {relation}", made)
