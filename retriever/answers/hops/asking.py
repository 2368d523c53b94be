"""Asking the pages of something: what they offer as an answer to one of the questions that hops are made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from retriever.answers.asked import asked_of
from retriever.answers.hops.description import Description
from retriever.answers.hops.nested import descriptions, named
from retriever.answers.passages import HITS
from retriever.answers.patterns.facts import Fact, fact_asked
from retriever.answers.ranker import Ranked, ranked
from retriever.answers.reading import read
from retriever.fusion.store import Fusion
from retriever.learning.log_odds import log_odds
from retriever.protocols import Ranker
from retriever.question.reader import linked_question, query_of, question_of
from retriever.session import Session
from retriever.types import Ids, Ranking

FEW = 4
"""Chunks of the pages of what is named that are read for a description."""

LEAST_HIT = 0.05
"""The least chance of a passage, as of one that was no hit of the whole question."""

FIRST_HIT = 0.9
"""The chance of the best passage of a page that is read as it is: it is the page that is asked about."""


class Asking(NamedTuple):
    """What ranks chunks and answers, the `chances` of the chunks that were read for the whole question, what may be
    read, and one item of `left` for each reading that is left. `known` are those that were made.

    `everywhere` tells whether what names nothing is looked for on all pages. `passed` are the entities by way of which
    a description came about.
    """

    session: Session
    chunks: Ranker
    answers: Fusion
    chances: Mapping[int, float]
    allowed: Ids | None
    everywhere: bool
    left: Iterator[int]
    known: dict[tuple[str, bytes, bool], Ranked | None]
    passed: frozenset[int] = frozenset()

    def descriptions(self, text: str) -> list[Description]:
        """Return what a question describes and is looked for."""
        found = descriptions(text, linked_question(self.session, text).mentions)
        return found if self.everywhere else named(found)


def on_pages(asking: Asking, text: str, entities: Ids, *, search: bool) -> Ranked | None:
    """Return what the pages of some entities offer as answers, all pages where none are given; None for nothing.

    Of longer pages HITS chunks are searched for, or FEW taken of those that were read for the whole question and of
    how the pages begin.
    """
    key = text, entities.tobytes(), search
    if key not in asking.known:
        asking.known[key] = _read(asking, text, entities, search=search)
    return asking.known[key]


def _read(asking: Asking, text: str, entities: Ids, *, search: bool) -> Ranked | None:
    session, chunks = asking.session, asking.allowed
    if len(entities):
        own = np.unique(np.concatenate([session.chunks_of_entity(int(each)) for each in entities]))
        chunks = own if chunks is None else own[np.isin(own, chunks)]
    if chunks is not None and not search:
        chunks = np.array(sorted(chunks.tolist(), key=lambda each: each not in asking.chances)[:FEW], np.int64)
    if (chunks is not None and not len(chunks)) or next(asking.left, None) is None:
        return None
    if chunks is not None and len(chunks) <= HITS:
        asked = query_of(linked_question(session, text), "chunk", chunks)
        return ranked(asking.answers, read(session, asked, known(asking, chunks)))
    query = query_of(question_of(session, text), "chunk", chunks)
    return ranked(asking.answers, read(session, query, asking.chunks.rank(session, query, HITS)))


def known(asking: Asking, chunks: Ids) -> Ranking:
    """Return chunks as hits, ranked as the whole question's were; what was none of these comes last."""
    chances = np.array([max(LEAST_HIT, asking.chances.get(each, 0.0)) for each in chunks.tolist()])
    chances *= FIRST_HIT / chances.max()
    order = np.argsort(-chances, kind="stable")
    nothing = np.zeros((len(chunks), 0), np.float32)
    return Ranking("chunk", chunks[order], log_odds(chances[order]), nothing, (), np.zeros(len(chunks), np.int32))


def fact_of(asking: Asking, asked: str) -> Fact | None:
    """Return the fact that a question asks for; None where only some chunks may be read."""
    if asking.allowed is not None:
        return None
    return fact_asked(asking.session, asked_of(asking.session, linked_question(asking.session, asked)))
