"""The best text hits of a question, where every search that follows links starts beside the question's names."""

from __future__ import annotations

import numpy as np

from retriever.context import Context
from retriever.question.reader import named_entities
from retriever.signals.bm25 import Bm25Signal
from retriever.signals.vector import VectorSignal
from retriever.types import Ids, Query, Scores, Unit

# Hits of each signal that are fused, how many remain, and the damping of ranks: chosen by eye.
DEPTH = 20
FEW = 5
SOFTENING = 5


class TextHits:
    """Fuses BM25 and vectors by reciprocal ranks; the last question's hits are kept."""

    def __init__(self, context: Context, unit: Unit) -> None:
        self._signals = (Bm25Signal(context, unit), VectorSignal(context, unit))
        self._last: tuple[Query, Ids, Scores] | None = None

    def of(self, query: Query) -> tuple[Ids, Scores]:
        """Return the best few hits (n,) and their weights (n,) in 0 to 1, 1 for one that leads both lists."""
        if self._last is None or self._last[0] is not query:
            self._last = (query, *self._fused(query))
        return self._last[1:]

    def _fused(self, query: Query) -> tuple[Ids, Scores]:
        sums: dict[int, float] = {}
        for signal in self._signals:
            for rank, identity in enumerate(signal.propose(query, DEPTH).tolist()):
                sums[identity] = sums.get(identity, 0.0) + SOFTENING / (SOFTENING + rank) / len(self._signals)
        best = sorted(sums.items(), key=lambda item: (-item[1], item[0]))[:FEW]
        return np.array([each for each, _ in best], np.int64), np.array([weight for _, weight in best], np.float32)


def text_hits(context: Context, unit: Unit) -> TextHits:
    """Return the SKB's text hits, shared by all that ask for them."""
    return context.part(f"text hits {unit}", lambda own: TextHits(own, unit))


def seeds(context: Context, query: Query) -> tuple[tuple[Ids, Scores], tuple[Ids, Scores]]:
    """Return entities that the question names, and units that its words find, each with weights."""
    return named_entities(query), text_hits(context, query.unit).of(query)
