"""Answers from Python: what `weft ask --json` prints, as records."""

from __future__ import annotations

from typing import Any, NamedTuple

from retriever.answers.answering import find_answer
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
    things or yes and no; `tokens` are what a language model read and wrote.
    `nearest` are the best hits where there is no answer. `others` are the next best
    candidates of an extracted answer, the best one first where it is withheld.
    `hops` are what was answered first of what the question describes. `read_as` is the question with the words that
    were taken for misspelt as they were read, None where there are none.
    """

    question: str
    answer: str | None
    answerable: bool
    kind: str
    chance: float
    citations: tuple[CitationRecord, ...]
    method: str
    tokens: int
    trace: list[dict[str, Any]]
    nearest: tuple[CitationRecord, ...] = ()
    others: tuple[str, ...] = ()
    hops: tuple[HopRecord, ...] = ()
    read_as: str | None = None


def answer_record(searcher: Searcher, question: str, threshold: float | None = None) -> AnswerRecord:
    """Return the answer to a question by a method's hits, as `find_answer` does."""
    found = find_answer(searcher, question, threshold)
    cited, nearest = (
        tuple(_cited(searcher, n, each) for n, each in enumerate(some, 1))
        for some in (found.answer.citations, found.nearest)
    )
    text = found.answer.text
    trace = trace_rows(searcher.session.trace)
    tokens = sum(step.tokens_in + step.tokens_out for step in searcher.session.trace.steps)
    kind, chance, method = found.answer.kind, round(found.chance, 4), str(searcher.method)
    others = tuple(other for other, _ in found.others)
    hops = tuple(HopRecord(*hop) for hop in found.hops)
    return AnswerRecord(
        question, text, text is not None, kind, chance, cited, method, tokens, trace, nearest, others, hops,
        found.read_as or None,
    )


def _cited(searcher: Searcher, n: int, citation: Citation) -> CitationRecord:
    skb = searcher.session.skb
    chunk = skb.chunk(citation.uri) if searcher.unit == "chunk" else None
    if chunk is not None:
        (page,) = skb.pages([chunk.page_id])
        return CitationRecord(n, chunk.uri, page.title, chunk.text, citation.span)
    entity = skb.entity(citation.uri)
    name = "" if entity is None else entity.name
    return CitationRecord(n, citation.uri, name, citation.text or "", citation.span)
