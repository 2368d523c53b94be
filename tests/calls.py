"""Functions that tests send to worker processes; they import little, since every worker imports them."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from weft.errors import UnreadableSource


def squared(number: int) -> int:
    """Return the square."""
    return number * number


def killed_at_seven(number: int) -> int:
    """Return the square; 7 ends its process as the kernel does when memory runs out."""
    if number == 7:
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def crashed_at_seven(number: int) -> int:
    """Return the square; 7 reads from nowhere."""
    if number == 7:
        os.kill(os.getpid(), signal.SIGSEGV)
    return number * number


def left_at_seven(number: int) -> int:
    """Return the square; 7 leaves."""
    if number == 7:
        os._exit(3)
    return number * number


def raised_at_seven(number: int) -> int:
    """Return the square; 7 is a mistake of the programmer."""
    return number * number if number != 7 else number // 0


def endless_at_seven(number: int) -> int:
    """Return the square; 7 does not end, in Python."""
    while number == 7:
        pass
    return number * number


def endless_in_c_at_seven(number: int) -> int:
    """Return the square; 7 does not end, in C, without letting another thread run."""
    return number * number if number != 7 else sum(range(10**15))


def asleep_at_seven(number: int) -> int:
    """Return the square; 7 waits for what never comes, and takes no processor time."""
    if number == 7:
        signal.pause()
    return number * number


def killed_once(path: str) -> str:
    """Return the path; the first call for it ends the process."""
    if not Path(path).exists():
        Path(path).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return path


def refused(number: int) -> int:
    """Say that the request is wrong."""
    raise UnreadableSource(f"{number}: no such thing")


def own_process(number: int) -> int:
    """Return the worker's process number."""
    return os.getpid()
