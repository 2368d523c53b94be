"""Hybrid retrieval: every signal's candidates, complete features, and a fusion, in two passes where it has two models.

The first pass ranks what was proposed. Its best hits show where the question
leads on: the second pass knows where their links lead and what they leave open,
so that the first k answer together. (More candidates over these links bring
nothing: docs/ablations.md.)
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from retriever.context import Context
from retriever.explain.evidence import FeatureEvidence
from retriever.features.matrix import COLUMNS, EMBEDDED, FIRST, Candidates, FeatureMatrix, standardised
from retriever.fusion.models import FusionModel
from retriever.fusion.store import Fusion
from retriever.fusion.two_stage import TwoStage
from retriever.index.ties import in_order
from retriever.learning.mask import mask
from retriever.types import Query, Ranking, Scores, Step


class Hybrid:
    """Ranks chunks by a fusion of all signals."""

    def __init__(self, context: Context, fusion: Fusion) -> None:
        self.context = context
        self.fusion = fusion
        self.features = FeatureMatrix(context)
        self.knows_embedder = context.skb.meta("embedder", "tfidf") in fusion.head.embedders
        self._last: tuple[Query, Candidates, NDArray[np.float32], Scores] | None = None

    def __call__(self, query: Query, k: int) -> Ranking:
        """Return at most k hits, best first: by the fusion's score, then by vector similarity, then by uri."""
        candidates, _, scores = self.scored(query)
        raw, ids = candidates.raw, candidates.pool.ids
        order = in_order(self.context, "chunk", ids, scores, raw[:, FIRST.index("vector")])[:k]
        return Ranking("chunk", ids[order], scores[order], raw[order], FIRST, np.zeros(len(order), np.int32))

    def scored(self, query: Query) -> tuple[Candidates, NDArray[np.float32], Scores]:
        """Return all candidates, their standardised features and scores; kept for the last query.

        Features are (n, len(COLUMNS)) where the fusion has two models, else (n, len(INPUTS)).
        """
        if self._last is None or self._last[0] is not query:
            timer = self.context.trace.timer()
            candidates, features, scores = self._score(query)
            self._last = (query, candidates, features, scores)
            detail = {"candidates": len(candidates.pool.ids), "fusion": self.fusion.head.model}
            self.context.trace.add(Step("fusion", timer.seconds(), detail=detail))
        return self._last[1:]

    def evidence(self, query: Query) -> FeatureEvidence:
        """Return what finds the evidence behind each candidate of a question."""
        candidates, features, _ = self.scored(query)
        return FeatureEvidence(self.features, self.fusion.model, candidates, features)

    def _score(self, query: Query) -> tuple[Candidates, NDArray[np.float32], Scores]:
        candidates = self.features.propose(query)
        model = self.fusion.model
        if not len(candidates.pool.ids):
            return candidates, np.empty((0, len(COLUMNS)), np.float32), np.empty(0, np.float32)
        if not isinstance(model, TwoStage):
            features = self._masked(standardised(candidates))
            return candidates, features, model.score(features)
        second = self.features.second(candidates, self._pass(model.first, candidates))
        features = self._masked(standardised(candidates, second))
        return candidates, features, model.score(features)

    def _pass(self, model: FusionModel, candidates: Candidates) -> Scores:
        return model.score(self._masked(standardised(candidates)))

    def _masked(self, features: NDArray[np.float32]) -> NDArray[np.float32]:
        return mask(features, COLUMNS[: features.shape[1]], EMBEDDED, self.knows_embedder)
