"""Training sets of a fusion: candidate tables of judged questions, and both passes learned from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.datasets.gold import GoldResolver
from retriever.datasets.question_files import Question
from retriever.features.matrix import COLUMNS, EMBEDDED, INPUTS, RISING, Candidates, FeatureMatrix, standardised
from retriever.fusion.models import ENSEMBLES, LISTWISE, FusionModel
from retriever.fusion.seen import packed, question_key
from retriever.fusion.store import Fusion, Head, TrainingSet
from retriever.fusion.two_stage import TwoStage
from retriever.learning.mask import Mask
from retriever.learning.table import Table, UnfitTable
from retriever.question.reader import read_question
from retriever.session import Session
from retriever.synthesis.compose import synthetic_questions
from retriever.synthesis.headings import heading_questions
from retriever.training.answerability import Asked, fit_answerability
from retriever.training.fit import Sampling, train, versions
from retriever.types import Ids

# Parts of the questions, each ranked by a first pass that learned from the others.
FOLDS = 3
MODELS = FOLDS + 2
"""What a fusion is trained of: the first pass, one for each fold, and the second pass."""
NO_FOLDS: Mapping[int, int] = MappingProxyType({})
GRAPH = ("graph", "rank_graph")
RISES: dict[str, Any] = {"rising": sorted(RISING)}
"""What keeps likeness from counting against a candidate, in the models that can be told."""

SETTINGS: Mapping[str, Mapping[str, Any]] = {
    "ensemble": RISES | {"linear": True}, "listwise": RISES | {"linear": True}, "mlp": RISES | {"linear": True},
    "logistic": RISES,
}  # fmt: skip
"""What models are trained with unless told else."""

FOLD_NETWORKS = 2
"""Networks that rank a fold for the second pass to learn from; more rank it no better, and cost as much as the rest."""

MASKS = (Mask("embedder", tuple(sorted(EMBEDDED)), 0.1), Mask("graph", GRAPH, 0.05))


class LabelledCandidates(NamedTuple):
    """One question's candidates, and the sorted ids of all chunks that find a gold item."""

    candidates: Candidates
    gold: Ids

    @property
    def key(self) -> int:
        """The same number for the same question, of whatever SKB it is asked."""
        return question_key(self.candidates.query.question.text)

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
    domain: str = ""
    """What kind of corpus it is: questions of other kinds have no answer here; "" is one of its own."""
    group: str = ""
    """Corpora of one group weigh together as much as those of another; "" is the domain."""


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
    """Compute the candidates of n synthetic questions, which are made of the SKB's own text; a third name headings."""
    features = FeatureMatrix()
    judged, texts = [], []
    made = chain(synthetic_questions(session, n - n // 3, seed), heading_questions(session, n // 3, seed))
    for text, gold in made:
        each = LabelledCandidates(features.propose(session, read_question(session, text, "chunk")), gold)
        if each.labels.any() and not each.labels.all():
            judged.append(each)
            texts.append(text)
        advance(1)
    session.forget()
    return Corpus(name, "", session.embedder_name, session, features, tuple(judged), packed(texts))


def fit(
    corpora: Sequence[Corpus], model: str = "ensemble", *, seed: int = 0, sampling: Sampling = "random",
    ratio: float = 5.0, limit: int | None = None, settings: Mapping[str, Any] | None = None,
    advance: Callable[[int], Any] = lambda n: None,
) -> Fusion:  # fmt: skip
    """Train both passes of a fusion on all corpora; `advance` is called after each of MODELS models.

    What the second pass learns from is the first pass's ranking of questions
    that it has not been trained on: each fold of questions is ranked by a model
    of the others. Both passes are monotone in `RISING`, where the model can be.
    Whether a question has an answer is learned where several corpora have question files.
    """
    def learn(tables: Sequence[Table], own: Mapping[str, Any]) -> FusionModel:
        pairs = [(table, group) for table, group in zip(tables, groups, strict=True) if len(table.labels)]
        if not pairs:
            raise UnfitTable("too few questions: a fusion learns from three at least")
        learned = train(model, [table for table, _ in pairs], seed=seed, sampling=sampling, ratio=ratio, masks=MASKS,
                        limit=limit, settings=own, domains=[group for _, group in pairs])  # fmt: skip
        advance(1)
        return learned

    own, fewer = {**SETTINGS.get(model, {}), **(settings or {})}, {}
    if model in ENSEMBLES:
        fewer = {"networks": min(FOLD_NETWORKS, own.get("networks", FOLD_NETWORKS))}
    if model in LISTWISE:
        sampling = "all"
    domains = [corpus.domain or f"{index} {corpus.name}" for index, corpus in enumerate(corpora)]
    groups = [corpus.group or domain for corpus, domain in zip(corpora, domains, strict=True)]
    fold_of = folds_of(corpora)
    two_stage = TwoStage(model, own)
    two_stage.first = learn([first_table(corpus) for corpus in corpora], own)
    folds = [learn([first_table(corpus, fold_of, without=fold) for corpus in corpora], own | fewer)
             for fold in range(FOLDS)]  # fmt: skip
    two_stage.second = learn([second_table(corpus, fold_of, folds) for corpus in corpora], own)
    asked = [Asked(domain, corpus.session, corpus.features, [each[:2] for each in corpus.judged])
             for corpus, domain in zip(corpora, domains, strict=True) if corpus.sha256]  # fmt: skip
    answerable = fit_answerability(asked, lambda each: folds[fold_of.get(question_key(each.query.question.text), 0)])
    told = {"seed": seed, "sampling": sampling, "ratio": ratio, "limit": limit, "versions": versions(),
            "masks": {each.name: each.share for each in MASKS}}  # fmt: skip
    embedders = tuple(sorted({corpus.embedder for corpus in corpora}))
    head = Head(model, COLUMNS, embedders, training_sets(corpora), told | two_stage.second.settings,
                answerable=answerable)  # fmt: skip
    return Fusion(head, two_stage)


def folds_of(corpora: Sequence[Corpus]) -> dict[int, int]:
    """Return the fold of each question by its key: one that two corpora share is in one fold."""
    keys = sorted({each.key for corpus in corpora for each in corpus.judged})
    return {key: index % FOLDS for index, key in enumerate(keys)}


def training_sets(corpora: Sequence[Corpus]) -> tuple[TrainingSet, ...]:
    """Return what a fusion's file tells of the corpora that it was trained on."""
    return tuple(
        TrainingSet(corpus.name, corpus.sha256, len(corpus.judged), sum(len(each.labels) for each in corpus.judged),
                    int(sum(each.labels.sum() for each in corpus.judged)), corpus.texts)
        for corpus in corpora
    )  # fmt: skip


def first_table(corpus: Corpus, fold_of: Mapping[int, int] = NO_FOLDS, without: int | None = None) -> Table:
    """Return what a first pass learns from: all questions, or those outside a fold."""
    chosen = [each for each in corpus.judged if without is None or fold_of[each.key] != without]
    return _joined([(each.key, standardised(each.candidates), each.labels) for each in chosen], INPUTS)


def second_table(corpus: Corpus, fold_of: Mapping[int, int], folds: Sequence[FusionModel]) -> Table:
    """Return what a second pass learns from: each question as the first pass of its fold ranks it."""
    rows = []
    for each in corpus.judged:
        candidates, model = each.candidates, folds[fold_of[each.key]]
        second = corpus.features.second(corpus.session, candidates, model.score(standardised(candidates)))
        rows.append((each.key, standardised(candidates, second), each.labels))
    return _joined(rows, COLUMNS)


def _joined(
    rows: Sequence[tuple[int, NDArray[np.float32], NDArray[np.bool_]]], columns: tuple[str, ...]
) -> Table:
    keys = np.repeat([key for key, _, _ in rows], [len(labels) for _, _, labels in rows])
    features = [np.empty((0, len(columns)), np.float32), *(features for _, features, _ in rows)]
    labels = [np.empty(0, np.bool_), *(labels for _, _, labels in rows)]
    return Table(np.concatenate(features), np.concatenate(labels), keys.astype(np.int64), columns)
