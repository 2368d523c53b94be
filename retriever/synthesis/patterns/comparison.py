"""Comparison: two things of one kind, and one attribute that both have with values that can be put in order."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from retriever.synthesis.facts.store import Stored
from retriever.synthesis.grammar.wording import compare
from retriever.synthesis.patterns.draft import Draft, Path, can_be_named, step_from
from retriever.synthesis.patterns.naming import Naming

COMPARABLE = """
SELECT fact.key, count(*) FROM fact JOIN thing ON thing.id = object
WHERE number IS NOT NULL AND kind IN ('date', 'year', 'number') GROUP BY fact.key HAVING count(*) > 1 ORDER BY fact.key
"""
MOST_OF_KEY = 4000
"""Facts of one predicate that pairs are made of."""

DIGITS = re.compile(r"[\d.,]+")
IN_PARENTHESES = re.compile(r"\([^()]*\)")


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
    """Yield pairs of things of one kind that have a key's value in one unit."""
    ids = random.permutation(naming.store.asked_of(key))[:MOST_OF_KEY]
    waiting: dict[tuple[str, ...], Stored] = {}
    seen: dict[int, int] = defaultdict(int)
    for fact in naming.store.facts(ids.tolist()):
        alike = _alike(naming, fact)
        if alike is None or not can_be_named(naming, fact.subject) or seen[fact.subject]:
            continue
        one = waiting.pop(alike, None)
        seen[fact.subject] += 1
        if one is None:
            waiting[alike] = fact
            continue
        draft = _draft(naming, one, fact, random)
        if draft is not None:
            yield draft


def _alike(naming: Naming, fact: Stored) -> tuple[str, ...] | None:
    """Return what two facts have in common that can be compared: kind and unit of the value, noun of the thing.

    None for what a text only describes.
    """
    value = naming.store.thing(fact.object)
    if naming.store.thing(fact.subject).kind == "phrase":
        return None
    unit = DIGITS.sub("", IN_PARENTHESES.sub("", value.text)).strip() if value.kind == "number" else ""
    noun = naming.noun(fact.subject)
    return (value.kind, unit, "person" if naming.is_person(fact.subject) else noun.split()[-1] if noun else "")


def _shared_end(one: str, other: str) -> str:
    """Return the noun that two names end with, as Hospital in those of hospitals; nothing where they do not."""
    first, second = one.split()[-1], other.split()[-1]
    parted = "," in one or "(" in one
    return first.lower() if first == second and first.isalpha() and len(first) > 4 and not parted else ""


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
