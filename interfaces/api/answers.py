"""Answers from Python: what `weft ask --json` prints, as records."""

from __future__ import annotations

from typing import Any, NamedTuple

from retriever.answers.answering import THRESHOLD, Found, find_answer
from retriever.searcher import Searcher
from retriever.trace_file import trace_rows
from retriever.types import Citation


class CitationRecord(NamedTuple):
    """The `n`th source of an answer: its `text`, and the characters of it that say so."""

    n: int
    uri: str
    title: str
    text: str
    span: tuple[int, int]


class HopRecord(NamedTuple):
    """A question that was answered on the way, and its answer."""

    asks: str
    answer: str


class AnswerRecord(NamedTuple):
    """An answer to a question, None where the knowledge base holds none.

    `kind` is extracted, generated or nodes; `chance` is the probability that what
    was read answers the question, 0 to 1, 0 too where nothing decides between two
    things or yes and no; `confidence` is the probability that the answer is right,
    or would be where it is withheld; `tokens` are what a language model read and wrote.
    `nearest` are the best hits where there is no answer. `others` are the next best
    candidates of an extracted answer, the best one first where it is withheld.
    `hops` are what was answered first of what the question describes. `read_as` is the question with the words that
    were taken for misspelt as they were read, None where there are none. `reason` is a sentence that says why there is
    no answer, None where there is one. `warnings` are sentences about the method, its hits and a model's replies.
    """

    question: str
    answer: str | None
    answerable: bool
    kind: str
    chance: float
    confidence: float
    citations: tuple[CitationRecord, ...]
    method: str
    tokens: int
    trace: list[dict[str, Any]]
    nearest: tuple[CitationRecord, ...] = ()
    others: tuple[str, ...] = ()
    hops: tuple[HopRecord, ...] = ()
    read_as: str | None = None
    reason: str | None = None
    warnings: tuple[str, ...] = ()


def answer_record(
    searcher: Searcher, question: str, threshold: float | None = None, least_confidence: float = 0.0
) -> AnswerRecord:
    """Return the answer to a question by a method's hits, as `find_answer` does."""
    found = find_answer(searcher, question, threshold, least_confidence)
    cited, nearest = (
        tuple(_cited(searcher, n, each) for n, each in enumerate(some, 1))
        for some in (found.answer.citations, found.nearest)
    )
    text = found.answer.text
    trace = trace_rows(searcher.session.trace)
    tokens = sum(step.tokens_in + step.tokens_out for step in searcher.session.trace.steps)
    kind, chance, method = found.answer.kind, round(found.chance, 4), str(searcher.method)
    confidence = round(found.confidence, 4)
    others = tuple(other for other, _ in found.others)
    hops = tuple(HopRecord(*hop) for hop in found.hops)
    warnings = tuple(dict.fromkeys(line for step in searcher.session.trace.steps for line in step.warnings))
    return AnswerRecord(
        question, text, text is not None, kind, chance, confidence, cited, method, tokens, trace, nearest, others, hops,
        found.read_as or None, None if text is not None else _reason(question, found, threshold),
        warnings,
    )


def _reason(question: str, found: Found, threshold: float | None) -> str:
    """Say why there is no answer."""
    if found.nearest:
        # A chance of 0 means that nothing decides, not that the answer is no.
        if found.answer.kind != "extracted" or not round(found.chance, 4):
            return "no answer is likely enough"
        least = THRESHOLD if threshold is None else threshold
        told = f"chance {below(round(found.chance, 4), least)}"
        if found.chance >= least:
            told = f"confidence {below(round(found.confidence, 4), found.least_confidence)}"
        return f"no answer is likely enough ({told})"
    return f"not answerable from this knowledge base{without_words(question)}"


def below(chance: float, least: float) -> str:
    """Return a probability with the bound that it does not reach, in digits enough to tell them apart.

    >>> below(0.31, 0.45), below(0.4499, 0.45), below(0.44996, 0.45)
    ('0.31 below 0.45', '0.4499 below 0.45', 'just below 0.45')
    """
    digits = (f"{chance:.{n}f}" for n in (2, 3, 4))
    shown = next((text for text in digits if float(text) < least), "just")
    return f"{shown} below {least:.2f}" if round(least, 2) == least else f"{shown} below {least:g}"


def without_words(question: str) -> str:
    """Return what to say behind a finding of nothing where a question has no words, else an empty string."""
    if not question.strip():
        return ": the question is empty"
    if any(map(str.isalnum, question)):
        return ""
    return f": the question {question.strip()[:40]!r} has no letter or digit; ask in words"


def _cited(searcher: Searcher, n: int, citation: Citation) -> CitationRecord:
    skb = searcher.session.skb
    chunk = skb.chunk(citation.uri) if searcher.unit == "chunk" else None
    if chunk is not None:
        (page,) = skb.pages([chunk.page_id])
        return CitationRecord(n, chunk.uri, page.title, chunk.text, citation.span)
    entity = skb.entity(citation.uri)
    name = "" if entity is None else entity.name
    return CitationRecord(n, citation.uri, name, citation.text or "", citation.span)
