"""Comparatives: the words of a question that compare, and what the amounts that they compare measure."""

from __future__ import annotations

import re

GREATER = "heavi|fast|strong|hott|warm|rich|thick|broad|great|farth|furth|dear|loud"
LESSER = "light|slow|weak|cold|poor|thinn|narrow|low|cheap|clos|near|quiet"
AMOUNTS = re.compile(
    r"\b(?!(?:more|most) recent)(?:(?:large?|long|high|tall|bigg?|deep|wide?|short|small|few|less)(?:r|er|st|est)?"
    r"|more|most|(?<!at )least"
    rf"|(?:{GREATER}|{LESSER})(?:er|est))\b", re.I)  # fmt: skip
"""What compares amounts; what else compares, such as "older" or "most recently", compares dates."""

BETTER = re.compile(r"\bbetter\b", re.I)
"""What compares amounts of what its verb says: "sold better"."""

RECENT = re.compile(r"\b(?:more|most) recent", re.I)
AGE = re.compile(r"\b(?:old|young)(?:er|est)\b", re.I)
MEASURED = (
    (re.compile(r"\b(?:long|short)(?:er|est)?\b", re.I), "length duration"),
    (re.compile(r"\b(?:high|low|tall)(?:er|est)?\b", re.I), "height elevation altitude"),
    (re.compile(r"\b(?:heavi|light)(?:er|est)\b|\bweigh\w*\b", re.I), "weight mass"),
    (re.compile(r"\bdeep(?:er|est)?\b", re.I), "depth"),
    (re.compile(r"\b(?:fast|slow)(?:er|est)\b", re.I), "speed"),
    (re.compile(r"\b(?:cheap|dear)(?:er|est)\b|\b(?:expensive|costly)\b", re.I), "price cost fare fee"),
    (re.compile(r"\b(?:strong|weak)(?:er|est)\b", re.I), "strength alcohol power"),
    (re.compile(r"\b(?:loud|quiet|nois[iy])(?:er|est)\b", re.I), "noise loudness sound"),
    (re.compile(r"\b(?:wide|broad|narrow)(?:r|er|est|st)?\b", re.I), "width"),
    (re.compile(r"\b(?:large|bigg?|small)(?:r|er|est|st)?\b", re.I), "area population"),
)  # fmt: skip
"""Words that compare, and the labels of the rows that tell what they compare."""

COMPARED = tuple(
    (re.compile(rf"\b(?:{stems})(?:er|est)\b", re.I), frozenset(measures.split()), dimension)
    for stems, measures, dimension in (
        ("heavi|light", "mass", ""), ("fast|slow", "speed", ""), ("hott|warm|cold", "temperature", ""),
        ("cheap|dear", "money", ""), ("long|short", "length time", "length"), ("high|low|tall", "length", "height"),
        ("deep", "length", "depth"), ("wid|broad|narrow", "length", "width"), ("thick|thinn", "length", "thickness"),
        ("farth|furth|clos|near", "length", "way"),
    )
)  # fmt: skip
"""Words that compare, what the amounts that they compare measure, and of lengths in which dimension."""


def compared_by(text: str) -> tuple[frozenset[str], str]:
    """Return what the amounts measure that a question compares, and in which dimension; nothing where that is open.

    >>> compared_by("Which is wider?"), compared_by("Which is larger?")
    ((frozenset({'length'}), 'width'), (frozenset(), ''))
    """
    found = ((measures, dimension) for pattern, measures, dimension in COMPARED if pattern.search(text))
    return next(found, (frozenset(), ""))
