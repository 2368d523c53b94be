"""Embeddings from any OpenAI-compatible endpoint, within budgets of requests and tokens a minute."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weft.arrays.vectors import unit_rows
from weft.embedders.base import Fixed
from weft.errors import WeftError
from weft.http.addresses import without_secrets
from weft.http.limits import Limits, is_offline
from weft.http.rate import Rate
from weft.http.service import opened_client, reason_of, safe_line, service_host, whole_number
from weft.text.json_text import parsed_json

# Texts and tokens in one request: far below the service's bounds, so that one failure costs little.
MOST_TEXTS = 128
MOST_TOKENS = 100_000
MOST_BYTES = 32_000_000
"""Twice what 128 vectors of 4,096 numbers have as JSON."""

# A whole answer; a local model needs a minute for a full batch.
ANSWER_SECONDS = 120.0
MOST_CHARACTERS = 24_000
"""About 8,000 tokens, what the models of this interface take; longer texts are cut."""


class OpenAiEmbedder(Fixed):
    """A model behind `OPENAI_BASE_URL`; budgets from `WEFT_OPENAI_RPM` and `WEFT_OPENAI_TPM`.

    What it has embedded stays in the SKB's working copy, so a stopped build
    pays for no text twice.
    """

    def __init__(self, model: str, *, retries: int = 5, limits: Limits | None = None) -> None:
        """Prepare; what may pass is tried again `retries` times, and one answer takes no more than the limits."""
        self.name = f"openai:{model}"
        self.model = model
        self.rate = Rate(whole_number("WEFT_OPENAI_RPM"), whole_number("WEFT_OPENAI_TPM"))
        self._retries = retries
        self._limits = limits or Limits(MOST_BYTES, ANSWER_SECONDS)
        self._client: Any = None
        self._width: int | None = None

    def check(self) -> None:
        """Make the client, or raise WeftError where its key is missing; nothing is sent."""
        from openai import OpenAIError

        try:
            self._client = self._client or opened_client(self._limits, self._retries)
        except OpenAIError as error:
            raise WeftError(without_secrets(f"{self.name}: {error}")) from error

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit rows (n, d), one request a batch; raise WeftError where the endpoint refuses."""
        blocks = [self._embed(batch) for batch in _batches(texts)]
        return unit_rows(np.concatenate(blocks)) if blocks else np.empty((0, 1), np.float32)

    def _embed(self, texts: list[str]) -> NDArray[np.float32]:
        self.rate.spend(sum(map(_tokens, texts)))
        rows = self._rows(self._asked(texts), len(texts))
        if self._width not in (None, rows.shape[1]):
            raise self._wrong(f"the endpoint gave vectors of {self._width} numbers, then of {rows.shape[1]}")
        self._width = rows.shape[1]
        return rows

    def _asked(self, texts: list[str]) -> bytes:
        from openai import OpenAIError

        if is_offline():
            raise WeftError(f"{self.name}: WEFT_OFFLINE is set, so {service_host()} is not asked")
        try:
            self._client = self._client or opened_client(self._limits, self._retries)
            reply = self._client.embeddings.with_raw_response.create(
                model=self.model, input=texts, encoding_format="float"
            )
            return bytes(reply.content)
        except OpenAIError as error:
            raise self._wrong(reason_of(error)) from error

    def _rows(self, body: bytes, n: int) -> NDArray[np.float32]:
        """Return an answer's vectors (n, d) in the order of the texts; raise WeftError for an answer that is none."""
        try:
            given = parsed_json(body)["data"]
            vectors = {each.get("index", index): each["embedding"] for index, each in enumerate(given)}
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            start = " ".join(body[:200].decode("utf-8", "replace").split())[:80]
            raise self._wrong(f"the endpoint gave no vectors but {start!r}") from error
        if len(given) != n or set(vectors) != set(range(n)):
            raise self._wrong(f"the endpoint gave {len(given)} usable vectors for {n} texts")
        try:
            with np.errstate(over="ignore"):
                rows = np.array([vectors[index] for index in range(n)], np.float32)
        except (ValueError, TypeError, OverflowError) as error:
            raise self._wrong("the endpoint gave vectors of several lengths, or what are no numbers") from error
        if rows.ndim != 2 or not rows.shape[1] or not np.isfinite(rows).all():
            raise self._wrong("the endpoint gave vectors without numbers, or with some that are infinite or NaN")
        return rows

    def _wrong(self, reason: str) -> WeftError:
        place = f"{self.name} at {service_host()}"
        return WeftError(f"{place}: {safe_line(reason)}; the build goes on from here when it is run again")


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
