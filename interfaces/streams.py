"""Standard streams that the caller closed, as `weft ... 2>&-` does, or that cannot hold every letter."""

from __future__ import annotations

import codecs
import errno
import io
import os
import sys
from typing import BinaryIO

ESCAPED = "weft-escaped"
"""The name of the error handler of stdout."""


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


def prepare_streams() -> None:
    """Make stdin, stdout and stderr fit to use: there, and never in the way of a letter that they cannot hold."""
    open_closed_streams()
    codecs.register_error(ESCAPED, _escaped)
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors=ESCAPED)


def _escaped(error: UnicodeError) -> tuple[str, int]:
    """Write what an encoding lacks as JSON does, so that JSON stays JSON."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[index : index + 2].hex()}" for index in range(0, len(units), 2)), error.end


def drop_unwritten() -> None:
    """Drop what stdout cannot take, so that Python does not try to write it again at exit, and complain."""
    try:
        sys.stdout.flush()
    except OSError:
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), sys.stdout.fileno())


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
