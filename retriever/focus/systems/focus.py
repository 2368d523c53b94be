"""What the three systems have in common: answers by relations and nodes that are like the question, in one ranking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np

from retriever.focus.by_pattern.reasons import told_proof
from retriever.focus.merge import COLUMNS, Strand, merged
from retriever.focus.node_types import ids_of_type
from retriever.focus.planner.steps import schema_of
from retriever.focus.planner.store import Relations
from retriever.focus.systems.asked import NOTHING, Asked, asked_for
from retriever.focus.systems.planned import Planned, by_paths, likely_types, planned
from retriever.focus.systems.settings import Settings
from retriever.protocols import Ranker, Undoubting
from retriever.session import Session
from retriever.types import Attribution, Evidence, Ids, Query, Ranking, Scores, Step

MOST_ALIKE = 2
"""Reasons that are shown of a hit that is there for its similarity alone."""


class Asks(Protocol):
    """Steps 1 to 6 of a system with a language model."""

    def __call__(self, session: Session, query: Query, settings: Settings) -> Asked:
        """Return the answers that fit what the model says, and the type that is asked for."""


class Found(NamedTuple):
    """Answers by relations, the types to look for by similarity (none: all), and what they were found by."""

    strand: Strand
    types: tuple[str, ...]
    by: Asked | Planned


class Focus(Undoubting):
    """Ranks nodes by relations and by similarity; `asks` is what a system asks of a model, the planner does without."""

    warnings: tuple[str, ...] = ()

    def __init__(self, settings: Settings, similar: Ranker, relations: Relations, asks: Asks) -> None:
        self.settings = settings
        self.similar = similar
        self.relations = relations
        self.asks = asks

    def learned(self, path: Path, questions: Sequence[str]) -> dict[str, int]:
        """Return how many questions taught the planner."""
        return {"the planner": self.relations.n_learned(questions)}

    def rank(self, session: Session, query: Query, k: int) -> Ranking:
        """Return at most k hits; alpha is a share of the method's own k, so that the order does not follow from k."""
        own, found = self.settings, self.found(session, query)
        timer = session.trace.timer()
        similar = self._similar(session, query, found.types, max(k, own.k) + own.k)
        ranking = merged(found.strand, similar, own.k, own.alpha).head(k)
        n_related = int(np.isin(ranking.ids, found.strand.ids).sum())
        detail = {"relations": n_related, "similar": len(ranking.ids) - n_related}
        session.trace.add(Step("merge", timer.seconds(), detail=detail))
        return ranking

    def found(self, session: Session, query: Query) -> Found:
        """Return the answers by relations, found once a session."""
        key = id(self), query.key
        return session.memo.of("answers by relations", key, lambda: self._found(session, query), held=(self, query))

    def _found(self, session: Session, query: Query) -> Found:
        own, model = self.settings, self.relations.model
        if session.chat is not None and own.model:
            asked = self.asks(session, query, own) if own.alpha > 0 else _alike_alone(session, query, own)
            return Found(asked.strand, (asked.kind,) if own.types and asked.kind else (), asked)
        by = planned(session, query, model, own.hops, relations=own.rel6)
        some = own.types and len(schema_of(session).types) > 1
        return Found(by.strand, likely_types(session, query, model) if some else (), by)

    def _similar(self, session: Session, query: Query, types: tuple[str, ...], k: int) -> Strand:
        """Return the nodes by similarity, those of some types before all others (step 7)."""
        found = [self.similar.rank(session, _of_types(session, query, types), k)]
        if types and len(found[0].ids) < k:
            found.append(self.similar.rank(session, query, k))
        ids = np.concatenate([each.ids for each in found])
        first = np.sort(np.unique(ids, return_index=True)[1])
        scores = np.maximum(np.concatenate([each.scores for each in found]), 0)[first]
        groups = np.repeat(np.arange(len(found)), [len(each.ids) for each in found])[first]
        return Strand(ids[first], scores, groups.astype(np.int32))

    def signals(self, session: Session, query: Query, found: Ranking) -> Mapping[str, Scores]:
        """Return how surely relations lead to each hit, and its score by similarity."""
        return {name: found.features[:, found.columns.index(name)] for name in COLUMNS}

    def reasons(self, session: Session, query: Query, found: Ranking) -> list[tuple[Attribution, ...]]:
        """Return for each hit what leads to it, or where no relations do why it is similar, as what gives its score."""
        related = self._related(session, query, found)
        similar = self.similar.reasons(session, query, found)
        return [
            (_reason(session, hit, score, led, why),)
            for hit, score, led, why in zip(found.ids.tolist(), found.scores.tolist(), related, similar, strict=True)
        ]

    def _related(self, session: Session, query: Query, found: Ranking) -> list[tuple[Evidence, ...]]:
        """Return for each hit the paths or triplets that lead to it."""
        by, column = self.found(session, query).by, found.columns.index("relations")
        sure = dict(zip(found.ids.tolist(), found.features[:, column].tolist(), strict=True))
        if isinstance(by, Planned):
            return by_paths(session, by.plans, list(sure))
        proved = by.proofs(session, self.settings, [each for each, score in sure.items() if score])
        evidence = {
            each.answer: told_proof(session, by.found.pattern, each, sure[each.answer]) for each in proved if by.found
        }
        return [evidence.get(each, ()) for each in sure]


def _reason(
    session: Session, hit: int, score: float, led: tuple[Evidence, ...], similar: Sequence[Attribution]
) -> Attribution:
    like = tuple(each.evidence[0] for each in similar if each.contribution > 0 and each.evidence)
    if led:
        return Attribution("relations", score, (*led, *like[:1]))
    (uri,) = session.uris("entity", [hit])
    unlike = (Evidence("similar", "score", uri, "the order of what is like the question", score),)
    return Attribution("similar", score, like[:MOST_ALIKE] or unlike)


def _alike_alone(session: Session, query: Query, settings: Settings) -> Asked:
    """Return the type that is asked for, and no answers by relations, which have no share."""
    return Asked(NOTHING, asked_for(session, query, settings) if settings.types else None, None)


def _of_types(session: Session, query: Query, types: tuple[str, ...]) -> Query:
    """Return the query for nodes of some types, whose ids are one array as long as the query's own are."""

    def ids() -> Ids:
        own = np.unique(np.concatenate([ids_of_type(session, each) for each in types]))
        return own if query.allowed is None else own[np.isin(own, query.allowed)]

    if not types:
        return query
    allowed = session.memo.of("ids of types", (types, id(query.allowed)), ids, held=query.allowed)
    return query._replace(allowed=allowed)
