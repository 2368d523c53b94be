"""What is sent to an OpenAI-compatible endpoint, and the replies in what it answers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from weft.chat.base import Message, Options, Reply
from weft.chat.tokens import tokens_of, tokens_read
from weft.http.addresses import HIDDEN
from weft.http.service import own_secrets
from weft.text.json_text import parsed_json
from weft.text.normalise import LONE_SURROGATE

LIMIT = "max_tokens"
LIMIT_OF_REASONING_MODELS = "max_completion_tokens"
N = "n"
OPTIONAL = ("temperature", "seed", "frequency_penalty", N)
"""Parameters without which a request asks the same."""

MOST_COUNTED = 1_000_000_000
QUOTED = 80
"""Characters of a wrong answer that its message quotes."""


class Form(NamedTuple):
    """How a model takes requests: what it calls the bound of a reply, and the parameters that it refuses."""

    limit: str = LIMIT
    refused: frozenset[str] = frozenset()

    def plus(self, other: Form) -> Form:
        """Return what both say."""
        return Form(self.limit if other.limit == LIMIT else other.limit, self.refused | other.refused)


def payload_of(
    model: str, messages: Sequence[Message], n: int, first: int, options: Options, form: Form
) -> dict[str, Any]:
    """Return the arguments of a request for n samples, of which the first has the number `first`.

    The options may name another model.

    What is not set or refused is not sent, `n` where it is 1 neither: some services
    know few options. Samples that are asked for later have a seed of their own, or they
    would be the same again.
    """
    turns = [{"role": message.role, "content": valid(message.content)} for message in messages]
    given = {name: value for name, value in options._asdict().items() if value is not None}
    if LIMIT in given:
        given[form.limit] = given.pop(LIMIT)
    if "seed" in given:
        given["seed"] += first
    if n > 1:
        given[N] = n
    taken = {name: value for name, value in given.items() if name not in form.refused}
    return {"model": model, "messages": turns, **taken}


def other_form(payload: Mapping[str, Any], parameter: object, reason: str) -> Form | None:
    """Return what to do otherwise for a model that refused a request, None where nothing may help.

    The refusal names a parameter, or speaks of one in its reason. Where it does neither, and several replies were
    asked for, these may be what is refused.
    """
    if LIMIT in payload and LIMIT_OF_REASONING_MODELS in reason:
        return Form(LIMIT_OF_REASONING_MODELS)
    named = parameter.rpartition(".")[2] if isinstance(parameter, str) else ""
    named = named or _spoken_of(payload, reason) or N
    return Form(refused=frozenset({named})) if named in OPTIONAL and named in payload else None


def _spoken_of(payload: Mapping[str, Any], reason: str) -> str:
    """Return the first of the optional parameters of a request that a reason has as a word."""
    words = re.findall(r"(?<![\w\\])[a-z_]+\b", reason)
    return next((word for word in words if word in OPTIONAL and word in payload), "")


def replies_in(body: bytes, messages: Sequence[Message]) -> list[Reply]:
    """Return the replies of an answer to a conversation; raise ValueError, in one line, where there is none.

    Where the service counts no tokens they are estimated. The user's key, should
    a reply repeat it, is not in it.
    """
    try:
        record = parsed_json(body)
        choices = sorted(record["choices"], key=lambda choice: choice.get("index") or 0)
        texts = [_text(choice["message"]["content"]) for choice in choices]
        reasons = [choice.get("finish_reason") for choice in choices]
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        start = " ".join(body[:200].decode("utf-8", "replace").split())[:QUOTED]
        raise ValueError(f"the endpoint gave no reply but {start!r}") from error
    if not texts:
        raise ValueError("the endpoint gave no reply: its list of choices is empty")
    read, *written = _counts(record.get("usage"), messages, texts)
    ends = [hidden(valid(reason)) if isinstance(reason, str) else "stop" for reason in reasons]
    rows = zip(texts, [read] + [0] * (len(texts) - 1), written, ends, strict=True)
    return [Reply(*row) for row in rows]


def tokens_counted(body: bytes, read: int) -> int:
    """Return the tokens that an answer says it took, though it may hold no reply; `read` where it does not say."""
    try:
        usage = parsed_json(body)["usage"]
        return _count(usage["prompt_tokens"], read) + _count(usage["completion_tokens"], 0)
    except (ValueError, LookupError, TypeError, RecursionError):
        return read


def valid(text: str) -> str:
    """Return a text without what is no UTF-8."""
    return LONE_SURROGATE.sub("\ufffd", text)


def hidden(text: str) -> str:
    """Return a text in which the user's key and password for the service are not."""
    for secret in own_secrets():
        text = text.replace(secret, HIDDEN)
    return text


def _text(content: Any) -> str:
    """Return the text of a message: a string, none where the model refused, or a list of parts."""
    if content is None:
        return ""
    if isinstance(content, list):
        return "".join(_text(part.get("text")) for part in content)
    if not isinstance(content, str):
        raise TypeError("no text")
    return hidden(valid(content))


def _counts(usage: Any, messages: Sequence[Message], texts: list[str]) -> list[int]:
    """Return the tokens read, and those written of each reply, whose sum is what the service counted."""
    given = usage if isinstance(usage, dict) else {}
    read, total = given.get("prompt_tokens"), given.get("completion_tokens")
    tokens_in = _count(read, tokens_read(messages))
    written = [tokens_of(text) for text in texts]
    share, rest = divmod(_count(total, -1), len(texts))
    return [tokens_in, *written] if share < 0 else [tokens_in, share + rest, *[share] * (len(texts) - 1)]


def _count(value: Any, otherwise: int) -> int:
    """Return a number of tokens that a service tells, or what to take where it tells none."""
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_COUNTED
    return value if is_count else otherwise
