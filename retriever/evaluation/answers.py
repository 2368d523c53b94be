"""Measures of answers: exact match, overlap of words, likeness of embeddings, and how well a method abstains.

The best of several gold answers counts. A question without an answer counts as right only where none is given; an
abstention from a question that has one counts as wrong.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.answers.answering import find_answer
from retriever.answers.generation import OPTIONS as ANSWER
from retriever.answers.text.likeness import is_match, rouge_l, token_f1
from retriever.datasets.question_files import Question
from retriever.evaluation.asking import each_at_once
from retriever.evaluation.intervals import interval, resampled_means
from retriever.prompts import claims
from retriever.searcher import Searcher
from retriever.session import Session
from retriever.types import Step
from weft.chat.base import Message, Options
from weft.chat.tokens import tokens_read, tokens_written
from weft.errors import ModelError, WeftError

OPTIONS = Options(temperature=0.0, max_tokens=1000)
MEASURES = ("exact_match", "exact_match_raw", "token_f1", "rouge_l", "cosine")


def ignore(told: object) -> None:
    """Do nothing with what is told on the way."""


class Given(NamedTuple):
    """What a method answers to a question, None where it abstains, how surely, and the gold answers, if it has any."""

    answer: str | None
    confidence: float
    references: tuple[str, ...]


def judged(questions: Sequence[Question]) -> list[Question]:
    """Return the questions whose answer is known, or known to be none; raise WeftError where no answer is known."""
    if not any(question.answers for question in questions):
        raise WeftError("--answers: no question of the file has answers")
    return [question for question in questions if question.answers or not question.gold]


class Rated(NamedTuple):
    """What is given, and with a language model how far its claims are those of the gold answers."""

    given: Given
    factual: float | None


def evaluate_answers(
    searcher: Searcher, questions: Sequence[Question], seed: int = 0, advance: Callable[[int], Any] = ignore,
    refused: Callable[[ModelError], Any] = ignore,
) -> dict[str, Any]:  # fmt: skip
    """Return the measures of a method's answers to questions, with 95% intervals.

    With a language model `factual_f1` too; `refused` is told why it gave no reply to a question, which counts as one
    without an answer. Raise ModelError where it replies to none.
    """
    rated = _rated(searcher, judged(questions), advance, refused)
    given = [each.given for each in rated]
    rows = np.array([measures_of(each, lambda texts: _likeness(searcher, texts)) for each in given])
    low, high = interval(resampled_means(rows, seed))
    means = dict(zip(MEASURES, rows.mean(0).tolist(), strict=True))
    ci = {name: [round(a, 6), round(b, 6)] for name, a, b in zip(MEASURES, low.tolist(), high.tolist(), strict=True)}
    if factual := [each.factual for each in rated if each.factual is not None]:
        means["factual_f1"] = float(np.mean(factual))
    return {name: round(value, 6) for name, value in (means | abstention(given, rows[:, 0])).items()} | {"ci": ci}


def _rated(
    searcher: Searcher, questions: Sequence[Question], advance: Callable[[int], Any],
    refused: Callable[[ModelError], Any],
) -> list[Rated]:  # fmt: skip
    """Answer questions one by one, or where a model is asked at once, each in a session of its own."""
    session = searcher.session
    if session.chat is None or session.is_dry:
        rated = []
        for question in questions:
            session.forget()
            rated.append(_rate(searcher, question))
            advance(1)
        return rated

    def alone(question: Question) -> Rated:
        with Session(session.context, session.chat) as own:
            return _rate(Searcher(own, searcher.method, searcher.unit, filters=searcher.filters), question)

    rated = []
    for question, outcome in zip(questions, each_at_once(questions, alone, advance), strict=True):
        if isinstance(outcome, ModelError):
            refused(outcome)
            outcome = Rated(Given(None, 0.0, question.answers), float(not question.answers))
        rated.append(outcome)
    return rated


def _rate(searcher: Searcher, question: Question) -> Rated:
    found = find_answer(searcher, question.question)
    given = Given(found.answer.text, found.confidence, question.answers)
    asks = searcher.session.chat is not None
    return Rated(given, factual_f1(searcher.session, question.question, given) if asks else None)


def factual_f1(session: Session, question: str, given: Given) -> float:
    """Return the F1 of the claims of an answer and of its references, as the session's model compares them.

    What says the same word for word is not asked about; a reply that compares nothing counts as 0, with a warning.
    """
    answer, references = given.answer, given.references
    if answer is None and references and session.is_dry:
        # What the answer will be, and that it is none, is not known yet.
        blank = _claims(question, "", references)
        session.assume(1, tokens_read(blank) + tokens_written(ANSWER), tokens_written(OPTIONS))
    if answer is None or not references:
        return float(answer is None and not references)
    if any(is_match(answer, each) for each in references):
        return 1.0
    timer = session.trace.timer()
    reply = session.complete(_claims(question, answer, references), OPTIONS)
    found = claims.read_reply(reply.text)
    warnings = () if found is not None else ("the model's reply compares no claims; it counts as wrong",)
    step = Step("claims", timer.seconds(), 1, int(reply.cached), reply.tokens_in, reply.tokens_out)
    session.trace.add(step._replace(warnings=warnings, detail={"prompt": claims.PROMPT.version, "reply": reply.text}))
    return found or 0.0


def _claims(question: str, answer: str, references: Sequence[str]) -> list[Message]:
    shown = json.dumps(answer, ensure_ascii=False)
    return claims.PROMPT.messages(question=question, answer=shown, references=claims.listing(references))


def measures_of(given: Given, likeness: Callable[[list[str]], NDArray[np.float64]]) -> tuple[float, ...]:
    """Return the `MEASURES` of one answer; `likeness` tells that of the first text with each of the others (n - 1,)."""
    answer, references = given.answer, given.references
    if answer is None or not references:
        return (float(answer is None and not references),) * len(MEASURES)
    exact = float(any(is_match(answer, each) for each in references))
    raw = float(any(answer == each for each in references))
    words = max(token_f1(answer, each) for each in references), max(rouge_l(answer, each) for each in references)
    return exact, raw, *words, float(likeness([answer, *references]).max())


def _likeness(searcher: Searcher, texts: list[str]) -> NDArray[np.float64]:
    vectors = searcher.session.encode(texts)
    return np.asarray(vectors[1:].products(vectors[:1])[:, 0], np.float64)


def abstention(given: Sequence[Given], right: NDArray[np.float64]) -> dict[str, float]:
    """Return how often no answer is given, how often rightly (precision), to how many that have none (recall).

    `right` (n,) is 1 for what counts as right. Precision is 1 where nothing is
    withheld, recall 1 where every question has an answer. The area under the
    risk-coverage curve is left out where all are equally sure, which tells
    nothing.
    """
    silent = np.array([each.answer is None for each in given])
    without = np.array([not each.references for each in given])
    both = int((silent & without).sum())
    tells = len({each.confidence for each in given}) > 1
    return {
        "abstained": float(silent.mean()),
        "abstention_precision": both / int(silent.sum()) if silent.any() else 1.0,
        "abstention_recall": both / int(without.sum()) if without.any() else 1.0,
    } | ({"risk_coverage_area": risk_coverage_area(given, right)} if tells else {})


def risk_coverage_area(given: Sequence[Given], right: NDArray[np.float64]) -> float:
    """Return the mean share of wrong answers among the k surest, for k from 1 to n (El-Yaniv and Wiener 2010).

    An abstention is what would be given at last. Equally sure answers stand in any
    order: what is expected of a random one counts, so that the order of the file tells nothing.
    """
    surety = [(each.answer is not None, each.confidence) for each in given]
    groups = {each: place for place, each in enumerate(sorted(set(surety), reverse=True))}
    group = np.array([groups[each] for each in surety])
    wrong = np.bincount(group, 1.0 - right) / np.bincount(group)
    risks = np.cumsum(wrong[np.sort(group)]) / np.arange(1, len(given) + 1)
    return float(risks.mean())
