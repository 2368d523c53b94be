"""Comparing: questions which of two things has more of a value, or had it first."""

from __future__ import annotations

from retriever.synthesis.grammar.attributes import MEASURES
from retriever.synthesis.grammar.nouns import is_count
from retriever.synthesis.grammar.predicates import Predicate

MORE = {"long": "longer", "high": "higher", "old": "older", "deep": "deeper", "wide": "wider", "thick": "thicker"}
EXTENTS = frozenset(("area", "volume", "mass", "number", "size", "capacity", "wingspan", "diameter", "radius"))
DISTANCES = frozenset("height length depth width distance range circumference".split())
QUANTITIES = frozenset(
    """population area length height elevation depth width capacity attendance seats beds rooms members weight mass
    radius density speed velocity distance budget gross range volume tonnage rating discharge size wingspan countries
    children deaths episodes inhabitants temperature pressure gravity diameter circumference students employees
    households residents age gradient number""".split()
)
"""Words of attributes whose numbers can be compared in a question."""

ONCE = frozenset(
    """born died founded established opened built rebuilt completed constructed released published premiered launched
    commissioned decommissioned disestablished dissolved closed abolished chartered incorporated introduced invented
    discovered created formed developed composed written recorded ordered laid destroyed demolished crowned
    began begun started ended unveiled inaugurated consecrated patented""".split()
)
"""Verbs of what happens to a thing once, so that its date can be compared without more being said."""


def compare(
    predicate: Predicate, noun: str, kind: str, names: tuple[str, str], *, is_person: bool
) -> list[tuple[str, bool]]:
    """Return questions which of two things has more of a value, each with whether the larger one is right."""
    which = f"Which {noun}" if noun and not is_person else "Who" if is_person else "Which"
    one = "who" if is_person else f"which {noun}" if noun else "which"
    dated = kind in ("date", "year")
    asking = _compare_dates(predicate) if dated else _compare_numbers(predicate, is_person=is_person)
    first, second = names
    return [
        (text, larger)
        for said, larger in asking
        for text in (f"{which} {said}, {first} or {second}?", f"Of {first} and {second}, {one} {said}?")
    ]


def _compare_dates(predicate: Predicate) -> list[tuple[str, bool]]:
    did = predicate.words.rpartition(" ")[0]
    if predicate.is_noun or predicate.preposition not in ("in", "on") or did.rpartition(" ")[2] not in ONCE:
        return []
    return [(f"{did} earlier", False), (f"{did} later", True), (f"{did} first", False)]


def _compare_numbers(predicate: Predicate, *, is_person: bool) -> list[tuple[str, bool]]:
    noun = predicate.words
    if not predicate.is_noun or not QUANTITIES & set(noun.split()):
        return []
    if noun in MEASURES:
        return [(f"is {'taller' if is_person else MORE[MEASURES[noun]]}", True)]
    if noun == "population":
        return [("has more inhabitants", True), ("has the smaller population", False)]
    counted = noun.removeprefix("number of ")
    if is_count(counted):
        return [(f"has more {counted}", True), (f"has fewer {counted}", False)]
    if DISTANCES & set(noun.split()):
        return [(f"has the greater {noun}", True), (f"has the smaller {noun}", False)]
    larger, smaller = ("larger", "smaller") if EXTENTS & set(noun.split()) else ("higher", "lower")
    return [(f"has the {larger} {noun}", True), (f"has the {smaller} {noun}", False)]
