"""The paragraphs of a text whose characters links count: cut at blank lines, every other character as it is."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import takewhile

from builder.documents.labels import join_labels
from builder.documents.records import Chunk, Link

BLANK_LINES = re.compile(r"\r?\n(?:[^\S\n]*\n)+")


def paragraphs_of(chunk: Chunk) -> tuple[Chunk, ...]:
    """Return the paragraphs of a chunk as its parts 1, 2, ..., or the chunk itself where it is one. Linear in the text.

    A label such as "Opening hours" is in one chunk with the paragraph below it. No link is cut.

    >>> [(each.part, each.text) for each in paragraphs_of(Chunk(-1, "paragraph", 0, "A port.\\n\\nA lamp."))]
    [(1, 'A port.'), (2, 'A lamp.')]
    """
    ends = [link.end for link in chunk.links]
    spans = (span for span in _spans(chunk, ends) if chunk.text[slice(*span)].strip())
    found = join_labels([_part(chunk, ends, *span) for span in spans])
    if len(found) < 2:
        return (chunk,)
    return tuple(each._replace(part=number) for number, each in enumerate(found, 1))


def _spans(chunk: Chunk, ends: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield where the texts between blank lines begin and end; links, which end at `ends`, are in order and apart."""
    start = 0
    for blank in BLANK_LINES.finditer(chunk.text):
        if not _links(chunk.links, ends, *blank.span()):
            yield start, blank.start()
            start = blank.end()
    yield start, len(chunk.text)


def _links(links: Sequence[Link], ends: Sequence[int], start: int, end: int) -> list[Link]:
    """Return the links that have some of the characters from `start` to `end`."""
    from_there = map(links.__getitem__, range(bisect_right(ends, start), len(links)))
    return list(takewhile(lambda link: link.start < end, from_there))


def _part(chunk: Chunk, ends: Sequence[int], start: int, end: int) -> Chunk:
    links = _links(chunk.links, ends, start, end)
    moved = tuple(link._replace(start=link.start - start, end=link.end - start) for link in links)
    return chunk._replace(text=chunk.text[start:end], links=moved)
