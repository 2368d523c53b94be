"""Attributes: questions for what is a noun of something, its height or its keeper, each in several ways.

>>> ask_attribute(Predicate("population", True), "Hask", Asked("number"))[0]
'How many people live in Hask?'
"""

from __future__ import annotations

from typing import NamedTuple

from retriever.synthesis.grammar.nouns import is_count, is_event_noun, is_person_noun, possessive
from retriever.synthesis.grammar.predicates import Predicate
from retriever.synthesis.grammar.verbs import lemma

MEASURES = {"length": "long", "total length": "long", "height": "high", "age": "old", "depth": "deep",
            "max depth": "deep", "width": "wide", "thickness": "thick"}  # fmt: skip
"""Nouns by the adjective that asks for them; what lies at an elevation is not as high."""

COLLECTIVE = frozenset("crew staff fleet workforce garrison complement congregation".split())
"""Nouns of several people or things, of which a number tells how many they are."""

SEVERAL = frozenset(("colours", "colors", "grounds"))
"""Plurals that one value may be of."""

LEADING = ("head", "chair")
"""Nouns that are of persons where a name is what is asked for."""

LONGEST_OWNER = 30


class Asked(NamedTuple):
    """What is known of what is asked for, and the noun of what it is asked of.

    `unit` is that of a quantity; `is_named` tells that a text calls it by a name, `is_over` that what it is asked of is
    past, `of_person` that it is a person.
    """

    kind: str = "entity"
    noun: str = ""
    is_person: bool = False
    is_place: bool = False
    of: str = ""
    of_person: bool = False
    is_over: bool = False
    unit: str = ""
    is_named: bool = True


def is_several(subject: str) -> bool:
    """Tell whether a name is a plural with its article.

    >>> [is_several(name) for name in ("the Korrin Heights", "the Glass Theatre", "Pell Ordway's", "the Isles of Orr")]
    [True, False, False, True]
    """
    head = (subject.partition(" of ")[0].split() or [""])[-1]
    plural = head[:1].isupper() and head.endswith("s") and not head.endswith(("ss", "us", "is", "'s", "’s"))
    return plural and subject.startswith("the ")


def ask_attribute(predicate: Predicate, subject: str, asked: Asked) -> list[str]:
    """Return questions for an attribute of a subject, the plainest first; none where none is natural."""
    noun = predicate.words
    if predicate.is_event:
        return _ask_event(noun, subject, asked)
    if noun in ("date", "place"):
        if is_event_noun(asked.of):
            return [f"{'When' if noun == 'date' else 'Where'} did {subject} take place?"]
        return [f"What is the {noun} of {subject}?"]
    if asked.kind in ("date", "year"):
        return _ask_date(noun, subject)
    if noun == "genre":
        belongs = [] if asked.of_person else [f"To which genre does {subject} belong?"]
        return [f"What is the genre of {subject}?", *belongs]
    if noun == "language":
        return [f"What is the language of {subject}?", f"In which language is {subject}?"]
    return _ask_number(noun, subject, asked) if asked.kind == "number" else _ask_name(noun, subject, asked)


def _ask_date(noun: str, subject: str) -> list[str]:
    if noun.rpartition(" ")[2] in ("date", "year", "day"):
        return [f"What is the {noun} of {subject}?"]
    return [f"When was the {noun} of {subject}?", f"What is the date of the {noun} of {subject}?"]


def _ask_number(noun: str, subject: str, asked: Asked) -> list[str]:
    do, be = _forms(subject, asked)
    counted = noun.removeprefix("number of ")
    if noun in MEASURES:
        adjective = "tall" if asked.of_person and noun == "height" else MEASURES[noun]
        return [f"How {adjective} {be} {subject}?", f"What is the {noun} of {subject}?"]
    if noun == "population":
        return [f"How many people live in {subject}?", f"What is the population of {subject}?"]
    if counted == "deaths" and is_event_noun(asked.of):
        return [f"How many people died in {subject}?", f"What is the number of deaths of {subject}?"]
    if noun.split()[-1] in COLLECTIVE:
        return [f"How large {'was' if asked.is_over else 'is'} the {noun} of {subject}?"]
    if is_count(counted):
        is_had = not asked.of_person and counted != "deaths"
        how_many, number = f"How many {counted} {do} {subject} have?", f"What is the number of {counted} of {subject}?"
        return [how_many if is_had else number]
    return _ask_name(noun, subject, asked)


def _forms(subject: str, asked: Asked) -> tuple[str, str]:
    """Return the forms of do and be for a subject."""
    several = is_several(subject)
    if asked.is_over:
        return "did", "were" if several else "was"
    return ("do", "are") if several else ("does", "is")


def _ask_name(noun: str, subject: str, asked: Asked) -> list[str]:
    word = "Who" if asked.is_person or (asked.kind == "name" and (is_person_noun(noun) or noun in LEADING)) else "What"
    be = "are" if noun in SEVERAL else "is"
    asking = [f"{word} {be} the {noun} of {subject}?"]
    if not subject.lower().startswith("the ") and len(subject) < LONGEST_OWNER and subject[-1:] not in "s)":
        asking.append(f"{word} {be} {possessive(subject)} {noun}?")
    return asking


def _ask_event(noun: str, subject: str, asked: Asked) -> list[str]:
    """Return questions by a label that is a clause: `construction began`, `first mentioned`; none but for when."""
    before, _, verb = noun.rpartition(" ")
    if asked.kind not in ("date", "year"):
        return []
    if before in ("first", "last", "originally", "newly"):
        return [f"When was {subject} {noun}?"]
    return [f"When did the {before} of {subject} {lemma(verb)}?"]
