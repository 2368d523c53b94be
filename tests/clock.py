"""A clock for tests of what takes time."""

from __future__ import annotations

from threading import Lock


class Clock:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 1000.0
        self._lock = Lock()

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        assert seconds > 0
        with self._lock:
            self.now += seconds
