"""Single: one fact, of a sentence or of a row, asked for in other words than its chunk's."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

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
    """Yield a draft for each fact, in random order."""
    for identity in random.permutation(naming.store.every()).tolist():
        (fact,) = naming.store.facts([identity])
        named, answer = (fact.subject, fact.object) if random.random() < 0.8 else (fact.object, fact.subject)
        if not can_be_named(naming, named) or not is_told_apart(naming, named, fact):
            continue
        called = naming.called(fact, named)
        asking = ask(naming, fact, answer, called, is_plural=number_of(naming, fact, named, called))
        if asking:
            question = choose(asking, random)
            path = Path(named, (step_from(naming.store, named, fact),))
            yield Draft("single", question, answer, answers_of(naming, fact, answer), (fact,), (named,), (), (path,))
