"""Lines of JSON Lines files, single, in a folder or in a tar archive, one at a time.

>>> [line.place for line in lines_of(Path("dump.tar.gz"), 1_000_000)]     # doctest: +SKIP
['enwiki_0.ndjson line 1', 'enwiki_0.ndjson line 2']
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from builder.documents.records import Reject
from builder.readers.ignored import ARCHIVED_LINK, Ignored, kind_of
from builder.readers.source import ARCHIVE_SUFFIXES, JSONL_SUFFIXES, Cut, files_below, place_of, unread
from builder.streams.archives import DAMAGE, Member, members
from builder.streams.detect import LINE_SUFFIXES
from builder.streams.lines import line_batches

PIECE = 1 << 18
# No number: the name "nq-v1.0-train" has no suffix.
SUFFIX = re.compile(r"\.[a-z][a-z0-9]*$", re.I)


class Line(NamedTuple):
    """A line that is not blank; `place` names its file and its number there."""

    place: str
    data: bytes


def lines_of(
    path: Path, max_line: int, files: Sequence[tuple[str, Path]] | None = None
) -> Iterator[Line | Reject | Cut | Ignored]:
    """Yield the lines of a file, of a folder's files by name, or of an archive's members in their order.

    `files` (place, path) are those of the folder to read, where not all are. A
    member whose name tells that it is of another kind is Ignored.

    A line above `max_line` bytes is a Reject; what breaks off gives the lines
    before the break, then a Cut. At most a line and a piece of a file are held.
    """
    if not path.is_dir():
        yield from _file(path, place_of(path.name), max_line)
        return
    for found in files_below(path, (*JSONL_SUFFIXES, *ARCHIVE_SUFFIXES)) if files is None else files:
        if isinstance(found, (Reject, Cut)):
            yield found
        else:
            yield from _file(found[1], found[0], max_line)


def _file(path: Path, place: str, max_line: int) -> Iterator[Line | Reject | Cut | Ignored]:
    if path.name.lower().endswith(ARCHIVE_SUFFIXES):
        yield from _archive(path, place, max_line)
        return
    try:
        for batch in line_batches(path, max_line=max_line):
            for number, data in enumerate(batch.lines, batch.first_line):
                if data and not data.isspace():
                    yield Line(f"{place} line {number}", data)
            for problem in batch.problems:
                where = f"{place} line {problem.line}"
                yield (Cut if problem.kind == "truncated" else Reject)(where, problem.reason)
    except OSError as error:
        yield unread(place, error)


def _archive(path: Path, place: str, max_line: int) -> Iterator[Line | Reject | Cut | Ignored]:
    reached = "its start"
    try:
        for member in members(path):
            reached = place_of(member.place)
            # macOS packs a hidden twin of every file.
            if PurePosixPath(reached).name.startswith("."):
                continue
            if member.is_link:
                yield Ignored(reached, ARCHIVED_LINK)
            elif member.problem:
                yield Reject(reached, member.problem)
            elif SUFFIX.search(reached) and not reached.lower().endswith(LINE_SUFFIXES):
                yield Ignored(reached, kind_of(reached))
            else:
                yield from _member(member, reached, max_line)
    except DAMAGE as error:
        yield Cut(place, f"the archive is damaged after {reached}: {error}")


def _member(member: Member, place: str, max_line: int) -> Iterator[Line | Reject]:
    """Yield a member's lines; raise EOFError when it ends too early."""
    number, parts, held, left = 1, [b""], 0, member.size
    while piece := member.file.read(PIECE):
        left -= len(piece)
        *ends, rest = piece.split(b"\n")
        for end in ends:
            yield from _line(parts, end, held + len(end), f"{place} line {number}", max_line)
            number, parts, held = number + 1, [], 0
        held += len(rest)
        if held > max_line:
            parts = []
        elif rest:
            parts.append(rest)
    if left > 0:
        raise EOFError(f"{left:,} bytes are missing")
    if held:
        yield from _line(parts, b"", held, f"{place} line {number}", max_line)


def _line(parts: list[bytes], end: bytes, size: int, place: str, max_line: int) -> Iterator[Line | Reject]:
    if size > max_line:
        yield Reject(place, f"line of {size:,} bytes, the limit is {max_line:,}")
        return
    data = b"".join((*parts, end)).removeprefix(b"\xef\xbb\xbf")
    if data and not data.isspace():
        yield Line(place, data)
