"""Functions that tests send to worker processes; they import little, since every worker imports them."""

from __future__ import annotations

import os
import re
import signal
import struct
import sys
from contextlib import suppress
from pathlib import Path

from builder.readers.links.file_heads import FileHead, title_of
from builder.storage.worker import TIMERS, _limit
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


MESSAGE = struct.pack("!i", 1000) + b"x" * 1000
"""An answer as it goes over the socket: its length, and so many bytes."""


def cut_answer(sent: int) -> int:
    """Return the argument; one of a message's length and less ends the process when so many bytes are sent."""
    if sent <= len(MESSAGE):
        os.write(_descriptor(), MESSAGE[:sent])
        os.kill(os.getpid(), signal.SIGKILL)
    return sent


def _descriptor() -> int:
    """Return the worker's end of the socket."""
    found = re.search(r"serve\((\d+)\)", sys.orig_argv[-1])
    assert found
    return int(found[1])


def timers_after_refusal(number: int) -> list[float]:
    """Return what is left on the timers after a call within a limit that ended in an error."""
    with suppress(UnreadableSource), _limit(30.0):
        refused(number)
    return [signal.getitimer(timer)[0] for timer in TIMERS.values()]


def refused(number: int) -> int:
    """Say that the request is wrong."""
    raise UnreadableSource(f"{number}: no such thing")


def own_process(number: int) -> int:
    """Return the worker's process number."""
    return os.getpid()


def killed_at_bang(head: FileHead) -> str:
    """Return the title of a file; one of a file with an exclamation mark ends the process."""
    if b"!" in head.data:
        os.kill(os.getpid(), signal.SIGKILL)
    return title_of(head)
