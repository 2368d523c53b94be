"""Rankers of one signal alone, and of paths before vectors (thesis, section 3.6: Naive Hybrid)."""

from __future__ import annotations

import numpy as np

from retriever.context import Context
from retriever.methods import Option, Part, take_options
from retriever.signals.path.signal import PathSignal
from retriever.signals.registry import OPTIONS, SIGNALS, signal_of
from retriever.signals.vector import VectorSignal
from retriever.types import Query, Ranker, Ranking, Signal, Unit, ranking

NAMES = (*SIGNALS, "naive-hybrid")
"""The methods that this module ranks by."""

NAIVE_HYBRID = {"paths": Option(3, 0, 10_000)}
OPTIONS_ALONE = OPTIONS | {"naive-hybrid": NAIVE_HYBRID}
"""The options of each method that this module ranks by."""


class SignalRanker:
    """The units that one signal proposes, in its order, at most k.

    A container's chunks stand by its score, then by their own similarity, then by uri.
    """

    def __init__(self, context: Context, signal: Signal, unit: Unit) -> None:
        self.context = context
        self.signal = signal
        self.unit = unit

    def __call__(self, query: Query, k: int) -> Ranking:
        """Return at most k hits, best first."""
        ids = self.signal.propose(query, k)[:k]
        return ranking(self.unit, ids, self.signal.score(query, ids), self.signal.name)


class NaiveHybrid:
    """Up to `paths` chunks that paths select, the most similar where there are more, then chunks by vector to k.

    The score is the similarity, and 2 more for a path's chunk, so that it falls along the ranking.
    """

    def __init__(self, context: Context, unit: Unit, paths: int = 3) -> None:
        self.context = context
        self.unit = unit
        self.paths = paths
        self.path = PathSignal(context, unit)
        self.vector = VectorSignal(context, unit)

    def __call__(self, query: Query, k: int) -> Ranking:
        """Return at most k hits, those of paths first."""
        first = self.path.propose(query, k)[: min(self.paths, k)]
        similar = self.vector.propose(query, k)
        ids = np.concatenate([first, similar[~np.isin(similar, first)]])[:k]
        by_path = np.isin(ids, first).astype(np.float32)
        features = np.column_stack([by_path, self.vector.score(query, ids)])
        scores = (2 * by_path + features[:, 1]).astype(np.float32)
        return Ranking(self.unit, ids, scores, features, ("path", "vector"), (1 - by_path).astype(np.int32))


def ranker_alone(context: Context, part: Part, unit: Unit) -> Ranker:
    """Return the ranker that one of `NAMES` names, with its options; raise WeftError for one that it does not have."""
    if part.name == "naive-hybrid":
        return NaiveHybrid(context, unit, **take_options(part, OPTIONS_ALONE[part.name]))  # type: ignore[arg-type]
    return SignalRanker(context, signal_of(context, part, unit), unit)
