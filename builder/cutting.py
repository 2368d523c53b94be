"""Lines to chunks: join the lines of a table or list and cut what is too long between them.

>>> rows = [Line("Year | Winner"), Line("1999 | Ada"), Line("2000 | Bo")]
>>> [chunk.text for chunk in line_chunks(-1, "table", rows, header=1, limit=30)]
['Year | Winner\\n1999 | Ada', 'Year | Winner\\n2000 | Bo']
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from builder.documents import Chunk, Link

LIMIT = 2000


class Line(NamedTuple):
    """A line of text, or a whole text, with the links whose spans count from its first character."""

    text: str
    links: tuple[Link, ...] = ()


def shifted(links: Sequence[Link], by: int) -> Iterator[Link]:
    """Yield the links with their spans moved `by` characters to the right."""
    for start, end, target, fragment, anchor in links:
        yield Link(start + by, end + by, target, fragment, anchor)


def join_lines(lines: Sequence[Line], separator: str = "\n") -> Line:
    """Join lines into one text, their links moved to where their anchors now stand."""
    links: list[Link] = []
    offset = 0
    for line in lines:
        if line.links:
            links.extend(shifted(line.links, offset))
        offset += len(line.text) + len(separator)
    return Line(separator.join([line.text for line in lines]), tuple(links))


def cut_lines(lines: Sequence[Line], header: int = 0, limit: int = LIMIT) -> list[list[Line]]:
    """Share lines out to consecutive parts of at most `limit` characters, each beginning with the header.

    The first `header` lines are the header. A line that is too long for the
    limit stays whole, and a header that would take more than half of a part
    stands in the first part only. Linear in the text.
    """
    if sum(len(line.text) + 1 for line in lines) - 1 <= limit:
        return [list(lines)]
    head = list(lines[:header])
    size = sum(len(line.text) + 1 for line in head)
    repeated, repeated_size = ([], 0) if size > limit // 2 else (head, size)
    groups: list[list[Line]] = [[]]
    for line in lines[header:]:
        if groups[-1] and size + len(line.text) > limit:
            groups.append([])
            size = repeated_size
        groups[-1].append(line)
        size += len(line.text) + 1
    return [[*(repeated if number else head), *group] for number, group in enumerate(groups)]


def line_chunks(
    section: int, kind: str, lines: Sequence[Line], *, header: int = 0, limit: int = LIMIT
) -> Iterator[Chunk]:
    """Yield the chunk that the lines make, or its parts 1, 2, ... when it is above the limit."""
    parts = cut_lines(lines, header, limit)
    for number, part in enumerate(parts, 1):
        text, links = join_lines(part)
        yield Chunk(section, kind, number if len(parts) > 1 else 0, text, links)


def join_parts(texts: Sequence[str]) -> str:
    """Return the text whose consecutive parts these are: the header that they share stands once."""
    first = texts[0].split("\n")
    lines = list(first)
    for text in texts[1:]:
        part = text.split("\n")
        shared = 0
        while shared < min(len(first), len(part) - 1) and first[shared] == part[shared]:
            shared += 1
        lines += part[shared:]
    return "\n".join(lines)
