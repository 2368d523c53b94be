"""Learn from rankings whether a question has an answer: questions asked as they are, without their gold, and elsewhere.

A question whose gold is among the candidates has an answer. The same question
where the pages of its gold may not be ranked has none, and a question of another
corpus has none here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.features.answerability import COLUMNS, Answerability, ranking_features
from retriever.features.matrix import Candidates, FeatureMatrix, standardised
from retriever.fusion.models import FusionModel
from retriever.fusion.seen import question_key
from retriever.learning.standardise import over_all
from retriever.question.reader import read_question
from retriever.session import Session
from retriever.types import Ids, Query

ASKED = 60
"""So many questions of a corpus at most are asked without their gold, and so many of others."""

FEWEST = 5
"""Fewer corpora with questions tell nothing of others, so that nothing is learned."""

FALSE_ALARMS = 0.02
"""The share of questions that do have an answer, in the mean over corpora, that the threshold may doubt."""

Rows = NDArray[np.float64]
ModelOf = Callable[[Candidates], FusionModel]
"""The first pass that has not learned a question."""


class Asked(NamedTuple):
    """A corpus with its questions: their candidates and gold. Questions of another `domain` have no answer here."""

    domain: str
    session: Session
    features: FeatureMatrix
    questions: Sequence[tuple[Candidates, Ids]]


class Rankings(NamedTuple):
    """Features of a corpus's rankings (n, len(COLUMNS)): of questions with an answer, without gold, and of others."""

    answered: Rows
    without_gold: Rows
    foreign: Rows


def fit_answerability(corpora: Sequence[Asked], model_of: ModelOf) -> Answerability | None:
    """Fit on all corpora; None where fewer than FEWEST have questions with and without an answer.

    The threshold is chosen on each corpus by a model of the others.
    """
    found = (rankings(corpus, corpora, model_of) for corpus in corpora)
    told = [each for each in found if all(map(len, each))]
    if len(told) < FEWEST:
        return None
    chances = []
    for each in told:
        model = _fitted([other for other in told if other is not each])
        chances.append(np.array([model.chance(row) for row in each.answered]))
    return _fitted(told)._replace(threshold=threshold_of(chances))


def rankings(corpus: Asked, others: Sequence[Asked], model_of: ModelOf) -> Rankings:
    """Return the features of a corpus's rankings."""
    session, n = corpus.session, len(corpus.session.chunk_table.chunk_ids)

    def rows(several: Iterable[Candidates]) -> Rows:
        own = [ranking_features(each, model_of(each).score(standardised(each)), n) for each in several if len(each.raw)]
        return np.array(own).reshape(len(own), len(COLUMNS))

    without = ((f"{gold.tolist()} {_text(each)}", _without_gold(session, each, gold)) for each, gold in _some(corpus))
    foreign = ((text, read_question(session, text, "chunk")) for text in _foreign(corpus, others))
    found = Rankings(
        rows(each for each, _ in corpus.questions),
        rows(_proposed(corpus, f"without gold {key}", query) for key, query in without),
        rows(_proposed(corpus, f"foreign {text}", query) for text, query in foreign),
    )
    session.forget()
    return found


def _text(candidates: Candidates) -> str:
    return candidates.query.question.text


def _some(corpus: Asked) -> list[tuple[Candidates, Ids]]:
    """Return at most ASKED of a corpus's questions, the same whatever other questions there are."""
    return sorted(corpus.questions, key=lambda each: question_key(_text(each[0])))[:ASKED]


def _foreign(corpus: Asked, others: Sequence[Asked]) -> list[str]:
    """Return at most ASKED questions of corpora of other domains, about as many of each, that are not asked here."""
    own = {question_key(_text(each)) for each, _ in corpus.questions}
    here = corpus.session.skb.path
    elsewhere = [other for other in others if other.domain != corpus.domain and other.session.skb.path != here]
    each_has = -(-ASKED // max(1, len(elsewhere)))
    texts = {question_key(_text(each)): _text(each) for other in elsewhere for each, _ in _some(other)[:each_has]}
    return [texts[key] for key in sorted(texts.keys() - own)][:ASKED]


def _without_gold(session: Session, candidates: Candidates, gold: Ids) -> Query:
    """Return a question that no chunk on a page of its gold may answer."""
    table = session.chunk_table
    pages = table.pages[table.indices(gold)]
    return candidates.query._replace(allowed=table.chunk_ids[~np.isin(table.pages, pages)])


def _proposed(corpus: Asked, name: str, query: Query) -> Candidates:
    """Return the candidates of a query; several trainings on one corpus compute them once."""
    return corpus.session.part(name, lambda session: corpus.features.propose(session, query))


def _fitted(told: Sequence[Rankings]) -> Answerability:
    """Fit on all rankings, every corpus weighing the same, and in it answered questions as much as all others."""
    from sklearn.linear_model import LogisticRegression

    parts = [part for each in told for part in each]
    rows = np.concatenate(parts)
    labels = np.concatenate([np.full(len(part), index % 3 == 0) for index, part in enumerate(parts)])
    shares = [(2 if index % 3 == 0 else 1) / len(part) for index, part in enumerate(parts)]
    weights = np.repeat(shares, [len(part) for part in parts])
    mean, std = over_all(rows.astype(np.float32), ())
    scale = np.where(std > 0, std, 1.0).astype(np.float64)
    model = LogisticRegression(max_iter=1000)
    model.fit((rows - mean) / scale, labels, sample_weight=weights / weights.mean())
    own = model.coef_[0] / scale
    return Answerability(tuple(map(float, own)), float(model.intercept_[0] - mean @ own), 0.0)


def threshold_of(chances: Sequence[Rows], share: float = FALSE_ALARMS) -> float:
    """Return the greatest threshold below which at most a share of the chances lie, in the mean over corpora."""
    values = np.concatenate(chances)
    weights = np.repeat([1 / (len(chances) * len(each)) for each in chances], [len(each) for each in chances])
    order = np.argsort(values, kind="stable")
    return float(values[order][np.searchsorted(np.cumsum(weights[order]), share, side="right")])
