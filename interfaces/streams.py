"""Standard streams that the caller closed, as `weft ... 2>&-` does."""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import BinaryIO


class ClosedStream(io.TextIOBase):
    """Stands for a closed stdin or stdout: using it raises OSError, which names it."""

    def __init__(self, name: str, lost: str) -> None:
        self.name, self.lost = name, lost

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return "utf-8"

    @property
    def buffer(self) -> BinaryIO:
        raise self._error()

    def write(self, text: str) -> int:
        if text:
            raise self._error()
        return 0

    def _error(self) -> OSError:
        return OSError(errno.EBADF, f"is closed, so {self.lost}", self.name)


def open_closed_streams() -> None:
    """Give each closed standard stream a stand-in; what is told on a closed stderr is dropped.

    The numbers 0 to 2 are taken first, so that no file that is opened later
    gets one of them and with it what a library writes there.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    sys.stdin = sys.stdin or ClosedStream("stdin", "no question can be read")
    sys.stdout = sys.stdout or ClosedStream("stdout", "the result cannot be printed")
    # Lives as long as the process.
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
