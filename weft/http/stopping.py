"""Threads that wait for a service, and go on no more once what they work for has ended.

>>> stop = Stop()
>>> with ThreadPoolExecutor(8, initializer=stop.heed) as pool, stop:                    # doctest: +SKIP
...     list(pool.map(ask, questions))
"""

from __future__ import annotations

import time
from contextvars import ContextVar
from threading import Event, Lock
from types import TracebackType
from typing import Self

from weft.errors import WeftError


class Stopped(WeftError):
    """What a thread works for has ended, so that nobody waits for it."""


class Stop:
    """The end of a `with` block, however it comes: threads that heed it wait no longer, nor do those of these threads.

    It ends with the one that the thread which makes it heeds.
    """

    def __init__(self) -> None:
        self._ended = Event()
        self._lock = Lock()
        self._inner: set[Stop] = set()
        self._outer = _HEEDED.get()

    def __enter__(self) -> Self:
        if self._outer is not None:
            self._outer._hold(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()
        if self._outer is not None:
            with self._outer._lock:
                self._outer._inner.discard(self)

    def heed(self) -> None:
        """Let this thread heed it from now on."""
        _HEEDED.set(self)

    def is_set(self) -> bool:
        """Tell whether the block has ended."""
        return self._ended.is_set()

    def wait(self, seconds: float) -> None:
        """Wait so long, or until the block ends."""
        self._ended.wait(seconds)

    def _hold(self, inner: Stop) -> None:
        with self._lock:
            self._inner.add(inner)
        if self.is_set():
            inner._end()

    def _end(self) -> None:
        self._ended.set()
        with self._lock:
            inner = tuple(self._inner)
        for each in inner:
            each._end()


_HEEDED: ContextVar[Stop | None] = ContextVar("stop", default=None)


def pause(seconds: float) -> None:
    """Sleep, but no longer than what this thread works for goes on."""
    stop = _HEEDED.get()
    if stop is None:
        time.sleep(seconds)
    else:
        stop.wait(seconds)


def go_on() -> None:
    """Raise Stopped where what this thread works for has ended."""
    stop = _HEEDED.get()
    if stop is not None and stop.is_set():
        raise Stopped("nobody waits for this any more")
