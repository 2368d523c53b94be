"""Write files that are there complete or not at all, and harm nothing beside them.

What stands at the name of a temporary file, a link, a pipe, a second name of
another file, is unlinked and never opened. A file that is replaced keeps its
mode, its owner and its group; what is written is never open to more people
than the result.

>>> with replacing(Path("notes.txt")) as file:                   # doctest: +SKIP
...     file.write(b"all or nothing")
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from io import RawIOBase
from pathlib import Path
from typing import IO

from weft.errors import DiskFull, WeftError

DISK_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
"""No space, no quota, or more than a file may hold."""

FRESH = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def real_path(path: Path) -> Path:
    """Return where `path` is written, links followed; raise WeftError for a link that leads back to itself."""
    if not path.is_symlink():
        return path
    real = Path(os.path.realpath(path))
    if real.is_symlink():
        raise WeftError(f"{path}: a link that leads back to itself; remove it")
    return real


def real_file(path: Path) -> Path:
    """Return where a file is written, links followed; raise WeftError where anything but a file would be replaced."""
    real = real_path(path)
    # Asked of the path itself: that of an open pipe leads through links to a name that does not exist.
    known = _status_of(path)
    if known is not None and stat.S_ISDIR(known.st_mode):
        raise WeftError(f"{path}: is a folder; name a file")
    if known is not None and not stat.S_ISREG(known.st_mode):
        raise WeftError(f"{path}: is a device or a pipe, which no file may replace; name a file")
    return real


def create_beside(path: Path, output: Path) -> int:
    """Create `path` anew, in place of whatever had the name, and return its descriptor.

    It has the mode, owner and group of `output` where that exists, and can be
    written by its owner; else the mode that the umask gives. Raises OSError.
    """
    path.unlink(missing_ok=True)
    known = _status_of(output)
    if known is None:
        return os.open(path, FRESH, 0o666)
    descriptor = os.open(path, FRESH, 0o600)
    try:
        os.fchmod(descriptor, _own(descriptor, known) | 0o600)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def put_in_place(path: Path, output: Path) -> None:
    """Rename a finished file to `output`, with the mode that is there, so that a crash leaves one or the other."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        if known := _status_of(output):
            os.fchmod(descriptor, _own(descriptor, known))
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    os.replace(path, output)
    sync_folder(output.parent)


def sync_folder(folder: Path) -> None:
    """Make a rename in a folder durable; file systems that cannot do that are left alone."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def replacing(path: Path, ending: str = ".part") -> Iterator[IO[bytes]]:
    """Give a file that becomes `path`, links followed, when the block ends well, and is gone otherwise.

    Raises OSError, and WeftError for what is no file or a link that leads back to itself.
    """
    path = real_file(path)
    part = path.with_name(path.name + ending)
    try:
        with os.fdopen(create_beside(part, path), "wb") as file:
            yield file
        put_in_place(part, path)
    finally:
        if not part.is_dir():
            part.unlink(missing_ok=True)


@contextmanager
def replacing_folder(path: Path, ending: str | None = None) -> Iterator[Path]:
    """Give a folder that becomes `path`, links followed, when the block ends well, and is gone otherwise.

    The folder and those of its files that were there before keep their modes.
    Until then all of it is in a folder that only this user can enter: one of a
    new name, or `path` + `ending`, in place of what a stopped run left there.
    """
    path = real_path(path)
    if ending is None:
        aside = Path(tempfile.mkdtemp(prefix=path.name + ".", dir=path.absolute().parent))
    else:
        aside = path.with_name(path.name + ending)
        if not aside.is_symlink():
            _put_back(aside / "old", path)
        _remove(aside)
        aside.mkdir(0o700)
    try:
        made = aside / "new"
        made.mkdir()
        yield made
        _finish(path, made)
        _swap(made, path, aside / "old")
        sync_folder(path.absolute().parent)
    finally:
        # What cannot be put back is not removed either.
        _put_back(aside / "old", path)
        shutil.rmtree(aside)


def _remove(path: Path) -> None:
    """Remove a folder with all in it, or a link or a file without what it leads to."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _swap(made: Path, path: Path, old: Path) -> None:
    """Put `made` where `path` is, which becomes `old`; a folder that is not empty cannot be renamed over."""
    if path.exists():
        path.rename(old)
    made.rename(path)


def _put_back(old: Path, path: Path) -> None:
    """Undo a swap that ended between its renames, by an error, Ctrl-C or a kill."""
    if not os.path.lexists(path) and old.is_dir() and not old.is_symlink():
        old.rename(path)


def _finish(old: Path, new: Path) -> None:
    """Give all in `new`, and itself, the modes that are there in `old`, and make it durable."""
    # A folder comes after what is in it, which its mode may hide.
    for each in reversed([new, *new.rglob("*")]):
        descriptor = os.open(each, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            known, made = _status_of(old / each.relative_to(new)), os.fstat(descriptor)
            if known is not None and stat.S_IFMT(known.st_mode) == stat.S_IFMT(made.st_mode):
                os.fchmod(descriptor, stat.S_IMODE(known.st_mode))
            # Not every file system can make a folder durable.
            with suppress(OSError) if stat.S_ISDIR(made.st_mode) else nullcontext():
                os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _status_of(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None


def _own(descriptor: int, known: os.stat_result) -> int:
    """Give a file the owner and group of another, as far as that is allowed, and return the mode that it may have."""
    mode = stat.S_IMODE(known.st_mode) & 0o777
    present = os.fstat(descriptor)
    if present.st_uid != known.st_uid:
        _change_owner(descriptor, known.st_uid, -1)
    if present.st_gid != known.st_gid and not _change_owner(descriptor, -1, known.st_gid):
        # The group is another one, and gets no more than everybody does.
        mode = mode & 0o707 | (mode & 0o007) << 3
    return mode


def _change_owner(descriptor: int, user: int, group: int) -> bool:
    """Change owner or group where the system allows it; tell whether it did."""
    try:
        os.fchown(descriptor, user, group)
    except OSError as error:
        # A user namespace, as in a container, answers EINVAL for who has no number in it.
        if error.errno not in (errno.EPERM, errno.EINVAL):
            raise
        return False
    return True


def write_whole(file: RawIOBase, data: bytes) -> None:
    """Write all of `data` to a file without a buffer, which may take less than it is given; raise OSError."""
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) or 0 :]


@contextmanager
def wrapped_errors(path: Path, outcome: str = "what was there is unchanged") -> Iterator[None]:
    """Turn what the system refuses while `path` is written into a WeftError that names it.

    `outcome` says what a full disk leaves at `path`.
    """
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        if error.errno in DISK_FULL:
            raise DiskFull(f"{path}: the disk is full ({reason}); {outcome}") from error
        raise WeftError(f"{path}: cannot be written ({reason})") from error
