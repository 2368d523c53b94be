"""One builder at a time for one SKB."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from weft.errors import BeingBuilt


@contextmanager
def exclusive(output: Path) -> Iterator[None]:
    """Hold the builder's lock of `output`; raise BeingBuilt naming the process that has it.

    The lock ends with the process, however it ends; the file beside the SKB is
    only its handle.
    """
    path = output.with_name(output.name + ".lock")
    descriptor = _locked(path, output)
    try:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, str(os.getpid()).encode(), 0)
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(descriptor)


def _locked(path: Path, output: Path) -> int:
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = os.pread(descriptor, 32, 0).decode("ascii", "replace") or "unknown"
            os.close(descriptor)
            raise BeingBuilt(
                f"{output} is being built by process {holder}; wait for it or stop it"
            ) from error
        if _is_still(path, descriptor):
            return descriptor
        # The holder removed the file between our open and our lock.
        os.close(descriptor)


def _is_still(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False
