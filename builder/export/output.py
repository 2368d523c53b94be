"""Atomic outputs: written under another name in the same folder and renamed at the end."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple, TextIO

from builder.storage.lock import exclusive
from weft.errors import WeftError
from weft.output_file import real_file, real_path, replacing, replacing_folder, wrapped_errors
from weft.overwriting import Kind, check_file

ENDING = ".exporting"
PACKED = b"\x1f\x8b"
GZIP = zlib.MAX_WBITS | 16
"""Tells zlib to expect the header of gzip."""


class Export(NamedTuple):
    """What was written: `counts` of rows by what they are."""

    format: str
    path: Path
    counts: dict[str, int]


def text_kind(name: str, start: str) -> Kind:
    """Return the kind of an export in one file, compressed or not, whose text begins so or is empty."""

    def begins(head: bytes) -> bool:
        try:
            text = zlib.decompressobj(GZIP).decompress(head, len(start.encode())) if head.startswith(PACKED) else head
        except zlib.error:
            return False
        return not text or text.startswith(start.encode())

    return Kind(name, begins)


@contextmanager
def new_file(path: Path, kind: Kind, *, force: bool = False) -> Iterator[TextIO]:
    """Give a UTF-8 text file that becomes `path` when the block ends well; compressed where that ends in .gz.

    Raises WeftError where `path` exists and `force` is not given, where what
    exists is of another kind, and where it cannot be written.
    """
    if path.is_dir():
        raise WeftError(f"{path}: is a folder, but this format is one file")
    _check_place(path, force)
    path = real_file(path)
    check_file(path, kind)
    with wrapped_errors(path), exclusive(path), replacing(path, ENDING) as raw, _packed(raw, path) as packed:
        text = io.TextIOWrapper(packed, encoding="utf-8", newline="")
        yield text
        text.flush()
        text.detach()


@contextmanager
def new_folder(path: Path, names: Collection[str], *, force: bool = False) -> Iterator[Path]:
    """Give a folder that becomes `path` when the block ends well; raise WeftError as `new_file` does.

    `names` are the files that such an export may hold: `force` never takes away
    a folder with anything else in it.
    """
    if path.exists() and not path.is_dir():
        raise WeftError(f"{path}: is a file, but this format is a folder")
    _check_place(path, force)
    path = real_path(path)
    _refuse_strangers(path, names)
    made = [f"{folder}/{name}" for folder in ("new", "old") for name in names]
    _refuse_strangers(path.with_name(path.name + ENDING), [*names, *made])
    with wrapped_errors(path), exclusive(path), replacing_folder(path, ENDING) as folder:
        yield folder


def open_text(path: Path) -> TextIO:
    """Open a file of an export to write lines as they are."""
    return path.open("w", encoding="utf-8", newline="")


def _check_place(path: Path, force: bool) -> None:
    if not path.name:
        raise WeftError(f"{path}: is no name for an output")
    if not path.absolute().parent.is_dir():
        raise WeftError(f"{path}: the folder {path.parent} does not exist")
    if path.exists() and not force:
        raise WeftError(f"{path}: exists already; give another path, or --force to replace it")


def _refuse_strangers(path: Path, names: Collection[str]) -> None:
    for each in sorted(path.rglob("*")) if path.is_dir() and not path.is_symlink() else ():
        name = each.relative_to(path).as_posix()
        if each.is_symlink() or (not each.is_dir() and name not in names):
            raise WeftError(f"{path}: holds {name}, which is no part of such an export; choose another folder")


@contextmanager
def _packed(raw: IO[bytes], path: Path) -> Iterator[IO[bytes]]:
    if path.suffix != ".gz":
        yield raw
        return
    # Neither name nor time go into the header: equal content, equal bytes.
    with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=raw, mtime=0) as packed:
        yield packed  # type: ignore[misc]
