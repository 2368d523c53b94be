"""What a run would ask and cost, told before anything is sent."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import NamedTuple

from weft.chat.base import DEFAULT, Message, Options, Reply
from weft.chat.replies import plain
from weft.chat.store import ReplyStore, conversation_of
from weft.chat.tokens import Prices, Usage, tokens_read, tokens_written


class Estimate(NamedTuple):
    """Calls of a model, those that the cache answers, and the tokens of the others, from above.

    `assumed` counts the calls whose prompt depends on a reply that is not there yet.
    """

    calls: int = 0
    cached: int = 0
    assumed: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    def plus(self, other: Estimate) -> Estimate:
        """Return both together."""
        return Estimate(*(mine + others for mine, others in zip(self, other, strict=True)))

    def cost(self, prices: Prices | None) -> float | None:
        """Return what the tokens cost at most, None without prices."""
        return None if prices is None else Usage(self.tokens_in, self.tokens_out).cost(prices)


class DryRun:
    """A chat model that sends nothing: a reply that is known is given, any other is empty and counted.

    A step that would go on by asking more, in words that follow from such an empty
    reply, tells the most that this may be by `assume`.
    """

    def __init__(self, name: str, store: ReplyStore) -> None:
        self.name = name
        self._store = store
        self._lock = Lock()
        self._estimate = Estimate()
        self._told: set[tuple[str, int]] = set()

    @property
    def estimate(self) -> Estimate:
        """What was asked so far."""
        with self._lock:
            return self._estimate

    def complete(self, messages: Sequence[Message], *, n: int = 1, options: Options = DEFAULT) -> list[Reply]:
        """Return the first n samples as they are known, empty where they are not; those are counted as calls."""
        conversation = conversation_of(self.name, messages, options)
        known = self._store.replies(conversation, n) if self._store.path.exists() else {}
        samples = {(conversation.hash, sample) for sample in range(n) if sample not in known}
        with self._lock:
            new = len(samples - self._told)
            self._told |= samples
        self._add(Estimate(n, n - new, 0, new * tokens_read(messages), new * tokens_written(options)))
        replies = (known.get(sample, Reply("", cached=True)) for sample in range(n))
        return [reply._replace(text=plain(reply.text)) for reply in replies]

    def assume(self, calls: int, tokens_in: int, tokens_out: int) -> None:
        """Count calls that cannot be told before a reply is there, with the most tokens that they may take in all."""
        self._add(Estimate(calls, 0, calls, tokens_in, tokens_out))

    def _add(self, more: Estimate) -> None:
        with self._lock:
            self._estimate = self._estimate.plus(more)
