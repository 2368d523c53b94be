"""Language models by the name that users write, with what the environment says of them (docs/models.md)."""

from __future__ import annotations

import os

from weft.chat.budget import TokenBudget
from weft.chat.cached import CachedChat
from weft.chat.dry_run import DryRun
from weft.chat.many import concurrency
from weft.chat.openai import DEFAULT_LIMITS, DEFAULT_RETRY, OpenAiChat
from weft.chat.store import ReplyStore
from weft.chat.tokens import Prices
from weft.errors import WeftError
from weft.http.rate import Rate
from weft.http.service import whole_number

OPENAI = "openai:"


def chat_named(name: str, *, most_tokens: int | None = None, store: ReplyStore | None = None) -> CachedChat:
    """Return the model of a name such as `openai:gpt-4o-mini`, whose replies are kept; nothing is sent.

    It takes at most `most_tokens` in all, known replies for nothing. Raise
    WeftError for a name or a setting that is none.
    """
    model = _model(name)
    chat = OpenAiChat(
        model,
        retry=DEFAULT_RETRY._replace(retries=whole_number("WEFT_LLM_RETRIES", DEFAULT_RETRY.retries)),
        rate=Rate(whole_number("WEFT_LLM_RPM"), whole_number("WEFT_LLM_TPM")),
        budget=None if most_tokens is None else TokenBudget(most_tokens),
        limits=DEFAULT_LIMITS._replace(seconds=float(whole_number("WEFT_LLM_SECONDS", 0)) or DEFAULT_LIMITS.seconds),
        concurrency=concurrency(),
    )
    return CachedChat(chat, store or ReplyStore())


def dry_run_of(name: str, store: ReplyStore | None = None) -> DryRun:
    """Return what counts the calls of a model and sends nothing."""
    return DryRun(OPENAI + _model(name), store or ReplyStore())


def prices() -> Prices | None:
    """Return what a million tokens cost by `WEFT_LLM_PRICES`, None where it is not set; raise WeftError for no prices.

    >>> os.environ["WEFT_LLM_PRICES"] = "0.15, 0.60"                                      # doctest: +SKIP
    """
    given = os.environ.get("WEFT_LLM_PRICES", "").strip()
    if not given:
        return None
    try:
        read, written = (float(part) for part in given.split(","))
    except ValueError:
        read = written = -1.0
    if not (0 <= read < 1e9 and 0 <= written < 1e9):
        raise WeftError(f"WEFT_LLM_PRICES={given[:80]}: must be prices of a million tokens, read and written: 0.15,0.6")
    return Prices(read, written)


def _model(name: str) -> str:
    model = name.removeprefix(OPENAI).strip()
    if not name.startswith(OPENAI) or not model or not model.isprintable():
        raise WeftError(f"{name[:80]}: is no language model; name one as openai:MODEL, its place in OPENAI_BASE_URL")
    return model
