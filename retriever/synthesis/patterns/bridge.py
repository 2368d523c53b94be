"""Bridge: a thing that two chunks speak of is described by what one says of it, and asked for what the other says.

The question names neither the bridge nor what is said of it elsewhere. A third
of the questions go on to a third fact, over a second bridge.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product

import numpy as np

from retriever.synthesis.facts.store import Step, Stored
from retriever.synthesis.patterns.draft import (
    MOST_TOUCHING,
    Draft,
    Path,
    answers_of,
    ask,
    can_be_named,
    choose,
    describe,
    is_plural,
    is_told_apart,
    number_of,
    step_from,
)
from retriever.synthesis.patterns.naming import Naming

MOST_PAIRS = 60
"""Drafts of one bridge."""

MOST_LONGER = 8
"""Pairs of facts of one bridge for which a third is looked for."""

MOST_LEADING = 6
"""Facts that may lead to the first of two bridges that are tried."""

LEAST_MEETING = 0.2
"""In a graph without text nodes of one name may be one: how often what one fact leads to must go on by another."""

THREE_HOPS = 0.3
"""How often a bridge is reached over another one, where it can be."""


def bridge_drafts(naming: Naming, random: np.random.Generator) -> Iterator[Draft]:
    """Yield drafts over every bridge, a few of each, in random order."""
    for bridge in random.permutation(naming.store.met()).tolist():
        yield from _over(naming, bridge, random)


def _over(naming: Naming, bridge: int, random: np.random.Generator) -> Iterator[Draft]:
    touching = naming.store.touching(bridge, MOST_TOUCHING)
    if not _can_lead(naming, bridge):
        return
    pairs = [(one, other) for one, other in product(touching, touching) if _apart(one, other)]
    made = longer = 0
    for index in random.permutation(len(pairs)).tolist():
        known, asked = pairs[index]
        draft = None
        if longer < MOST_LONGER and random.random() < THREE_HOPS:
            longer += 1
            draft = _longer(naming, bridge, known, asked, random)
        draft = draft or _draft(naming, (bridge,), (known, asked), random)
        if draft is not None:
            yield draft
            made += 1
            if made == MOST_PAIRS:
                return


def _apart(one: Stored, other: Stored) -> bool:
    """Tell whether two facts are evidence of their own."""
    return one.id != other.id and (one.chunk is None or one.chunk != other.chunk)


def _can_lead(naming: Naming, thing: int) -> bool:
    """Tell whether a thing is one that a question can go over, no number or year."""
    return naming.store.thing(thing).kind in ("entity", "name", "phrase") and not naming.title(thing).isdigit()


def _longer(
    naming: Naming, bridge: int, known: Stored, asked: Stored, random: np.random.Generator
) -> Draft | None:
    """Return a draft whose bridge is described by another bridge, which a third fact describes."""
    first = known.other(bridge)
    leading = naming.store.touching(first, MOST_TOUCHING) if _can_lead(naming, first) else []
    if not leading:
        return None
    for index in random.permutation(len(leading))[:MOST_LEADING].tolist():
        chosen = leading[index]
        apart = _apart(chosen, known) and _apart(chosen, asked)
        if apart and chosen.other(first) not in (bridge, asked.other(bridge)):
            draft = _draft(naming, (first, bridge), (chosen, known, asked), random)
            if draft is not None:
                return draft
    return None


def _leads(naming: Naming, ends: tuple[int, ...], steps: list[Step]) -> bool:
    """Tell whether each step in a graph leads to the next end alone, and most that it leads to have the next step."""
    one = all(naming.store.reached(end, step, 2) == (there,)
              for (end, there), step in zip(pairwise(ends), steps, strict=True))  # fmt: skip
    return one and all(naming.store.meeting(*pair) > LEAST_MEETING for pair in pairwise(steps))


def _draft(
    naming: Naming, bridges: tuple[int, ...], facts: tuple[Stored, ...], random: np.random.Generator
) -> Draft | None:
    """Return the question that goes over some bridges, None where it cannot be said."""
    start, answer = facts[0].other(bridges[0]), facts[-1].other(bridges[-1])
    if start == answer or start in bridges or answer in bridges or not can_be_named(naming, start):
        return None
    ends = (start, *bridges)
    if not all(is_told_apart(naming, end, fact) for end, fact in zip(ends, facts, strict=True)):
        return None
    steps = [step_from(naming.store, end, fact) for end, fact in zip(ends, facts, strict=True)]
    if facts[0].chunk is None and not _leads(naming, (*ends, answer), steps):
        return None
    said = naming.called(facts[0], start)
    plural = number_of(facts[0], start, said)
    for fact, bridge in zip(facts, bridges, strict=False):
        options = describe(naming, fact, bridge, said, is_plural=plural)
        if not options:
            return None
        said, plural = choose(options, random), is_plural(naming, fact)
    last = naming.store.predicate(facts[-1].predicate)
    repeated = last.possessed or last.participle or (last.words if last.is_noun else "")
    if repeated and f" {repeated} " in f"{said} ":
        return None
    asking = ask(naming, facts[-1], answer, said, is_plural=plural)
    if not asking:
        return None
    question = choose(asking, random)
    return Draft("bridge", question, answer, answers_of(naming, facts[-1], answer), facts, (start,), bridges,
                 (Path(start, tuple(steps)),))  # fmt: skip
