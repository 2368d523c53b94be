"""Drafts: questions as a pattern proposes them, with everything by which they can be verified."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from retriever.synthesis.facts.rows import counted_kind
from retriever.synthesis.facts.store import FactStore, Step, Stored
from retriever.synthesis.grammar.attributes import Asked, is_several
from retriever.synthesis.grammar.nouns import is_person_phrase
from retriever.synthesis.grammar.predicates import PARAPHRASES, Predicate
from retriever.synthesis.grammar.units import QUANTITY
from retriever.synthesis.grammar.wording import (
    COMMON,
    ask_object,
    ask_subject,
    object_described,
    subject_described,
)
from retriever.synthesis.patterns.naming import Naming

MOST_TOUCHING = 60
"""Facts of one thing that are looked at, at either end: hubs have more."""


FEATURING = frozenset(("features", "featuring"))
"""What a film has of people, and a park of lakes."""

SHARED = frozenset(
    """genre genres language languages country nationality occupation profession religion type class sport gender
    currency colour color order kingdom family phylum recipient award awards received won nominated""".split()
)
"""Words of what so many things share that it tells none apart, whatever a few texts say."""

PLACED = ("in", "at", "on", "from")
"""Ends of what is true of much at one place or one time: whoever was born in a city is not told by it."""

OFTEN = frozenset(
    """travelled traveled faced defeated beat met drew lost scored visited returned invited moved went such""".split()
)
"""Words of what one does time and again, or of lists: no text says all of it, so that nobody asks for it."""

LEAST_FUNCTIONALITY = 0.8
"""How functional a predicate must be to be asked by: one asks who directed a film, not what stands in a country."""


class Path(NamedTuple):
    """Steps that lead from a named thing to the answer, or of a comparison to a value."""

    start: int
    steps: tuple[Step, ...]


class Draft(NamedTuple):
    """A question with its answer, a thing by its number, and the facts that it follows from, in the order of the path.

    `named` are the things that the question names, `bridges` those that it must not name.
    """

    pattern: str
    question: str
    answer: int
    answers: tuple[str, ...]
    facts: tuple[Stored, ...]
    named: tuple[int, ...]
    bridges: tuple[int, ...]
    paths: tuple[Path, ...]

    @property
    def chunks(self) -> tuple[int, ...]:
        """The chunks of its facts, each once, in their order."""
        return tuple(dict.fromkeys(fact.chunk for fact in self.facts if fact.chunk is not None))

    @property
    def hops(self) -> int:
        """How many facts must be put together."""
        return len(self.facts)


def step_from(store: FactStore, thing: int, fact: Stored) -> Step:
    """Return the step from a thing over a fact."""
    return Step(store.predicate(fact.predicate).key, thing == fact.subject)


def answers_of(naming: Naming, fact: Stored, thing: int) -> tuple[str, ...]:
    """Return the right answers for a thing: its name, and what the fact's chunk calls it."""
    said = fact.subject_text if thing == fact.subject else fact.object_text
    plain = said.removeprefix("the ").removeprefix("a ").removeprefix("an ")
    title = naming.title(thing)
    return tuple(dict.fromkeys(text for text in (title, plain) if text))


def asked_of(naming: Naming, fact: Stored, thing: int) -> Asked:
    """Return what is known of a thing that a fact has."""
    found = naming.store.thing(thing)
    predicate = naming.store.predicate(fact.predicate)
    people = predicate.is_of_people and thing == fact.object and found.kind in ("entity", "name")
    people = people and (not naming.noun(thing) or naming.is_person(thing) or predicate.words not in FEATURING)
    place = predicate.preposition in ("in", "at", "near") and thing == fact.object and found.kind in ("entity", "name")
    noun = naming.noun(thing)
    said = fact.subject_text if thing == fact.subject else fact.object_text
    if said and noun == naming.title(thing).split()[-1] and noun not in said:
        # A link may lead to a page whose name ends otherwise than what the text speaks of.
        noun = ""
    person = people or naming.is_person(thing) or (found.kind == "phrase" and is_person_phrase(found.text))
    other = fact.other(thing)
    quantity = QUANTITY.fullmatch(found.text) if found.kind == "number" else None
    return Asked(counted_kind(found), noun, person, (place and not person) or naming.is_place(thing),
                 naming.event(other), naming.is_person(other), naming.is_over(other),
                 quantity[2].strip() if quantity else "", is_named=not _is_common(said))  # fmt: skip


def _is_common(said: str) -> bool:
    """Tell whether a text calls a thing by common nouns alone: `strongly magnetic minerals`."""
    return bool(said) and not any(word[:1].isupper() for word in said.split())


def is_told_apart(naming: Naming, start: int, fact: Stored) -> bool:
    """Tell whether a fact's predicate mostly leads from a start to one thing alone, so that one asks for the thing.

    Texts say some of what is true; a graph is taken to be all there is, so that its facts alone must tell.
    """
    if fact.chunk is None:
        return True
    step = step_from(naming.store, start, fact)
    predicate = naming.store.predicate(fact.predicate)
    words = predicate.words.split()
    shared = SHARED & set(words) or predicate.preposition in PLACED or predicate.words == "died of"
    if OFTEN & set(words) or (shared and not step.forward):
        return False
    if not step.forward and COMMON & set(words[:2]) and not naming.store.can_tell(step.key):
        return False
    return naming.store.functionality(step) >= LEAST_FUNCTIONALITY


def ask(naming: Naming, fact: Stored, answer: int, other: str, *, is_plural: bool | None = None) -> list[str]:
    """Return questions for one end of a fact, its other end called so.

    `is_plural` tells the number of what it is called, None where its text has the form that fits already.
    """
    asked = asked_of(naming, fact, answer)
    asking = ask_object if answer == fact.object else ask_subject
    return [text for predicate in _said(naming, fact, is_plural) for text in asking(predicate, other, asked)]


def describe(
    naming: Naming, fact: Stored, thing: int, other: str, *, is_plural: bool | None = None
) -> list[str]:
    """Return descriptions of one end of a fact, its other end called so; `is_plural` as above."""
    asked = asked_of(naming, fact, thing)
    if thing == fact.object:
        return [text for each in _said(naming, fact, is_plural) for text in object_described(each, other, asked)]
    return [text for each in _said(naming, fact, is_plural)
            for text in subject_described(each, other, asked.noun, is_person=asked.is_person)]  # fmt: skip


def _said(naming: Naming, fact: Stored, is_plural: bool | None) -> list[Predicate]:
    """Return the predicates of a fact in a number."""
    several = predicates_of(naming, fact)
    return several if is_plural is None else [each.behind(is_plural=is_plural) for each in several]


def predicates_of(naming: Naming, fact: Stored) -> list[Predicate]:
    """Return a fact's predicate and others that say the same; none where nothing tells which end is which.

    A graph may hold every edge both ways: then it does not say what is a target of what, only that one is.
    """
    own = naming.store.predicate(fact.predicate)
    if own.is_directed and naming.store.is_mutual(own.key):
        return []
    return [own, *(own._replace(words=words) for words in PARAPHRASES.get(own.words, ()))]


def number_of(fact: Stored, thing: int, called: str) -> bool | None:
    """Tell whether a thing is called by a plural, None where it is called as the fact's chunk does."""
    said = fact.subject_text if thing == fact.subject else fact.object_text
    if said and called.casefold() == said.casefold():
        return None
    if is_several(called):
        return True
    return bool(said) and called.endswith("s") and called[:1].islower() and not called.endswith(("ss", "us", "is"))


def is_plural(naming: Naming, fact: Stored) -> bool:
    """Tell whether a description by a fact is one of several things: definitions alone can be."""
    predicate = naming.store.predicate(fact.predicate)
    return predicate.is_definition and predicate.words.startswith("are ")


def choose(options: Sequence[str], random: np.random.Generator) -> str:
    """Return one of some wordings, every second time the first, which is the plainest."""
    return options[drawn(len(options), random)].replace("??", "?")


def drawn(n: int, random: np.random.Generator) -> int:
    """Return the index of one of n wordings, every second time the first."""
    return 0 if random.random() < 0.5 else int(random.integers(n))


def can_be_named(naming: Naming, thing: int) -> bool:
    """Tell whether a question can begin with a thing: it has a proper or a telling name, and is no value."""
    found = naming.store.thing(thing)
    title = naming.title(thing)
    if found.kind == "name" and (title[:1].isdigit() or not any(word[:1].isupper() for word in title.split())):
        return False
    if found.kind == "phrase":
        return len(title.split()) > 2
    return found.kind in ("entity", "name") and 2 < len(title) < 70 and not title.isdigit()
