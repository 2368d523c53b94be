"""Facts: a subject, a predicate, an object, and the chunk that says so."""

from __future__ import annotations

from typing import NamedTuple

from retriever.synthesis.grammar.predicates import Predicate


class Thing(NamedTuple):
    """An entity, a date, year, number or a name that is no entity, and the words by which a text calls it.

    `kind` is one of `entity`, `date`, `year`, `number`, `name`; `number` is what
    it is compared by, of dates the days since year 0, None for names.
    """

    kind: str
    text: str
    entity_id: int | None = None
    number: float | None = None


class Fact(NamedTuple):
    """What a chunk says; `chunk_id` is None where no text says it.

    `said` tells that the chunk has the predicate in its words, not merely both ends; `is_asked` that questions may be
    made of it, and not only that nothing be taken to be unique which is not.
    """

    subject: Thing
    predicate: Predicate
    object: Thing
    chunk_id: int | None
    said: bool = True
    is_asked: bool = True
