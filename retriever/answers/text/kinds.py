"""What a page is about, read from how it begins: a person, a place, a country; he or she; what it is called."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from functools import cache
from typing import NamedTuple

from retriever.answers.text.countries import countries_in
from retriever.answers.text.dates import BORN, HEAD, PARENTHESIS, Life, dates_in, life_of
from retriever.answers.text.lexicon.hypernyms import above, senses_of, senses_of_kind
from retriever.answers.text.numbers import lowered
from retriever.answers.text.words import FUNCTION, UPPER, stem_of
from retriever.context import Cache
from retriever.session import Session

MOST_KINDS = 1 << 14
READ = 900
"""Characters of a page's beginning that tell what it is."""

IS = re.compile(r"\b(?:is|was|are|were|refers to)\b\s+(?:(?:the|an?|one of the)\s+)?([^.;]{3,160})")
KIN_ROLES = re.compile(r"\b(?:son|daughter|child|born|children)\b(?:\s+\w+){0,3}?\s+(?:of|to)\s+([^.;]{3,160})")
FEMALE = re.compile(
    r"\b(?:queen|empress|tsarina|princess|infanta|(?:grand |arch)?duchess|countess|marchioness|baroness|lady|dame|mrs"
    r"|wife|mother|sultana|maharani|actress|heiress|noblewoman)\b", re.I,
)  # fmt: skip
MALE = re.compile(
    r"\b(?:king|emperor|tsar|prince|infante|(?:grand |arch)?duke|count|marquess|marquis|baron|earl|lord|sir|mr|husband"
    r"|father|sultan|maharaja|shah|pharaoh|nobleman)\b", re.I,
)  # fmt: skip
OFFICE = re.compile(
    r"(?:(?:(?:U[.]?S[.]? )?(?:King|Queen|Emperor|Empress(?! Dow)|Tsar|Tsarina|Caliph|Sultan|President|Senator|Governor"
    r"|Chancellor|Justice|Admiral|General)|First Lady)[ ])+"
    rf"(?=[{UPPER}][^ ]* (?!of\b)[^ ]*[^ .])"
)
"""Offices before the whole name of somebody, which they are no part of: "President Bo Lund", not "Queen Ida"."""

AND = re.compile(r"\band\b|\bby\b|\bwith\b")
# Of a text in lower case, which is sooner read than any case.
SEXES = tuple(
    (re.compile(rf"\b(?:{she})\b"), re.compile(rf"\b(?:{he})\b"))
    for she, he in (
        ("she", "he"), ("(?:daughter|wife|widow|mother) (?:of|to)", "(?:son|husband|widower|father) (?:of|to)"),
        ("her|hers", "his|him"),
    )
)  # fmt: skip
SOMEBODY_SAID = re.compile(r"[sh](?<!\w.)(?:(?<=h)(?:e|ers?|is|im)|(?<=s)he)\b")
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
BEHIND_NOUN = re.compile(
    r"[(;:]|\b(?:about|active|appearing|at|awarded|based|believed|by|composed|considered|developed|directed|during|for|from"
    r"|in|known (?:as|by|for|to)|located|made|native|of|on|performed|produced|published|recorded|released|set|starring"
    r"|that|to|under|when|where|which|who(?:m|se)?|with|written)\b"
)
"""What ends the words up to the noun that names the kind of thing that a page is about."""

CHARACTERS = ("character", "characters")
SOMEBODY = frozenset("figure icon legend tenor tribute voice family families couple pair duo trio".split())
"""Nouns that may be of persons, though their first sense is a thing or a group."""

OF_NAMES = re.compile(
    rf"\b(?:Army|Bank|Church|Company|Court|House|Order|Society|University) of (?:the )?[{UPPER}]\w+(?= [a-z])"
)
"""Names that stand before a noun: "a Church of Kell priest"."""

BORN_THERE = re.compile(r"\([^()]*\b(?:born\b|b\.)", re.I)
PRONOUN = re.compile(r"\b(?:he|she)\s+$", re.I)


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
    >>> kind_of_text("Tides is a film by the Scottish painter Ada Orr. She wrote it too.").is_person
    False
    >>> kind_of_text("The Long War (1914–1918) was a conflict of two towns.").is_person
    False
    """
    said = IS.search(text)
    words = re.findall(r"[^\W_]+", said[1])[:14] if said else []
    is_a = frozenset(stem_of(word) for word in words if word.lower() not in FUNCTION)
    lower = {word.lower() for word in words}
    life = life_of(text)
    is_place = bool(lower & PLACES)
    # Of "she" nothing says that she is a thing: "She was shy."
    somebody = max(_says(said[1]), 0.0 if PRONOUN.search(text, 0, said.start()) else -1.0) if said else 0.0
    is_told_of = bool(lower & PEOPLE) or (SOMEBODY_SAID.search(lowered(text)) is not None and not is_place)
    lived = _has_lived(text, life, somebody, is_told_of=is_told_of)
    is_person = lived or (somebody == 1 and not is_place) or (is_told_of and somebody >= 0)
    gender = gender_in(text) if is_person else 0
    return Kind(is_a, is_person, is_place and not lived, gender, life, countries_in(text))


def _has_lived(text: str, life: Life, somebody: float, *, is_told_of: bool) -> bool:
    """Tell whether a life is one of somebody: two years alone may be those of a war or a railway line."""
    said = IS.search(text)
    if life.birth is None or BORN_THERE.search(text, 0, said.start() if said else HEAD):
        return life.birth is not None
    is_dated = any(date[1] for date in life if date)
    if somebody < 0:
        return is_dated and is_told_of
    is_bare = life.death is not None and not is_dated and BORN.search(lowered(text), 0, HEAD) is None
    return somebody > 0 or is_told_of or not is_bare


def gender_in(text: str) -> int:
    """Return 1 where a text is about her, -1 where about him: by "she", else "daughter of", else "her"; 0 for neither.

    >>> gender_in("Ida was a daughter of Bo and his wife."), gender_in("Bo succeeded his mother."), gender_in("It fell")
    (1, -1, 0)
    """
    lower = lowered(text)
    counts = ((len(she.findall(lower)), len(he.findall(lower))) for she, he in SEXES)
    return next(((she > he) - (he > she) for she, he in counts if she != he), 0)


def _says(said: str) -> float:
    """Return 1 where something is said to be a person, 0.5 where it may be one, -1 for a thing, else 0.

    >>> [_says(said) for said in ("film by a German singer", "Scottish publisher", "painter and smith", "")]
    [-1.0, 0.5, 1.0, 0.0]
    """
    parts = BEHIND_NOUN.split(OF_NAMES.sub("", said))[0].split(",")
    nouns = [found for part in parts if (found := next(filter(above, reversed(part.split())), ""))]
    if not nouns:
        return 0.0
    persons = senses_of_kind("person")
    if any(noun in CHARACTERS or not above(noun, 2).isdisjoint(persons) for noun in nouns):
        return 0.5 if above(nouns[-1], 1).isdisjoint(persons) else 1.0
    return 0.0 if nouns[0].lower() in SOMEBODY or above(nouns[0], 1).isdisjoint(_things()) else -1.0


@cache
def _things() -> frozenset[int]:
    """Return the senses of what nobody is; the nouns are read when they are first needed, not with this module."""
    kinds = ("artifact", "event", "activity", "animal", "plant", "group", "illness", "disorder", "symptom")
    # What is communicated is the second sense of the word.
    return frozenset[int]().union(senses_of("communication", 3), *(senses_of(each, 1) for each in kinds))


def roles_in(text: str, stems: Set[str]) -> list[tuple[int, int, int]]:
    """Return parts of a text that tell what stems ask for, 1, or its counterpart, -1: birth and death, both parents."""
    found: list[tuple[int, int, int]] = []
    birth, death = "birth" in stems, "death" in stems
    if birth != death:
        for match in PARENTHESIS.finditer(text[:400]):
            dates = dates_in(match[1])
            if dates:
                begin = match.start(1)
                dash = re.search(r"[–—]|\s-\s|\bdied\b|\bd\.", match[1])
                cut = begin + (dash.start() if dash else len(match[1]))
                found.append((begin, cut, -1 if death else 1))
                found.append((cut, match.end(1), 1 if death else -1))
                break
    father, mother = "father" in stems, "mother" in stems
    if father != mother:
        for match in KIN_ROLES.finditer(text):
            joint = AND.search(match[1])
            if joint:
                start, end = match.span(1)
                cut = start + joint.start()
                is_mother_first = _is_told_female(text[start:cut], text[cut:end])
                found.append((start, cut, -1 if father == is_mother_first else 1))
                found.append((cut, end, 1 if father == is_mother_first else -1))
    return found


def _is_told_female(first: str, second: str) -> bool:
    """Tell whether titles say that of two parents the mother is named first."""
    is_she, is_he = FEMALE.search(first) and not FEMALE.search(second), MALE.search(second) and not MALE.search(first)
    return bool(is_she or is_he)
