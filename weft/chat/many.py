"""Many conversations at once.

>>> from weft.chat.base import ScriptedChat
>>> [outcome[0].text for outcome in complete_all(ScriptedChat(lambda messages: messages[0].content.upper()),
...                                              [[Message("user", "a")], [Message("user", "b")]])]
['A', 'B']
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor

from weft.chat.base import DEFAULT, Chat, Message, Options, Reply
from weft.errors import ModelError
from weft.http.service import whole_number
from weft.http.stopping import Stop

CONCURRENCY = 8

Outcome = list[Reply] | ModelError
"""A conversation's replies, or why it has none."""


def concurrency() -> int:
    """Return how many requests may run at once: `WEFT_LLM_CONCURRENCY`; raise WeftError where it is no number."""
    return max(1, whole_number("WEFT_LLM_CONCURRENCY", CONCURRENCY))


def complete_all(
    chat: Chat, conversations: Iterable[Sequence[Message]], *, n: int = 1, options: Options = DEFAULT,
    threads: int | None = None,
) -> list[Outcome]:  # fmt: skip
    """Return the outcome of each conversation, in their order; one that fails stops no other.

    They are asked by as many threads as the settings allow requests at once.

    Any other error than ModelError, an interrupt too, ends all: requests under way are
    waited for, so that their replies are kept; the rest is dropped, and none is made again.
    """
    def outcome(messages: Sequence[Message]) -> Outcome:
        try:
            return chat.complete(messages, n=n, options=options)
        except ModelError as error:
            return error

    stop = Stop()
    with ThreadPoolExecutor(threads or concurrency(), "chat", stop.heed) as pool, stop:
        try:
            return list(pool.map(outcome, conversations))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
