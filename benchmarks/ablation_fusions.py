"""What the ablations train and rank with: fusions without some columns, the thesis's features."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.fusion import Prepared
from retriever.datasets.question_files import Question
from retriever.evaluation.intervals import interval, resampled_means
from retriever.evaluation.measures import Judged, measures_at
from retriever.evaluation.outcomes import Outcome, Rank, assess
from retriever.features.matrix import FIRST, SECOND, Candidates, FeatureMatrix
from retriever.features.thesis import Standardise, ThesisFeatures
from retriever.fusion.store import Fusion
from retriever.question.reader import read_question
from retriever.rankers.hybrid import Hybrid
from retriever.rankers.thesis import ThesisHybrid
from retriever.session import Session
from retriever.training.dataset import Corpus, fit
from retriever.training.fit import Sampling
from retriever.training.thesis import ThesisCorpus, fit_thesis, thesis_tables
from retriever.types import Query, Scores


class Measured(NamedTuple):
    """A table of measures: a row (n,) a question for each name, and how many hits there were."""

    names: tuple[str, ...]
    values: NDArray[np.float64]

    def mean(self, name: str) -> float:
        """Return the average of a measure."""
        return float(self.values[:, self.names.index(name)].mean())

    def ends(self, name: str) -> tuple[float, float]:
        """Return the 95% interval of a measure, by questions drawn anew."""
        low, high = interval(resampled_means(self.values[:, [self.names.index(name)]], 0))
        return float(low[0]), float(high[0])

    def less(self, other: Measured, name: str) -> tuple[float, float, float]:
        """Return the difference of a measure to another method's on the same questions, and its 95% interval."""
        index = self.names.index(name)
        difference = Measured((name,), (self.values - other.values)[:, [index]])
        return difference.mean(name), *difference.ends(name)


def questions_of(each: Prepared) -> list[Question]:
    """Return the questions that a set is scored on: those over several pages where the set tells them apart."""
    multi = [question for question in each.questions if question.type == "multi"]
    return [question for question in multi or each.questions if question.gold]


def measure(each: Prepared, methods: Mapping[str, Rank], ks: Sequence[int]) -> dict[str, Measured]:
    """Ask every method all questions of a set; cut-off 0 is everything that is returned."""
    found = assess(each.session.skb, questions_of(each), methods, [k for k in ks if k], "chunk")
    table = {}
    for name, outcomes in found.outcomes.items():
        rows = [_row(own, len(case.gold.items), ks) for case, own in zip(found.cases, outcomes, strict=True)]
        table[name] = Measured(tuple(rows[0]), np.array([list(row.values()) for row in rows]))
    return table


def _row(outcome: Outcome, n_gold: int, ks: Sequence[int]) -> dict[str, float]:
    row = {"hits@0": float(len(outcome.taken))}
    for k in ks:
        own = measures_at(Judged(outcome.taken, n_gold), k or max(1, len(outcome.taken)))
        for name in ("precision", "recall", "hit", "set_coverage"):
            row[f"{name}@{k}"] = next(value for key, value in own.items() if key.startswith(f"{name}@"))
    return row


def averaged(several: Sequence[Measured]) -> Measured:
    """Return the average of runs on the same questions, question by question."""
    return several[0]._replace(values=np.mean([each.values for each in several], axis=0))


class Without(FeatureMatrix):
    """Features with some columns at one value, so that nothing can be read off them; candidates are proposed once."""

    def __init__(self, columns: Collection[str], asked: dict[str, Candidates]) -> None:
        super().__init__()
        self._first = [index for index, name in enumerate(FIRST) if name in columns]
        self._second = [index for index, name in enumerate(SECOND) if name in columns]
        self._asked = asked

    def blank(self, candidates: Candidates) -> Candidates:
        """Return candidates without the columns."""
        raw = candidates.raw.copy()
        raw[:, self._first] = 0
        return candidates._replace(raw=raw)

    def propose(self, session: Session, query: Query) -> Candidates:
        """Return the candidates of a question, those of an earlier run if there was one."""
        if query.question.text not in self._asked:
            self._asked[query.question.text] = super().propose(session, query)
        return self.blank(self._asked[query.question.text])

    def second(self, session: Session, candidates: Candidates, log_odds: Scores) -> NDArray[np.float32]:
        """Return the columns that follow from a first ranking, without those left out."""
        columns = super().second(session, candidates, log_odds)
        columns[:, self._second] = 0
        return columns


class Learner:
    """Trains fusions on all sets but one, at most so many questions of each, and ranks that one by them."""

    def __init__(self, prepared: Sequence[Prepared], scored: Prepared, most: int | None = None) -> None:
        self.scored = scored
        others = [each for each in prepared if each.name != scored.name]
        self.others = [_some(own, most) for each in others for own in each.corpora if own.judged]
        self._asked: dict[str, Candidates] = {}
        self._thesis: dict[tuple[str, float | None], ThesisCorpus] = {}

    def fusion(self, model: str, columns: Collection[str] = (), synthetic: bool = True, **options: Any) -> Fusion:
        """Train both passes on all sets but one, some columns left out."""
        corpora = [
            _blanked(own, columns)
            for own in self.others
            if synthetic or not own.name.endswith("practice")
        ]
        return fit(corpora, model, **options)

    def hybrid(self, fusion: Fusion, columns: Collection[str] = ()) -> Rank:
        """Return a fusion as a method on the set that is left out."""
        session = self.scored.session
        hybrid = Hybrid(fusion, session.embedder_name)
        hybrid.features = Without(columns, self._asked)
        return lambda text, k: hybrid.rank(session, read_question(session, text, "chunk"), k)

    def thesis(self, model: str, missing: float | None, within: bool, sampling: Sampling, **options: Any) -> Rank:
        """Train a fusion of the thesis's five features and return it as a method."""
        standardise: Standardise = "local" if within else "global"
        corpora = [self._corpus(own, missing) for own in self.others]
        fusion = fit_thesis(corpora, model, standardise=standardise, missing=missing, sampling=sampling, **options)
        session = self.scored.session
        ranker = ThesisHybrid(fusion, ThesisFeatures(missing), session.embedder_name)
        return lambda text, k: ranker.rank(session, read_question(session, text, "chunk"), k)

    def _corpus(self, corpus: Corpus, missing: float | None) -> ThesisCorpus:
        key = (corpus.name, missing)
        if key not in self._thesis:
            asked = ((each.candidates.query, each.gold) for each in corpus.judged)
            tables = thesis_tables(corpus.session, asked, missing)
            self._thesis[key] = ThesisCorpus(corpus.name, corpus.sha256, corpus.embedder, *tables)
        return self._thesis[key]


def _some(corpus: Corpus, most: int | None) -> Corpus:
    step = 1 if most is None else math.ceil(len(corpus.judged) / most)
    return corpus._replace(judged=corpus.judged[::step])


def _blanked(corpus: Corpus, columns: Collection[str]) -> Corpus:
    if not columns:
        return corpus
    features = Without(columns, {})
    judged = tuple(each._replace(candidates=features.blank(each.candidates)) for each in corpus.judged)
    return corpus._replace(features=features, judged=judged)
