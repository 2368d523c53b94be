"""pointwise: a model grades each hit by itself, all of them at once (STaRK's reranker; AF-Retriever, step 8)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from retriever.prompts.rerank.pointwise import PROMPT, read_reply
from retriever.rerank.asking import Asked, Settings, checked, unchanged
from retriever.rerank.overflow import Candidates
from retriever.session import Session
from retriever.types import Query, Ranking, Unit
from weft.chat.tokens import tokens_read

UNREAD = 0.5
"""The grade of a hit whose reply could not be read, and of one that no prompt can show."""


class Pointwise(NamedTuple):
    """Orders hits by their grades, and `weight` times the share of hits that they were ranked before."""

    settings: Settings
    weight: float

    @property
    def depth(self) -> int:
        """How many hits are graded."""
        return self.settings.k

    def rerank(self, session: Session, query: Query, found: Ranking) -> Ranking:
        """Return the hits by falling grade, equal ones in their order."""
        n = len(found.ids)
        if session.chat is None or n < 2:
            return unchanged(session, PROMPT.step, found) if n > 1 else found
        question = query.question.text
        room = self.settings.tokens - tokens_read(PROMPT.messages(question=question, candidate=""))
        candidates = Candidates(session, query, found, self.settings.relations)
        shown = [candidates.fitting([place], room) for place in range(n)]
        asked = Asked(session, PROMPT, self.settings.options)
        values = [{"question": question, "candidate": each.texts[0]} for each in shown if each is not None]
        grades = iter([read_reply(reply) for reply in asked.replies(values)])
        own = [None if each is None else next(grades) for each in shown]
        scores = np.array([UNREAD if each is None else each for each in own]) + self.weight * (1 - np.arange(n) / n)
        detail = {"grades": own, "levels": [each.level if each else "left out" for each in shown]}
        asked.done(own.count(None), detail)
        return found.taken(np.argsort(-scores, kind="stable"))


def pointwise(session: Session, unit: Unit, weight: float, **options: object) -> Pointwise:
    """Return what orders hits by their grades; raise WeftError for an effort that there is not."""
    return Pointwise(checked(PROMPT.step, Settings(**options)), weight)  # type: ignore[arg-type]
