"""Training sets of a fusion: candidate tables of judged questions, and both passes learned from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.datasets.gold import GoldResolver
from retriever.datasets.question_files import Question
from retriever.features.matrix import COLUMNS, EMBEDDED, INPUTS, Candidates, FeatureMatrix, standardised
from retriever.fusion.models import FusionModel
from retriever.fusion.seen import packed
from retriever.fusion.store import Fusion, Head, TrainingSet
from retriever.fusion.two_stage import TwoStage
from retriever.learning.mask import Mask
from retriever.learning.table import Table
from retriever.question.reader import read_question
from retriever.session import Session
from retriever.synthesis.compose import synthetic_questions
from retriever.training.fit import Sampling, train
from retriever.types import Ids

# Parts of the questions, each ranked by a first pass that learned from the others.
FOLDS = 3
MODELS = FOLDS + 2
"""What a fusion is trained of: the first pass, one for each fold, and the second pass."""
GRAPH = ("graph", "rank_graph")
MASKS = (Mask("embedder", tuple(sorted(EMBEDDED)), 0.1), Mask("graph", GRAPH, 0.05))


class LabelledCandidates(NamedTuple):
    """One question's candidates, and the sorted ids of all chunks that find a gold item."""

    candidates: Candidates
    gold: Ids

    @property
    def labels(self) -> NDArray[np.bool_]:
        """Which of the candidates (n,) find a gold item."""
        return np.isin(self.candidates.pool.ids, self.gold)


class Corpus(NamedTuple):
    """One SKB with its judged questions, and the hashes of all that were asked."""

    name: str
    sha256: str
    embedder: str
    session: Session
    features: FeatureMatrix
    judged: tuple[LabelledCandidates, ...]
    texts: str = ""


def corpus_of(
    name: str, sha256: str, session: Session, questions: Sequence[Question],
    advance: Callable[[int], Any] = lambda n: None,
) -> Corpus:  # fmt: skip
    """Compute the candidates of every question that has gold among them; the others teach nothing."""
    features = FeatureMatrix()
    resolver = GoldResolver(session.skb, "chunk")
    judged = []
    for question in questions:
        gold = np.array(sorted(frozenset[int]().union(*resolver.gold_set(question).items)), np.int64)
        if len(gold):
            query = read_question(session, question.question, "chunk")
            each = LabelledCandidates(features.propose(session, query), gold)
            if each.labels.any() and not each.labels.all():
                judged.append(each)
        advance(1)
    session.forget()
    texts = packed(question.question for question in questions)
    return Corpus(name, sha256, session.embedder_name, session, features, tuple(judged), texts)


def synthetic_corpus(
    name: str, session: Session, n: int, seed: int = 0, advance: Callable[[int], Any] = lambda n: None
) -> Corpus:
    """Compute the candidates of n synthetic questions, which are made of the SKB's own text."""
    features = FeatureMatrix()
    judged = []
    for text, gold in synthetic_questions(session, n, seed):
        each = LabelledCandidates(features.propose(session, read_question(session, text, "chunk")), gold)
        if each.labels.any() and not each.labels.all():
            judged.append(each)
        advance(1)
    session.forget()
    return Corpus(name, "", session.embedder_name, session, features, tuple(judged))


def fit(
    corpora: Sequence[Corpus], model: str = "mlp", *, seed: int = 0, sampling: Sampling = "random",
    ratio: float = 10.0, limit: int | None = None, settings: Mapping[str, Any] | None = None,
    advance: Callable[[int], Any] = lambda n: None,
) -> Fusion:  # fmt: skip
    """Train both passes of a fusion on all corpora; `advance` is called after each of MODELS models.

    What the second pass learns from is the first pass's ranking of questions
    that it has not been trained on: each fold of questions is ranked by a model
    of the others.
    """
    def learn(tables: Sequence[Table]) -> FusionModel:
        learned = train(model, tables, seed=seed, sampling=sampling, ratio=ratio, masks=MASKS,
                        limit=limit, settings=settings)  # fmt: skip
        advance(1)
        return learned

    two_stage = TwoStage(model, settings)
    two_stage.first = learn([_table(corpus) for corpus in corpora])
    folds = [learn([_table(corpus, without=fold) for corpus in corpora]) for fold in range(FOLDS)]
    two_stage.second = learn([_second_table(corpus, folds) for corpus in corpora])
    return Fusion(_head(corpora, model, COLUMNS, two_stage.second.settings), two_stage)


def _head(corpora: Sequence[Corpus], model: str, columns: tuple[str, ...], settings: Mapping[str, Any]) -> Head:
    sets = tuple(
        TrainingSet(corpus.name, corpus.sha256, len(corpus.judged), sum(len(each.labels) for each in corpus.judged),
                    int(sum(each.labels.sum() for each in corpus.judged)), corpus.texts)
        for corpus in corpora
    )  # fmt: skip
    return Head(model, columns, tuple(sorted({corpus.embedder for corpus in corpora})), sets, dict(settings))


def _table(corpus: Corpus, without: int | None = None) -> Table:
    chosen = [(index, each) for index, each in enumerate(corpus.judged) if index % FOLDS != without]
    return _joined([(index, standardised(each.candidates), each.labels) for index, each in chosen], INPUTS)


def _second_table(corpus: Corpus, folds: Sequence[FusionModel]) -> Table:
    rows = []
    for index, (candidates, gold) in enumerate(corpus.judged):
        model = folds[index % FOLDS]
        second = corpus.features.second(corpus.session, candidates, model.score(standardised(candidates)))
        rows.append((index, standardised(candidates, second), np.isin(candidates.pool.ids, gold)))
    return _joined(rows, COLUMNS)


def _joined(
    rows: Sequence[tuple[int, NDArray[np.float32], NDArray[np.bool_]]], columns: tuple[str, ...]
) -> Table:
    return Table(
        np.concatenate([features for _, features, _ in rows]),
        np.concatenate([labels for _, _, labels in rows]),
        np.concatenate([np.full(len(labels), index) for index, _, labels in rows]),
        columns,
    )
