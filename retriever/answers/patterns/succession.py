"""Succession: who held a role before or after somebody, or as which one, by tables and lists with the years of all.

>>> [(asked.role, asked.name, asked.place) for asked in filter(None, map(succession_asked, (
...     "Who was the mayor before Ada Orr?", "Who succeeded Ada Orr as mayor?", "Who was the third mayor of Kell?")))]
[('mayor', 'Ada Orr', -1), ('mayor', 'Ada Orr', 1), ('mayor of Kell', '', 2)]
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from retriever.answers.asked import Asked
from retriever.answers.bridges.onward import chunks_with_words
from retriever.answers.candidates import NUMBERED, Candidate
from retriever.answers.choices.comparatives import PLACES
from retriever.answers.hops.terms import Term, above_of, terms_in
from retriever.answers.passages import Passage, passages_of
from retriever.answers.tables.whole import Found
from retriever.answers.text.likeness import normalised
from retriever.answers.text.words import content_in, stem_of, stems_in
from retriever.question.reader import query_of, question_of
from retriever.session import Session
from retriever.types import Ids

WHO = r"\W*who(?:'s| (?:was|is|were|became|came|served as|served|ruled|reigned|had been))?"
ROLE = r"(?:(?:the|our|a) )?(?P<role>[a-z][\w’' -]{0,60}?)"
SIDES = {
    word: side
    for side, words in ((-1, "before preceded predecessor"), (1, "after succeeded followed replaced successor"))
    for word in words.split()
}
BESIDE = (
    re.compile(
        rf"{WHO}(?: {ROLE})?(?: (?:right|just|immediately|directly))? (?P<side>before|after) (?P<name>[^?]+?)\W*", re.I
    ),
    re.compile(rf"\W*who (?P<side>preceded|succeeded|followed|replaced) (?P<name>[^?]+?)(?: as {ROLE})?\W*", re.I),
    re.compile(rf"(?:{WHO} )?\W*(?:the )?(?P<side>predecessor|successor) of (?P<name>[^?]+?)(?: as {ROLE})?\W*", re.I),
    re.compile(rf"(?:{WHO} )?\W*(?P<name>[^?]+?)['’]s? (?P<side>predecessor|successor)(?: as {ROLE})?\W*", re.I),
)  # fmt: skip
IN_ORDER = re.compile(
    rf"{WHO} the (?:(?P<place>first|last|{'|'.join(PLACES)})|(?P<number>\d{{1,2}})(?:st|nd|rd|th)) {ROLE}\W*", re.I
)
ASKING = frozenset(map(stem_of, "ever position post job office role person holder".split()))
LESSER = frozenset(map(stem_of, "deputy vice assistant acting under junior honorary".split()))
"""Words of the labels of another role than that asked for."""

FEW = 3
"""Years between the terms of two of whom no role tells that one came after the other."""

LONGEST = 200
"""Characters of a question that may ask so."""

KINDS = ("table", "list")
MOST_NAMING, MOST_READ = 200, 4
"""Chunks with a name that are looked at, and tables and lists of these that are read."""


class Sought(NamedTuple):
    """Whom a question asks for: who had a `role` so many places behind `name`, or from the first, or last (-1), one."""

    role: str
    name: str
    place: int


def succession_asked(text: str) -> Sought | None:
    """Return who is asked for by the order of those who held a role, None where a question asks for nobody so."""
    if len(text) > LONGEST:
        return None
    if beside := next(filter(None, (pattern.fullmatch(text) for pattern in BESIDE)), None):
        # "Who was named after her?" asks for no role.
        if beside["role"] and not content_in(beside["role"]):
            return None
        return Sought(beside["role"] or "", beside["name"], SIDES[beside["side"].lower()])
    order = IN_ORDER.fullmatch(text)
    if order is None or not content_in(order["role"]) - ASKING or order["number"] in ("0", "00"):
        return None
    place = (order["place"] or "").lower()
    number = int(order["number"]) if order["number"] else 0 if place == "last" else 1 + ("first", *PLACES).index(place)
    return Sought(order["role"], "", number - 1)


def in_succession(
    session: Session, asked: Asked, passages: Sequence[Passage], allowed: Ids | None = None
) -> Found | None:
    """Return who is told in a table or list to have come before or after somebody, or as which one; None for several.

    What else is asked must be of its labels, its heading or its page's title. Terms that overlap tell no succession.
    Of whom a question names tables and lists are read too that no hit is. O(chunks with the name).
    """
    sought = succession_asked(asked.text)
    if sought is None:
        return None
    read = [*passages, *(_naming(session, asked, sought.name, passages, allowed) if sought.name else ())]
    found: dict[str, Candidate] = {}
    for index, passage in enumerate(read):
        above = above_of(passage)
        is_lesser = (above & LESSER) - content_in(asked.text)
        if passage.kind not in KINDS or is_lesser or not content_in(sought.role) - ASKING <= above:
            continue
        if term := _placed(sought, terms_in(passage)):
            key = normalised(term.name)
            found.setdefault(key, Candidate(term.name, key, index, *term.span, NUMBERED["name"], 0))
    return Found(next(iter(found.values())), read) if len(found) == 1 else None


def _naming(
    session: Session, asked: Asked, name: str, passages: Sequence[Passage], allowed: Ids | None
) -> list[Passage]:
    """Return the first tables and lists with all words of a name that were not read."""
    chunks = chunks_with_words(session, name)
    chunks = chunks if allowed is None else chunks[np.isin(chunks, allowed)]
    chunks = chunks[~np.isin(chunks, [each.chunk for each in passages])]
    own = [each.id for each in session.skb.chunks(chunks[:MOST_NAMING].tolist()) if each.kind in KINDS][:MOST_READ]
    query = query_of(question_of(session, asked.text), "chunk", allowed)
    return passages_of(session, query, asked, np.array(own, np.int64), np.zeros(len(own)))


def _placed(sought: Sought, terms: Sequence[Term]) -> Term | None:
    """Return the term that is asked for, of those of one role; None where they overlap or nobody stands there."""
    ordered = sorted(terms, key=lambda term: (term.first, term.last))
    if len(ordered) < 2 or any(later.first < earlier.last - 1 for earlier, later in pairwise(ordered)):
        return None
    if not sought.name:
        return ordered[sought.place] if sought.place < len(ordered) else None
    own = {*stems_in(sought.name)}
    named = [number for number, term in enumerate(ordered) if own and own <= {*stems_in(term.name)}]
    place = named[0] + sought.place if len(named) == 1 else -1
    if not 0 <= place < len(ordered):
        return None
    earlier, later = sorted((ordered[place], ordered[named[0]]), key=lambda term: term.first)
    return ordered[place] if sought.role or later.first - earlier.last <= FEW else None
