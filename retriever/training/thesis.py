"""Training of the thesis's system: five features of the chunks that any of five signals returns, and one model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from retriever.datasets.gold import GoldResolver
from retriever.datasets.question_files import Question
from retriever.features.thesis import COLUMNS, MISSING, Standardise, ThesisFeatures, scale_of, standardised
from retriever.fusion.seen import packed, question_key
from retriever.fusion.store import Fusion, Head, TrainingSet
from retriever.learning.standardise import Scale
from retriever.learning.table import Features, Labels, Table
from retriever.question.reader import read_question
from retriever.session import Session
from retriever.training.fit import Sampling, train, versions
from retriever.types import Ids, Query


class ThesisCorpus(NamedTuple):
    """One SKB's judged questions: features (n, 5) a question, not standardised, and which rows find gold (n,)."""

    name: str
    sha256: str
    embedder: str
    features: tuple[Features, ...]
    labels: tuple[Labels, ...]
    keys: tuple[int, ...]
    texts: str = ""

    def table(self, scale: Scale | None) -> Table:
        """Return all rows, standardised."""
        groups = [np.full(len(each), key) for key, each in zip(self.keys, self.labels, strict=True)]
        scaled = np.concatenate([standardised(each, scale) for each in self.features])
        return Table(scaled, np.concatenate(self.labels), np.concatenate(groups), COLUMNS)


def thesis_corpus_of(
    name: str, sha256: str, session: Session, questions: Sequence[Question], missing: float | None = MISSING,
    advance: Callable[[int], Any] = lambda n: None,
) -> ThesisCorpus:  # fmt: skip
    """Compute the features of every question that has gold among its candidates; the others teach nothing."""
    resolver = GoldResolver(session.skb, "chunk")

    def asked() -> Iterator[tuple[Query, Ids]]:
        for question in questions:
            gold = frozenset[int]().union(*resolver.gold_set(question).items)
            yield read_question(session, question.question, "chunk"), np.array(sorted(gold), np.int64)
            advance(1)

    found = thesis_tables(session, asked(), missing)
    texts = packed(question.question for question in questions)
    return ThesisCorpus(name, sha256, session.embedder_name, *found, texts)


def thesis_tables(
    session: Session, asked: Iterable[tuple[Query, Ids]], missing: float | None
) -> tuple[tuple[Features, ...], tuple[Labels, ...], tuple[int, ...]]:
    """Return features, labels and keys of the queries whose gold, sorted ids, is among their candidates."""
    features = ThesisFeatures(missing)
    tables, labels, keys = [], [], []
    for query, gold in asked:
        found = features.of(session, query)
        own = np.isin(found.ids, gold)
        if own.any() and not own.all():
            tables.append(found.features)
            labels.append(own)
            keys.append(question_key(query.question.text))
    session.forget()
    return tuple(tables), tuple(labels), tuple(keys)


def fit_thesis(
    corpora: Sequence[ThesisCorpus], model: str = "thesis", *, standardise: Standardise = "local",
    missing: float | None = MISSING, seed: int = 0, sampling: Sampling = "hard", limit: int | None = None,
    settings: Mapping[str, Any] | None = None,
) -> Fusion:  # fmt: skip
    """Train on all corpora (thesis, sections 3.4 and 3.5); `missing` is what `thesis_corpus_of` was given.

    As many wrong candidates as right ones are learned from. `local` standardises
    within a question, `global` over the training set, whose scale is kept.
    """
    scale = None if standardise == "local" else scale_of([each for own in corpora for each in own.features])
    tables = [each.table(scale) for each in corpora]
    learned = train(model, tables, sampling=sampling, seed=seed, limit=limit, settings=settings)
    own = {"features": "thesis", "missing": missing, "standardise": standardise, "seed": seed, "sampling": sampling,
           "limit": limit, "versions": versions()}  # fmt: skip
    embedders = tuple(sorted({each.embedder for each in corpora}))
    sets = tuple(_training_set(each) for each in corpora)
    return Fusion(Head(model, COLUMNS, embedders, sets, own | learned.settings, scale), learned)


def _training_set(corpus: ThesisCorpus) -> TrainingSet:
    n_candidates, n_right = sum(map(len, corpus.labels)), int(sum(each.sum() for each in corpus.labels))
    return TrainingSet(corpus.name, corpus.sha256, len(corpus.labels), n_candidates, n_right, corpus.texts)
