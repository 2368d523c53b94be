"""How the time of a function grows with the length of a text."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

SHORT, LONG = 4_000, 16_000
"""Characters of the texts whose times are compared."""

MOST = 8
"""How many times as long the longer text may take: four times in proportion, sixteen times by the square."""

FLOOR_S = 0.4
"""Seconds that tell nothing yet: a machine that does something else takes as long."""


class Run(NamedTuple):
    """A text that repeats something, between what comes before and behind it."""

    repeated: str
    before: str = ""
    behind: str = ""

    def text(self, length: int) -> str:
        return self.before + self.repeated * (length // len(self.repeated)) + self.behind


def check_growth(read: Callable[[str], object], run: Run) -> None:
    """Fail where the time of reading a text grows by the square of its length."""
    # What is only set up once is not counted.
    read(run.text(1))
    short, long = _seconds(read, run.text(SHORT)), _seconds(read, run.text(LONG))
    assert long < max(FLOOR_S, MOST * short), f"{long:.2f} s for {LONG} characters, {short:.2f} s for {SHORT}"


def _seconds(read: Callable[[str], object], text: str) -> float:
    start = time.process_time()
    read(text)
    return time.process_time() - start
