"""A page's table of contents, told by its lines: links within the page that repeat the titles of later sections.

And the index of a manual, told by its heading and by entries that say no more than where something is told; and what a
page says at its end of the program that made it.

>>> from builder.documents.records import Section
>>> sections = tuple(Section(title, 2, -1) for title in ("1. Oil", "2. Wicks", "3. Glass"))
>>> lines = (Chunk(-1, "paragraph", 0, title) for title in ("A lamp.", "1. Oil", "2. Wicks", "3. Glass"))
>>> page = Document("Lamp", sections, (*lines, Chunk(0, "paragraph", 0, "Oil burns.")))
>>> [chunk.text for chunk in without_contents(page, ["1. Oil", "2. Wicks", "3. Glass"]).chunks]
['A lamp.', 'Oil burns.']
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import groupby

from builder.documents.records import Chunk, Document

FEWEST = 3
"""Sections that a table of contents names at least: one or two titles may be text."""

LISTS = frozenset(("definition", "list"))
LONGEST_ENTRY = 120
"""Characters of a line of an index."""

GENERATED = re.compile(
    r"this (?:document|file|manual|page) (?:was|has been) (?:automatically )?"
    r"(?:(?:converted|formatted|generated)(?: automatically)? (?:by|from|on|using|with)|created by man2html)\b",
    re.I,
)
LONGEST_GENERATED = 250
NEAR_END = 3
"""So many last chunks of a page may tell what made it."""

NUMBER = re.compile(r"[\W_]*(?:\d+(?:[.]\d+)*[.)]?\s+)?")
"""What may stand before a title: a bullet, a number."""


def without_contents(document: Document, linked: Iterable[str]) -> Document:
    """Return a document without its table of contents; `linked` are the texts of the links within the page.

    Chunks one behind another are one where each of their lines is the text of such a link and the title of a section
    that begins later, and they name FEWEST sections at least, and half of those of the highest level named. A list of
    some of the sections is text. Linear in the document.
    """
    keys = set(map(_key, linked)) - {""}
    titled = {key: index for index, section in enumerate(document.sections) if (key := _key(section.title)) in keys}
    if len(titled) < FEWEST:
        return document
    counts = Counter(section.level for section in document.sections)
    kept: list[Chunk] = []
    for is_entry, chunks in groupby(document.chunks, lambda chunk: _is_entry(chunk, titled)):
        own = list(chunks)
        if is_entry:
            named = {titled[_key(line)] for chunk in own for line in chunk.text.split("\n")}
            levels = sorted(document.sections[index].level for index in named)
            if len(named) >= FEWEST and 2 * levels.count(levels[0]) >= counts[levels[0]]:
                continue
        kept += own
    return document._replace(chunks=tuple(kept))


def without_index(document: Document) -> Document:
    """Return a document without its index: lists below a heading or title "Index" of terms and links. Linear."""
    of_sections = [_is_index(section.title) for section in document.sections]
    titles = (*of_sections, _is_index(document.title))
    if True not in titles:
        return document
    kept = (chunk for chunk in document.chunks if not (titles[chunk.section] and _leads_elsewhere(chunk)))
    return document._replace(chunks=tuple(kept))


def without_generator(document: Document) -> Document:
    """Return a document without the line at its end that tells which program made it, and when."""
    near = len(document.chunks) - NEAR_END
    kept = tuple(
        chunk
        for place, chunk in enumerate(document.chunks)
        if place < near or len(chunk.text) > LONGEST_GENERATED or not GENERATED.match(chunk.text)
    )
    return document._replace(chunks=kept) if kept else document


def _is_index(title: str) -> bool:
    return _key(title).split()[-1:] == ["index"]


def _leads_elsewhere(chunk: Chunk) -> bool:
    """Tell whether a chunk is a list of short lines, every second one a link or as good as that, and one at least."""
    if chunk.kind not in LISTS or not chunk.links:
        return False
    # A letter heads the entries that begin with it.
    lines = [line for line in chunk.text.split("\n") if len(line) > 1]
    anchors = {link.anchor for link in chunk.links}
    n_links = sum(line.strip(" .,;") in anchors for line in lines)
    return n_links > 0 and 2 * n_links + 1 >= len(lines) and max(map(len, lines)) <= LONGEST_ENTRY


def _is_entry(chunk: Chunk, titled: Mapping[str, int]) -> bool:
    """Tell whether all lines of a chunk are titles of later sections, of which `titled` has the last of each key."""
    return all(titled.get(_key(line), -1) > chunk.section for line in chunk.text.split("\n"))


def _key(title: str) -> str:
    """Return a title without its number and the signs around it, in one case, its words one blank apart."""
    before, end = NUMBER.match(title), len(title)
    start = before.end() if before else 0
    while end > start and not title[end - 1].isalnum():
        end -= 1
    return " ".join(title[start:end].casefold().split())
