"""The method `cypher`: nodes that fit a pattern of the question, by scope, then by likeness to the question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from retriever.focus.by_pattern.queries import FORMS, pattern_of
from retriever.focus.by_pattern.reasons import told_proof
from retriever.focus.grounding.proof import proofs
from retriever.focus.grounding.scope import Grounding, Settings, ground, scopes_up_to
from retriever.focus.node_types import ids_of_type
from retriever.focus.pattern import Pattern
from retriever.focus.symbols import Candidates, Lookup, find_candidates
from retriever.index.csr import are_in
from retriever.index.ties import in_order
from retriever.index.vectors import scores_of, similarity
from retriever.protocols import Untrained
from retriever.session import Session
from retriever.signals.vector import entity_space
from retriever.types import Attribution, Ids, Query, Ranking, Scores, Step

COLUMNS = ("pattern", "vector")
STEP = 2.0
"""A hit of an earlier scope scores so much more, which likeness cannot make up for."""


class Options(NamedTuple):
    """How a pattern is made and grounded: docs/methods.md."""

    form: str
    model: bool
    lookup: Lookup
    grounding: Settings
    relations: bool
    itself: bool = False


class Fitting(NamedTuple):
    """A question's pattern, what its symbols may be, and the nodes that fit."""

    pattern: Pattern
    candidates: Candidates
    grounding: Grounding


class PatternRanker(Untrained):
    """Ranks the nodes that fit the pattern of a question, and none but these."""

    def __init__(self, options: Options) -> None:
        self.options = options

    def fitting(self, session: Session, query: Query) -> Fitting:
        """Return what fits; a session finds it once a question."""
        key = id(self), query.question.key, id(query.allowed)
        found: Fitting = session.memo.of("fitting", key, lambda: self._fitting(session, query), held=(self, query))
        return found

    def rank(self, session: Session, query: Query, k: int) -> Ranking:
        """Return at most k hits, those of earlier scopes first, then those more like the question, ties by uri."""
        found = self.fitting(session, query).grounding
        n_scopes = len(scopes_up_to(self.options.grounding.most))
        by_pattern = (STEP * (n_scopes - found.found_at.astype(np.float32))).astype(np.float32)
        space = similarity(session, entity_space(session, self.options.relations))
        like = scores_of(space, query.vectors, found.ids)
        order = in_order(session, "entity", found.ids, by_pattern, like)[:k]
        features = np.column_stack([by_pattern, like]).astype(np.float32)[order]
        groups = np.unique(found.found_at[order], return_inverse=True)[1].astype(np.int32)
        return Ranking("entity", found.ids[order], features.sum(axis=1), features, COLUMNS, groups)

    def signals(self, session: Session, query: Query, found: Ranking) -> Mapping[str, Scores]:
        """Return how early the scope is that found each hit, and its likeness to the question."""
        return {name: found.features[:, found.columns.index(name)] for name in COLUMNS}

    def reasons(self, session: Session, query: Query, found: Ranking) -> list[tuple[Attribution, ...]]:
        """Return for each hit the triplets that hold, with the nodes between which they do."""
        own = self.fitting(session, query)
        made = proofs(session, own.grounding, self.options.grounding, found.ids.tolist())
        return [
            (Attribution("pattern", float(score), told_proof(session, own.grounding.pattern, proof, float(score))),)
            for proof, score in zip(made, found.scores, strict=True)
        ]

    def _fitting(self, session: Session, query: Query) -> Fitting:
        own = self.options
        pattern = pattern_of(session, query, FORMS[own.form], model=own.model, itself=own.itself)
        timer = session.trace.timer()
        candidates = find_candidates(session, pattern, own.lookup)
        named = {each.variable: each.constant for each in pattern.symbols if each.variable in candidates.n_named}
        sizes = {f"{variable} {name}": len(ids) for variable, name in named.items()
                 if (ids := candidates.ids[variable]) is not None}  # fmt: skip
        session.trace.add(Step("candidates", timer.seconds(), warnings=_told(candidates), detail={"found": sizes}))
        timer = session.trace.timer()
        found = ground(session, pattern, _allowed(session, query, pattern, candidates, own.lookup), own.grounding)
        detail = {"answers": len(found.ids), "scopes": list(found.scopes), "unproved": found.unproved}
        warnings = tuple(f"{code}: {text}" for code, text in pattern.warnings)
        session.trace.add(Step("grounding", timer.seconds(), warnings=warnings, detail=detail))
        return Fitting(pattern, candidates, found)


def _told(candidates: Candidates) -> tuple[str, ...]:
    return tuple(f"{code}: {text}" for code, text in candidates.warnings)


def _allowed(
    session: Session, query: Query, pattern: Pattern, candidates: Candidates, lookup: Lookup
) -> Mapping[str, Ids | None]:
    """Return the candidates, those of the target among what may be ranked."""
    if query.allowed is None or pattern.target is None:
        return candidates.ids
    own, kind = candidates.ids[pattern.target], pattern.symbol(pattern.target).type
    if own is None and kind is not None and lookup.types:
        own = ids_of_type(session, kind)
    kept = query.allowed if own is None else own[are_in(own, query.allowed)]
    return {**candidates.ids, pattern.target: kept}
