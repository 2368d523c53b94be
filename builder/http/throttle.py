"""Rate limit towards public servers: one request at a time, pauses, and waiting when asked to.

Every client of a live service sends its requests through `Throttle.ask`, which
retries what may pass and reports what will not in one line.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import TypeVar

from weft.errors import UnreadableSource
from weft.http.retrying import RetryableError

Reply = TypeVar("Reply")

class Unreachable(RetryableError):
    """No answer at all: the address may be wrong, or the network is off."""


class Garbled(Unreachable):
    """An answer of something else than the service, such as a proxy's page for people."""


class BadAnswer(UnreadableSource):
    """The service is there, but its answer to this one request cannot be used."""


class StuckAnswer(BadAnswer):
    """An answer that used up all the time or all the attempts, so that many of them would take hours."""


def user_agent() -> str:
    """Return the name that Weft gives itself, as the services' rules ask for."""
    try:
        number = version("weft")
    except PackageNotFoundError:
        number = "0"
    return f"Weft/{number} (knowledge base builder; one request at a time)"


def pause_or(default_s: float) -> float:
    """Return the seconds between two requests: WEFT_PAUSE, or the default.

    Raises UnreadableSource where WEFT_PAUSE is no number.
    """
    given = os.environ.get("WEFT_PAUSE", "")
    try:
        return max(0.0, float(given)) if given else default_s
    except ValueError as error:
        raise UnreadableSource(f"WEFT_PAUSE={given}: must be a number of seconds") from error


class Throttle:
    """The rate of requests to one service, which error messages name."""

    def __init__(
        self,
        service: str,
        *,
        pause_s: float = 1.0,
        attempts: int = 6,
        longest_wait_s: float = 300.0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Prepare; all times are in seconds, and `sleep` is called to wait."""
        self.service = service
        self.pause_s = pause_s
        self.attempts = attempts
        self.longest_wait_s = longest_wait_s
        self.answered = False
        self._sleep = sleep
        self._ended: float | None = None

    def ask(self, request: Callable[[], Reply]) -> Reply:
        """Return what `request` does, tried again while it raises RetryableError.

        The wait doubles from one second, or is what the server asked for, if that is any time.
        Raise UnreadableSource when all attempts fail, when the server asks for more
        than `longest_wait_s`, and at once when it never answered at all;
        StuckAnswer when it answered before and its answers now stay Garbled.
        """
        for attempt in range(self.attempts):
            self._pause()
            try:
                reply = self._timed(request)
            except RetryableError as failure:
                wait_s = failure.after_s or 2.0**attempt
                hopeless = isinstance(failure, Unreachable) and not self.answered
                if hopeless or wait_s > self.longest_wait_s or attempt + 1 == self.attempts:
                    raise self._failed(failure) from failure
                self._sleep(wait_s)
            else:
                self.answered = True
                return reply
        raise AssertionError("unreachable")

    def _pause(self) -> None:
        """Wait until `pause_s` have gone by since the last request ended."""
        if self._ended is not None:
            rest_s = self._ended + self.pause_s - time.monotonic()
            if rest_s > 0:
                self._sleep(rest_s)

    def _timed(self, request: Callable[[], Reply]) -> Reply:
        try:
            return request()
        finally:
            self._ended = time.monotonic()

    def _failed(self, failure: RetryableError) -> UnreadableSource:
        asked = failure.after_s
        hint = f"; it asks to wait {asked:.0f} seconds" if asked and asked > self.longest_wait_s else ""
        kind = StuckAnswer if isinstance(failure, Garbled) and self.answered else UnreadableSource
        return kind(f"{self.service}: {failure}{hint}")
