"""Comparison: two things of one kind, and one attribute that both have with values that can be put in order.

What no noun is known of is compared within one page, as rows of one list are,
or with what has a name that ends alike. Dates of one half-century come first:
nobody needs a text to tell which of two lives of other ages began earlier.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from retriever.synthesis.facts.store import Stored
from retriever.synthesis.grammar.comparing import compare
from retriever.synthesis.patterns.draft import Draft, Path, can_be_named, step_from
from retriever.synthesis.patterns.naming import Naming

COMPARABLE = """
SELECT fact.key, count(*) FROM fact JOIN thing ON thing.id = object
WHERE number IS NOT NULL AND kind IN ('date', 'year', 'number') GROUP BY fact.key HAVING count(*) > 1 ORDER BY fact.key
"""
BLOCK = 4000
"""Facts of one predicate among which pairs are looked for."""

HALF_CENTURY = 50 * 365.25
"""Days."""

DIGITS = re.compile(r"[\d.,]+")
IN_PARENTHESES = re.compile(r"\([^()]*\)")

Likeness = tuple[object, ...]
"""What two facts must have in common to be compared."""


def comparison_drafts(naming: Naming, random: np.random.Generator) -> Iterator[Draft]:
    """Yield drafts of every attribute by turns, so that the commonest one is not all there is."""
    keys = [row[0] for row in naming.store.connection.execute(COMPARABLE)]
    turns = [_of(naming, keys[index], random) for index in random.permutation(len(keys)).tolist()]
    while turns:
        going = []
        for drafts in turns:
            draft = next(drafts, None)
            if draft is not None:
                going.append(drafts)
                yield draft
        turns = going


def _of(naming: Naming, key: str, random: np.random.Generator) -> Iterator[Draft]:
    """Yield pairs of things of one kind that have a key's value in one unit, each thing once."""
    ids = random.permutation(naming.store.asked_of(key)).tolist()
    seen: set[int] = set()
    for start in range(0, len(ids), BLOCK):
        facts = []
        for fact in naming.store.facts(ids[start : start + BLOCK]):
            if fact.subject not in seen and can_be_named(naming, fact.subject):
                seen.add(fact.subject)
                facts.append(fact)
        for one, other in _pairs(naming, facts):
            draft = _draft(naming, one, other, random)
            if draft is not None:
                yield draft


def _pairs(naming: Naming, facts: Sequence[Stored]) -> Iterator[tuple[Stored, Stored]]:
    """Yield pairs of facts that are alike: first those of one age, then others, last those whose names end alike."""
    for likeness in (_of_one_age, _of_one_kind, _of_one_name):
        waiting: dict[Likeness, Stored] = {}
        left = []
        for fact in facts:
            alike = likeness(naming, fact)
            if alike is None:
                left.append(fact)
            elif alike in waiting:
                yield waiting.pop(alike), fact
            else:
                waiting[alike] = fact
        facts = [*left, *waiting.values()]


def _of_one_age(naming: Naming, fact: Stored) -> Likeness | None:
    """Return what facts of one half-century have in common; of what is no date, the same as those of one kind."""
    kind, value = _of_one_kind(naming, fact), naming.store.thing(fact.object)
    return kind and (*kind, int((value.number or 0.0) // HALF_CENTURY) if value.kind in ("date", "year") else 0)


def _of_one_kind(naming: Naming, fact: Stored) -> Likeness | None:
    """Return kind and unit of a fact's value and the noun of its thing, or its page where none is known."""
    value = _of_one_value(naming, fact)
    noun = "person" if naming.is_person(fact.subject) else naming.noun(fact.subject)
    return value and (*value, noun.split()[-1] if noun else naming.page(fact))


def _of_one_name(naming: Naming, fact: Stored) -> Likeness | None:
    """Return what things in common have of which no noun is known: the noun that their names end with."""
    value, end = _of_one_value(naming, fact), _last_noun(naming.name(fact.subject))
    return value and (*value, end) if end and not naming.noun(fact.subject) else None


def _of_one_value(naming: Naming, fact: Stored) -> Likeness | None:
    """Return kind and unit of a fact's value; None for what a text only describes."""
    value = naming.store.thing(fact.object)
    if naming.store.thing(fact.subject).kind == "phrase":
        return None
    return value.kind, DIGITS.sub("", IN_PARENTHESES.sub("", value.text)).strip() if value.kind == "number" else ""


def _last_noun(name: str) -> str:
    """Return the noun that a name ends with, in lower case; nothing where it ends otherwise or goes on behind it."""
    last = name.split()[-1]
    return last.lower() if last.isalpha() and len(last) > 4 and not ("," in name or "(" in name) else ""


def _shared_end(one: str, other: str) -> str:
    """Return the noun that two names end with, as Hospital in those of hospitals; nothing where they do not."""
    first, second = _last_noun(one), _last_noun(other)
    return first if first == second else ""


def _draft(naming: Naming, one: Stored, other: Stored, random: np.random.Generator) -> Draft | None:
    values = [naming.store.thing(fact.object).number or 0.0 for fact in (one, other)]
    if values[0] == values[1] or one.subject == other.subject or (one.chunk is not None and one.chunk == other.chunk):
        return None
    names = (naming.name(one.subject), naming.name(other.subject))
    kind = naming.store.thing(one.object).kind
    nouns = [naming.noun(fact.subject) for fact in (one, other)]
    noun = nouns[0] if nouns[0] == nouns[1] else (nouns[0].split() or [""])[-1]
    noun = noun or _shared_end(*names)
    person = naming.is_person(one.subject) or "birth" in naming.store.predicate(one.predicate).key
    predicate = naming.store.predicate(one.predicate).behind(is_plural=False)
    options = compare(predicate, noun, kind, names, is_person=person)
    if not options:
        return None
    question, larger = options[int(random.integers(len(options)))]
    winner = one if (values[0] > values[1]) == larger else other
    paths = tuple(Path(fact.subject, (step_from(naming.store, fact.subject, fact),)) for fact in (one, other))
    return Draft("comparison", question, winner.subject, (naming.title(winner.subject),), (one, other),
                 (one.subject, other.subject), (), paths)  # fmt: skip
