"""What kind of thing a noun names: salt is a material, a monk is a person, California is a place.

The nouns of WordNet (Fellbaum 1998) that are one word, their first three senses, and what each sense is a kind of;
`benchmarks/hypernyms.py` writes the table. WordNet's license is in `hypernyms.LICENSE.txt`.

>>> is_a("salt", senses_of("material")), is_a("monks", senses_of("person")), is_a("salt", senses_of("person"))
(True, True, False)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

FILE = Path(__file__).with_suffix(".npz")
THINGS = Path(__file__).with_name("things.txt")
"""Things named by two words of which the last one alone names people, as "aircraft carrier"."""

KINDS = {
    "person": "person people", "place": "location region structure landmass facility district water",
    "country": "country nation", "time": "time date period",
}  # fmt: skip
AMOUNTS = "measure quantity amount magnitude number rate ratio cost price time date period percentage score level grade"
HEAD = re.compile(r"\W*(?:[\w'’.-]+ )*?([\w'’-]+)\W*(?:(?: (?:of|in|at|for|from|with|to|by|on)\b|[,(;|]).*)?$", re.S)
ANIMALS = frozenset(
    """alsatian babbler badger booby bullfinch bunny courser cuckoo dalmatian dodo fledgling gibbon gull harrier heron
    hog jay loggerhead loon nighthawk ostrich peewee piranha predator prey pussycat shrew tiger vixen warbler wasp
    weasel whale wolverine wren yearling""".split()
)
"""Nouns of which WordNet has people first, and that are asked about as animals."""

NO_SENSES: frozenset[int] = frozenset()
"""One set for the many words that are no nouns: what caches keep, a garbage collector looks at again and again."""

PLURALS = (("ies", "y"), ("ves", "f"), ("ves", "fe"), ("men", "man"), ("s", ""), ("es", ""))


class Nouns(NamedTuple):
    """The index of each word, the senses from `starts[i]` on, and those above sense j from `parent_starts[j]` on."""

    words: dict[str, int]
    starts: NDArray[np.int64]
    senses: NDArray[np.uint16]
    parent_starts: NDArray[np.int64]
    parents: NDArray[np.uint16]


@lru_cache(maxsize=1)
def nouns() -> Nouns:
    """Read the table that ships."""
    with np.load(FILE) as arrays:
        words = arrays["words"].tobytes().decode().split("\n")
        return Nouns(
            {word: index for index, word in enumerate(words)}, _starts(arrays["sense_counts"]),
            arrays["senses"], _starts(arrays["parent_counts"]), arrays["parents"],
        )  # fmt: skip


def _starts(counts: NDArray[np.uint8]) -> NDArray[np.int64]:
    return np.append(0, np.cumsum(counts, dtype=np.int64))


@lru_cache(maxsize=1 << 16)
def senses_of(word: str, most: int = 2) -> frozenset[int]:
    """Return the first senses of a noun, in the singular or plural; none of a word that is no noun.

    Bridges are no people, though there are people of that name.
    """
    table = nouns()
    known = [table.words[each] for each in _singulars(word.lower()) if each in table.words]
    if len(known) > 1 and not _kinds_of(_first(known[0], 1)).isdisjoint(senses_of_kind("person")):
        known = known[1:]
    return _first(known[0], most) if known else NO_SENSES


def _first(index: int, most: int) -> frozenset[int]:
    table, start = nouns(), int(nouns().starts[index])
    return frozenset(table.senses[start : min(start + most, int(table.starts[index + 1]))].tolist())


def _singulars(word: str) -> Iterator[str]:
    yield word
    for plural, singular in PLURALS:
        if word.endswith(plural) and len(word) > len(plural) + 1:
            yield word[: -len(plural)] + singular


@lru_cache(maxsize=1 << 16)
def above(word: str, most: int = 2) -> frozenset[int]:
    """Return the first senses of a noun, and all that they are kinds of."""
    return _kinds_of(senses_of(word, most)) or NO_SENSES


def _kinds_of(senses: frozenset[int]) -> frozenset[int]:
    """Return some senses and all that they are kinds of."""
    table = nouns()
    found: set[int] = set()
    waiting = list(senses)
    while waiting:
        sense = waiting.pop()
        if sense not in found:
            found.add(sense)
            waiting += table.parents[table.parent_starts[sense] : table.parent_starts[sense + 1]].tolist()
    return frozenset(found)


def is_a(word: str, kinds: frozenset[int]) -> bool:
    """Tell whether a noun names, or is a kind of, any of the senses `kinds`."""
    return not kinds.isdisjoint(above(word))


@cache
def senses_of_kind(kind: str) -> frozenset[int]:
    """Return the senses of what a kind of answer names: persons, places, countries, times; none of another kind."""
    return frozenset[int]().union(*(senses_of(word) for word in KINDS.get(kind, "").split()))


def is_person(word: str, before: str = "") -> bool:
    """Tell whether a noun, in its first sense, names people; with the word before it, it may name a thing.

    >>> is_person("carrier"), is_person("carrier", "aircraft"), is_person("whales")
    (True, False, False)
    """
    if senses_of_kind("person").isdisjoint(above(word, 1)) or not ANIMALS.isdisjoint(_singulars(word)):
        return False
    return not is_thing(before, word)


def is_thing(before: str, word: str) -> bool:
    """Tell whether two words name a thing of which the last one alone names people: "aircraft carrier"."""
    return any(f"{before} {each}" in _things() for each in _singulars(word))


@cache
def _things() -> frozenset[str]:
    return frozenset(THINGS.read_text(encoding="utf-8").split("\n"))


@lru_cache(maxsize=1)
def _amounts() -> frozenset[int]:
    return frozenset[int]().union(*map(senses_of, AMOUNTS.split()))


def measured(words: Sequence[str]) -> bool:
    """Tell whether any of some nouns is told in numbers, as a price or a date is, or none is known."""
    known = [word for word in words if senses_of(word)]
    return not known or any(is_a(word, _amounts()) for word in known)


@lru_cache(maxsize=1 << 16)
def noun_of(text: str) -> str:
    """Return what a run of words is about: its last word, or that before "of", a comma or a parenthesis."""
    words = HEAD.match(text)
    return (words[1] if words else text).lower()
