"""Failures of services that may pass, and how long to wait before one is asked again."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import NamedTuple, TypeVar

from weft.http.stopping import go_on, pause

T = TypeVar("T")

RETRYABLE_STATUS = frozenset({408, 425, 429, *range(500, 600)}) - {501, 505}
"""HTTP states whose cause is the server's load or the connection, not the request; proxies have some of their own."""

SPREAD = 0.1
"""The part by which a wait that a server asked for is lengthened at random, so that not all come back at once."""


class RetryableError(Exception):
    """A failure that may pass; `after_s` is how long the server asked to wait, None where it did not say."""

    def __init__(self, reason: str, after_s: float | None = None) -> None:
        """Store a one-line reason, and the wait that the server asked for, in seconds."""
        super().__init__(reason)
        self.after_s = after_s


def wait_in(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that an answer asks to wait by the server's own clock, if it tells it; None without such."""
    return retry_after(headers.get("Retry-After"), _moment(headers.get("Date")) or datetime.now(UTC))


def retry_after(value: str | None, now: datetime) -> float | None:
    """Return the seconds that a Retry-After header asks for, as a number or an HTTP date; None without one.

    >>> retry_after("Fri, 20 Nov 2026 10:00:30 GMT", datetime(2026, 11, 20, 10, tzinfo=UTC))
    30.0
    """
    text = (value or "").strip()
    if text.isascii() and text.isdigit():
        return float(text)
    moment = _moment(text)
    return None if moment is None else max(0.0, (moment - now).total_seconds())


def _moment(value: str | None) -> datetime | None:
    """Return the time that an HTTP date tells, None for what is none."""
    try:
        moment = parsedate_to_datetime(value or "")
    except (ValueError, OverflowError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


class Retry(NamedTuple):
    """How often, and after which waits, a request is made again.

    The wait doubles from `first_s` up to `longest_s`, and up to half of it is
    left out at random. What the server asks for is waited for where it is longer, unless
    it is more than `patience_s`. `sleep` and `chance`, a number from 0 to 1, are what tests replace.
    """

    retries: int = 6
    first_s: float = 1.0
    longest_s: float = 60.0
    patience_s: float = 120.0
    sleep: Callable[[float], None] = pause
    chance: Callable[[], float] = random.random

    def run(self, request: Callable[[], T]) -> T:
        """Return what `request` does, made again while it raises RetryableError; raise the last of these.

        Raise Stopped where nobody waits for it any more.
        """
        for attempt in range(self.retries):
            go_on()
            try:
                return request()
            except RetryableError as failure:
                if (failure.after_s or 0.0) > self.patience_s:
                    raise
                self.sleep(self.wait_s(attempt, failure.after_s))
        go_on()
        return request()

    def wait_s(self, attempt: int, after_s: float | None = None) -> float:
        """Return the seconds to wait after an attempt, counted from 0; never less than the server asked for."""
        # 2.0 ** attempt would overflow for what people may set as retries.
        own_s = min(self.longest_s, self.first_s * 2.0 ** min(attempt, 60)) * (1 + self.chance()) / 2
        return own_s if after_s is None else max(own_s, after_s * (1 + SPREAD * self.chance()))
