"""Commits now and then within long work, so that little of it is done again after a stop."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable

MOST_SECONDS = 2.0
"""At most this much work is done again after a kill."""
SHARE = 0.02
"""The share of the time that commits may take, where that loses less."""
USUAL_SECONDS = 0.01
"""What the first commit is taken to last."""


class Commits:
    """Commits a connection's work as often as commits are cheap: every half a second where one lasts 10 ms."""

    def __init__(self, connection: sqlite3.Connection, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin to count; `clock` tells seconds."""
        self._connection = connection
        self._clock = clock
        self._last = clock()
        self._pause = USUAL_SECONDS / SHARE

    def commit_when_due(self) -> None:
        """Commit unless the last commit was so recent that another one would cost too much."""
        start = self._clock()
        if start - self._last < self._pause:
            return
        self._connection.commit()
        self._last = self._clock()
        self._pause = min(MOST_SECONDS, (self._last - start) / SHARE)
