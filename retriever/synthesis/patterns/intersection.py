"""Intersection: two facts, each true of several things, that together are true of one alone."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from retriever.synthesis.facts.store import Stored
from retriever.synthesis.grammar.wording import clause
from retriever.synthesis.patterns.draft import (
    MOST_TOUCHING,
    Draft,
    Path,
    answers_of,
    asked_of,
    can_be_named,
    choose,
    drawn,
    predicates_of,
    step_from,
)
from retriever.synthesis.patterns.naming import Naming

MOST_PAIRS = 12


def intersection_drafts(naming: Naming, random: np.random.Generator) -> Iterator[Draft]:
    """Yield drafts for everything that two chunks say something of, a few of each, in random order."""
    for answer in random.permutation(naming.store.met()).tolist():
        yield from _for(naming, answer, random)


def _for(naming: Naming, answer: int, random: np.random.Generator) -> Iterator[Draft]:
    touching = [each for each in naming.store.touching(answer, MOST_TOUCHING) if _is_shared(naming, each, answer)]
    pairs = [pair for pair in combinations(touching, 2) if pair[0].chunk is None or pair[0].chunk != pair[1].chunk]
    made = 0
    for index in random.permutation(len(pairs)).tolist():
        draft = _draft(naming, answer, pairs[index], random)
        if draft is not None:
            yield draft
            made += 1
            if made == MOST_PAIRS:
                return


def _is_shared(naming: Naming, fact: Stored, answer: int) -> bool:
    """Tell whether a fact is true of several things."""
    other = fact.other(answer)
    return len(naming.store.reached(other, step_from(naming.store, other, fact), 2)) > 1


def _draft(naming: Naming, answer: int, facts: tuple[Stored, Stored], random: np.random.Generator) -> Draft | None:
    others = tuple(fact.other(answer) for fact in facts)
    if others[0] == others[1] or answer in others:
        return None
    if not all(can_be_named(naming, other) or naming.store.thing(other).kind == "year" for other in others):
        return None
    options = [_clauses(naming, fact, answer) for fact in facts]
    indices = [drawn(len(each), random) for each in options]
    if facts[0].predicate == facts[1].predicate:
        indices[1] = min(indices[0], len(options[1]) - 1)
    clauses = [each[index] for each, index in zip(options, indices, strict=True)]
    if not all(clauses):
        return None
    heads = _heads(naming, facts, answer)
    question = choose([text for head in heads for text in _joined(head, *clauses)], random)
    ends = zip(others, facts, strict=True)
    paths = tuple(Path(other, (step_from(naming.store, other, fact),)) for other, fact in ends)
    given = tuple(dict.fromkeys(text for fact in facts for text in answers_of(naming, fact, answer)))
    return Draft("intersection", question, answer, given, facts, others, (), paths)


def _clauses(naming: Naming, fact: Stored, answer: int) -> list[str]:
    """Return what a fact says of the answer, in its own words first; one empty text where it cannot be said."""
    other, is_person = naming.called(fact, fact.other(answer)), naming.is_person(answer)
    told = [clause(predicate, other, is_subject=answer == fact.subject, is_person=is_person)
            for predicate in predicates_of(naming, fact)]  # fmt: skip
    return told if told and all(told) else [""]


def _heads(naming: Naming, facts: tuple[Stored, Stored], answer: int) -> list[str]:
    """Return what questions for a thing begin with, the plainest first."""
    asked = [asked_of(naming, fact, answer) for fact in facts]
    noun = asked[0].noun
    which = [f"Which {noun}", f"What is the name of the {noun} that"] if noun else []
    if not any(each.is_person for each in asked):
        return which or ["What"]
    return [*which[:1], "Who", f"Who is the {noun} who"] if noun else ["Who"]


def _joined(head: str, one: str, other: str) -> list[str]:
    """Return questions for what two clauses say, what both begin with said once."""
    first, second = one.split(), other.split()
    shared = 0
    longest = min(len(first), len(second)) - 1
    while shared < longest and first[shared] == second[shared] and first[shared].islower():
        shared += 1
    while shared and first[shared - 1] in ("the", "a", "an"):
        shared -= 1
    if not shared:
        return [f"{head} {one} and {other}?", f"{head} {other} and also {one}?"]
    begin, left, right = (" ".join(each) for each in (first[:shared], first[shared:], second[shared:]))
    return [f"{head} {begin} both {left} and {right}?", f"{head} {begin} {right} as well as {left}?"]
