"""Nearness in the graph: personalised PageRank from what the question names and from the best text hits."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from retriever.index.ties import first
from retriever.session import Session
from retriever.signals.mentioned import named_by
from retriever.signals.pagerank.push import Masses, push
from retriever.signals.seeds import seeds
from retriever.types import Evidence, Ids, Query, Scores, Unit
from weft.errors import WeftError

HIT = 0.5
"""What a text hit weighs beside a name: chosen by eye on the sets of docs/quality.md, as the walk's `stop` was."""


class Reached(NamedTuple):
    """The units that a walk reaches, sorted, and how often it ends at each."""

    ids: Ids
    scores: Scores


class GraphSignal:
    """How often a walk from the question's entities and best hits ends at a unit; 0 where it never comes."""

    name = "graph"

    def __init__(self, unit: Unit, stop: float = 0.35, least: float = 2e-5) -> None:
        if not 0 < stop <= 1 or not least > 0:
            raise WeftError(f"graph: stop={stop} must lie above 0 and not above 1, least={least} above 0")
        self.unit = unit
        self.stop = stop
        self.least = least

    def propose(self, session: Session, query: Query, k: int) -> Ids:
        """Return the k units where the walk ends most often."""
        ids, scores = self._reached(session, query)
        if query.allowed is not None:
            kept = np.isin(ids, query.allowed)
            ids, scores = ids[kept], scores[kept]
        return first(session, self.unit, (ids, scores), k)[0]

    def score(self, session: Session, query: Query, ids: Ids) -> Scores:
        """Return how often the walk ends at each unit."""
        reached = self._reached(session, query)
        if not len(reached.ids):
            return np.zeros(len(ids), np.float32)
        indices = np.minimum(np.searchsorted(reached.ids, ids), len(reached.ids) - 1)
        return np.where(reached.ids[indices] == ids, reached.scores[indices], 0).astype(np.float32)

    def evidence(self, session: Session, query: Query, identity: int) -> tuple[Evidence, ...]:
        """Return the named entities from which the unit is one step away."""
        if not len(self._reached(session, query).ids):
            return ()
        score = float(self.score(session, query, np.array([identity]))[0])
        (named, _), _ = seeds(session, query)
        near = np.intersect1d(named, _beside(session, self.unit, identity))
        return tuple(
            Evidence(self.name, "entity", entity.uri, entity.name, score, named_by(query.question, entity.id))
            for entity in session.skb.entities(near.tolist())
        )

    def _reached(self, session: Session, query: Query) -> Reached:
        key = query.key, self.unit, self.stop, self.least
        return session.memo.of("graph", key, lambda: self._walk(session, query), held=query.allowed)

    def _walk(self, session: Session, query: Query) -> Reached:
        walk = session.walk
        graph = session.adjacency
        (named, weights), (hits, sure) = seeds(session, query)
        unit_ids, offset = (graph.chunk_ids, 0) if query.unit == "chunk" else (graph.entity_ids, walk.n_chunks)
        nodes = np.append(
            np.searchsorted(graph.entity_ids, named) + walk.n_chunks, np.searchsorted(unit_ids, hits) + offset
        )
        if not len(nodes):
            return Reached(np.empty(0, np.int64), np.empty(0, np.float32))
        masses = session.part("masses", lambda own: Masses(len(own.walk.indptr) - 1))
        reached, ended = push(walk, nodes, np.append(weights, HIT * sure), self.stop, self.least, masses)
        chunks = reached < walk.n_chunks
        if self.unit == "chunk":
            return Reached(graph.chunk_ids[reached[chunks]], ended[chunks])
        return Reached(graph.entity_ids[reached[~chunks] - walk.n_chunks], ended[~chunks])


def _beside(session: Session, unit: Unit, identity: int) -> Ids:
    """Return the entities one step from a unit, and its own."""
    graph, chunk_table = session.adjacency, session.chunk_table
    if unit == "chunk":
        index = int(np.searchsorted(graph.chunk_ids, identity))
        own = chunk_table.entities_of(chunk_table.pages[chunk_table.indices(np.array([identity]))])
        return np.append(graph.entity_ids[graph.cites.row(index)], own)
    index = int(np.searchsorted(graph.entity_ids, identity))
    joined = np.append(graph.outgoing.row(index), graph.incoming.row(index))
    return np.append(graph.entity_ids[joined], identity)
