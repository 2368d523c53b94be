"""What lies within some hops of an entity, and the best of it by a score of every entity: arrays all the way.

A relation is read both ways, against its direction as `is X of`; so is a link
between documents: what the chunks of an entity's page mention. The entities of
a hop are marked in an array, block by block of edges, so that an entity of
100,000 neighbours costs a few milliseconds and no document.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.index.csr import are_in, slices
from retriever.index.lift import on_own_pages
from retriever.index.vectors import TOLERANCE
from retriever.session import Session
from retriever.types import Ids, Scores
from weft.arrays.adjacency import Csr

BLOCK = 1 << 20
"""Edges that are read at a time; one entity's are never parted."""

MENTIONS, MENTIONED = -1, -2
"""What stands for a link between documents where a relation has the number of its type, negative read backwards."""

Places = NDArray[np.int64]
Numbers = NDArray[np.int32] | NDArray[np.int64]


class Step(NamedTuple):
    """A step along a path to the entity at `place`: by the relation type `kind`, read `backward` or not, or a link."""

    kind: int
    backward: bool
    place: int


class Reached(NamedTuple):
    """An entity at `place` with its score, and the steps to it from where the search began."""

    place: int
    score: float
    steps: tuple[Step, ...]


class Neighbourhood:
    """The graph of an SKB around entities, which are named by their place among all ids.

    `links`: whether documents that mention an entity are its neighbours.
    """

    def __init__(self, session: Session, links: bool) -> None:
        self._session = session
        self._graph = session.adjacency
        self._links = links

    def nearest(self, place: int, scores: Scores, hops: int, k: int) -> list[Reached]:
        """Return the k entities of highest score (n,) within some hops of one, best first, ties by uri.

        Each with the shortest path to it, of equal ones that over the entities of
        the highest scores. O(entities + edges within the hops).
        """
        levels = self.levels(place, hops)
        places = np.concatenate([np.empty(0, np.int64), *levels[1:]])
        keys = self._keys(places, scores)
        if len(keys) > k:
            top = np.argpartition(keys, len(keys) - k)[len(keys) - k :]
            places, keys = places[top], keys[top]
        best = places[np.argsort(-keys)].tolist()
        return [Reached(each, float(scores[each]), self._path(each, levels, scores)) for each in best]

    def levels(self, place: int, hops: int) -> list[Places]:
        """Return the places that are reached first in 0, 1, ... hops, each hop's sorted."""
        seen = np.zeros(len(self._graph.entity_ids), bool)
        seen[place] = True
        levels = [np.array([place], np.int64)]
        for _ in range(hops):
            marked = np.zeros(len(seen), bool)
            for block in self._blocks(levels[-1]):
                for others in self._others(block):
                    marked[others] = True
            marked &= ~seen
            seen |= marked
            levels.append(np.flatnonzero(marked))
        return levels

    def _blocks(self, places: Places) -> Iterator[Places]:
        """Yield places such that the edges of each block are about `BLOCK`."""
        tables = (self._graph.outgoing, self._graph.incoming, self._graph.cited_in)
        degrees = sum((table.indptr[places + 1] - table.indptr[places] for table in tables), np.ones(len(places)))
        ends = np.searchsorted(np.cumsum(degrees), np.arange(BLOCK, degrees.sum() + BLOCK, BLOCK), "right")
        start = 0
        for end in np.unique(np.minimum(ends + 1, len(places))).tolist():
            yield places[start:end]
            start = end

    def _others(self, places: Places) -> Iterator[Numbers]:
        """Yield the neighbours of entities, in any order and perhaps several times."""
        for table in (self._graph.outgoing, self._graph.incoming):
            yield _row_values(table, places)
        if self._links:
            yield self._mentioned(places)
            yield self._mentioning(places)

    def _mentioned(self, places: Places) -> Numbers:
        """Return what the pages of entities mention."""
        chunks, _ = on_own_pages(self._session, self._graph.entity_ids[places])
        return _row_values(self._graph.cites, np.searchsorted(self._graph.chunk_ids, chunks))

    def _mentioning(self, places: Places) -> Places:
        """Return whose pages mention entities."""
        chunk_table = self._session.chunk_table
        pages = chunk_table.pages[_row_values(self._graph.cited_in, places)]
        return np.searchsorted(self._graph.entity_ids, chunk_table.entities_of(pages))

    def _keys(self, places: Places, scores: Scores) -> Places:
        """Return numbers that stand in the order of the scores, then of the uris, all different."""
        on_grid = np.round(scores[places].astype(np.float64) / TOLERANCE).astype(np.int64)
        return (on_grid << 32) - self._session.uri_ranks("entity", self._graph.entity_ids[places])

    def _path(self, place: int, levels: list[Places], scores: Scores) -> tuple[Step, ...]:
        """Return the steps that lead to a place, over the best entity of each hop before its own."""
        hop = next(each for each, level in enumerate(levels) if are_in(np.array([place]), level)[0])
        steps: list[Step] = []
        for level in reversed(levels[:hop]):
            before, step = self._step(place, level, scores)
            steps.append(step)
            place = before
        return tuple(reversed(steps))

    def _step(self, place: int, level: Places, scores: Scores) -> tuple[int, Step]:
        """Return the best neighbour of a place at a level, and the step from it: relations first, forward first."""
        others, kinds, backward = self._edges(place)
        kept = are_in(others, level)
        others, kinds, backward = others[kept], kinds[kept], backward[kept]
        names = np.where(kinds >= 0, kinds, len(self._graph.type_ids) - kinds)
        best = int(np.lexsort((backward, names, -self._keys(others, scores)))[0])
        return int(others[best]), Step(int(kinds[best]), bool(backward[best]), place)

    def _edges(self, place: int) -> tuple[Places, Places, NDArray[np.bool_]]:
        """Return the neighbours (m,) of a place, and by which kind of step each leads to it, backward or not."""
        graph, own = self._graph, np.array([place])
        parts: list[tuple[Numbers, NDArray[np.integer], bool]] = [
            (graph.incoming.row(place), _values(graph.incoming, place), False),
            (graph.outgoing.row(place), _values(graph.outgoing, place), True),
        ]
        if self._links:
            mentioning, mentioned = self._mentioning(own), self._mentioned(own)
            parts.append((mentioning, np.full(len(mentioning), MENTIONS), False))
            parts.append((mentioned, np.full(len(mentioned), MENTIONED), False))
        others, kinds = (np.concatenate([part[column] for part in parts]).astype(np.int64) for column in (0, 1))
        return others, kinds, np.repeat([part[2] for part in parts], [len(part[0]) for part in parts])


def _row_values(table: Csr, rows: Places) -> Numbers:
    """Return the neighbours of some rows; those of one row are not copied to be found."""
    return table.row(int(rows[0])) if len(rows) == 1 else table.indices[slices(table, rows)[0]]


def _values(table: Csr, row: int) -> NDArray[np.integer]:
    return table.values[table.indptr[row] : table.indptr[row + 1]]


def places_of(session: Session, entities: Ids) -> Places:
    """Return the places of entities in the graph."""
    return np.searchsorted(session.adjacency.entity_ids, entities)
