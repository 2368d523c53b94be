"""Training of what finds answers: a ranker of candidates, and how surely its best one answers.

Candidates of questions whose answers are known teach the ranker. What its best one looks like where the gold may be
read, and where the gold's pages are disallowed, teaches whether a question can be answered; there each question is
ranked by a model that has not learned it. So does what it looks like where the gold's pages may be read but not the
gold itself, and nothing else there is like the answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.answers.abstention import ANSWERABLE
from retriever.answers.answering import reading_of
from retriever.answers.candidates import Candidate
from retriever.answers.reading import INPUTS, Reading
from retriever.answers.text.likeness import answer_tokens, f1_of, normalised
from retriever.answers.training import listwise
from retriever.answers.training.practice import practice_questions
from retriever.answers.training.signs import Signs, signs_in, told_by
from retriever.datasets.gold import GoldResolver
from retriever.datasets.question_files import Question
from retriever.fusion.models import FusionModel, Networks, new_model
from retriever.fusion.seen import packed, question_key
from retriever.fusion.store import Fusion, Head, TrainingSet
from retriever.fusion.two_stage import TwoStage
from retriever.learning.table import Table, UnfitTable, join
from retriever.searcher import Searcher
from retriever.session import Session
from retriever.training.fit import train, versions
from retriever.types import Ids

FOLDS = 2
CLOSE = 0.5
"""Candidates that share so much with an answer (token F1) and are none teach nothing."""

PRACTICE = 0.3
"""What a practice question weighs: its words stand beside the answer, which those of real ones often do not."""

MOST_WRONG = 100
"""Wrong candidates of a question that are learned from."""


class Taught(NamedTuple):
    """A question with what its passages offer, which candidates (n,) are right, and whether it teaches abstention.

    `answers` (n,) is the greatest token F1 of each candidate, 1 only where it says the same; `inputs` are those of
    `sampled_rows`. `signs` is what is offered, None where nothing is learned of abstention, or nothing offered.
    `without` is what is offered where the gold's pages may not be read, None where that was not asked, `beside` where
    the gold alone may not be and nothing else is like the answer. `is_answerable`: it has gold.
    """

    text: str
    inputs: NDArray[np.float32]
    answers: NDArray[np.float32]
    signs: Signs | None
    without: Signs | None = None
    beside: Signs | None = None
    is_answerable: bool = True


class AnswerCorpus(NamedTuple):
    """The questions of one set; `worth` is what one of them weighs beside a real one of a set as large."""

    name: str
    sha256: str
    embedder: str
    questions: tuple[Taught, ...]
    worth: float = 1.0


def likenesses(candidates: Sequence[Candidate], answers: Iterable[str]) -> NDArray[np.float32]:
    """Return the greatest token F1 of each candidate with any answer, 1 only where both say the same."""
    references = list(answers)
    keys = {normalised(each) for each in references}
    tokens = [answer_tokens(each) for each in references]
    known: dict[str, float] = {}
    for each in candidates:
        if each.key not in known:
            close = max((f1_of(each.key.split(), own) for own in tokens), default=0.0)
            known[each.key] = 1.0 if each.key in keys else min(close, 0.999)
    return np.array([known[each.key] for each in candidates], np.float32)


def fit(corpora: Sequence[AnswerCorpus], *, seed: int = 0) -> Fusion:
    """Train both parts on all corpora; raise UnfitTable where nothing teaches."""
    usable = [each for each in corpora if any(_teaches(one) for one in each.questions)]
    if not usable:
        raise UnfitTable("no question has its answer among what is read for it; there is nothing to learn from")
    two_stage = TwoStage("mlp")
    two_stage.first = _ranker(usable, seed)
    folds = [_ranker(usable, seed, fold) for fold in range(FOLDS)]
    table = _answerable(usable, folds)
    two_stage.second = train("logistic", [table], sampling="all", seed=seed)
    embedders = tuple(sorted({each.embedder for each in usable}))
    sets = tuple(_training_set(each) for each in usable)
    settings = {"kind": "answers", "inputs": list(INPUTS), "seed": seed, "versions": versions()}
    return Fusion(Head("mlp", ANSWERABLE, embedders, sets, settings), two_stage)


def _teaches(each: Taught) -> bool:
    return bool((each.answers >= 1).any()) and not bool((each.answers >= 1).all())


def _fold(each: Taught) -> int:
    return question_key(each.text) % FOLDS


def _ranker(
    corpora: Sequence[AnswerCorpus], seed: int, without: int | None = None
) -> FusionModel:
    parts = (
        ([each for each in corpus.questions if _teaches(each) and _fold(each) != without], corpus.worth)
        for corpus in corpora
    )
    table = join([_table(own, worth) for own, worth in parts if own])
    model = new_model("mlp")
    assert isinstance(model, Networks)
    model.networks = (listwise.fit(table, seed),)
    return model


def _table(questions: Sequence[Taught], worth: float) -> Table:
    rows, labels, groups, weights = [], [], [], []
    for each in questions:
        kept = sampled_rows(each.text, each.answers)
        assert len(kept) == len(each.inputs)
        right = each.answers[kept] >= 1
        rows.append(each.inputs)
        labels.append(right)
        groups.append(np.full(len(kept), question_key(each.text)))
        # A large corpus outweighs a small one, but not by as much as it is larger.
        weights.append(np.full(len(kept), worth * len(questions) ** -0.5, np.float32))
    return Table(np.concatenate(rows), np.concatenate(labels), np.concatenate(groups), INPUTS, np.concatenate(weights))


def sampled_rows(text: str, answers: NDArray[np.float32]) -> NDArray[np.int64]:
    """Return which candidates of a question teach (m,): the right ones, then MOST_WRONG at most of the others."""
    random = np.random.default_rng(question_key(text))
    wrong = random.permutation(np.flatnonzero(answers < CLOSE))[:MOST_WRONG]
    return np.concatenate([np.flatnonzero(answers >= 1), wrong])


def _answerable(corpora: Sequence[AnswerCorpus], folds: Sequence[FusionModel]) -> Table:
    """Return what the best candidate of each question looks like, and whether the gold was there to be read."""
    rows, labels, groups = [], [], []
    for corpus in corpora:
        for each in corpus.questions:
            model = folds[_fold(each)]
            for signs, can in ((each.signs, each.is_answerable), (each.without, False), (each.beside, False)):
                if signs is not None:
                    rows.append(told_by(signs, model.score))
                    labels.append(can)
                    groups.append(question_key(each.text))
    return Table(np.array(rows, np.float32), np.array(labels), np.array(groups), ANSWERABLE)


def _training_set(corpus: AnswerCorpus) -> TrainingSet:
    questions = corpus.questions
    n_candidates = sum(len(each.answers) for each in questions)
    n_right = int(sum((each.answers >= 1).sum() for each in questions))
    texts = packed(each.text for each in questions)
    return TrainingSet(corpus.name, corpus.sha256, len(questions), n_candidates, n_right, texts)


def answer_corpus(
    name: str, sha256: str, searcher: Searcher, questions: Sequence[Question], *, abstain: int | None = None
) -> AnswerCorpus:  # fmt: skip
    """Read what a method finds for questions, and what it finds where the gold's pages are disallowed.

    Also what it finds where the gold alone is disallowed, if nothing there is like the answer; a question that offers
    its own choices, of which one is the answer, has no such. `abstain` is how many questions at most teach abstention,
    chosen by their hashes, None for all. Of the others only the rows that the ranker learns from are kept, a tenth of a
    megabyte a question; of those up to three times as much.
    """
    session = searcher.session
    resolver = GoldResolver(session.skb, "chunk")
    found = []
    teaching = {*sorted(question_key(each.question) for each in questions)[:abstain]}
    for question in questions:
        gold = sorted(frozenset[int]().union(*resolver.gold_set(question).items))
        text, reading = question.question, _read(searcher, question.question)
        answers = likenesses(reading.candidates, question.answers)
        teaches = question_key(text) in teaching
        without = beside = None
        if teaches and gold:
            without = signs_in(_read(searcher, text, other_pages(session, np.array(gold, np.int64))))
            other = reading_beside(searcher, question, gold)
            beside = other and signs_in(other)
        inputs = reading.inputs[sampled_rows(text, answers)]
        signs = signs_in(reading) if teaches else None
        found.append(Taught(text, inputs, answers, signs, without, beside, bool(gold)))
        session.forget()
    return AnswerCorpus(name, sha256, session.embedder_name, tuple(found))


def practice_corpus(name: str, searcher: Searcher, n: int) -> AnswerCorpus:
    """Read what a method finds for n practice questions."""
    found = []
    for question in practice_questions(searcher.session, n):
        reading = _read(searcher, question.text)
        answers = likenesses(reading.candidates, [question.answer])
        inputs = reading.inputs[sampled_rows(question.text, answers)]
        found.append(Taught(question.text, inputs, answers, signs_in(reading)))
        searcher.session.forget()
    return AnswerCorpus(name, "", searcher.session.embedder_name, tuple(found), PRACTICE)


def _read(searcher: Searcher, text: str, allowed: Ids | None = None) -> Reading:
    """Read the hits of a question alone: over what they lead to as well, a ranker learns nothing more."""
    return reading_of(searcher, text, allowed, onward=False)


def reading_beside(searcher: Searcher, question: Question, gold: Sequence[int]) -> Reading | None:
    """Return what all chunks but the gold offer for a question, None where something there is like its answer."""
    chunks = searcher.session.chunk_table.chunk_ids
    reading = _read(searcher, question.question, chunks[~np.isin(chunks, gold)])
    return None if (likenesses(reading.candidates, question.answers) >= CLOSE).any() else reading


def other_pages(session: Session, gold: Ids) -> Ids:
    """Return the chunks of all pages but those that some are of."""
    table = session.chunk_table
    pages = np.unique(table.pages[table.indices(gold)])
    return table.chunk_ids[~np.isin(table.pages, pages)]
