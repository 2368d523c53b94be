"""Somebody and somewhere: which candidates are persons or places, by pages and by what stands beside them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence, Set

import numpy as np

from retriever.answers.asked import Asked
from retriever.answers.candidates import NAMING, Candidate
from retriever.answers.passages import Passage
from retriever.answers.text.kinds import Kind, kinds_of
from retriever.answers.text.lexicon.hypernyms import is_person
from retriever.answers.text.likeness import answer_tokens
from retriever.answers.text.looks import looks_of
from retriever.answers.text.words import stem_of
from retriever.session import Session

NOBODY: frozenset[str] = frozenset()
ENDS = (" in ", " near ", " outside ", " the ")
WITHIN, BEFORE = re.compile(r"([^\W\d_]+) (?:in|near|outside) (?:the )?$"), 40
WHERE_SAID = re.compile(r"\b(?:in|at|near|outside|to) (?:the )?$", re.I)
NOUN_BEFORE = re.compile(r"(?:^|[^\w-])([a-z][a-z-]+) (?:(?:is|was) )?$")
BORN = re.compile(r"\bborn $", re.I)
"""What stands before somebody's first name: "Ada Orr, born Ida Kell,"."""


def of_kind(
    session: Session, asked: Asked, passages: Sequence[Passage], candidates: list[Candidate]
) -> list[Candidate]:
    """Return the candidates that are nobody where a noun asks for a thing, or "how" for a manner; for "who" no place.

    Somebody has a page, or a noun before that says so: "the carver Tobit Amsel".
    """
    if asked.kind == "person":
        places = _entities(session, passages, candidates, lambda kind: kind.is_place)
        return [each for each in candidates if not _is_where(passages, each, places)] or candidates
    is_thing = asked.kind == "thing" and asked.focus and asked.senses and not asked.calls
    if not is_thing and asked.kind != "manner":
        return candidates
    people = _entities(session, passages, candidates, lambda kind: kind.is_person)
    told = {each.key for each in candidates if each.form in NAMING and _is_told_somebody(passages, each)}
    return [each for each in candidates if each.key not in told and not _is_somebody(each, people)] or candidates


def _is_told_somebody(passages: Sequence[Passage], candidate: Candidate) -> bool:
    """Tell whether the word before a name says that it is somebody's."""
    before = NOUN_BEFORE.search(passages[candidate.passage].text, max(0, candidate.start - BEFORE), candidate.start)
    return before is not None and looks_of(candidate.text)[0] and is_person(before[1])


def _is_somebody(candidate: Candidate, people: Set[int]) -> bool:
    return candidate.entity in people and looks_of(candidate.text)[0]


def _is_where(passages: Sequence[Passage], candidate: Candidate, places: Set[int]) -> bool:
    """Tell whether a candidate is a place in which something is said to be: nobody, but perhaps its people."""
    text, start = passages[candidate.passage].text, candidate.start
    return candidate.entity in places and WHERE_SAID.search(text, max(0, start - BEFORE), start) is not None


def _entities(
    session: Session, passages: Sequence[Passage], candidates: Sequence[Candidate], are: Callable[[Kind], bool]
) -> set[int]:
    """Return the entities whose pages are of a kind, of those that candidates mean or passages are about."""
    pages = {passage.entity: passage.page for passage in passages}
    linked = sorted({each.entity for each in candidates if each.entity} - pages.keys())
    pages |= dict(zip(linked, session.chunk_table.pages_of(np.array(linked, np.int64)).tolist(), strict=True))
    kinds = kinds_of(session, {page for page in pages.values() if page})
    return {entity for entity, page in pages.items() if page in kinds and are(kinds[page])}


def places_in(session: Session, passages: Sequence[Passage], candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates that may be places: nobody with a page, no other name of whom a page is about.

    Nor is it a noun for somebody: "glaciologist".
    """
    people = _entities(session, passages, candidates, lambda kind: kind.is_person)
    titles = [frozenset(answer_tokens(each.title)) if each.entity in people else NOBODY for each in passages]
    named = [[link for link in passage.links if link.entity in people] for passage in passages]
    return [
        each for each in candidates
        if not _is_somebody(each, people) and not _is_told_somebody(passages, each)
        and not (each.text.islower() and is_person(each.text.split()[-1]))
        and (each.form not in NAMING or titles[each.passage].isdisjoint(each.key.split()))
        and not BORN.search(passages[each.passage].text, max(0, each.start - 8), each.start)
        and (each.entity or not any(link.start <= each.start < each.end <= link.end for link in named[each.passage]))
    ]  # fmt: skip


def has_one(asked: Asked, text: str, start: int) -> bool:
    """Tell whether a text says that what is asked for lies there: "the highest town in" stands before no town."""
    if not text.endswith(ENDS, 0, start):
        return False
    before = WITHIN.search(text, max(0, start - BEFORE), start)
    return before is not None and stem_of(before[1]) in asked.focus
