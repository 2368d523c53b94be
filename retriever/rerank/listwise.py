"""listwise: a model orders all hits in one prompt, or where they do not fit, in windows from the last to the first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from retriever.expansion.texts import numbered
from retriever.prompts.rerank.listwise import PROMPT, completed, read_reply
from retriever.rerank.asking import Asked, Settings, checked, unchanged
from retriever.rerank.overflow import LEAST, Candidates, Shown
from retriever.session import Session
from retriever.types import Query, Ranking, Unit
from weft.chat.tokens import tokens_read

NUMBERING = 5
"""Tokens of the number before a text, and of the blank line after it."""

USEFUL = 200
"""Tokens of a text that is cut, below which hits rather go in windows."""


class Listwise(NamedTuple):
    """Orders hits as a model lists them."""

    settings: Settings

    @property
    def depth(self) -> int:
        """How many hits are listed."""
        return self.settings.k

    def rerank(self, session: Session, query: Query, found: Ranking) -> Ranking:
        """Return the hits as the model orders them; those that it does not name behind the others."""
        n = len(found.ids)
        if session.chat is None or n < 2:
            return unchanged(session, PROMPT.step, found) if n > 1 else found
        question = query.question.text
        room = self.settings.tokens - tokens_read(PROMPT.messages(question=question, candidates=""))
        size = window_size(n, room)
        if size < 2:
            return unchanged(session, PROMPT.step, found, "the order of the ranking, since no two hits fit a prompt")
        candidates = Candidates(session, query, found, self.settings.relations)
        asked = Asked(session, PROMPT, self.settings.options)
        order, levels, n_odd = list(range(n)), [], 0
        for start in windows(n, size):
            places = order[start : start + size]
            shown = _shown(candidates, places, room)
            (reply,) = asked.replies([{"question": question, "candidates": numbered(shown.texts)}])
            named = read_reply(reply, len(places))
            order[start : start + size] = [places[each] for each in completed(named, len(places))]
            levels.append(shown.level)
            n_odd += not named
        asked.done(n_odd, {"levels": levels, "window": size})
        return found.taken(np.array(order, np.int64))


def window_size(n: int, room: int) -> int:
    """Return how many of n hits one prompt shows: all where each has `USEFUL` tokens, else as many as have.

    >>> window_size(20, 10_000), window_size(20, 2_050), window_size(20, 100)
    (20, 10, 2)
    """
    useful = room // (USEFUL + NUMBERING)
    return min(n, useful if useful >= 2 else room // (LEAST + NUMBERING))


def windows(n: int, size: int) -> Iterator[int]:
    """Yield where windows over n hits begin, from the last to the first; each has half of the one before in it.

    >>> list(windows(20, 10)), list(windows(5, 5))
    ([10, 5, 0], [0])
    """
    start = n - size
    while start > 0:
        yield start
        start -= max(1, size // 2)
    yield 0


def _shown(candidates: Candidates, places: list[int], room: int) -> Shown:
    shown = candidates.fitting(places, room - NUMBERING * len(places))
    assert shown is not None, "a window is as large as fits"
    return shown


def listwise(session: Session, unit: Unit, **options: object) -> Listwise:
    """Return what orders hits by a list; raise WeftError for an effort that there is not."""
    return Listwise(checked(PROMPT.step, Settings(**options)))  # type: ignore[arg-type]
