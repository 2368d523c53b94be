"""Chat models: the protocol that every language model is asked through, and a public fake with a script.

>>> model = ScriptedChat(["Veldra (river)", "ND"])
>>> model.complete([Message("user", "Which page?")])[0].text
'Veldra (river)'
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple, Protocol

from weft.errors import WeftError


class Message(NamedTuple):
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


class Options(NamedTuple):
    """How a model samples; None leaves a setting to the model. `model` is another one of the same service."""

    temperature: float | None = None
    seed: int | None = None
    max_tokens: int | None = None
    frequency_penalty: float | None = None
    reasoning_effort: str | None = None
    model: str | None = None


DEFAULT = Options()


class Reply(NamedTuple):
    """A model's answer: untrusted text, the tokens that it cost, and why it ended.

    Of several replies to one request the first counts the tokens that were read.
    `cached` tells that it was known, and so cost nothing this time.
    """

    text: str
    tokens_in: int = 0
    tokens_out: int = 0
    finish_reason: str = "stop"
    cached: bool = False


class Chat(Protocol):
    """A language model."""

    name: str

    def complete(self, messages: Sequence[Message], *, n: int = 1, options: Options = DEFAULT) -> list[Reply]:
        """Return n replies to a conversation; raise ModelError where they cannot be had."""


class Requested(Protocol):
    """A language model by single requests, which a cache keeps as they are answered."""

    name: str

    def ask(self, messages: Sequence[Message], *, n: int, first: int, options: Options) -> list[Reply]:
        """Return what one request gives: at least one reply, perhaps fewer or more than n, as the model wrote them.

        `first` is the number of the first of them among the samples of this conversation.
        """


class ScriptedChat:
    """A public fake: replies from a script, a list in its order or a function of the messages.

    `asked` keeps every conversation. Tokens are counted as blank-separated words.
    """

    name = "scripted"

    def __init__(self, script: Sequence[str] | Callable[[Sequence[Message]], str]) -> None:
        self._script = script
        self._next = 0
        self.asked: list[tuple[Message, ...]] = []

    def complete(self, messages: Sequence[Message], *, n: int = 1, options: Options = DEFAULT) -> list[Reply]:
        """Return the script's next n replies; raise WeftError when it has no more."""
        self.asked.append(tuple(messages))
        tokens = sum(len(message.content.split()) for message in messages)
        return [Reply(text, tokens, len(text.split())) for text in (self._reply(messages) for _ in range(n))]

    def ask(self, messages: Sequence[Message], *, n: int, first: int, options: Options) -> list[Reply]:
        """Return the script's next n replies, as `complete` does."""
        return self.complete(messages, n=n, options=options)

    def _reply(self, messages: Sequence[Message]) -> str:
        if callable(self._script):
            return self._script(messages)
        if self._next >= len(self._script):
            raise WeftError(f"the scripted model has only {len(self._script)} replies")
        self._next += 1
        return self._script[self._next - 1]
