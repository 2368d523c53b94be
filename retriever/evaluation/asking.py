"""Ask a language model about many questions at once; one that it gives no reply to stops no other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from weft.chat.many import concurrency
from weft.errors import ModelError, TokensSpent

T = TypeVar("T")
R = TypeVar("R")
MOST_FAILED = 8
"""Where so many fail and none before them succeeded, the fault is not theirs: a wrong key, or no service."""


def each_at_once(
    items: Sequence[T], ask: Callable[[T], R], advance: Callable[[int], Any] = lambda n: None
) -> list[R | ModelError]:
    """Return what `ask` gives for each item, or why the model gave no reply, in their order.

    As many are under way as the settings allow requests at once. Raise the first
    ModelError where all fail, or the first `MOST_FAILED`; TokensSpent, and any other
    error, at once. What is under way is waited for then, the rest is dropped.
    """
    def outcome(item: T) -> R | ModelError:
        try:
            return ask(item)
        except TokensSpent:
            raise
        except ModelError as error:
            return error

    outcomes: list[R | ModelError] = []
    with ThreadPoolExecutor(concurrency(), "ask") as pool:
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
