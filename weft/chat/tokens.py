"""How many tokens a conversation may take, estimated from above where no service has counted them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from weft.chat.base import Message, Options

TOKENS_OF_A_TURN = 8
"""What a turn takes beside its text."""

TOKENS_OF_A_REPLY = 1_000
"""Taken for a reply whose length nothing bounds."""


class Prices(NamedTuple):
    """What a million tokens cost, read and written, in any currency."""

    read: float
    written: float


class Usage(NamedTuple):
    """Tokens read and written."""

    tokens_in: int = 0
    tokens_out: int = 0

    def cost(self, prices: Prices) -> float:
        """Return what they cost, in the currency of the prices."""
        return (self.tokens_in * prices.read + self.tokens_out * prices.written) / 1e6


def tokens_of(text: str) -> int:
    """Estimate a text's tokens from above: three bytes each, so that a Chinese character is one.

    >>> tokens_of("who designed the harbour light?")
    11
    """
    return len(text.encode("utf-8", "replace")) // 3 + 1


def tokens_read(messages: Sequence[Message]) -> int:
    """Estimate the tokens of a conversation from above."""
    return sum(tokens_of(message.content) + TOKENS_OF_A_TURN for message in messages)


def tokens_written(options: Options) -> int:
    """Return the most tokens that a reply may have, or what is taken for it where nothing bounds it."""
    return TOKENS_OF_A_REPLY if options.max_tokens is None else options.max_tokens
