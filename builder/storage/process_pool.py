"""Map a function over a stream in worker processes, in order, with a bounded number under way.

A worker has one input at a time, so one that dies or takes too long costs that
input. Workers are plain `python -c` processes: unlike those of
`multiprocessing` they do not import the caller's script again, so a script
needs no `__main__` guard, and unlike a fork they copy no threads and locks.
"""

from __future__ import annotations

import atexit
import os
import re
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from itertools import chain, islice
from multiprocessing import Pipe
from threading import Lock
from types import TracebackType
from typing import NamedTuple, TypeVar

from builder.storage.worker import TIMERS, Crashed, Refused
from weft.errors import WeftError

Input = TypeVar("Input")
Output = TypeVar("Output")

WORTH_PROCESSES = 48
"""Fewer inputs than this one worker has parsed before others would have started."""
ATTEMPTS = 2
"""A worker may be killed from outside: its input is tried again before it is given up."""


class Lost(NamedTuple):
    """The result of an input that ended its worker."""

    reason: str


class _Died(Exception):
    """The worker is gone; `status` is its exit code, or less a signal's number."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def cores() -> int:
    """Return how many cores this process may use; macOS cannot tell, and gives all."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _Worker:
    """One worker process and the socket to it."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        self._connection, theirs = Pipe()
        descriptor = theirs.fileno()
        code = f"import sys; sys.path[:] = {sys.path!r}; from builder.storage.worker import serve; serve({descriptor})"
        try:
            # A process group of its own keeps Ctrl-C and Ctrl-Z for the parent alone.
            self._process = subprocess.Popen(
                [sys.executable, "-c", code], stdin=subprocess.PIPE, pass_fds=[descriptor], process_group=0
            )
        except OSError as error:
            # As an OSError it would be taken for one of the file that is being read.
            raise WeftError(
                f"no process that parses documents can be started: {sys.executable or 'python'}: {error.strerror};"
                " run weft by a Python that this user may start"
            ) from error
        finally:
            theirs.close()

    def call(self, function: Callable[[Input], Output], argument: Input, seconds: float) -> Output | Lost:
        """Return what the function returns; raise _Died when the process ends, WeftError when that is raised."""
        try:
            self._connection.send((function, argument, seconds))
            answer = self._connection.recv()
        except (EOFError, ConnectionResetError, BrokenPipeError):
            raise _Died(self._process.wait()) from None
        except OSError:
            # The end of a file within an answer: the worker was killed; after any other error it is of no use.
            self.kill()
            raise _Died(self._process.wait()) from None
        if isinstance(answer, Refused):
            raise answer.error
        if isinstance(answer, Crashed):
            self.end()
            return Lost(f"parsing it failed: {answer.reason}")
        result: Output = answer.value
        return result

    def is_alive(self) -> bool:
        """Tell whether the process runs and is this process's own, not one of the process that it was forked from."""
        return self.owner == os.getpid() and self._process.poll() is None

    def kill(self) -> None:
        """End the process; whoever waits for its answer gets _Died."""
        self._process.kill()

    def end(self) -> None:
        """End the process and wait until it is gone."""
        self.kill()
        self._process.wait()
        self._connection.close()
        if self._process.stdin is not None:
            self._process.stdin.close()


_kept: list[_Worker] = []
"""An idle worker for the next build of this process: starting one takes 0.2 s."""


@atexit.register
def _end_kept() -> None:
    for worker in _kept:
        if worker.is_alive():
            worker.end()


class Workers:
    """Worker processes for as long as a `with` block lasts; each starts when there is something to do."""

    def __init__(self, count: int, seconds: float) -> None:
        """Prepare at most `count` processes; an input may take `seconds` of processor time, 0 for no limit."""
        self._count = count
        self._seconds = seconds
        self._lock = Lock()
        self._idle = [worker for worker in _kept if worker.is_alive()]
        _kept.clear()
        self._busy: list[_Worker] = []
        self._closed = False

    def __enter__(self) -> Workers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._kill_busy()
        while self._idle:
            worker = self._idle.pop()
            if _kept:
                worker.end()
            else:
                _kept.append(worker)

    def map(
        self, function: Callable[[Input], Output], inputs: Iterable[Input]
    ) -> Iterator[tuple[Input, Output | Lost]]:
        """Yield (input, function(input)) in input order, or a Lost for an input that ended its workers.

        The function must be importable by name. A WeftError that it raises is
        raised here; any other exception is the reason of a Lost. After a stream
        that is left before its end the workers are of no use any more.
        """
        stream = iter(inputs)
        head = list(islice(stream, WORTH_PROCESSES))
        count = 1 if len(head) < WORTH_PROCESSES else self._count
        under_way: deque[tuple[Input, Future[Output | Lost]]] = deque()
        if not head:
            return
        with ThreadPoolExecutor(count) as pool:
            try:
                for each in chain(head, stream):
                    under_way.append((each, pool.submit(self._call, function, each)))
                    # Four inputs a worker: none is idle while the oldest is awaited, and memory stays bounded.
                    if len(under_way) >= 4 * count:
                        yield under_way[0][0], under_way[0][1].result()
                        under_way.popleft()
                while under_way:
                    yield under_way[0][0], under_way[0][1].result()
                    under_way.popleft()
            finally:
                if under_way:
                    # The pool waits for its threads, and they for their workers.
                    pool.shutdown(wait=False, cancel_futures=True)
                    self._kill_busy()

    def _call(self, function: Callable[[Input], Output], argument: Input) -> Output | Lost:
        """Return what the function returns; called in a thread of the pool, which waits for the worker."""
        status = 0
        for _ in range(ATTEMPTS):
            worker = self._take()
            try:
                return worker.call(function, argument, self._seconds)
            except _Died as death:
                status = death.status
            finally:
                self._give_back(worker)
            if -status in TIMERS:
                return Lost(too_slow(self._seconds))
        return Lost(f"parsing it ended the worker process ({_named(status)})")

    def _take(self) -> _Worker:
        with self._lock:
            if self._closed:
                raise CancelledError
            worker = self._idle.pop() if self._idle else _Worker()
            self._busy.append(worker)
            return worker

    def _give_back(self, worker: _Worker) -> None:
        with self._lock:
            self._busy.remove(worker)
            if worker.is_alive() and not self._closed:
                self._idle.append(worker)
            else:
                worker.end()

    def _kill_busy(self) -> None:
        with self._lock:
            self._closed = True
            for worker in self._busy:
                worker.kill()


def too_slow(seconds: float) -> str:
    """Return the reason of an input that was given up after so many seconds."""
    return f"took more than {seconds:g} s"


def may_be_in_time(reason: str | None, seconds: float) -> bool:
    """Tell whether an input that was given up for this reason has now more time; 0 is no limit."""
    # The reason as `too_slow` writes it: "g" also gives exponents, such as 1e+06.
    found = re.fullmatch(r"took more than ([0-9.e+-]+) s", reason or "")
    return found is not None and (seconds == 0 or seconds > float(found[1]))


def _named(status: int) -> str:
    return f"signal {-status}" if status < 0 else f"exit code {status}"
