"""Map a function over a stream on several processes, in order, with a bounded number under way."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import chain, islice
from multiprocessing.connection import wait
from typing import TypeVar

Input = TypeVar("Input")
Output = TypeVar("Output")

WORTH_PROCESSES = 48
"""Fewer inputs than this are done before worker processes would have started."""


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0))


def ordered_map(
    function: Callable[[Input], Output], inputs: Iterable[Input], workers: int
) -> Iterator[tuple[Input, Output]]:
    """Yield (input, function(input)) in input order, on `workers` processes when there is enough to do."""
    stream = iter(inputs)
    head = list(islice(stream, WORTH_PROCESSES)) if workers > 1 else []
    if workers <= 1 or len(head) < WORTH_PROCESSES:
        for each in chain(head, stream):
            yield each, function(each)
        return
    context = multiprocessing.get_context("forkserver")
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_end_with_parent) as pool:
        under_way: deque[tuple[Input, Future[Output]]] = deque()
        try:
            for each in chain(head, stream):
                under_way.append((each, pool.submit(function, each)))
                if len(under_way) >= 4 * workers:
                    done, future = under_way.popleft()
                    yield done, future.result()
            while under_way:
                done, future = under_way.popleft()
                yield done, future.result()
        finally:
            for _, future in under_way:
                future.cancel()


def _end_with_parent() -> None:
    """End this worker when its parent is gone, so that a killed build leaves no process behind."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    sentinel = parent.sentinel

    def watch() -> None:
        wait([sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
