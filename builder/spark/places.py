"""Files that tasks read, whole or by byte ranges: on a shared disk, or in a store (S3, HDFS).

A `place` is a path, or the uri of a file in a store.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple, cast

from builder.spark.load.parquet_tables import store_of
from builder.streams.compression import compression_of

BLOCK = 1 << 20
PIECE_BYTES = 64 << 20
# `Path` folds the two slashes of a uri into one: "s3:/bucket".
FOLDED_URI = re.compile(r"([a-z][a-z0-9+.-]+):/(?=[^/])")


class Piece(NamedTuple):
    """A range of a file's bytes: the lines that begin in it; `end` is -1 for the whole file."""

    file: int
    number: int
    place: str
    start: int
    end: int


def place_of_path(path: Path) -> str:
    """Return a path as text; a uri that was taken for a path gets its second slash back."""
    return FOLDED_URI.sub(r"\1://", str(path), count=1) if FOLDED_URI.match(str(path)) else str(path)


def is_remote(place: str) -> bool:
    """Tell whether a place is a uri of a store rather than a path."""
    return "://" in place


def name_of(place: str) -> str:
    """Return the last part of a path or uri."""
    return place.rstrip("/").rpartition("/")[2] if is_remote(place) else Path(place).name


def opened(place: str) -> IO[bytes]:
    """Open a file of a disk or a store to read its bytes."""
    if not is_remote(place):
        return Path(place).open("rb")
    store, path = store_of(place)
    return cast(IO[bytes], store.open_input_file(path))


def size_of(place: str) -> int:
    """Return a file's size in bytes; FileNotFoundError when there is none."""
    if not is_remote(place):
        return Path(place).stat().st_size
    store, path = store_of(place)
    information = store.get_file_info(path)
    if not information.is_file:
        raise FileNotFoundError(place)
    return int(information.size)


@contextmanager
def on_disk(place: str) -> Iterator[Path]:
    """Give a file as one of this machine's disk: itself, or a copy of the same name that is gone afterwards."""
    if not is_remote(place):
        yield Path(place)
        return
    with tempfile.TemporaryDirectory() as folder, opened(place) as source:
        path = Path(folder, name_of(place))
        with path.open("wb") as copy:
            shutil.copyfileobj(source, copy, BLOCK)
        yield path


def pieces_of(file: int, place: str, *, divisible: bool, size: int = PIECE_BYTES) -> list[Piece]:
    """Cut a file into ranges of about `size` bytes; an archive, or what has no lines of its own, stays whole."""
    total = size_of(place)
    if not divisible or total <= size or _is_archive(place):
        return [Piece(file, 0, place, 0, -1)]
    starts = range(0, total, size)
    return [Piece(file, number, place, start, min(start + size, total)) for number, start in enumerate(starts)]


@contextmanager
def piece_on_disk(piece: Piece) -> Iterator[tuple[Path, int]]:
    """Give the lines of a piece as a file of the whole file's name, and their number (0 for a whole file)."""
    if piece.end < 0:
        with on_disk(piece.place) as path:
            yield path, 0
        return
    with tempfile.TemporaryDirectory() as folder, opened(piece.place) as source:
        path = Path(folder, name_of(piece.place))
        first, last = _line_start(source, piece.start), _line_start(source, piece.end)
        source.seek(first)
        n_lines = 0
        with path.open("wb") as copy:
            while first < last and (block := source.read(min(BLOCK, last - first))):
                first += len(block)
                n_lines += block.count(b"\n")
                copy.write(block)
        yield path, n_lines


def _line_start(file: IO[bytes], place: int) -> int:
    """Return the offset of the first line that begins at the offset `place` or later; the file's size if none."""
    if place == 0:
        return 0
    # From one byte before: a newline there means that a line begins exactly at the offset.
    place -= 1
    file.seek(place)
    while block := file.read(BLOCK):
        newline = block.find(b"\n")
        if newline >= 0:
            return place + newline + 1
        place += len(block)
    return place


def _is_archive(place: str) -> bool:
    with opened(place) as file:
        return compression_of(file) is not None

