"""A worker process: calls the functions that its parent sends, one at a time, each within a time limit.

The limit is a timer of the kernel whose signal ends the process, so it holds
within C code too; the parent sees how the process ended.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, NamedTuple

from weft.errors import WeftError

WALL_FACTOR = 10
"""A call may take so many times its processor time: a busy machine is slow, but a deadlock must end."""
# One timer counts processor time, the other elapsed time; either ends the process by its signal.
TIMERS = {signal.SIGPROF: signal.ITIMER_PROF, signal.SIGALRM: signal.ITIMER_REAL}


class Returned(NamedTuple):
    """What the function returned."""

    value: Any


class Refused(NamedTuple):
    """The request itself is wrong: the error is the caller's."""

    error: WeftError


class Crashed(NamedTuple):
    """An exception that nobody expected ends the worker; `reason` names it in one line."""

    reason: str


def serve(descriptor: int) -> None:
    """Answer (function, argument, seconds) sent over a socket until the parent closes it."""
    connection: Connection[Any, Any] = Connection(descriptor)
    _end_with_parent()
    _be_first_to_go()
    # Nothing is caught: an exception ends the process, and the hook tells the parent which one.
    sys.excepthook = partial(_report, connection)
    with suppress(EOFError, ConnectionResetError, BrokenPipeError):
        while True:
            function, argument, seconds = connection.recv()
            try:
                with _limit(seconds):
                    answer: Returned | Refused = Returned(function(argument))
            except WeftError as error:
                answer = Refused(error)
            connection.send(answer)


@contextmanager
def _limit(seconds: float) -> Iterator[None]:
    """End this process when the block takes longer: `seconds` of processor time; 0 is no limit."""
    for number in TIMERS:
        # Handlers in Python run between bytecodes only; the default action ends C code too.
        signal.signal(number, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, seconds * WALL_FACTOR)
    try:
        yield
    finally:
        for timer in TIMERS.values():
            signal.setitimer(timer, 0)


def _end_with_parent() -> None:
    """End this process when its parent is gone, however that ended: standard input is a pipe of the parent's."""

    def watch() -> None:
        os.read(sys.stdin.fileno(), 1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _be_first_to_go() -> None:
    """Make the kernel choose a worker when memory runs out, not the build; only Linux knows this."""
    with suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
        # Of -1000 to 1000: far above the parent, yet below processes that ask to be killed first.
        file.write("500")


def _report(
    connection: Connection[Any, Any],
    kind: type[BaseException],
    error: BaseException,
    traceback: TracebackType | None,
) -> None:
    with suppress(OSError):
        connection.send(Crashed(" ".join(f"{kind.__name__}: {error}".split())[:200]))
