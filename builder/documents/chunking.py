"""Lines to chunks: join the lines of a table or list and cut what is too long between them.

What no reader has cut (a paragraph, code, one endless line) is cut here too,
for all readers alike.

>>> rows = [Line("Year | Winner"), Line("1999 | Ada"), Line("2000 | Bo")]
>>> [chunk.text for chunk in line_chunks(-1, "table", rows, header=1, limit=30)]
['Year | Winner\\n1999 | Ada', 'Year | Winner\\n2000 | Bo']
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from builder.documents.records import Chunk, Link

LIMIT = 2000
"""The most characters of a part of a table or list, unless one line is longer."""
LONGEST = 20_000
"""The most characters of any chunk."""
LONG_ENTRY = 400
"""An entry of a definition list with more characters is a chunk of its own."""
LONGEST_TERM = 400
"""The most characters of a line that is taken for a term within a definition, and of all terms of one entry."""
# Any full stop will do for a cut: `weft.text.sentences` wants a capital behind it, and would cut elsewhere.
# A full stop in Latin script needs whitespace behind it ("3.14" is none); those of Chinese, Japanese and Hindi do not.
SENTENCE_END = re.compile(r"""[.!?…]["'”’»)\]]*(?=\s)|[。！？।]["'”’»」』]*""")
BLANK = re.compile(r"\s")


class Line(NamedTuple):
    """A line of text, or a whole text, with the links whose spans count from its first character."""

    text: str
    links: tuple[Link, ...] = ()


def shifted(links: Sequence[Link], by: int) -> Iterator[Link]:
    """Yield the links with their spans moved `by` characters to the right."""
    for start, end, target, fragment, anchor in links:
        yield Link(start + by, end + by, target, fragment, anchor)


def join_lines(lines: Sequence[Line], separator: str = "\n") -> Line:
    """Join lines into one text, the spans of their links moved to the new offsets."""
    links: list[Link] = []
    offset = 0
    for line in lines:
        if line.links:
            links.extend(shifted(line.links, offset))
        offset += len(line.text) + len(separator)
    return Line(separator.join([line.text for line in lines]), tuple(links))


def cut_lines(lines: Sequence[Line], header: int = 0, limit: int = LIMIT) -> list[list[Line]]:
    """Distribute lines over consecutive parts of at most `limit` characters, each beginning with the header.

    The first `header` lines are the header. A line that is too long for the
    limit stays whole, and a header that would take more than half of a part
    is in the first part only. Linear in the text.
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


def cut_definitions(lines: Sequence[Line], limit: int = LIMIT) -> list[list[Line]]:
    """Distribute the lines of a definition list over consecutive parts: long entries alone, short ones together.

    An entry is the terms, which are not indented, with the indented lines below
    them. Parts have at most `limit` characters; a longer entry is cut between its
    lines, but never behind a term that has a text below. Linear in the text.

    >>> lines = [Line("wick"), Line("  cotton"), Line("oil"), Line("  of whales")]
    >>> [[line.text for line in part] for part in cut_definitions(lines, limit=20)]
    [['wick', '  cotton'], ['oil', '  of whales']]
    """
    parts: list[list[Line]] = []
    room = 0
    for entry in _entries(lines):
        size = sum(len(line.text) + 1 for line in entry)
        if size <= room and size <= LONG_ENTRY:
            parts[-1] += entry
            room -= size
        else:
            parts += _cut_entry(entry, limit) if size > limit else [entry]
            room = 0 if size > LONG_ENTRY else limit - size
    return parts


def _entries(lines: Sequence[Line]) -> list[list[Line]]:
    entries: list[list[Line]] = []
    for line in lines:
        if not entries or not line.text.startswith(" "):
            entries.append([line])
            continue
        if len(entries[-1]) == 1:
            _join_terms(entries)
        entries[-1].append(line)
    return entries


def _join_terms(entries: list[list[Line]]) -> None:
    """Join the last entry, a term, with the terms above it, which share its definition."""
    terms = entries.pop()
    size = len(terms[0].text)
    while entries and len(entries[-1]) == 1 and size + len(entries[-1][0].text) <= LONGEST_TERM:
        size += len(entries[-1][0].text)
        terms += entries.pop()
    entries.append(terms[::-1])


def _cut_entry(entry: Sequence[Line], limit: int) -> list[list[Line]]:
    parts: list[list[Line]] = [[]]
    size = 0
    for run in _runs(entry):
        length = sum(len(line.text) + 1 for line in run)
        if parts[-1] and size + length - 1 > limit:
            parts.append([])
            size = 0
        parts[-1] += run
        size += length
    return parts


def _runs(entry: Sequence[Line]) -> Iterator[list[Line]]:
    """Yield the lines of an entry, terms with the next deeper line."""
    run: list[Line] = []
    for line in entry:
        if run and not _is_term(run[-1].text, line.text):
            yield run
            run = []
        run.append(line)
    if run:
        yield run


def _is_term(line: str, following: str) -> bool:
    if not line.startswith(" "):
        return True
    return len(line) <= LONGEST_TERM and _depth(following) > _depth(line)


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def line_chunks(
    section: int, kind: str, lines: Sequence[Line], *, header: int = 0, limit: int = LIMIT
) -> Iterator[Chunk]:
    """Yield the chunk that the lines make, or its parts 1, 2, ... when it is above the limit or has long entries."""
    parts = cut_definitions(lines, limit) if kind == "definition" else cut_lines(lines, header, limit)
    for number, part in enumerate(parts, 1):
        text, links = join_lines(part)
        yield Chunk(section, kind, number if len(parts) > 1 else 0, text, links)


def cut_long(chunks: Sequence[Chunk]) -> tuple[Chunk, ...]:
    """Return the chunks, those above LONGEST as parts 1, 2, ...; the parts of one that was cut already go on counting.

    Code, lists and tables are cut between lines, texts behind sentences;
    either between words where there is no such end, and within a word at
    last. The blank at a cut is left out, a link belongs to the part where it
    begins and ends there. Linear in the text.
    """
    if all(len(chunk.text) <= LONGEST for chunk in chunks):
        return tuple(chunks)
    cut: list[Chunk] = []
    for chunk in chunks:
        pieces = list(_pieces(chunk)) if len(chunk.text) > LONGEST else [chunk]
        first = cut[-1].part + 1 if chunk.part > 1 and cut else 1
        is_cut = chunk.part > 0 or len(pieces) > 1
        cut.extend(piece._replace(part=number if is_cut else 0) for number, piece in enumerate(pieces, first))
    return tuple(cut)


def _pieces(chunk: Chunk) -> Iterator[Chunk]:
    """Yield the pieces of a long chunk that are not blank, with their links."""
    spans = list(_spans(chunk.text, chunk.kind in ("paragraph", "caption")))
    ends = [end for _, end in spans]
    links: list[list[Link]] = [[] for _ in spans]
    for link in chunk.links:
        number = min(bisect_right(ends, link.start), len(spans) - 1)
        start, end = spans[number]
        first, last = max(link.start, start), min(link.end, end)
        if first < last:
            is_whole = last - first == link.end - link.start
            anchor = link.anchor if is_whole else chunk.text[first:last]
            links[number].append(link._replace(start=first - start, end=last - start, anchor=anchor))
    for (start, end), own in zip(spans, links, strict=True):
        text = chunk.text[start:end]
        if text and not text.isspace():
            yield chunk._replace(text=text, links=tuple(own))


def _spans(text: str, has_sentences: bool) -> Iterator[tuple[int, int]]:
    """Yield the (start, end) of consecutive pieces of a text, each of at most LONGEST characters."""
    start = 0
    while len(text) - start > LONGEST:
        end = _cut(text, start, has_sentences)
        yield start, end
        start = end + 1 if text[end].isspace() else end
    yield start, len(text)


def _cut(text: str, start: int, has_sentences: bool) -> int:
    """Return where the piece that begins at `start` ends."""
    longest = start + LONGEST
    # An end far from the limit would make a short piece.
    half = start + LONGEST // 2
    if has_sentences:
        last = max((match.end() for match in SENTENCE_END.finditer(text, half, longest + 1)), default=0)
    else:
        last = text.rfind("\n", half, longest + 1)
    if half <= last <= longest:
        return last
    return max((match.start() for match in BLANK.finditer(text, start + 1, longest + 1)), default=longest)


def join_parts(texts: Sequence[str]) -> str:
    """Return the text whose consecutive parts these are, the header that they share only once."""
    first = texts[0].split("\n")
    lines = list(first)
    for text in texts[1:]:
        part = text.split("\n")
        shared = 0
        while shared < min(len(first), len(part) - 1) and first[shared] == part[shared]:
            shared += 1
        lines += part[shared:]
    return "\n".join(lines)
