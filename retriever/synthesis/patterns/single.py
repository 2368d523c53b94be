"""Single: one fact, of a sentence or of a row, asked for in other words than its chunk's."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from retriever.synthesis.facts.store import Stored
from retriever.synthesis.patterns.draft import (
    Draft,
    Path,
    answers_of,
    ask,
    can_be_named,
    choose,
    is_told_apart,
    number_of,
    step_from,
)
from retriever.synthesis.patterns.naming import Naming


def single_drafts(naming: Naming, random: np.random.Generator) -> Iterator[Draft]:
    """Yield a draft for each fact, in random order, by an end that is drawn; by the other one where none else gives
    any."""
    order = random.permutation(naming.store.every()).tolist()
    found = False
    for identity in order:
        (fact,) = naming.store.facts([identity])
        named = fact.subject if random.random() < 0.8 else fact.object
        for draft in _asked(naming, fact, named, random):
            found = True
            yield draft
    for identity in order if not found else ():
        (fact,) = naming.store.facts([identity])
        for named in (fact.subject, fact.object):
            yield from _asked(naming, fact, named, random)


def _asked(naming: Naming, fact: Stored, named: int, random: np.random.Generator) -> Iterator[Draft]:
    """Yield the draft that names one end of a fact and asks for the other, where there is one."""
    if not can_be_named(naming, named) or not is_told_apart(naming, named, fact):
        return
    answer, called = fact.other(named), naming.called(fact, named)
    asking = ask(naming, fact, answer, called, is_plural=number_of(fact, named, called))
    if asking:
        question = choose(asking, random)
        path = Path(named, (step_from(naming.store, named, fact),))
        yield Draft("single", question, answer, answers_of(naming, fact, answer), (fact,), (named,), (), (path,))
