"""Steps 1 to 6 without a language model: the types and paths that a question's words may mean, and what these reach."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.focus.merge import Strand
from retriever.focus.order import by_likeness
from retriever.focus.planner.model import RelationModel
from retriever.focus.planner.plan import Plan, plans_of, typed
from retriever.focus.planner.steps import schema_of
from retriever.focus.planner.walks import Walks
from retriever.index.vectors import similarity
from retriever.session import Session
from retriever.signals.vector import entity_space
from retriever.types import Evidence, Query, Step

LIKELY = 0.3
"""How likely a path is at least whose nodes count as found by relations."""

MOST_PLANS = 10
"""So many paths count where nodes have no texts."""

MOST_PATHS = 2
"""So many paths are told of a node."""

SURE_TYPES = 0.9
"""The likeliest types that are so likely together are those that are looked for by similarity."""

GRADES = 1_000
"""Likelihoods are compared in so many grades: nodes of one grade are one group."""

STAND_IN = "a planner over the schema"


class Planned(NamedTuple):
    """Nodes by relations: their strand, and the plans that reach them."""

    strand: Strand
    plans: tuple[Plan, ...]


def planned(session: Session, query: Query, model: RelationModel, hops: int, *, relations: bool) -> Planned:
    """Return the nodes that likely paths reach, the likeliest first, by similarity where they are equally likely.

    Where nodes have no texts nothing else can find an answer, so that the best paths count however likely they are.
    """
    timer = session.trace.timer()
    has_texts = len(session.chunk_table.chunk_ids) > 0
    plans = plans_of(session, query.question, model, hops, or_none=has_texts)
    likely = tuple(plan for plan in plans if plan.probability >= LIKELY) if has_texts else tuple(plans[:MOST_PLANS])
    places, grades = together(likely)
    ids = session.adjacency.entity_ids[places]
    if query.allowed is not None:
        kept = np.isin(ids, query.allowed)
        ids, grades = ids[kept], grades[kept]
    order = by_likeness(session, similarity(session, entity_space(session, relations)), query.vectors, ids, -grades)
    groups = np.unique(-grades[order], return_inverse=True)[1].astype(np.int32)
    schema = schema_of(session)
    detail = {
        "paths": [" ".join(map(schema.name, plan.path)) for plan in likely], "nodes": len(ids),
        "likely": [round(plan.probability, 4) for plan in likely],
    }  # fmt: skip
    session.trace.add(Step("plan", timer.seconds(), stand_in=STAND_IN, detail=detail))
    return Planned(Strand(ids[order], (grades[order] / GRADES).astype(np.float32), groups), likely)


def likely_types(session: Session, query: Query, model: RelationModel) -> tuple[str, ...]:
    """Return the types that are likely asked for, none where all are."""
    timer, schema = session.trace.timer(), schema_of(session)
    chances = typed(session, query.question, model)
    order = np.argsort(-chances, kind="stable")
    n = int(np.searchsorted(np.cumsum(chances[order]), SURE_TYPES)) + 1
    names = tuple(sorted(schema.types[each] for each in order[:n].tolist()))
    session.trace.add(Step("target type", timer.seconds(), stand_in="words of types", detail={"types": names}))
    return names if n < len(schema.types) else ()


def together(plans: Sequence[Plan]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the places that plans reach, by place, and how surely, in `GRADES`: the sum over names of the likeliest.

    What several names lead to so stands before what one of them leads to.
    """
    by_name: dict[int, list[Plan]] = {}
    for plan in plans:
        by_name.setdefault(plan.mention.start, []).append(plan)
    led = [_likeliest(own) for own in by_name.values()] or [(np.empty(0, np.int64), np.empty(0))]
    places, back = np.unique(np.concatenate([own for own, _ in led]), return_inverse=True)
    total = np.bincount(back, np.concatenate([chances for _, chances in led]), len(places))
    return places, np.rint(GRADES * total).astype(np.int64)


def _likeliest(plans: Sequence[Plan]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the places that the plans of one name reach, by place, and the greatest chance of each."""
    places = np.concatenate([plan.places for plan in plans])
    chances = np.repeat([plan.probability for plan in plans], [len(plan.places) for plan in plans])
    order = np.lexsort((-chances, places))
    kept = order[np.diff(places[order], prepend=-1) > 0]
    return places[kept], chances[kept]


def by_paths(session: Session, plans: Sequence[Plan], entities: Sequence[int]) -> list[tuple[Evidence, ...]]:
    """Return for each node the paths that lead to it, at most two, the likeliest first, with the nodes between."""
    walks: dict[int, Walks] = {}
    found = []
    for place in np.searchsorted(session.adjacency.entity_ids, entities).tolist():
        leading = [number for number, plan in enumerate(plans) if place in plan.places][:MOST_PATHS]
        for number in leading:
            walks.setdefault(number, Walks(session, plans[number]))
        found.append(tuple(_told(session, plans[number], walks[number].to(place)) for number in leading))
    return found


def _told(session: Session, plan: Plan, walk: Sequence[int]) -> Evidence:
    """Return a plan's path in words, and the nodes that it leads along."""
    schema = schema_of(session)
    words = [schema.words(step) for step in plan.path]
    uris = session.uris("entity", session.adjacency.entity_ids[list(walk)].tolist())
    text = f"{plan.mention.name} – {' – '.join(words)} →"
    steps = (*chain.from_iterable(zip(uris, words, strict=False)), uris[-1])
    return Evidence("relations", "path", uris[-1], text, plan.probability, plan.mention.name, steps)
