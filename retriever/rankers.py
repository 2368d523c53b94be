"""Rankers: a question's text to ranked chunks or entities, by full text or by vectors."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from retriever.context import Context
from retriever.signals.bm25 import Bm25 as Bm25Signal
from retriever.signals.vector import Vector as VectorSignal
from retriever.types import Query, Ranking, Signal, Unit, ranking
from weft.errors import WeftError
from weft.skb import Skb

METHODS = ("bm25", "vector")


class Ranker(Protocol):
    """Ranks the units of one SKB for a question."""

    def __call__(self, question: str, k: int) -> Ranking:
        """Return at most k hits, best first, ties by uri."""


class Bm25:
    """Full-text search with BM25 over text, section path and title (entities: name, aliases, own text)."""

    def __init__(self, skb: Skb, unit: Unit) -> None:
        self.signal = Bm25Signal(Context(skb), unit)

    def __call__(self, question: str, k: int) -> Ranking:
        """Return at most k hits, best first."""
        return _ranked(self.signal, _query(question, np.empty((0, 0), np.float32), self.signal.unit), k)


class Vector:
    """Cosine of the question's vector with every chunk's (entities: every label's)."""

    def __init__(self, skb: Skb, unit: Unit) -> None:
        self.signal = VectorSignal(Context(skb), unit)

    def __call__(self, question: str, k: int) -> Ranking:
        """Return at most k hits, best first; a question without any known word has none."""
        vectors = self.signal.context.embedder.encode([question])
        return _ranked(self.signal, _query(question, vectors, self.signal.unit), k)


def ranker_of(method: str, skb: Skb, unit: Unit) -> Ranker:
    """Return the ranker that a method names; raise WeftError for an unknown one."""
    if method == "bm25":
        return Bm25(skb, unit)
    if method == "vector":
        return Vector(skb, unit)
    raise WeftError(f"{method}: no such method; choose one of {', '.join(METHODS)}")


def top(scores: NDArray[np.float32], k: int) -> NDArray[np.int64]:
    """Return the places of the k highest scores, best first, equal ones by place."""
    if 0 < k < len(scores):
        border = np.partition(scores, len(scores) - k)[len(scores) - k]
        places = np.flatnonzero(scores >= border)
    else:
        places = np.arange(len(scores))
    return places[np.argsort(-scores[places], kind="stable")][:k]


def _query(question: str, vectors: NDArray[np.float32], unit: Unit) -> Query:
    return Query(question, (), vectors, None, unit)


def _ranked(signal: Signal, query: Query, k: int) -> Ranking:
    ids = signal.propose(query, k)
    return ranking(query.unit, ids, signal.score(query, ids), signal.name)
