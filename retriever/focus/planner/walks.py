"""Walks: by which nodes the path of a plan leads from its name to one of the nodes that it reaches."""

from __future__ import annotations

import numpy as np

from retriever.focus.planner.plan import Plan
from retriever.focus.planner.steps import ends_by, schema_of
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
        """Return the places of one walk, its end last; of several those of the nodes imported first. O(degrees)."""
        walk = [place]
        for before, step in zip(reversed(self._levels), reversed(self._path), strict=True):
            near = ends_by(self._graph, np.array([walk[-1]]), step.predicate, inverse=not step.inverse)
            walk.append(int(np.intersect1d(near, before, assume_unique=True)[0]))
        return tuple(reversed(walk))
