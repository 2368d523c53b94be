"""The lock of whoever is building an SKB, seen by those who only read: `KB.skb.lock` beside it."""

from __future__ import annotations

import fcntl
import os
import stat
from pathlib import Path

HOLDER_BYTES = 32
"""A lock file holds a process number and blanks, always as many bytes, so that it need not be truncated."""


def lock_of(path: Path) -> Path:
    """Return where the lock file of an SKB is."""
    return path.with_name(f"{path.name}.lock")


def holder_of(path: Path) -> str | None:
    """Return the number of the process that is building the SKB at `path`, or "unknown"; None where none is."""
    try:
        descriptor = os.open(lock_of(path), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        # A shared lock needs no right to write, and fails while a builder holds the file.
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return signed(descriptor)
    finally:
        os.close(descriptor)
    return None


def signed(descriptor: int) -> str:
    """Return the process number that an open lock file holds, "unknown" where its holder has not signed yet."""
    return os.pread(descriptor, HOLDER_BYTES, 0).decode("ascii", "replace").strip() or "unknown"
