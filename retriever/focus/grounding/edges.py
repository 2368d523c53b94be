"""Edges of the graph as a pattern's triplets read them: from many nodes at once, in blocks, without any bound."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.focus.grounding.levels import NEVER, Domain, Levels, of_dense
from retriever.focus.node_types import NO_PLACES, Places
from retriever.index.csr import are_in, distinct, slices
from weft.arrays.adjacency import Adjacency, Csr

BLOCK = 1 << 20
"""About how many edges are read at once."""

CACHED = 1 << 17
"""Edges that are read at once where all are; what is made of them stays in the processor's cache."""

ONE_IN = 8
"""Where more than one in so many edges would be read by their nodes, all are read in their order, which is quicker."""


class Table(NamedTuple):
    """Edges by the node that they leave; where `kinds` is given, only those whose value is one of these count."""

    edges: Csr
    kinds: NDArray[np.bool_] | None = None


class Link(NamedTuple):
    """A triplet between the symbols at two positions of a pattern.

    `kinds` (m,) tells which relations will do, None for all. An edge may go from
    `subject` to `object` where `forward`, the other way where `backward`; `ahead` has the edges that lead from the
    subject to the object, `back` the same edges in the same order of tables from the object.
    """

    subject: int
    object: int
    kinds: NDArray[np.bool_] | None
    forward: bool
    backward: bool
    ahead: tuple[Table, ...]
    back: tuple[Table, ...]
    least: int = 1
    most: int = 1

    def tables(self, *, from_subject: bool) -> tuple[Table, ...]:
        """Return what leads from one end to the other."""
        return self.ahead if from_subject else self.back

    @property
    def is_edge(self) -> bool:
        """Whether it is one edge and no walk."""
        return self.least == self.most == 1


def degrees(tables: Sequence[Table], places: Places) -> int:
    """Return how many edges leave some nodes."""
    return sum(int((edges.indptr[places + 1] - edges.indptr[places]).sum()) for edges, _ in tables)


def reached(graph: Adjacency, link: Link, domain: Domain, *, from_subject: bool) -> Levels:
    """Return for each node (n,) the least level of those that lead to it."""
    n = len(graph.entity_ids)
    found = domain.dense(n) if link.least == 0 else np.full(n, NEVER, np.uint8)
    for hop in range(1, link.most + 1):
        step = _step(link, domain, n, from_subject=from_subject)
        if hop >= link.least:
            np.minimum(found, step, out=found)
        if hop < link.most:
            domain = of_dense(step)
    return found


def supported(link: Link, places: Places, levels: Levels, *, from_subject: bool) -> Levels:
    """Return for each of some nodes (m,) the least of the levels (n,) of the nodes that lead to it by one edge.

    As `reached` says at these nodes, but by their own edges.
    """
    found = np.full(len(places), NEVER, np.uint8)
    for edges, kinds in link.tables(from_subject=not from_subject):
        for start, indices, rows in _blocks(edges, places):
            own = levels[edges.indices[indices]]
            if kinds is not None:
                own = np.where(kinds[edges.values[indices]], own, np.uint8(NEVER))
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


def neighbours(link: Link, place: int, *, from_subject: bool) -> Places:
    """Return the sorted nodes that a node leads to."""
    tables = link.tables(from_subject=from_subject)
    level = np.array([place], np.int64)
    found = [level] if link.least == 0 else []
    for hop in range(1, link.most + 1):
        level = distinct(np.concatenate([NO_PLACES, *(_others(table, level) for table in tables)]))
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
        before = neighbours(one, end, from_subject=False)
        if hop >= link.least and are_in(before, layers[-1]).any():
            return _traced(graph, one, layers, end)
        layers.append(distinct(np.concatenate([_others(table, layers[-1]) for table in link.ahead])))
    return () if link.least == 0 and start == end else None


def _traced(graph: Adjacency, one: Link, layers: Sequence[Places], end: int) -> tuple[Taken, ...]:
    """Return the walk that goes through a node of each layer to its end."""
    taken: list[Taken] = []
    for layer in reversed(layers):
        before = neighbours(one, end, from_subject=False)
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


def _others(table: Table, places: Places) -> Places:
    """Return the neighbours of some nodes, perhaps several times."""
    indices = slices(table.edges, places)[0]
    if table.kinds is not None:
        indices = indices[table.kinds[table.edges.values[indices]]]
    return table.edges.indices[indices].astype(np.int64)


def _step(link: Link, domain: Domain, n: int, *, from_subject: bool) -> Levels:
    """Return for each node the least level of those that an edge leads from to it."""
    # Of several values that are written to one place the last stays, so the least are written last.
    order = np.argsort(NEVER - domain.levels, kind="stable")
    places, levels = domain.places[order], domain.levels[order]
    found = np.full(n, NEVER, np.uint8)
    ahead, backward = link.tables(from_subject=from_subject), link.tables(from_subject=not from_subject)
    for table, back in zip(ahead, backward, strict=True):
        n_leaving, n_all = degrees((table,), domain.places), len(table.edges.indices)
        if n_leaving == n_all and table.kinds is None and n_all and levels[0] == levels[-1]:
            own = np.where(np.diff(back.edges.indptr) > 0, levels[0], np.uint8(NEVER))
        elif ONE_IN * n_leaving > n_all:
            own = _all_supported(back, domain.dense(n))
        elif n_leaving:
            own = _scattered(table, places, levels, n)
        else:
            continue
        np.minimum(found, own, out=found)
    return found


def _scattered(table: Table, places: Places, levels: Levels, n: int) -> Levels:
    """Return for each node the level of the last of some nodes that an edge leads from to it."""
    found = np.full(n, NEVER, np.uint8)
    for start, indices, rows in _blocks(table.edges, places):
        if table.kinds is not None:
            kept = table.kinds[table.edges.values[indices]]
            indices, rows = indices[kept], rows[kept]
        found[table.edges.indices[indices]] = levels[start + rows]
    return found


def _all_supported(table: Table, levels: Levels) -> Levels:
    """Return for each node the least level of those at the other ends of its edges; all are read in their order."""
    edges, kinds = table
    found = np.full(len(levels), NEVER, np.uint8)
    rows = np.flatnonzero(np.diff(edges.indptr))
    starts = np.append(edges.indptr[rows], len(edges.indices))
    borders = np.unique(np.searchsorted(starts, np.arange(0, len(edges.indices), CACHED))).tolist()
    for begin, end in pairwise([*borders, len(rows)]):
        own = levels[edges.indices[starts[begin] : starts[end]]]
        if kinds is not None:
            own[~kinds[edges.values[starts[begin] : starts[end]]]] = NEVER
        if len(own):
            found[rows[begin:end]] = np.minimum.reduceat(own, starts[begin:end] - starts[begin])
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
