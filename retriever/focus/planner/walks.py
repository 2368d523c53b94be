"""Walks: by which nodes the path of a plan leads from its name to one of the nodes that it reaches."""

from __future__ import annotations

import numpy as np

from retriever.focus.planner.plan import Plan
from retriever.focus.planner.steps import Places, Step, ends_by, schema_of
from retriever.index.csr import are_in, slices
from retriever.session import Session


class Walks:
    """The nodes along a plan's path, found once for all that it reaches; O(edges of the path)."""

    def __init__(self, session: Session, plan: Plan) -> None:
        self._graph, self._path, types = session.adjacency, plan.path, schema_of(session).type_of
        seeds = np.unique(np.searchsorted(self._graph.entity_ids, plan.mention.entities))
        self._levels = [seeds]
        for step in plan.path[:-1]:
            ends = ends_by(self._graph, self._levels[-1], step.predicate, inverse=step.inverse)
            self._levels.append(np.setdiff1d(ends[types[ends] == step.type], seeds, assume_unique=True))

    def to(self, place: int) -> tuple[int, ...]:
        """Return the places of one walk, its end last; of several those of the nodes imported first."""
        walk = [place]
        for before, step in zip(reversed(self._levels), reversed(self._path), strict=True):
            walk.append(self._one_before(walk[-1], before, step))
        return tuple(reversed(walk))

    def _one_before(self, place: int, among: Places, step: Step) -> int:
        """Return the first of some places that a step leads to one from; O(its edges, or theirs if fewer)."""
        ahead, back = self._graph.outgoing, self._graph.incoming
        if step.inverse:
            ahead, back = back, ahead
        own = slice(int(back.indptr[place]), int(back.indptr[place + 1]))
        if (ahead.indptr[among + 1] - ahead.indptr[among]).sum() < own.stop - own.start:
            edges, rows = slices(ahead, among)
            leads = (ahead.indices[edges] == place) & (ahead.values[edges] == step.predicate)
            return int(among[rows[leads][0]])
        others = back.indices[own][back.values[own] == step.predicate]
        return int(others[are_in(others, among)].min())
