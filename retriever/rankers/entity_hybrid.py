"""Hybrid retrieval of entities: reciprocal ranks of all signals, until a fusion is trained for them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from retriever.context import Context
from retriever.fusion.rrf import ReciprocalRank
from retriever.index.ties import in_order
from retriever.learning.table import Table
from retriever.question.reader import named_entities
from retriever.signals.bm25 import Bm25Signal
from retriever.signals.pagerank.signal import GraphSignal
from retriever.signals.section import SectionSignal
from retriever.signals.vector import VectorSignal
from retriever.types import Ids, Query, Ranking, Signal

DEPTH = 400
"""How many each signal proposes, whatever k: reciprocal ranks follow from all candidates, so their number is fixed."""

SOFTENING = 5.0
"""Far below the usual 60, since many entities share the best rank under a signal: all that the best section cites."""

COLUMNS = ("bm25", "vector", "section", "graph", "named")


class EntityHybrid:
    """Ranks entities by the reciprocal ranks of bm25, vector, section and graph, and of what the question names.

    Every candidate has its true score under every signal; equal scores share
    their best rank. The labels' similarity counts once, as `vector`: `page` and
    `entity` would be the same similarity again.
    """

    def __init__(self, context: Context) -> None:
        self.context = context
        makers = (Bm25Signal, VectorSignal, SectionSignal, GraphSignal)
        self.signals: tuple[Signal, ...] = tuple(make(context, "entity") for make in makers)
        self.model = ReciprocalRank(SOFTENING)
        none = np.empty((0, len(COLUMNS)), np.float32)
        self.model.fit(Table(none, np.empty(0, np.bool_), np.empty(0, np.int64), COLUMNS))

    def __call__(self, query: Query, k: int) -> Ranking:
        """Return at most k hits, best first, ties by similarity, then by uri."""
        ids, features = self.table(query)
        scores = self.model.score(features)
        order = in_order(self.context, "entity", ids, scores, features[:, COLUMNS.index("vector")])[:k]
        groups = np.zeros(len(order), np.int32)
        return Ranking("entity", ids[order], scores[order], features[order], COLUMNS, groups)

    def table(self, query: Query) -> tuple[Ids, NDArray[np.float32]]:
        """Return what any signal ranks among its first, or the question names, by id, with its scores (n, 5)."""
        named, weights = named_entities(query)
        if query.allowed is not None:
            kept = np.isin(named, query.allowed)
            named, weights = named[kept], weights[kept]
        ids = np.unique(np.concatenate([named, *(each.propose(query, DEPTH) for each in self.signals)]))
        own = np.zeros(len(ids), np.float32)
        own[np.searchsorted(ids, named)] = weights
        return ids, np.column_stack([*(each.score(query, ids) for each in self.signals), own]).astype(np.float32)
