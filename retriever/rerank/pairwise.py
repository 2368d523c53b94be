"""pairwise: a model compares hits two at a time, as a merge sort asks for, all comparisons of a round at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from retriever.prompts.rerank.pairwise import PROMPT, read_reply
from retriever.rerank.asking import Asked, Settings, checked, unchanged
from retriever.rerank.overflow import Candidates
from retriever.rerank.rounds import Pair, most_comparisons, sorted_in_rounds
from retriever.session import Session
from retriever.types import Query, Ranking, Unit
from weft.chat.tokens import TOKENS_OF_A_REPLY, tokens_read


class Pairwise(NamedTuple):
    """Sorts hits by comparisons; with `both` each pair is shown in both orders, and counts where they agree."""

    settings: Settings
    both: bool

    @property
    def depth(self) -> int:
        """How many hits are sorted."""
        return self.settings.k

    def rerank(self, session: Session, query: Query, found: Ranking) -> Ranking:
        """Return the hits, those first that win; what is not decided stays in its order."""
        n = len(found.ids)
        if session.chat is None or n < 2:
            return unchanged(session, PROMPT.step, found) if n > 1 else found
        compared = _Compared(session, query, found, self)
        order = sorted_in_rounds(n, compared)
        compared.done(n)
        return found.taken(np.array(order, np.int64))


class _Compared:
    """Compares pairs of one ranking's hits, and counts how it went."""

    def __init__(self, session: Session, query: Query, found: Ranking, by: Pairwise) -> None:
        self._session = session
        self._both = by.both
        self._tokens = by.settings.tokens
        self._question = query.question.text
        self._room = by.settings.tokens - tokens_read(PROMPT.messages(question=self._question, first="", second=""))
        self._candidates = Candidates(session, query, found, by.settings.relations)
        self._asked = Asked(session, PROMPT, by.settings.options)
        self._rounds = self._n_odd = self._n_calls = 0
        self._levels: dict[str, int] = {}

    def __call__(self, pairs: Sequence[Pair]) -> list[bool]:
        """Tell of each pair whether the second is better."""
        self._rounds += 1
        ways = [way for pair in pairs for way in ((pair, pair[::-1]) if self._both else (pair,))]
        firsts = self._choices(ways)
        if not self._both:
            return [choice is False for choice in firsts]
        return [one is False and other is True for one, other in zip(firsts[::2], firsts[1::2], strict=True)]

    def _choices(self, ways: Sequence[tuple[int, ...]]) -> list[bool | None]:
        """Return of each ordered pair whether its first is chosen, None where neither is."""
        shown = [self._candidates.fitting(way, self._room) for way in ways]
        for each in shown:
            level = each.level if each else "left out"
            self._levels[level] = self._levels.get(level, 0) + 1
        values = [
            {"question": self._question, "first": each.texts[0], "second": each.texts[1]} for each in shown if each
        ]
        choices = iter([read_reply(reply) for reply in self._asked.replies(values)])
        found = [next(choices) if each else None for each in shown]
        self._n_calls += len(values)
        self._n_odd += found.count(None)
        return found

    def done(self, n: int) -> None:
        """Tell the trace, and a dry run of the comparisons that replies may still ask for."""
        if self._session.is_dry:
            more = max(0, most_comparisons(n) * (1 + self._both) - self._n_calls)
            self._session.assume(more, more * self._tokens, more * TOKENS_OF_A_REPLY)
        self._asked.done(self._n_odd, {"rounds": self._rounds, "levels": self._levels})


def pairwise(session: Session, unit: Unit, both: bool, **options: object) -> Pairwise:
    """Return what sorts hits by comparisons; raise WeftError for an effort that there is not."""
    return Pairwise(checked(PROMPT.step, Settings(**options)), both)  # type: ignore[arg-type]
