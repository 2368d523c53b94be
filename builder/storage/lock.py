"""One builder at a time for one SKB."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from weft.errors import BeingBuilt, DiskFull, WeftError
from weft.file_format.lock import HOLDER_BYTES, holder_of, lock_of, signed
from weft.output_file import DISK_FULL


@contextmanager
def exclusive(output: Path) -> Iterator[None]:
    """Hold the builder's lock of `output`; raise BeingBuilt naming the process that has it.

    The lock ends with the process, however it ends; the file beside the SKB is
    only its handle. Raises WeftError where something else has the handle's
    name: it is neither followed nor changed; DiskFull where it cannot be written.
    """
    path = lock_of(output)
    descriptor = _locked(path, output)
    try:
        _sign(descriptor, output)
        yield
    finally:
        # Only while the name is still this file: another builder may have made a new one.
        if _is_still(path, descriptor):
            path.unlink()
        os.close(descriptor)


def _sign(descriptor: int, output: Path) -> None:
    try:
        os.pwrite(descriptor, str(os.getpid()).encode().ljust(HOLDER_BYTES), 0)
    except OSError as error:
        if error.errno not in DISK_FULL:
            raise
        raise DiskFull(
            f"{output}: the disk is full ({error}); nothing was changed: free space and run the same command again"
        ) from error


def _locked(path: Path, output: Path) -> int:
    while True:
        descriptor = _opened(path, output)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = signed(descriptor)
            os.close(descriptor)
            raise _being_built(holder, output) from error
        if _is_still(path, descriptor):
            return descriptor
        # The holder removed the file between our open and our lock.
        os.close(descriptor)


def _being_built(holder: str, output: Path) -> BeingBuilt:
    return BeingBuilt(f"{output} is being built by process {holder}; wait for it or stop it")


def _opened(path: Path, output: Path) -> int:
    """Open or make a lock file; raise WeftError unless it is a file of its own that holds a process number."""
    # O_NOFOLLOW: a link would let others choose the file that is written. O_NONBLOCK: a pipe must not block.
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        descriptor = os.open(path, flags, 0o644)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise WeftError(f"{path}: is a link, not the lock of a build; remove it") from error
        if not os.path.lexists(path):
            raise WeftError(f"{output}: cannot be written ({error.strerror}); write elsewhere") from error
        is_others = error.errno in (errno.EACCES, errno.EPERM)
        if is_others and (builder := holder_of(output)):
            raise _being_built(builder, output) from error
        advice = "it is another user's, who may be building: ask them, or write elsewhere" if is_others else (
            "remove it, or write elsewhere"
        )
        raise WeftError(f"{path}: the lock of a build cannot be opened ({error.strerror}); {advice}") from error
    known = os.fstat(descriptor)
    if stat.S_ISREG(known.st_mode) and known.st_nlink <= 1 and known.st_size <= HOLDER_BYTES:
        holder = os.pread(descriptor, HOLDER_BYTES, 0).strip()
        if not holder or holder.isdigit():
            return descriptor
    os.close(descriptor)
    raise WeftError(f"{path}: is not the lock of a build but something else; move it away")


def _is_still(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.lstat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False
