"""The best text hits of a question, where every search that follows links starts beside the question's names."""

from __future__ import annotations

import numpy as np

from retriever.protocols import Signal
from retriever.question.reader import named_entities
from retriever.session import Session
from retriever.signals.bm25 import Bm25Signal
from retriever.signals.vector import VectorSignal
from retriever.types import Ids, Query, Scores

# Hits of each signal that are fused, how many remain, and the damping of ranks: chosen by eye.
DEPTH = 20
FEW = 5
SOFTENING = 5


def text_hits(session: Session, query: Query) -> tuple[Ids, Scores]:
    """Return the best few hits (n,) of BM25 and vectors, by id and weight (n,) in 0 to 1, 1 for the first of both."""
    return session.memo.of("text hits", query.key, lambda: _fused(session, query), held=query.allowed)


def _fused(session: Session, query: Query) -> tuple[Ids, Scores]:
    """Fuse by reciprocal ranks."""
    signals: tuple[Signal, ...] = (Bm25Signal(query.unit), VectorSignal(query.unit))
    sums: dict[int, float] = {}
    for signal in signals:
        found = signal.propose(session, query, DEPTH)
        # Vectors fill up with what is like the question in nothing.
        for rank, identity in enumerate(found[signal.score(session, query, found) > 0].tolist()):
            sums[identity] = sums.get(identity, 0.0) + SOFTENING / (SOFTENING + rank) / len(signals)
    first = sorted(sums.items(), key=lambda item: (-item[1], item[0]))[:FEW]
    return np.array([each for each, _ in first], np.int64), np.array([weight for _, weight in first], np.float32)


def seeds(session: Session, query: Query) -> tuple[tuple[Ids, Scores], tuple[Ids, Scores]]:
    """Return entities that the question names, and units that its words find, each with weights."""
    return named_entities(query.question), text_hits(session, query)
