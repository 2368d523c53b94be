"""Hops: the best answer to a description, with a page that is what its noun says, with a fact, or by its name."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from retriever.answers.candidates import NAMING
from retriever.answers.hops.asking import Asking, fact_of
from retriever.answers.hops.description import Description
from retriever.answers.hops.entities import (
    AREAS,
    COUNTRIES,
    entity_named,
    is_group,
    is_location,
    is_named,
    is_what,
    paged,
)
from retriever.answers.hops.roles import has_other_role
from retriever.answers.patterns.facts import Fact
from retriever.answers.ranker import Ranked
from retriever.answers.text.countries import are_countries, country_called
from retriever.answers.text.kind_asked import asks_person
from retriever.session import Session
from weft.text.names import name_key

MOST_TRIED = 6
"""Best answers to a description of which one must have a page and be what the noun says."""

LEAST_SCORE, LEAST_OF_NAMED, LEAST_PAGED = 3.5, 1.5, 0.5
"""The scores (log-odds) from which on an answer to a description is followed: by a clause that nothing named tells, and
of something named, without a page and, where it is no clause, with one."""

MOST_SEEN = 30
"""Best answers to a description among which MOST_TRIED names may have the fact that is asked for."""

BEFORE, BY = 20, re.compile(r"\bby (?:the )?$")


class Hop(NamedTuple):
    """A question for what another one describes, its answer, and both read.

    `entity` is what the answer names, 0 where it has no page. `is_told`: a rule found it, not the ranker. `fact` says
    it, where no passage does. `is_known`: its name alone tells that it is what is looked for, as a country's does.
    """

    asks: str
    answer: str
    entity: int
    found: Ranked
    is_told: bool = False
    fact: Fact | None = None
    is_known: bool = False


def hop_of(asking: Asking, text: str, each: Description, first: Ranked) -> Hop | None:
    """Return the hop by what the answers to a description offer; None where none of them is likely."""
    return _hop(asking, each, first) or _by_fact(asking, text, each, first) or _by_name(asking.session, each, first)


def _hop(asking: Asking, each: Description, first: Ranked) -> Hop | None:
    """Return the best answer to a description that has a page and is what its noun says, None where none is likely.

    None behind a better one that may be so too and has no page, unless both share a word: whose wife has no page, has
    no other one for that. No way leads back to what it came by.
    """
    session, passed = asking.session, asking.passed.union(each.anchors.tolist())
    tried: set[str] = set()
    better: list[str] = []
    for index in np.argsort(-first.scores, kind="stable").tolist():
        candidate = first.reading.candidates[index]
        if len(tried) == MOST_TRIED or first.scores[index] < _least(each, LEAST_PAGED):
            return None
        text = first.reading.passages[candidate.passage].text
        if candidate.key in tried or has_other_role(each.noun, text, candidate.start):
            continue
        tried.add(candidate.key)
        entity = paged(session, entity_named(session, first.reading.passages, candidate))
        words = set(candidate.key.split())
        if entity and entity not in passed and is_what(session, entity, each.noun):
            if all(words.intersection(other.split()) for other in better):
                return Hop(each.asks, candidate.text, entity, first._replace(best=index))
        elif not entity and is_named(candidate, each.noun):
            better.append(candidate.key)
    return None


def _by_fact(asking: Asking, text: str, each: Description, first: Ranked) -> Hop | None:
    """Return the best answer to a description of which a fact says what the question asks for; None for none."""
    named: dict[str, int] = {}
    for index in np.argsort(-first.scores, kind="stable")[:MOST_SEEN].tolist():
        candidate = first.reading.candidates[index]
        if first.scores[index] >= LEAST_OF_NAMED and is_named(candidate, each.noun):
            named.setdefault(candidate.text, index)
    known = asking.session.skb.meanings([name_key(name) for name in named])
    for name, index in [each for each in named.items() if name_key(each[0]) in known][:MOST_TRIED]:
        if fact_of(asking, each.filled(text, name)):
            return Hop(each.asks, name, 0, first._replace(best=index))
    return None


def _by_name(session: Session, each: Description, first: Ranked) -> Hop | None:
    """Return the best answer to a description where it has no page, None where it is no name that its noun fits.

    In which state something lies, is the best that may be a state.
    """
    order = np.argsort(-first.scores, kind="stable")[: MOST_TRIED if each.noun in AREAS else 1].tolist()
    for index in order or [first.best]:
        candidate = first.reading.candidates[index]
        if first.scores[index] < _least(each, LEAST_OF_NAMED):
            return None
        names = candidate.form in NAMING and any(are_countries([candidate.text]))
        if not (names if each.noun in COUNTRIES else is_named(candidate, each.noun)):
            continue
        text = first.reading.passages[candidate.passage].text
        if has_other_role(each.noun, text, candidate.start):
            return None
        before = text[: candidate.start][-BEFORE:]
        if not (asks_person(each.noun) or is_group(each.noun)) and BY.search(before):
            # By whom a hall was designed is no hall.
            return None
        entity = entity_named(session, first.reading.passages, candidate)
        if paged(session, entity) or (entity and not asks_person(each.noun) and each.noun not in AREAS):
            return None
        country = country_called(candidate.text) if each.noun in COUNTRIES else None
        is_known = names or is_location(candidate.text) if each.noun in AREAS else bool(entity)
        return Hop(each.asks, country or candidate.text, 0, first._replace(best=index), is_known=is_known)
    return None


def _least(each: Description, least: float) -> float:
    """Return the least score of an answer to a description; `least` is that to one which is no clause."""
    return least if not each.is_clause else LEAST_OF_NAMED if len(each.anchors) else LEAST_SCORE
