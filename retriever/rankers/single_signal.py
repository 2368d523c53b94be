"""Rankers of one signal alone, and of paths before vectors (thesis, section 3.6: Naive Hybrid)."""

from __future__ import annotations

import numpy as np

from retriever.explain.reasons import strongest
from retriever.protocols import Signal, Untrained
from retriever.session import Session
from retriever.signals.path.signal import PathSignal
from retriever.signals.vector import VectorSignal
from retriever.types import Attribution, Query, Ranking, Scores, Unit, ranking


class SignalRanker(Untrained):
    """The units that one signal proposes, in its order, at most k.

    A container's chunks stand by its score, then by their own similarity, then by uri.
    """

    def __init__(self, signal: Signal, unit: Unit) -> None:
        self.signal = signal
        self.unit = unit

    def rank(self, session: Session, query: Query, k: int) -> Ranking:
        """Return at most k hits, best first."""
        ids = self.signal.propose(session, query, k)[:k]
        return ranking(self.unit, ids, self.signal.score(session, query, ids), self.signal.name)

    def signals(self, session: Session, query: Query, found: Ranking) -> dict[str, Scores]:
        """Return the signal's scores."""
        return {self.signal.name: self.signal.score(session, query, found.ids)}

    def reasons(self, session: Session, query: Query, found: Ranking) -> list[tuple[Attribution, ...]]:
        """Return the signal, which adds all of a score."""
        (scores,) = self.signals(session, query, found).values()
        added = zip(found.ids.tolist(), scores.tolist(), strict=True)
        signals = ((self.signal, query),)
        return [strongest(session, self.unit, signals, hit, {self.signal.name: own}) for hit, own in added]


class NaiveHybrid(Untrained):
    """Up to `paths` chunks that paths select, the most similar where there are more, then chunks by vector to k.

    The score is the similarity, and 2 more for a path's chunk, so that it falls along the ranking. With `model` a
    language model selects the paths.
    """

    def __init__(self, unit: Unit, paths: int = 3, model: bool = False) -> None:
        self.unit = unit
        self.paths = paths
        self.path = PathSignal(unit, model=model)
        self.vector = VectorSignal(unit)

    def rank(self, session: Session, query: Query, k: int) -> Ranking:
        """Return at most k hits, those of paths first."""
        by_paths = self.path.propose(session, query, k)
        order = np.argsort(-self.vector.score(session, query, by_paths), kind="stable")
        first = by_paths[order][: min(self.paths, k)]
        similar = self.vector.propose(session, query, k)
        ids = np.concatenate([first, similar[~np.isin(similar, first)]])[:k]
        by_path = np.isin(ids, first).astype(np.float32)
        features = np.column_stack([by_path, self.vector.score(session, query, ids)])
        scores = (2 * by_path + features[:, 1]).astype(np.float32)
        return Ranking(self.unit, ids, scores, features, ("path", "vector"), (1 - by_path).astype(np.int32))

    def signals(self, session: Session, query: Query, found: Ranking) -> dict[str, Scores]:
        """Return whether a path gave the hit its place, and its similarity."""
        return {name: found.features[:, found.columns.index(name)] for name in ("path", "vector")}

    def reasons(self, session: Session, query: Query, found: Ranking) -> list[tuple[Attribution, ...]]:
        """Return the path, which adds 2, and the similarity."""
        scores = self.signals(session, query, found)
        added = zip(found.ids.tolist(), (2 * scores["path"]).tolist(), scores["vector"].tolist(), strict=True)
        signals = ((self.path, query), (self.vector, query))
        return [
            strongest(session, self.unit, signals, hit, {"path": path, "vector": vector})
            for hit, path, vector in added
        ]


def naive_hybrid(session: Session, unit: Unit, paths: int, model: bool) -> NaiveHybrid:
    """Return the ranker of paths before vectors."""
    return NaiveHybrid(unit, paths, model)
