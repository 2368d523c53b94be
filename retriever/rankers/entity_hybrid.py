"""Hybrid retrieval of entities: reciprocal ranks of all signals, until a fusion is trained for them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from retriever.candidates.pool import seen_by
from retriever.explain.contributions import contributions
from retriever.explain.reasons import strongest
from retriever.fusion.rrf import ReciprocalRank
from retriever.index.ties import in_order
from retriever.learning.table import Table
from retriever.protocols import Signal, Untrained
from retriever.question.reader import named_entities
from retriever.session import Session
from retriever.signals.bm25 import Bm25Signal
from retriever.signals.mentioned import named_by
from retriever.signals.pagerank.signal import GraphSignal
from retriever.signals.section import SectionSignal
from retriever.signals.vector import VectorSignal
from retriever.types import Attribution, Evidence, Ids, Query, Ranking, Scores

DEPTH = 400
"""How many each signal proposes, whatever k: reciprocal ranks follow from all candidates, so their number is fixed."""

SOFTENING = 5.0
"""Far below the usual 60, since many entities share the best rank under a signal: all that the best section cites."""

COLUMNS = ("bm25", "vector", "section", "graph", "named")


class EntityHybrid(Untrained):
    """Ranks entities by the reciprocal ranks of bm25, vector, section and graph, and of what the question names.

    Every candidate has its true score under every signal; equal scores share
    their best rank. The labels' similarity counts once, as `vector`: `page` and
    `entity` would be the same similarity again.
    """

    def __init__(self) -> None:
        makers = (Bm25Signal, VectorSignal, SectionSignal, GraphSignal)
        self.fused: tuple[Signal, ...] = tuple(make("entity") for make in makers)
        self.model = ReciprocalRank(SOFTENING)
        none = np.empty((0, len(COLUMNS)), np.float32)
        self.model.fit(Table(none, np.empty(0, np.bool_), np.empty(0, np.int64), COLUMNS))

    def rank(self, session: Session, query: Query, k: int) -> Ranking:
        """Return at most k hits, best first, ties by similarity, then by uri."""
        ids, features = self.table(session, query)
        scores = self.model.score(features)
        order = in_order(session, "entity", ids, scores, features[:, COLUMNS.index("vector")])[:k]
        groups = np.zeros(len(order), np.int32)
        return Ranking("entity", ids[order], scores[order], features[order], COLUMNS, groups)

    def table(self, session: Session, query: Query) -> tuple[Ids, NDArray[np.float32]]:
        """Return what any signal ranks among its first, or the question names, by id, with its scores (n, 5)."""
        return session.memo.of("entities", query.key, lambda: self._table(session, query), held=query.allowed)

    def _table(self, session: Session, query: Query) -> tuple[Ids, NDArray[np.float32]]:
        named, weights = named_entities(query.question)
        if query.allowed is not None:
            kept = np.isin(named, query.allowed)
            named, weights = named[kept], weights[kept]
        views = [(each, seen_by(each, query)) for each in self.fused]
        ids = np.unique(np.concatenate([named, *(each.propose(session, view, DEPTH) for each, view in views)]))
        own = np.zeros(len(ids), np.float32)
        own[np.searchsorted(ids, named)] = weights
        scores = [each.score(session, view, ids) for each, view in views]
        return ids, np.column_stack([*scores, own]).astype(np.float32)

    def signals(self, session: Session, query: Query, found: Ranking) -> dict[str, Scores]:
        """Return the columns of the signals, which are their scores."""
        return {each.name: found.features[:, found.columns.index(each.name)] for each in self.fused}

    def reasons(self, session: Session, query: Query, found: Ranking) -> list[tuple[Attribution, ...]]:
        """Return each signal's reciprocal rank, and that of what the question names."""
        ids, features = self.table(session, query)
        added = contributions(self.model, features, np.searchsorted(ids, found.ids).tolist())
        signals = [(each, seen_by(each, query)) for each in self.fused]
        result = []
        for hit, row in zip(found.ids.tolist(), added.tolist(), strict=True):
            (entity,) = session.skb.entities([hit])
            mention = named_by(query.question, hit)
            named = Evidence("named", "entity", entity.uri, entity.name, 1.0, mention)
            own = dict(zip(COLUMNS, row, strict=True))
            if mention is None:
                own.pop("named")
            result.append(strongest(session, "entity", signals, hit, own, {"named": (named,)}))
        return result
