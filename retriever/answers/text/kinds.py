"""What a page is about, read from how it begins: a person, a place, a country; he or she; what it is called."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from typing import NamedTuple

from retriever.answers.text.countries import countries_in
from retriever.answers.text.dates import PARENTHESIS, Life, dates_in, life_of
from retriever.answers.text.words import FUNCTION, stem_of
from retriever.context import Cache
from retriever.session import Session

MOST_KINDS = 1 << 14
READ = 900
"""Characters of a page's beginning that tell what it is."""

IS = re.compile(r"\b(?:is|was|are|were|refers to)\b\s+(?:(?:the|an?|one of the)\s+)?([^.;]{3,160})")
KIN_ROLES = re.compile(r"\b(?:son|daughter|child|born|children)\b(?:\s+\w+){0,3}?\s+(?:of|to)\s+([^.;]{3,160})")
AND = re.compile(r"\band\b|\bby\b|\bwith\b")
SHE, HE = re.compile(r"\b(?:she|her|hers)\b", re.I), re.compile(r"\b(?:he|his|him)\b", re.I)
PLACES = frozenset(
    """village town city municipality country state county province district commune river mountain lake island region
    suburb borough parish neighborhood neighbourhood territory peninsula hamlet capital settlement""".split()
)
PEOPLE = frozenset(
    """actor actress singer politician player director writer footballer cricketer king queen prince princess duke
    duchess count countess composer author artist painter musician poet novelist journalist bishop emperor nobleman
    noblewoman member son daughter wife filmmaker producer screenwriter general officer lawyer scientist engineer
    professor rapper songwriter model chef coach philosopher businessman physician explorer ruler""".split()
)


class Kind(NamedTuple):
    """What a page's beginning says of its subject: the stems of what it is, who it is, and when a life began and ended.

    `gender` is 1 for she, -1 for he, 0 where nothing says.
    """

    is_a: frozenset[str]
    is_person: bool
    is_place: bool
    gender: int
    life: Life
    countries: tuple[str, ...]


NOTHING = Kind(frozenset(), False, False, 0, Life(None, None), ())


def kinds_of(session: Session, pages: Iterable[int]) -> dict[int, Kind]:
    """Return what each page is about, by its first paragraph; a session's context keeps what was read."""
    known: Cache[int, Kind] = session.part("kinds of pages", lambda own: Cache(MOST_KINDS))
    return known.of(pages, lambda missing: _read(session, missing))


def _read(session: Session, pages: Sequence[int]) -> Iterable[tuple[int, Kind]]:
    # Page by page the index is read to the first paragraph, and no further.
    query = (
        f"SELECT page_id, substr(text, 1, {READ}) FROM chunk"
        " WHERE page_id = ? AND kind = 'paragraph' ORDER BY position LIMIT 1"
    )
    rows = (row for page in pages for row in session.skb.connection.execute(query, (page,)))
    return [(page, kind_of_text(text)) for page, text in rows]


def kind_of_text(text: str) -> Kind:
    """Return what a page's beginning says of its subject.

    >>> kind = kind_of_text("Ada Orr (3 May 1870 – 1931) was a Scottish painter. She was born in Leith.")
    >>> kind.is_person, kind.gender, kind.life.birth, sorted(kind.is_a)
    (True, 1, (1870, 5, 3), ['paint', 'scottish'])
    """
    said = IS.search(text)
    words = re.findall(r"[^\W_]+", said[1])[:14] if said else []
    is_a = frozenset(stem_of(word) for word in words if word.lower() not in FUNCTION)
    lower = {word.lower() for word in words}
    life = life_of(text)
    she, he = len(SHE.findall(text)), len(HE.findall(text))
    is_place = bool(lower & PLACES)
    is_person = life.birth is not None or bool(lower & PEOPLE) or (she + he > 0 and not is_place)
    gender = (1 if she > he else -1 if he > she else 0) if is_person else 0
    return Kind(is_a, is_person, is_place and life.birth is None, gender, life, countries_in(text))


def roles_in(text: str, stems: Set[str]) -> list[tuple[int, int, int]]:
    """Return parts of a text that tell what stems ask for, 1, or its counterpart, -1: birth and death, both parents."""
    found: list[tuple[int, int, int]] = []
    birth, death = "birth" in stems, "death" in stems
    if birth != death:
        for match in PARENTHESIS.finditer(text[:400]):
            dates = dates_in(match[1])
            if dates:
                begin = match.start(1)
                dash = re.search(r"[–—]|\s-\s|died|d\.", match[1])
                cut = begin + (dash.start() if dash else len(match[1]))
                starts_dead = dash is None and re.search(r"\bdied\b|\bd\.", match[1]) is not None
                found.append((begin, cut, -1 if death and not starts_dead else 1))
                found.append((cut, match.end(1), 1 if death else -1))
                break
    father, mother = "father" in stems, "mother" in stems
    if father != mother:
        for match in KIN_ROLES.finditer(text):
            joint = AND.search(match[1])
            if joint:
                cut = match.start(1) + joint.start()
                found.append((match.start(1), cut, 1 if father else -1))
                found.append((cut, match.end(1), 1 if mother else -1))
    return found
