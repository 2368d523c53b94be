"""The system of the thesis (Giardini 2024, section 3): five signals' chunks, five features, and a trained model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from retriever.explain.contributions import contributions
from retriever.explain.reasons import strongest
from retriever.features.thesis import COLUMNS, ThesisCandidates, ThesisFeatures, standardised
from retriever.fusion.shipped import thesis_fusion
from retriever.fusion.store import Fusion, n_learned
from retriever.index.ties import in_order
from retriever.learning.table import Features
from retriever.protocols import Undoubting
from retriever.session import Session
from retriever.types import Attribution, Query, Ranking, Scores, Step
from weft.errors import WeftError


class Scored(NamedTuple):
    """All candidates of a question, their standardised features (n, 5) and their scores (n,)."""

    candidates: ThesisCandidates
    features: Features
    scores: Scores


def thesis_hybrid(embedder: str, fusion: str, missing: float, standardise: str) -> ThesisHybrid:
    """Return what ranks by a fusion of the five features; raise WeftError where it was trained for other options."""
    chosen = thesis_fusion(fusion or None)
    settings = chosen.head.settings
    for key, value in {"missing": missing, "standardise": standardise}.items():
        if settings.get(key) != value:
            # The file is not to be trusted with what a terminal shows.
            trained = ascii(settings.get(key)).strip("'")[:40]
            raise WeftError(
                f"hybrid(features=thesis,{key}={value}): {fusion or 'the fusion that ships'} was trained with"
                f" {key}={trained}; `weft train --features thesis` trains one"
            )
    return ThesisHybrid(chosen, ThesisFeatures(missing), embedder)


class ThesisHybrid(Undoubting):
    """Ranks the chunks that any of five signals returns by a model of the five scores, imputed where one did not."""

    def __init__(self, fusion: Fusion, features: ThesisFeatures, embedder: str) -> None:
        self.fusion = fusion
        self.features = features
        self.embedder = embedder

    @property
    def warnings(self) -> tuple[str, ...]:
        """Say whether the model was trained for another embedder, whose scores lie elsewhere."""
        known = self.fusion.head.embedders
        if self.embedder in known:
            return ()
        return (f"the fusion was trained for other embedders ({', '.join(known) or 'none'}) than {self.embedder}",)

    def learned(self, path: Path, questions: Sequence[str]) -> dict[str, int]:
        """Return how many of some questions the model was trained on."""
        return {"the fusion": n_learned(self.fusion.head, path, questions)}

    def rank(self, session: Session, query: Query, k: int) -> Ranking:
        """Return at most k hits, best first: by the model's score, then by vector similarity, then by uri."""
        candidates, _, scores = self.scored(session, query)
        similar = candidates.features[:, COLUMNS.index("vector")]
        order = in_order(session, "chunk", candidates.ids, scores, similar)[:k]
        groups = np.zeros(len(order), np.int32)
        return Ranking("chunk", candidates.ids[order], scores[order], candidates.features[order], COLUMNS, groups)

    def scored(self, session: Session, query: Query) -> Scored:
        """Return all candidates of a question, which a session computes once."""
        return session.memo.of("thesis", (id(self), query.key), lambda: self._step(session, query), (self, query))

    def signals(self, session: Session, query: Query, found: Ranking) -> dict[str, Scores]:
        """Return each feature of the hits, imputed where the signal did not return one."""
        return {name: found.features[:, index] for index, name in enumerate(COLUMNS)}

    def reasons(self, session: Session, query: Query, found: Ranking) -> list[tuple[Attribution, ...]]:
        """Return what each feature adds to the score, with its signal's evidence."""
        candidates, features, _ = self.scored(session, query)
        hits = found.ids.tolist()
        if not hits:
            return []
        rows = np.searchsorted(candidates.ids, found.ids).tolist()
        added = contributions(self.fusion.model, features, rows).tolist()
        signals = [(signal, query) for signal in self.features.signals]
        return [
            strongest(session, "chunk", signals, hit, dict(zip(COLUMNS, own, strict=True)))
            for hit, own in zip(hits, added, strict=True)
        ]

    def _step(self, session: Session, query: Query) -> Scored:
        timer = session.trace.timer()
        candidates = self.features.of(session, query)
        features = standardised(candidates.features, self.fusion.head.scale)
        scores = self.fusion.model.score(features) if len(features) else np.empty(0, np.float32)
        detail = {"candidates": len(scores), "fusion": self.fusion.head.model}
        session.trace.add(Step("fusion", timer.seconds(), detail=detail))
        return Scored(candidates, features, scores)
