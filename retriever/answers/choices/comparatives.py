"""Comparatives: the words of a question that compare, and what the amounts that they compare measure."""

from __future__ import annotations

import re

from retriever.answers.text.lexicon.adjectives import LESS, MORE, SCALES, Scale, stems
from retriever.answers.text.lists import COUNTS
from retriever.answers.text.words import UPPER

AMOUNTS = re.compile(
    rf"\b(?!(?:more|most) recent)(?:large|long|high|tall|big|deep|wide|short|small|few|less|(?:few|less)(?:er|est)"
    rf"|more|most|(?<!at )least|{MORE}|{LESS})\b", re.I,
)  # fmt: skip
"""What compares amounts; what else compares, such as "older" or "most recently", compares dates."""

NAMES = re.compile(rf"(?<!^)\b[{UPPER}]\w*")

BETTER = re.compile(r"\bbetter\b", re.I)
"""What compares amounts of what its verb says: "sold better"."""

RECENT = re.compile(r"\b(?:more|most) recent", re.I)
AGE = re.compile(r"\b(?:old|young)(?:er|est)\b", re.I)

PLACES = "second third fourth fifth sixth seventh eighth ninth tenth".split()
BEFORE = re.compile(
    rf"\b(?:(?P<place>{'|'.join(PLACES)})|(?P<number>\d{{1,2}})(?:nd|rd|th|st)"
    rf"|(?P<count>{'|'.join(COUNTS)}|\d{{1,2}}))[ -]$", re.I,
)  # fmt: skip
READ = len("seventh ")
"""What stands before a superlative that asks for other rows than the first: "the second longest", "the 3 longest"."""


def compares_amounts(text: str) -> bool:
    """Tell whether a question compares amounts, by its words but those of names.

    >>> compares_amounts("Which is larger?"), compares_amounts("Which is older, the Long Hall or Great Orse?")
    (True, False)
    """
    return AMOUNTS.search(NAMES.sub(" ", text)) is not None


def _asking(scale: Scale) -> re.Pattern[str]:
    words = "|".join((rf"(?:{stems((scale,))})(?:er|est)", *scale.positive.split()))
    return re.compile(rf"\b(?:{words})\b", re.I)


MEASURED = tuple((_asking(each), each.labels) for each in SCALES if each.labels)
"""Words that compare, and the labels of the rows that tell what they compare."""

COMPARED = tuple(
    (re.compile(rf"\b(?:{stems((each,))})(?:er|est)\b", re.I), frozenset(each.measures.split()), each.dimension)
    for each in SCALES if each.measures
)  # fmt: skip
"""Words that compare, what the amounts that they compare measure, and of lengths in which dimension."""


def compared_by(text: str) -> tuple[frozenset[str], str]:
    """Return what the amounts measure that a question compares, and in which dimension; nothing where that is open.

    >>> compared_by("Which is wider?"), compared_by("Which is larger?")
    ((frozenset({'length'}), 'width'), (frozenset(), ''))
    """
    found = ((measures, dimension) for pattern, measures, dimension in COMPARED if pattern.search(text))
    return next(found, (frozenset(), ""))


def rows_asked(text: str, start: int) -> tuple[slice, str]:
    """Return which rows a superlative asks for that starts there, by order, and the words before it that say so.

    >>> [rows_asked(text, len(text)) for text in ("the second ", "the 3rd-", "the two ", "the ")]
    [(slice(1, 2, None), 'second '), (slice(2, 3, None), '3rd-'), (slice(0, 2, None), 'two '), (slice(0, 1, None), '')]
    """
    found = BEFORE.search(text, max(0, start - READ), start)
    if found is None:
        return slice(0, 1), ""
    if count := found["count"]:
        n = int(count) if count.isdecimal() else COUNTS[count.lower()]
        return slice(0, n), found[0]
    number = PLACES.index(found["place"].lower()) + 2 if found["place"] else int(found["number"])
    return slice(max(0, number - 1), number), found[0]
