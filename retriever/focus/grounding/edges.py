"""Edges of the graph as a pattern's triplets read them: from many nodes at once, in blocks, without any bound."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.focus.grounding.levels import NEVER, Domain, Levels, of_dense
from retriever.focus.node_types import NO_PLACES, Places
from retriever.index.csr import are_in, distinct, slices
from weft.arrays.adjacency import Adjacency, Csr

BLOCK = 1 << 20
"""About how many edges are read at once."""


class Link(NamedTuple):
    """A triplet between the symbols at two positions of a pattern.

    `kinds` (m,) tells which relations will do, None for all. An edge may go from
    `subject` to `object` where `forward`, the other way where `backward`.
    """

    subject: int
    object: int
    kinds: NDArray[np.bool_] | None
    forward: bool
    backward: bool
    least: int = 1
    most: int = 1

    def tables(self, graph: Adjacency, *, from_subject: bool) -> tuple[Csr, ...]:
        """Return what leads from one end to the other."""
        ahead, back = (graph.outgoing, graph.incoming) if from_subject else (graph.incoming, graph.outgoing)
        return (ahead,) * self.forward + (back,) * self.backward

    @property
    def is_edge(self) -> bool:
        """Whether it is one edge and no walk."""
        return self.least == self.most == 1


def degrees(tables: Sequence[Csr], places: Places) -> int:
    """Return how many edges leave some nodes."""
    return sum(int((table.indptr[places + 1] - table.indptr[places]).sum()) for table in tables)


def reached(graph: Adjacency, link: Link, domain: Domain, *, from_subject: bool) -> Levels:
    """Return for each node (n,) the least level of those that lead to it."""
    tables = link.tables(graph, from_subject=from_subject)
    n = len(graph.entity_ids)
    found = domain.dense(n) if link.least == 0 else np.full(n, NEVER, np.uint8)
    for hop in range(1, link.most + 1):
        step = _step(tables, link.kinds, domain, n)
        if hop >= link.least:
            np.minimum(found, step, out=found)
        if hop < link.most:
            domain = of_dense(step)
    return found


def supported(graph: Adjacency, link: Link, places: Places, levels: Levels, *, from_subject: bool) -> Levels:
    """Return for each of some nodes (m,) the least of the levels (n,) of the nodes that lead to it by one edge.

    As `reached` says at these nodes, but by their own edges.
    """
    found = np.full(len(places), NEVER, np.uint8)
    for table in link.tables(graph, from_subject=not from_subject):
        for start, indices, rows in _blocks(table, places):
            own = levels[table.indices[indices]]
            if link.kinds is not None:
                own = np.where(link.kinds[table.values[indices]], own, NEVER).astype(np.uint8)
            if len(own):
                firsts = np.flatnonzero(np.diff(rows, prepend=-1))
                at = start + rows[firsts]
                found[at] = np.minimum(found[at], np.minimum.reduceat(own, firsts))
    return found


def loops(graph: Adjacency, link: Link, places: Places) -> NDArray[np.bool_]:
    """Tell which nodes (m,) an edge leads back to themselves."""
    found = np.zeros(len(places), bool)
    for start, indices, rows in _blocks(graph.outgoing, places):
        hit = graph.outgoing.indices[indices] == places[start + rows]
        if link.kinds is not None:
            hit &= link.kinds[graph.outgoing.values[indices]]
        found[start + rows[hit]] = True
    return found


def neighbours(graph: Adjacency, link: Link, place: int, *, from_subject: bool) -> Places:
    """Return the sorted nodes that a node leads to."""
    tables = link.tables(graph, from_subject=from_subject)
    level = np.array([place], np.int64)
    found = [level] if link.least == 0 else []
    for hop in range(1, link.most + 1):
        level = distinct(np.concatenate([NO_PLACES, *(_others(table, link.kinds, level) for table in tables)]))
        if hop >= link.least:
            found.append(level)
    return found[0] if len(found) == 1 else distinct(np.concatenate([NO_PLACES, *found]))


class Taken(NamedTuple):
    """An edge of a walk: the places at its ends, its relation's position, and whether it is read backward."""

    start: int
    relation: int
    end: int
    backward: bool


def walk(graph: Adjacency, link: Link, start: int, end: int) -> tuple[Taken, ...] | None:
    """Return a shortest walk of a link from a subject to an object, by smaller places first; None where there is none.

    O(edges of what is reached by all of its edges but the last).
    """
    one = link._replace(least=1, most=1)
    layers = [np.array([start], np.int64)]
    for hop in range(1, link.most + 1):
        before = neighbours(graph, one, end, from_subject=False)
        if hop >= link.least and are_in(before, layers[-1]).any():
            return _traced(graph, one, layers, end)
        tables = link.tables(graph, from_subject=True)
        layers.append(distinct(np.concatenate([_others(table, link.kinds, layers[-1]) for table in tables])))
    return () if link.least == 0 and start == end else None


def _traced(graph: Adjacency, one: Link, layers: Sequence[Places], end: int) -> tuple[Taken, ...]:
    """Return the walk that goes through a node of each layer to its end."""
    taken: list[Taken] = []
    for layer in reversed(layers):
        before = neighbours(graph, one, end, from_subject=False)
        start = int(before[are_in(before, layer)][0])
        taken.append(_edge(graph, one, start, end))
        end = start
    return tuple(reversed(taken))


def _edge(graph: Adjacency, one: Link, start: int, end: int) -> Taken:
    """Return an edge of a link between two nodes, forward where there is one."""
    for table in (graph.outgoing, graph.incoming):
        row = slice(table.indptr[start], table.indptr[start + 1])
        fits = table.indices[row] == end
        if one.kinds is not None:
            fits &= one.kinds[table.values[row]]
        if fits.any() and (one.forward if table is graph.outgoing else one.backward):
            return Taken(start, int(table.values[row][fits][0]), end, table is graph.incoming)
    raise ValueError(f"no edge leads from {start} to {end}")


def _others(table: Csr, kinds: NDArray[np.bool_] | None, places: Places) -> Places:
    """Return the neighbours of some nodes, perhaps several times."""
    indices = slices(table, places)[0]
    if kinds is not None:
        indices = indices[kinds[table.values[indices]]]
    return table.indices[indices].astype(np.int64)


def _step(tables: Sequence[Csr], kinds: NDArray[np.bool_] | None, domain: Domain, n: int) -> Levels:
    """Return for each node the least level of those that an edge leads from to it."""
    # Of several values that are written to one place the last stays, so the least are written last.
    order = np.argsort(NEVER - domain.levels, kind="stable")
    places, levels = domain.places[order], domain.levels[order]
    found = np.full(n, NEVER, np.uint8)
    for table in tables:
        own = np.full(n, NEVER, np.uint8)
        for start, indices, rows in _blocks(table, places):
            if kinds is not None:
                kept = kinds[table.values[indices]]
                indices, rows = indices[kept], rows[kept]
            own[table.indices[indices]] = levels[start + rows]
        np.minimum(found, own, out=found)
    return found


def _blocks(table: Csr, places: Places) -> Iterator[tuple[int, Places, Places]]:
    """Yield the first of some nodes, where their edges stand, and the node of each edge from the first on."""
    sizes = table.indptr[places + 1] - table.indptr[places]
    if int(sizes.sum()) <= BLOCK:
        yield (0, *slices(table, places))
        return
    ends = np.searchsorted(np.cumsum(sizes), np.arange(BLOCK, int(sizes.sum()) + BLOCK, BLOCK))
    start = 0
    for end in np.unique(np.minimum(ends + 1, len(places))).tolist():
        yield (start, *slices(table, places[start:end]))
        start = end
