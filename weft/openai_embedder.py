"""Embeddings from any OpenAI-compatible endpoint, within budgets of requests and tokens a minute."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weft.embedders import Fixed
from weft.errors import WeftError
from weft.vectors import unit_rows

MOST_TEXTS = 128
MOST_TOKENS = 100_000
MOST_CHARACTERS = 24_000
"""About 8,000 tokens, what the models of this interface take; longer texts are cut."""


class Budget:
    """Holds requests back so that a minute has at most so many of them and of their tokens."""

    def __init__(
        self,
        requests: int,
        tokens: int,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Allow `requests` and `tokens` a minute; 0 sets no bound."""
        self.requests = requests
        self.tokens = tokens
        self._clock = clock
        self._sleep = sleep
        self._spent: deque[tuple[float, int]] = deque()

    def spend(self, tokens: int) -> None:
        """Wait until a request of so many tokens fits, and count it; a larger one than a minute's goes alone."""
        while self._spent:
            now = self._clock()
            while self._spent and self._spent[0][0] <= now - 60:
                self._spent.popleft()
            if self._fits(tokens):
                break
            self._sleep(max(0.01, self._spent[0][0] + 60 - now))
        self._spent.append((self._clock(), tokens))

    def _fits(self, tokens: int) -> bool:
        if not self._spent:
            return True
        total = sum(each for _, each in self._spent) + tokens
        return (not self.requests or len(self._spent) < self.requests) and (not self.tokens or total <= self.tokens)


class OpenAiEmbedder(Fixed):
    """A model behind `OPENAI_BASE_URL`; budgets from `WEFT_OPENAI_RPM` and `WEFT_OPENAI_TPM`.

    What it has embedded stays in the SKB's working copy, so a stopped build
    pays for no text twice.
    """

    def __init__(self, model: str) -> None:
        self.name = f"openai:{model}"
        self.model = model
        self.budget = Budget(_number("WEFT_OPENAI_RPM"), _number("WEFT_OPENAI_TPM"))
        self._client: Any = None

    def check(self) -> None:
        """Make the client, which needs a key; nothing is sent."""
        from openai import OpenAI, OpenAIError

        try:
            self._client = self._client or OpenAI(max_retries=5)
        except OpenAIError as error:
            raise WeftError(f"{self.name}: {error}") from error

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit rows (n, d), one request a batch; raise WeftError where the endpoint refuses."""
        rows = [row for batch in _batches(texts) for row in self._embed(batch)]
        return unit_rows(np.array(rows, np.float32)) if rows else np.empty((0, 1), np.float32)

    def _embed(self, texts: list[str]) -> list[list[float]]:
        from openai import OpenAI, OpenAIError

        self.budget.spend(sum(map(_tokens, texts)))
        try:
            self._client = self._client or OpenAI(max_retries=5)
            reply = self._client.embeddings.create(model=self.model, input=texts, encoding_format="float")
        except OpenAIError as error:
            raise WeftError(f"{self.name}: {error}; the build goes on from here when it is run again") from error
        rows = [each.embedding for each in sorted(reply.data or (), key=lambda each: each.index)]
        if len(rows) != len(texts) or len({len(row) for row in rows}) != 1 or not rows[0]:
            raise WeftError(f"{self.name}: the endpoint gave {len(rows)} usable vectors for {len(texts)} texts")
        return rows


def _batches(texts: Sequence[str]) -> list[list[str]]:
    batches: list[list[str]] = [[]]
    tokens = 0
    for text in texts:
        cut = text[:MOST_CHARACTERS] or " "
        if batches[-1] and (len(batches[-1]) >= MOST_TEXTS or tokens + _tokens(cut) > MOST_TOKENS):
            batches.append([])
            tokens = 0
        batches[-1].append(cut)
        tokens += _tokens(cut)
    return [batch for batch in batches if batch]


def _tokens(text: str) -> int:
    """Estimate a text's tokens from above: three characters each."""
    return len(text) // 3 + 1


def _number(variable: str) -> int:
    value = os.environ.get(variable, "0")
    if not value.isdigit():
        raise WeftError(f"{variable}={value}: must be a whole number")
    return int(value)
