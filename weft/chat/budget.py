"""A budget of tokens that no request exceeds, whatever the number of threads that ask.

>>> budget = TokenBudget(100)
>>> with budget.reserved(60) as taken:
...     taken.tokens = 45
>>> budget.spent
45
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition

from weft.errors import TokensSpent


class Taken:
    """What one request took; nothing until its answer tells."""

    __slots__ = ("tokens",)

    def __init__(self) -> None:
        self.tokens = 0


class TokenBudget:
    """At most so many tokens in all, read and written."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.spent = 0
        self._reserved = 0
        self._changed = Condition()

    @contextmanager
    def reserved(self, tokens: int) -> Iterator[Taken]:
        """Set tokens aside for one request, and count what it took in their place when it is over.

        Wait while other requests may leave enough; raise TokensSpent where none will.
        """
        self._reserve(tokens)
        taken = Taken()
        try:
            yield taken
        finally:
            with self._changed:
                self._reserved -= tokens
                self.spent += taken.tokens
                self._changed.notify_all()

    def _reserve(self, tokens: int) -> None:
        with self._changed:
            while self.spent + self._reserved + tokens > self.most:
                if not self._reserved or self.spent + tokens > self.most:
                    raise TokensSpent(
                        f"the budget of {self.most:,} tokens does not allow another request: {self.spent:,} are spent,"
                        f" and it may take {tokens:,}; allow more, and what was answered is not asked again"
                    )
                self._changed.wait()
            self._reserved += tokens
