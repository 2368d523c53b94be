"""Verb phrases in a sentence: from the end of a subject to the beginning of an object.

>>> phrase_at(" was named after the river Veldra.", 0)
('was named after', 16)
"""

from __future__ import annotations

import re
from itertools import takewhile
from typing import NamedTuple

from retriever.synthesis.facts.fact import Thing
from retriever.synthesis.grammar.noun_phrases import FINITE, SUBORDINATORS
from retriever.synthesis.grammar.nouns import is_count
from retriever.synthesis.grammar.predicates import PREPOSITIONS
from retriever.synthesis.grammar.verbs import AUXILIARIES, BE, is_participle, tense

# Left out of a predicate: they change little of what is asked.
ADVERBS = frozenset(
    """also first originally later mainly mostly largely usually often primarily generally now currently then soon
    eventually subsequently initially officially formally finally still typically commonly sometimes normally
    partly chiefly once recently again already""".split()
)
NO_ADVERBS = frozenset(("family", "assembly", "anomaly", "monopoly", "butterfly", "friendly", "daily", "yearly",
                        "elderly", "likely", "unlikely"))  # fmt: skip
WORD = re.compile(r"\s+([a-z][a-z'’-]*)")
PARTICLES = frozenset(("up", "out", "together", "down", "off", "part", "above", "below"))
MOST_WORDS = 5
INTRANSITIVE = frozenset(
    """led fought met stood spread broke sank landed lived died moved emerged arrived appeared resulted occurred
    happened belonged consisted contributed depended varied extended differed originated collided interacted referred
    existed evolved traveled travelled flowed drifted drained erupted migrated returned retired served worked resigned
    participated competed graduated premiered opened closed ended started changed increased decreased merged dissolved
    reacted descended succeeded turned looked agreed joined played voted campaigned""".split()
)
"""Past forms behind which a preposition may stand; behind others it shows that a participle was taken for a verb."""

ABOUT = re.compile(
    r"\s+(?:(?:about|approximately|roughly|around|nearly|almost|typically|an? (?:depth|height|distance) of)\s+)*"
)
MEASURED = re.compile(
    r"\s+(?:is|are|was|were)\s+(?:(?:about|approximately|roughly|around|nearly|almost|typically|estimated|thought|to|be"
    r"|at|as|only|currently)\s+)*"
)
HAS = re.compile(
    r"\s+(?:has|have|had)\s+(?:an?|the)\s+(?P<noun>(?:[a-z-]+\s){1,4}?)of\s+(?:(?:about|approximately|roughly|around"
    r"|nearly|almost)\s+)*"
)
THICK = {"thick": "thickness", "long": "length", "wide": "width", "high": "height", "deep": "depth", "tall": "height"}
DIMENSION = re.compile(rf"\s({'|'.join(THICK)})\b")

NUMERALS = "two three four five six seven eight nine ten eleven twelve".split()
COUNTED = re.compile(
    rf"\s+has\s+(?P<number>{'|'.join(NUMERALS)}|\d{{1,4}})\s+(?P<noun>(?:[a-z-]+\s){{0,2}}[a-z-]+s)"
    r"(?=\s*[.;]|\s+(?:in|on|at|for|with|which|that)\s)"
)

NO_COUNTED = frozenset("or and of more times days weeks months years hours minutes percent parts ways kinds".split())
"""Words of what is no number of things that one has."""


def phrase_at(text: str, start: int) -> tuple[str, int] | None:
    """Return the verb phrase that begins at a place, and where what follows begins; None where none does.

    What follows may have an article, which is left to it.
    """
    match = WORD.match(text, start)
    if match is None:
        return None
    if is_adverb(match[1]):
        start = match.end()
        match = WORD.match(text, start)
    if match is None:
        return None
    return _passive_or_be(text, match) if match[1] in AUXILIARIES else _main_verb(text, match)


def _main_verb(text: str, match: re.Match[str]) -> tuple[str, int] | None:
    """Return a main verb with the prepositions behind it."""
    if tense(match[1]) is None or (tense(match[1]) == "plain" and match[1].endswith("e")):
        return None
    return _with_prepositions(text, [match[1]], match.end())


def _passive_or_be(text: str, match: re.Match[str]) -> tuple[str, int] | None:
    """Return an auxiliary with a participle, an adjective or `the NOUN of`."""
    words, end = [match[1]], match.end()
    article = re.compile(r"\s+(the)\b").match(text, end)
    if article and match[1] in BE:
        return _noun_of(text, match[1], article.end())
    following = WORD.match(text, end)
    while following and (is_adverb(following[1]) or following[1] in ("been", "be")):
        words += [following[1]] if following[1] in ("been", "be") else []
        end = following.end()
        following = WORD.match(text, end)
    if following is None or not (is_participle(following[1]) or following[1] in FITTING):
        return None
    return _with_prepositions(text, [*words, following[1]], following.end())


FITTING = frozenset(("part", "home", "responsible", "famous", "adjacent", "close", "similar", "related", "visible",
                     "equal", "parallel", "perpendicular", "composed", "rich", "made", "native"))  # fmt: skip


def _noun_of(text: str, be: str, start: int) -> tuple[str, int] | None:
    """Return `is the NOUN of`, of up to three words."""
    match = re.compile(r"((?:\s+[a-z][a-z-]+){1,3}?)\s+of(?=\s)").match(text, start)
    if match is None or re.search(r"\b(?:one|name|same|result|part|use|north|south|east|west)\b", match[1]):
        return None
    return f"{be} the{re.sub(chr(10), ' ', match[1])} of", match.end()


def is_adverb(word: str) -> bool:
    """Tell whether a word is an adverb that changes little of what is asked.

    >>> [is_adverb(word) for word in ("mostly", "sometimes", "fly", "supply", "only")]
    [True, True, False, False, False]
    """
    return word in ADVERBS or (word.endswith("ly") and len(word) > 5 and tense(word) is None and word not in NO_ADVERBS)


def _leads_to_preposition(text: str, at: int) -> bool:
    match = WORD.match(text, at)
    return match is not None and match[1] in PREPOSITIONS


def _with_prepositions(text: str, words: list[str], end: int) -> tuple[str, int] | None:
    while len(words) < MOST_WORDS and (match := WORD.match(text, end)):
        if is_adverb(match[1]) and _leads_to_preposition(text, match.end()):
            end = match.end()
            continue
        if match[1] not in PREPOSITIONS and match[1] not in PARTICLES:
            break
        words.append(match[1])
        end = match.end()
    return " ".join(words), end


def is_reduced(words: str, rest: str) -> bool:
    """Tell whether a participle was taken for a verb, as in `heat produced by decay is lost`."""
    first, *others = words.split()
    if not others or not is_participle(first) or tense(first) != "past":
        return False
    if (others[0] in PREPOSITIONS and first not in INTRANSITIVE) or others[-1] == "by":
        return True
    ahead = takewhile(lambda word: word.lower() not in SUBORDINATORS, rest.replace(",", " ").split())
    return any(word in FINITE or word == "also" for word in ahead)


class Measure(NamedTuple):
    """Where a number begins that a subject is told to have, and what it is called, nothing where its subject is."""

    noun: str
    end: int


def measure_at(text: str, at: int) -> Measure | None:
    """Return what a verb at a place leads to a number by.

    >>> measure_at(" has a mean depth of about 3,682 m.", 0)
    Measure(noun='mean depth', end=27)
    """
    had = HAS.match(text, at)
    match = had or MEASURED.match(text, at)
    return Measure(had["noun"].strip() if had else "", match.end()) if match else None


def dimension_at(text: str, at: int) -> tuple[str, int] | None:
    """Return the noun of an adjective behind a number, and where it ends: `thickness` of `thick`."""
    match = DIMENSION.match(text, at)
    return (THICK[match[1]], match.end()) if match else None


class Counted(NamedTuple):
    """How many of something a subject has: a noun in the plural, and the number as it is written."""

    noun: str
    number: Thing


def counted_at(text: str, at: int) -> Counted | None:
    """Return what a subject that ends at a place is said to have several of.

    >>> counted_at("It has seven wooden racks.", 2)
    Counted(noun='wooden racks', number=Thing(kind='number', text='seven', entity_id=None, number=7.0))
    """
    match = COUNTED.match(text, at)
    if match is None or not is_count(match["noun"]) or set(match["noun"].split()) & (FINITE | NO_COUNTED):
        return None
    said = match["number"]
    number = float(said) if said.isdigit() else 2.0 + NUMERALS.index(said)
    return Counted(match["noun"], Thing("number", said, None, number))
