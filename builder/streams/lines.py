"""Open plain, gzip and bzip2 files as a stream of whole lines, a block at a time.

A file's compression is told by its first bytes, not by its name. Nothing that is
wrong with a file stops the caller: a line that is too long becomes an empty line
with a `Problem`, so that line numbers stay true, and a truncated archive gives
everything before the break, then a problem of the kind `truncated`.

>>> from pathlib import Path
>>> [batch.lines for batch in line_batches(Path("two_lines.jsonl.gz"))]     # doctest: +SKIP
[[b'{"title": "A"}', b'{"title": "B"}']]
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Literal, NamedTuple

from builder.streams.compression import compression_of

BLOCK_SIZE = 1 << 18  # larger blocks fall out of the processor's cache: a tenth slower
MAX_LINE = 1_000_000
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
COMPRESSIONS = {".gz": "gzip", ".bz2": "bzip2"}
ARCHIVE_SUFFIXES = tuple(COMPRESSIONS)

Kind = Literal["malformed", "too long", "truncated", "noted"]


class Problem(NamedTuple):
    """What is wrong with an input's line; of the kinds only `noted` keeps the line. `line` counts from 1.

    `malformed` and `too long` lose the line, `truncated` all that would follow it.
    """

    line: int
    kind: Kind
    reason: str


class Block(NamedTuple):
    """Whole lines, each ended by a newline; `first_line` counts from 1."""

    first_line: int
    data: bytes
    problems: tuple[Problem, ...]


class LineBatch(NamedTuple):
    """The lines of a block, without their newlines."""

    first_line: int
    lines: list[bytes]
    problems: tuple[Problem, ...]


class Truncated(Exception):
    """The rest of an archive cannot be read."""


def is_complete(problems: tuple[Problem, ...]) -> bool:
    """Tell whether reading went on after these problems: none of them is `truncated`."""
    return all(problem.kind != "truncated" for problem in problems)


def plain_name(path: Path) -> str:
    """Return a file's name without the suffix of its archive format: `facts.nt` for `facts.nt.gz`."""
    name = path.name
    return name[: name.rfind(".")] if name.lower().endswith(ARCHIVE_SUFFIXES) else name


def missing_compression(path: Path) -> str | None:
    """Return the compression that a file has by its name where its first bytes are those of a plain one."""
    with path.open("rb") as file:
        return None if compression_of(file) else COMPRESSIONS.get(path.suffix.lower())


def line_batches(path: Path, *, max_line: int = MAX_LINE) -> Iterator[LineBatch]:
    """Yield the lines of a file, a block at a time; see `blocks` for what is promised."""
    for block in blocks(path, max_line=max_line):
        lines = block.data[:-1].split(b"\n") if block.data else []
        yield LineBatch(block.first_line, lines, block.problems)


def blocks(path: Path, *, max_line: int = MAX_LINE, size: int = BLOCK_SIZE) -> Iterator[Block]:
    """Yield a file as blocks of whole lines.

    At most `size` + `max_line` bytes are held. A line above `max_line` bytes
    becomes an empty line and a problem. The last line gets a newline where it
    has none. A file that cannot be opened raises OSError.
    """
    lines = _Lines(max_line)
    try:
        for piece in _pieces(path, size):
            block = lines.take(piece)
            if block.data or block.problems:
                yield block
    except Truncated as broken:
        last = lines.finish()
        line = last.first_line + last.data.count(b"\n")
        yield last._replace(problems=(*last.problems, Problem(line, "truncated", str(broken))))
        return
    last = lines.finish()
    if last.data or last.problems:
        yield last


def head_of(path: Path, size: int = 1 << 12) -> bytes:
    """Return some of a file's first bytes, unpacked, without a byte order mark of UTF-8."""
    try:
        return next(_pieces(path, size), b"")[:size]
    except Truncated:
        return b""


class _Lines:
    """Cuts pieces of a file into whole lines, keeping the unfinished one until its end comes."""

    def __init__(self, max_line: int) -> None:
        self.max_line = max_line
        self.line = 1
        self.rest: list[bytes] = []
        self.held = 0
        self.skipped = 0

    def take(self, piece: bytes) -> Block:
        """Return the lines that `piece` completes."""
        problems: tuple[Problem, ...] = ()
        if self.skipped:
            end = piece.find(b"\n")
            if end < 0:
                self.skipped += len(piece)
                return Block(self.line, b"", ())
            self.skipped += end
            problems = (self._too_long(self.line, self.skipped),)
            self.skipped = 0
            # The newline stays: it ends the empty line that stands for the skipped one.
            piece = piece[end:]
        cut = piece.rfind(b"\n") + 1
        data = self._with_rest(piece[:cut]) if cut else b""
        self.rest.append(piece[cut:])
        self.held += len(piece) - cut
        if self.held > self.max_line:
            self.skipped = self.held
            self.rest, self.held = [], 0
        return self._block(data, problems)

    def finish(self) -> Block:
        """Return the last line, which has no newline."""
        if self.skipped:
            problem = self._too_long(self.line, self.skipped)
            self.skipped = 0
            return Block(self.line, b"\n", (problem,))
        data = self._with_rest(b"")
        return self._block(data + b"\n" if data else b"", ())

    def _with_rest(self, end: bytes) -> bytes:
        data = b"".join((*self.rest, end))
        self.rest, self.held = [], 0
        return data

    def _block(self, data: bytes, problems: tuple[Problem, ...]) -> Block:
        first = self.line
        data, found = self._without_long_lines(data)
        self.line += data.count(b"\n")
        return Block(first, data, problems + found)

    def _without_long_lines(self, data: bytes) -> tuple[bytes, tuple[Problem, ...]]:
        """Empty the lines above the limit, stepping from newline to newline a limit's width at a time."""
        kept: list[bytes] = []
        problems: list[Problem] = []
        start = place = 0
        while len(data) - place > self.max_line:
            # The last newline within a limit of `place`: every line up to it is short enough.
            newline = data.rfind(b"\n", place, place + self.max_line + 1)
            if newline < 0:
                newline = data.find(b"\n", place)
                line = self.line + data.count(b"\n", 0, place)
                problems.append(self._too_long(line, newline - place))
                kept.append(data[start:place])
                start = newline
            place = newline + 1
        return (b"".join((*kept, data[start:])) if kept else data), tuple(problems)

    def _too_long(self, line: int, length: int) -> Problem:
        return Problem(line, "too long", f"line of {length:,} bytes, the limit is {self.max_line:,}")


def _pieces(path: Path, size: int) -> Iterator[bytes]:
    """Yield a file's bytes, unpacked, in pieces of about `size`; raise Truncated where an archive breaks."""
    with path.open("rb") as file:
        head = file.read(4)
        file.seek(0)
        if len(head) < 4 and path.name.lower().endswith(ARCHIVE_SUFFIXES):
            raise Truncated(f"the archive breaks off: it has {len(head)} bytes")
        first = True
        for piece in _unpacked(file, size):
            yield piece.removeprefix(BYTE_ORDER_MARK) if first else piece
            first = False


def _unpacked(file: IO[bytes], size: int) -> Iterator[bytes]:
    compression = compression_of(file)
    if compression is not None:
        return _gathered(compression.reader(file), size)
    return iter(lambda: file.read(size), b"")


def _gathered(archive: IO[bytes], size: int) -> Iterator[bytes]:
    """Yield pieces of `size` bytes and more, the last one before a break too.

    `read` loses what it has unpacked when it fails midway; `read1` takes one
    step at a time, so that nothing before the break is lost.
    """
    parts: list[bytes] = []
    held = 0
    try:
        while part := archive.read1(size):  # type: ignore[attr-defined]
            parts.append(part)
            held += len(part)
            if held >= size:
                yield b"".join(parts)
                parts, held = [], 0
    except (EOFError, OSError, zlib.error) as error:
        yield b"".join(parts)
        raise Truncated(f"the archive breaks off: {error}") from error
    yield b"".join(parts)
