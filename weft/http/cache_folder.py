"""Where fetched things are kept between builds: a folder that nobody else can write, and files of mode 600 in it."""

from __future__ import annotations

import os
from pathlib import Path
from stat import S_IWGRP, S_IWOTH

from weft.errors import UnreadableSource

OTHERS_WRITE = S_IWGRP | S_IWOTH


def cache_folder() -> Path:
    """Return `WEFT_CACHE`, or `weft` in the user's cache folder, which `XDG_CACHE_HOME` names or is ~/.cache."""
    if folder := os.environ.get("WEFT_CACHE"):
        return Path(folder)
    base = os.environ.get("XDG_CACHE_HOME", "")
    # The specification says that a relative path is to be ignored.
    return (Path(base) if os.path.isabs(base) else Path.home() / ".cache") / "weft"


def private_folder(folder: Path) -> Path:
    """Make a folder for the user alone where there is none.

    Raise UnreadableSource where that cannot be, and for a folder, or a link to
    one, that is another user's or that others can write.
    """
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        link, state = folder.lstat(), folder.stat()
    except OSError as error:
        raise UnreadableSource(
            f"{folder}: cannot hold a cache ({error.strerror or error}); name another as WEFT_CACHE"
        ) from error
    if {link.st_uid, state.st_uid} != {os.geteuid()}:
        raise UnreadableSource(f"{folder}: is another user's, so it cannot hold a cache; name another as WEFT_CACHE")
    if state.st_mode & OTHERS_WRITE:
        raise UnreadableSource(f"{folder}: others can write to it, so it cannot hold a cache; chmod go-w it")
    return folder


def private_file(path: Path) -> int:
    """Open a file for reading and writing, made for the user alone, and return its descriptor.

    A link in its place is removed, never followed; raise UnreadableSource for
    what is no regular file.
    """
    if path.is_symlink():
        path.unlink()
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
    try:
        descriptor = os.open(path, flags, 0o600)
    except OSError as error:
        raise UnreadableSource(f"{path}: cannot be used as a cache file ({error.strerror})") from error
    if not path.is_file():
        os.close(descriptor)
        raise UnreadableSource(f"{path}: is no regular file; remove it")
    return descriptor
