"""Adjectives that are compared: which say that there is more of something and which that there is less, and of what.

>>> import re
>>> [bool(re.fullmatch(MORE, word)) for word in ("longer", "largest", "shorter")]
[True, True, False]
"""

from __future__ import annotations

from typing import NamedTuple


class Scale(NamedTuple):
    """Adjectives of one scale, as they stand before "er" and "est".

    `greater` say that there is more of it, `lesser` less. `measures` are those of its amounts, `dimension` is that of a
    length, and `labels` are the labels of rows and columns that tell the amounts; "" where nothing is known. `positive`
    are forms and other words that ask for it.
    """

    greater: str
    lesser: str
    measures: str = ""
    dimension: str = ""
    labels: str = ""
    positive: str = ""


SCALES = (
    Scale("long", "short", "length time", "length", "length duration", "long short"),
    Scale("high tall", "low", "length", "height", "height elevation altitude", "high low tall"),
    Scale("heavi", "light", "mass", "", "weight mass", "weigh weighs weighed"),
    Scale("deep", "shallow", "length", "depth", "depth", "deep"),
    Scale("fast quick", "slow", "speed", "", "speed"),
    Scale("hott warm", "cold cool", "temperature", "", "temperature"),
    Scale("dear", "cheap", "money", "", "price cost fare fee entry admission", "expensive costly"),
    Scale("strong", "weak", "", "", "strength alcohol power"),
    Scale("loud noisi", "quiet", "", "", "noise loudness sound"),
    Scale("wid broad", "narrow", "length", "width", "width", "wide broad narrow"),
    Scale("thick", "thinn", "length", "thickness", "thickness"),
    Scale("farth furth", "clos near", "length", "way"),
    Scale("larg bigg great", "small", "", "", "area population diameter size", "large big small"),
    Scale("rich", "poor"),
)
"""Scales of amounts, those that a question is read by first before the others."""

SIZES = tuple(each for each in SCALES if each.dimension not in ("", "way") or "larg" in each.greater)
"""Scales of which one stands for another: the smallest flow is the lowest."""

OF_TIME = "old|young|new|earli|lat|soon"
"""What compares times."""

OF_QUALITY = "steep|saf|hard|easi"
"""What compares neither amounts nor times that are told."""


def stems(scales: tuple[Scale, ...] = SCALES, *, greater: bool = True, lesser: bool = True) -> str:
    """Return alternatives of a regular expression for adjectives as they stand before "er" and "est"."""
    found = (each.greater * greater + " " + each.lesser * lesser for each in scales)
    return "|".join(" ".join(found).split())


MORE, LESS = (rf"(?:{stems(greater=greater, lesser=not greater)})(?:er|est)" for greater in (True, False))
"""Comparatives and superlatives of adjectives that say that there is more, and that there is less."""

GRADED = rf"{stems()}|{OF_TIME}"
"""Adjectives of amounts and times as they stand before "er" and "est"."""
