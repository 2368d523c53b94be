"""agr: analyse, write, retrieve, write again, refine (Chen et al., "Analyze, generate and refine", 2024)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from retriever.expansion.asking import replies, stand_in
from retriever.expansion.joining import check_join, widened
from retriever.expansion.structure import structure_of
from retriever.expansion.texts import fitted, numbered, texts_of, unit_texts
from retriever.expansion.written import FOUND
from retriever.prompts import agr_analysis, agr_keywords, agr_refine, document
from retriever.prompts.template import Prompt
from retriever.protocols import Ranker
from retriever.question.reader import read_question
from retriever.session import Session
from retriever.types import Query, Unit
from weft.chat.tokens import TOKENS_OF_A_REPLY, tokens_of, tokens_read

REPLY = TOKENS_OF_A_REPLY
WORDS_AROUND = 20
"""Tokens of the heading or number before each text that a prompt shows."""


class Agr(NamedTuple):
    """Adds the best of documents that a model wrote, from what was found by the first ones that it wrote.

    `n` documents are written each time, `k` hits are retrieved by each; the model
    reads at most `tokens` of them. Five calls, of which the two that write ask for `n` replies.
    """

    ranker: Ranker
    n: int
    k: int
    tokens: int
    structure: bool
    join: str

    def expand(self, session: Session, query: Query) -> Query:
        """Return the query with the refined document."""
        if session.chat is None:
            found = texts_of(session, self.ranker.rank(session, query, self.k))
            stand_in(session, "agr", FOUND, {"hits": len(found)})
            return widened(session, query, found, self.join)
        return widened(session, query, self._refined(session, query), self.join)

    def _refined(self, session: Session, query: Query) -> list[str]:
        """Return the last reply, on a dry run none where one is missing; what follows it is counted."""
        asked, told = query.question.text, structure_of(session, query.unit) if self.structure else ""
        keywords = replies(session, agr_keywords.PROMPT, question=asked)
        if self._assumed(session, told, asked, 0, keywords):
            return []
        analysis = replies(session, agr_analysis.PROMPT, keywords="\n".join(keywords), question=asked)
        if self._assumed(session, told, asked, 1, analysis):
            return []
        notes = document.from_analysis("\n".join(analysis))
        first = replies(session, document.PROMPT, self.n, structure=told, found=notes, question=asked)
        if self._assumed(session, told, asked, 2, first):
            return []
        hits = numbered(fitted(self._hits(session, query, first), self.tokens, tokens_of))
        found = notes + document.from_found(hits)
        second = replies(session, document.PROMPT, self.n, structure=told, found=found, question=asked)
        if self._assumed(session, told, asked, 3, second):
            return []
        drafts = numbered(second or first)
        return replies(session, agr_refine.PROMPT, structure=told, candidates=drafts, found=hits, question=asked)

    def _hits(self, session: Session, query: Query, documents: Sequence[str]) -> list[str]:
        """Return the texts of what is found by each document, each once."""
        searched = (read_question(session, each, query.unit, query.allowed) for each in documents)
        found = [self.ranker.rank(session, each, self.k).ids for each in searched]
        ids = dict.fromkeys(np.concatenate([np.empty(0, np.int64), *found]).tolist())
        return unit_texts(session, query.unit, np.array([*ids], np.int64))

    def _assumed(self, session: Session, structure: str, question: str, done: int, given: Sequence[str]) -> bool:
        """Count the calls after step `done` where a dry run has no reply to it, each with the most that it may read."""
        if given or not session.is_dry:
            return False
        blank = {"question": question, "structure": structure, "keywords": "", "found": "", "candidates": ""}
        steps: tuple[tuple[Prompt, int, int], ...] = (
            (agr_analysis.PROMPT, 1, REPLY), (document.PROMPT, self.n, REPLY),
            (document.PROMPT, self.n, REPLY + self.tokens), (agr_refine.PROMPT, 1, self.n * REPLY + self.tokens),
        )  # fmt: skip
        for prompt, calls, shown in steps[done:]:
            around = WORDS_AROUND * (1 + self.n * self.k)
            session.assume(calls, calls * (tokens_read(prompt.messages(**blank)) + shown + around), calls * REPLY)
        return True


def agr(
    session: Session, unit: Unit, ranker: Ranker, n: int, k: int, tokens: int, structure: bool, join: str
) -> Agr:
    """Return what adds a refined document; raise WeftError for a `join` that is none."""
    return Agr(ranker, n, k, tokens, structure, check_join("agr", join))
