"""Hybrid retrieval: every signal's candidates, complete features, and a fusion, in two passes where it has two models.

The first pass ranks what was proposed. Its best hits show where the question
leads on: the second pass knows where their links lead and what they leave open,
so that the first k answer together. (More candidates over these links bring
nothing: docs/ablations.md.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.candidates.pool import seen_by
from retriever.candidates.verbatim import gained as verbatim_gained
from retriever.explain.attribution import attributions
from retriever.explain.evidence import FeatureEvidence
from retriever.explain.reasons import strongest
from retriever.features.answerability import ranking_features
from retriever.features.keywords import keywords_gained
from retriever.features.matrix import COLUMNS, EMBEDDED, FIRST, Candidates, FeatureMatrix, standardised
from retriever.fusion.models import FusionModel
from retriever.fusion.shipped import DEFAULT, SHIPPED, fusion_named
from retriever.fusion.store import Fusion, n_learned
from retriever.fusion.two_stage import TwoStage
from retriever.index.ties import in_order
from retriever.learning.mask import mask
from retriever.protocols import Ranker
from retriever.rankers.entity_hybrid import EntityHybrid
from retriever.rankers.thesis import thesis_hybrid
from retriever.session import Session
from retriever.types import Attribution, Query, Ranking, Scores, Step, Unit
from weft.errors import WeftError

FEATURES = ("all", "thesis")
"""What a fusion can read."""


class Scored(NamedTuple):
    """All candidates of a question, their standardised features and their scores.

    Features are (n, len(COLUMNS)) where the fusion has two models, else (n, len(INPUTS)).
    `chance` is the probability that any candidate answers, None where the fusion does not know; `gained` is what scores
    (n,) have gained, by its group in an explanation, of which no fusion has learned.
    """

    candidates: Candidates
    features: NDArray[np.float32]
    scores: Scores
    chance: float | None = None
    gained: Mapping[str, Scores] = MappingProxyType({})


OF_THESIS: dict[str, Any] = {"missing": 0.75, "standardise": "local"}
"""Defaults of the options that only the thesis's features have."""


def hybrid(session: Session, unit: Unit, fusion: str, features: str, **thesis: Any) -> Ranker:
    """Return what ranks by a fusion of all features, or of the thesis's five, whose options are `thesis`.

    Raise WeftError for a fusion of entities, which there is not, and for other features.
    """
    embedder = session.embedder_name
    if features not in FEATURES:
        raise WeftError(f"hybrid(features={features}): are no features; choose {' or '.join(FEATURES)}")
    own = [f"{key}={value}" for key, value in thesis.items() if value != OF_THESIS[key]]
    if features != "thesis" and own:
        raise WeftError(f"hybrid({','.join(own)}): are options of the thesis's features; add features=thesis")
    if unit == "entity":
        if fusion or features != FEATURES[0]:
            raise WeftError(f"hybrid(fusion={fusion}): a fusion ranks chunks; over entities leave it out")
        return EntityHybrid()
    if features == "thesis":
        return thesis_hybrid(embedder, fusion, **thesis)
    if fusion in ("", *SHIPPED):
        shipped = session.part(f"fusion {fusion or DEFAULT}", lambda own: fusion_named(fusion or None, embedder))
        return Hybrid(shipped, embedder)
    return Hybrid(fusion_named(fusion, embedder), embedder)


class Hybrid:
    """Ranks chunks by a fusion of all signals, for an SKB of some embedder."""

    def __init__(self, fusion: Fusion, embedder: str) -> None:
        self.fusion = fusion
        self.embedder = embedder
        self.features = FeatureMatrix()
        self.knows_embedder = embedder in fusion.head.embedders

    @property
    def warnings(self) -> tuple[str, ...]:
        """Whose signals the fusion leaves out."""
        if self.knows_embedder:
            return ()
        known = ", ".join(self.fusion.head.embedders) or "none"
        return (f"the fusion was trained for other embedders ({known}) than {self.embedder},"
                " whose signals it leaves out",)  # fmt: skip

    def rank(self, session: Session, query: Query, k: int) -> Ranking:
        """Return at most k hits, best first: by the fusion's score, then by vector similarity, then by uri."""
        candidates, _, scores, *_ = self.scored(session, query)
        raw, ids = candidates.raw, candidates.pool.ids
        order = in_order(session, "chunk", ids, scores, raw[:, FIRST.index("vector")])[:k]
        return Ranking("chunk", ids[order], scores[order], raw[order], FIRST, np.zeros(len(order), np.int32))

    def doubt(self, session: Session, query: Query) -> str | None:
        """Return a line where the fusion knows how its rankings look when nothing fits, and this one does."""
        return self._doubt(self.scored(session, query))

    def scored(self, session: Session, query: Query) -> Scored:
        """Return all candidates of a question, which a session computes once."""
        return session.memo.of("hybrid", (id(self), query.key), lambda: self._step(session, query), (self, query))

    def signals(self, session: Session, query: Query, found: Ranking) -> dict[str, Scores]:
        """Return each signal's scores; a fusion reads the walk's logarithm, so that is scored again."""
        scores = {each.name: found.features[:, found.columns.index(each.name)] for each in self.features.signals}
        (graph,) = (each for each in self.features.signals if each.name == "graph")
        return scores | {"graph": graph.score(session, seen_by(graph, query), found.ids)}

    def reasons(self, session: Session, query: Query, found: Ranking) -> list[tuple[Attribution, ...]]:
        """Return what each group of features adds, with the evidence of its signal or of the group."""
        hits = found.ids.tolist()
        if not hits:
            return []
        candidates, features, _, _, gained = self.scored(session, query)
        rows = np.searchsorted(candidates.pool.ids, hits).tolist()
        added = attributions(self.fusion.model, features, self.fusion.head.columns, rows)
        for group, scores in gained.items():
            for own, row in zip(added, rows, strict=True):
                # What gains nothing is where scores begin.
                own[group] = own.get(group, 0.0) + float(scores[row] - scores.min())
        groups = self.evidence(session, query)
        signals = [(each, seen_by(each, query)) for each in self.features.signals]
        return [
            strongest(session, "chunk", signals, hit, own, groups.of(hit)) for hit, own in zip(hits, added, strict=True)
        ]

    def learned(self, path: Path, questions: Sequence[str]) -> dict[str, int]:
        """Return how many of some questions the fusion was trained on."""
        return {"the fusion": n_learned(self.fusion.head, path, questions)}

    def evidence(self, session: Session, query: Query) -> FeatureEvidence:
        """Return what finds the evidence behind each candidate of a question."""
        candidates, features, *_ = self.scored(session, query)
        return FeatureEvidence(session, self.fusion.model, candidates, features)

    def _step(self, session: Session, query: Query) -> Scored:
        timer = session.trace.timer()
        scored = self._score(session, query)
        detail: dict[str, Any] = {"candidates": len(scored.scores), "fusion": self.fusion.head.model}
        detail |= {} if scored.chance is None else {"answerable": round(scored.chance, 4)}
        doubt = self._doubt(scored)
        warnings = () if doubt is None else (doubt,)
        session.trace.add(Step("fusion", timer.seconds(), warnings=warnings, detail=detail))
        return scored

    def _doubt(self, scored: Scored) -> str | None:
        answerable = self.fusion.head.answerable
        if answerable is None or scored.chance is None or scored.chance >= answerable.threshold:
            return None
        return f"perhaps nothing fits: the chance that a text here answers is {scored.chance:.0%}; the hits are guesses"

    def _score(self, session: Session, query: Query) -> Scored:
        candidates = self.features.propose(session, query)
        model = self.fusion.model
        if not len(candidates.pool.ids):
            return Scored(candidates, np.empty((0, len(COLUMNS)), np.float32), np.empty(0, np.float32))
        gained = _gained(session, query.question.text, candidates)
        if not isinstance(model, TwoStage):
            features = self._masked(standardised(candidates))
            return Scored(candidates, features, _with(model.score(features), gained), gained=gained)
        first = self._pass(model.first, candidates)
        features = self._masked(standardised(candidates, self.features.second(session, candidates, first)))
        scores, chance = _with(model.score(features), gained), self._chance(session, candidates, first)
        return Scored(candidates, features, scores, chance, gained)

    def _chance(self, session: Session, candidates: Candidates, first: Scores) -> float | None:
        answerable = self.fusion.head.answerable
        n_chunks = len(session.chunk_table.chunk_ids)
        return None if answerable is None else answerable.chance(ranking_features(candidates, first, n_chunks))

    def _pass(self, model: FusionModel, candidates: Candidates) -> Scores:
        return model.score(self._masked(standardised(candidates)))

    def _masked(self, features: NDArray[np.float32]) -> NDArray[np.float32]:
        return mask(features, COLUMNS[: features.shape[1]], EMBEDDED, self.knows_embedder)


def _gained(session: Session, question: str, candidates: Candidates) -> dict[str, Scores]:
    """Return what candidates (n,) gain by identifiers, or where there are none by keywords."""
    by_identifiers = verbatim_gained(session, question, candidates.pool.ids)
    if by_identifiers is not None:
        return {"verbatim": by_identifiers}
    by_keywords = keywords_gained(question, candidates.raw)
    return {} if by_keywords is None else {"words": by_keywords}


def _with(scores: Scores, gained: Mapping[str, Scores]) -> Scores:
    """Return log-odds (n,) with what candidates have gained."""
    return scores + sum(gained.values()) if gained else scores
