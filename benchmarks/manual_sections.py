"""What of a manual can be asked for: its sections and passages, as its SKB has them, and what a heading says."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import NamedTuple

from weft.skb import Skb
from weft.text.names import name_key

NUMBER = re.compile(
    r"^(?:(?:chapter|appendix|part)\s+\w+[.:]|(?:[A-Z]\.)?\d+(?:\.\d+)*\.?(?=\s)|[A-Z](?:\.\d+)+\.?(?=\s))\s*", re.I
)
KIND_WORDS = re.compile(r"(?:(?:class|exception|static|classmethod|async|abstract|property|function|method)\s+)+")
TERM = re.compile(r"(-{0,2}[A-Za-z_$][\w.:-]*[\w$])(\(|\[|\s*[=<]|\s*$)")
OPTION = re.compile(r"(?:^|[\s,])(--[a-z][\w-]+)")
TECHNICAL = re.compile(r"[_.:]|^-|[a-z][A-Z]")


class Heading(NamedTuple):
    """A section with text: its uri, page and heading without a number, and the text that is its own."""

    uri: str
    page: int
    page_title: str
    title: str
    text: str

    @property
    def key(self) -> str:
        """Return what all spellings of the heading share."""
        return name_key(self.title)


class Passage(NamedTuple):
    """A chunk: where it stands, and its text."""

    uri: str
    page: int
    section: int | None
    kind: str
    text: str


class Asked(NamedTuple):
    """A question and the uris of its gold."""

    question: str
    gold: tuple[str, ...]


def without_number(title: str) -> str:
    """Return a heading without its number.

    >>> without_number("F.38.1. Options"), without_number("3D plots"), without_number("Chapter 4. Joins")
    ('Options', '3D plots', 'Joins')
    """
    return NUMBER.sub("", title, count=1).strip(" #")


def name_of(line: str) -> str | None:
    """Return the name that a heading or term defines, None where it is none but words.

    >>> name_of("class SpiderState(crawler=None)"), name_of("-n --dry-run"), name_of("Joins"), name_of("Joins (inner)")
    ('SpiderState', '--dry-run', None, None)
    """
    if line.startswith("-") and (option := OPTION.search(line)):
        return option[1]
    found = TERM.match(KIND_WORDS.sub("", line.strip(), count=1))
    if found is None or not (found[2] == "(" or TECHNICAL.search(found[1])) or not is_worded(found[1]):
        return None
    return found[1]


def headings_of(skb: Skb) -> list[Heading]:
    """Return the sections that have text, their own or below them, by their uris."""
    texts: dict[int, list[str]] = defaultdict(list)
    for section, text in skb.connection.execute(
        "SELECT section_id, text FROM chunk WHERE section_id IS NOT NULL ORDER BY id"
    ):
        texts[section].append(text)
    rows = skb.connection.execute(
        "SELECT section.id, section.parent_id, section.uri, page_id, page.title, section.title"
        " FROM section JOIN page ON page.id = page_id ORDER BY section.id"
    ).fetchall()
    filled, parents = set(texts), {row[0]: row[1] for row in rows}
    for section in texts:
        while (section := parents[section]) is not None and section not in filled:
            filled.add(section)
    found = [
        Heading(uri, page, without_number(page_title), without_number(title), "\n".join(texts.get(section, [])))
        for section, _, uri, page, page_title, title in rows
        if section in filled
    ]
    return sorted(found)


def passages_of(skb: Skb) -> list[Passage]:
    """Return all chunks in the order of their pages' uris."""
    rows = skb.connection.execute(
        "SELECT chunk.uri, page_id, section_id, kind, text FROM chunk JOIN page ON page.id = page_id"
        " ORDER BY page.uri, chunk.position"
    )
    return [Passage(*row) for row in rows]


def is_worded(title: str) -> bool:
    """Tell whether a heading or name is more than a number, a date or a version."""
    return 2 * sum(map(str.isalpha, title)) > len(title.replace(" ", ""))
