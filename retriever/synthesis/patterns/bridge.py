"""Bridge: a thing that two chunks speak of is described by what one says of it, and asked for what the other says.

The question names neither the bridge nor what is said of it elsewhere. A third
of the questions go on to a third fact, over a second bridge.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product

import numpy as np

from retriever.synthesis.facts.store import Stored
from retriever.synthesis.patterns.draft import (
    MOST_TOUCHING,
    Draft,
    Path,
    answers_of,
    ask,
    can_be_named,
    choose,
    describe,
    is_told_apart,
    step_from,
)
from retriever.synthesis.patterns.naming import Naming

MOST_PAIRS = 8
"""Drafts of one bridge."""

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
    made = 0
    for index in random.permutation(len(pairs)).tolist():
        known, asked = pairs[index]
        draft = _longer(naming, bridge, known, asked, random) if random.random() < THREE_HOPS else None
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
    return naming.store.thing(thing).kind in ("entity", "name") and not naming.title(thing).isdigit()


def _longer(
    naming: Naming, bridge: int, known: Stored, asked: Stored, random: np.random.Generator
) -> Draft | None:
    """Return a draft whose bridge is described by another bridge, which a third fact describes."""
    first = known.other(bridge)
    leading = naming.store.touching(first, MOST_TOUCHING) if _can_lead(naming, first) else []
    if not leading:
        return None
    chosen = leading[int(random.integers(len(leading)))]
    alike = chosen.id == known.id or not _apart(chosen, known) or not _apart(chosen, asked)
    if alike or chosen.other(first) in (bridge, asked.other(bridge)):
        return None
    return _draft(naming, (first, bridge), (chosen, known, asked), random)


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
    if facts[0].chunk is None and not all(naming.store.meeting(*pair) > LEAST_MEETING for pair in pairwise(steps)):
        return None
    said = naming.called(facts[0], start)
    for fact, bridge in zip(facts, bridges, strict=False):
        options = describe(naming, fact, bridge, said)
        if not options:
            return None
        said = choose(options, random)
    asking = ask(naming, facts[-1], answer, said)
    if not asking:
        return None
    question = choose(asking, random)
    return Draft("bridge", question, answer, answers_of(naming, facts[-1], answer), facts, (start,), bridges,
                 (Path(start, tuple(steps)),))  # fmt: skip
