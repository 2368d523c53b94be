"""Rankers: a question to ranked chunks or entities, by full text or by vectors."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from retriever.types import Ranking, Unit, ranking
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
        self.skb = skb
        self.unit = unit

    def __call__(self, question: str, k: int) -> Ranking:
        """Return at most k hits, best first."""
        ids, scores = self.skb.search_text(self.unit, question, k)
        return _cut(self.skb, self.unit, ids, scores, k, "bm25")


class Vector:
    """Cosine of the question's vector with every chunk's (entities: every label's)."""

    def __init__(self, skb: Skb, unit: Unit) -> None:
        self.skb = skb
        self.unit = unit
        self.vectors = skb.vectors("chunk" if unit == "chunk" else "label")

    def __call__(self, question: str, k: int) -> Ranking:
        """Return at most k hits, best first; a question without any known word has none."""
        if not len(self.vectors.ids):
            return ranking(self.unit, self.vectors.ids, np.empty(0, np.float32), "vector")
        query = self.skb.embedder.encode([question])[0]
        scores = self.vectors.rows @ query
        if not query.any():
            scores = scores[:0]
        best = top(scores, k)
        # Equal rows may differ in their last bit, by where they stand in the matrix.
        tied = np.flatnonzero(scores >= scores[best[-1]] - 2 * TOLERANCE) if len(best) else best
        rounded = np.round(scores[tied] / TOLERANCE) * TOLERANCE
        return _cut(self.skb, self.unit, self.vectors.ids[tied], rounded, k, "vector")


TOLERANCE = 1e-6
"""Cosines that differ by less are the same."""


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


def _cut(
    skb: Skb, unit: Unit, ids: NDArray[np.int64], scores: NDArray[np.float32], k: int, column: str
) -> Ranking:
    uris = skb.uris(unit, ids.tolist())
    order = sorted(range(len(ids)), key=lambda place: (-scores[place], uris[place]))[:k]
    return ranking(unit, ids[order], scores[order], column)
