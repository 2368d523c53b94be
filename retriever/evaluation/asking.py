"""Ask a language model about many questions at once; one that it gives no reply to stops no other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np

from retriever.context import Context
from retriever.evaluation.ahead import ask_ahead
from retriever.evaluation.outcomes import Rank
from retriever.question.filters import Filters
from retriever.searcher import NO_FILTERS, asks_model
from retriever.types import Ranking, Unit, ranking
from weft.chat.base import Chat
from weft.chat.many import concurrency
from weft.errors import ModelError, TokensSpent
from weft.http.stopping import Stop

T = TypeVar("T")
R = TypeVar("R")
Refused = dict[str, ModelError]
"""Questions to which the model gave no reply, and why."""

MOST_FAILED = 8
"""Where so many fail and none before them succeeded, the fault is not theirs: a wrong key, or no service."""


def each_at_once(
    items: Sequence[T], ask: Callable[[T], R], advance: Callable[[int], Any] = lambda n: None
) -> list[R | ModelError]:
    """Return what `ask` gives for each item, or why the model gave no reply, in their order.

    As many are under way as the settings allow requests at once. Raise the first
    ModelError where all fail, or the first `MOST_FAILED`; TokensSpent, and any other
    error, at once. Requests under way are waited for then, the rest is dropped.
    """
    def outcome(item: T) -> R | ModelError:
        try:
            return ask(item)
        except TokensSpent:
            raise
        except ModelError as error:
            return error

    outcomes: list[R | ModelError] = []
    stop = Stop()
    with ThreadPoolExecutor(concurrency(), "ask", stop.heed) as pool, stop:
        try:
            for each in pool.map(outcome, items):
                outcomes.append(each)
                advance(1)
                if len(outcomes) in (MOST_FAILED, len(items)):
                    _raise_if_all_failed(outcomes)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    return outcomes


def _raise_if_all_failed(outcomes: Sequence[object]) -> None:
    failed = [each for each in outcomes if isinstance(each, ModelError)]
    if len(failed) == len(outcomes):
        raise failed[0]


def rank_ahead(
    context: Context, chat: Chat, methods: Sequence[str], unit: Unit, questions: Sequence[str], k: int,
    filters: Filters = NO_FILTERS,
) -> dict[str, Refused]:  # fmt: skip
    """Rank questions by those methods that ask a model, which must keep its replies; return by method what it refuses.

    Raise ModelError as `each_at_once` does.
    """
    once = list(dict.fromkeys(questions))

    def refused(method: str) -> Refused:
        def ask(question: str) -> None:
            ask_ahead(context, chat, [method], unit, [question], k, filters)

        outcomes = zip(once, each_at_once(once, ask), strict=True)
        return {question: outcome for question, outcome in outcomes if outcome is not None}

    return {method: refused(method) for method in methods if asks_model(method)}


def without_refused(rank: Rank, unit: Unit, refused: Refused) -> Rank:
    """Return what ranks as `rank` does, but has no hits for what is `refused`, or is then: that is added."""
    def ranked(question: str, k: int) -> Ranking:
        if question not in refused:
            try:
                return rank(question, k)
            except TokensSpent:
                raise
            except ModelError as error:
                refused[question] = error
        return ranking(unit, np.empty(0, np.int64), np.empty(0, np.float32), "none")

    return ranked
