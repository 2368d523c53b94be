"""Plain text that was laid out in printed pages: their headers, footers and page numbers left out, pages joined.

Pages end with form feeds, as in RFCs and in the output of pdftotext, or with
footers that count them ("[Page 7]").

>>> pages = [f"RFC 12{' ' * 9}Lamps\\n\\nOil {word}\\nnumber {word}.\\n\\n{' ' * 9}[Page {i}]"
...          for i, word in enumerate(("one", "two", "six", "ten"), 1)]
>>> print(without_page_breaks("\\f".join(pages)).replace("\\n\\n", "|").replace("\\n", " "))
Oil one number one.|Oil two number two.|Oil six number six.|Oil ten number ten.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

FEWEST, NEAR = 3, 4
"""A line is a header or a footer where so many of the pages up to NEAR before and behind have it too."""

FEWEST_COUNTED = 2
"""The same where footers say "page"."""

EDGE = 2
"""Headers and footers have at most so many lines, not counting blank ones."""

LONGEST = 200
NUMBER = r"[\[(–-]?[ ]?(?:page[ ])?(\d{1,4})(?:[ ]of[ ]\d{1,4})?[ ]?[\])–-]?"
AT_END = re.compile(rf"(?:(.*\S)\s{{2,}})?{NUMBER}", re.I)
AT_START = re.compile(rf"{NUMBER}\s{{2,}}(\S.*)", re.I)
FOOTER = re.compile(r"^(?=.{1,200}$).*\S[ ]{2,}\[?page[ ](\d{1,4})\]?[ ]*$", re.I | re.M)
UNENDED = re.compile(r"[\w,)\]’'\"-]$")
FILLED = 50
"""A line that is as long may be any line of a paragraph but its last."""


class Edge(NamedTuple):
    """A header or footer without its page number, and by how much this is above the page's index."""

    text: str
    offset: int | None


def without_page_breaks(text: str) -> str:
    """Return a text as it was before it was laid out in pages; one that has no such pages unchanged. Linear."""
    fewest, pages = _pages(text)
    edges = [_edges(lines, index) for index, lines in enumerate(pages)]
    bodies = []
    for index, (lines, own) in enumerate(zip(pages, edges, strict=True)):
        repeated = _repeated(edges[max(0, index - NEAR) : index + NEAR + 1], fewest)
        dropped = {place for place, edge in own.items() if edge in repeated}
        bodies.append(_body([line for place, line in enumerate(lines) if place not in dropped]))
    return _joined([body for body in bodies if body]) if pages else text


def _pages(text: str) -> tuple[int, list[list[str]]]:
    """Split a text at form feeds, or behind footers that count its pages; return what repeats there at least, too."""
    if text.count("\f") + 1 >= FEWEST:
        return FEWEST, [page.split("\n") for page in text.split("\f")]
    footers = list(FOOTER.finditer(text))
    rising = sum(int(after[1]) == int(before[1]) + 1 for before, after in pairwise(footers))
    if len(footers) < FEWEST_COUNTED or 2 * rising < len(footers):
        return FEWEST, []
    ends = [0, *(found.end() for found in footers), len(text)]
    return FEWEST_COUNTED, [text[start:end].split("\n") for start, end in pairwise(ends)]


def _repeated(near: Sequence[dict[int, Edge]], fewest: int) -> set[Edge]:
    """Return what stands at the edges of so many pages, and the numbers alone that count on as theirs do."""
    pages = (set(edges.values()) | {Edge("", edge.offset) for edge in edges.values()} for edges in near)
    counts = Counter(edge for page in pages for edge in page)
    return {edge for edge, count in counts.items() if count >= fewest}


def _edges(lines: Sequence[str], index: int) -> dict[int, Edge]:
    """Return the first and the last lines of a page that may be a header or a footer, by their places."""
    filled = [place for place, line in enumerate(lines) if line.strip()]
    places = dict.fromkeys((*filled[:EDGE], *filled[-EDGE:]))
    return {place: edge for place in places if (edge := _edge(lines, place, index)) is not None}


def _edge(lines: Sequence[str], place: int, index: int) -> Edge | None:
    """Return what a line is as a header or footer; None for a line that is too long or no line of its own."""
    line = lines[place].strip()
    if len(line) > LONGEST:
        return None
    if found := AT_END.fullmatch(line):
        return Edge(" ".join((found[1] or "").split()), int(found[2]) - index)
    if found := AT_START.fullmatch(line):
        return Edge(" ".join(found[2].split()), int(found[1]) - index)
    is_alone = not any(each.strip() for each in (*lines[max(0, place - 1) : place], *lines[place + 1 : place + 2]))
    return Edge(" ".join(line.split()), None) if is_alone and sum(map(str.isalpha, line)) >= FEWEST else None


def _body(lines: Sequence[str]) -> str:
    """Return a page's text without the blank lines above and below."""
    filled = [place for place, line in enumerate(lines) if line.strip()]
    return "\n".join(lines[filled[0] : filled[-1] + 1]) if filled else ""


def _joined(bodies: Sequence[str]) -> str:
    """Join pages, a paragraph that goes on from one to the next without a blank line."""
    pieces: list[str] = list(bodies[:1])
    for before, after in pairwise(bodies):
        pieces += ("\n" if _goes_on(before, after) else "\n\n", after)
    return "".join(pieces)


def _goes_on(before: str, after: str) -> bool:
    """Tell whether a page ends within a paragraph: a full line without an end, and one that may follow it."""
    last, first = before[-LONGEST:].rsplit("\n", 1)[-1].rstrip(), after[:LONGEST].split("\n", 1)[0]
    if len(last.strip()) < FILLED or not UNENDED.search(last):
        return False
    return first.strip()[:1].islower() or (len(first.strip()) >= FILLED and indent_of(first) == indent_of(last))


def indent_of(line: str) -> int:
    """Return how many blanks a line begins with."""
    return len(line) - len(line.lstrip())
