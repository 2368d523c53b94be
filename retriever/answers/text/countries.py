"""Countries, and the adjectives of what comes from them: what "the same country" compares.

`countries.tsv` has a country a line, its name first, other names and adjectives behind it.

>>> countries_in("He was a French-born painter who lived in the Netherlands and in France.")
('France', 'Netherlands')
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

FILE = Path(__file__).parent / "countries.tsv"
WITHIN = {"England": "United Kingdom", "Scotland": "United Kingdom", "Wales": "United Kingdom"}
REGIONS = {
    "British Columbia": "Canada", "New South Wales": "Australia", "New Mexico": "United States",
    "New England": "United States",
}  # fmt: skip
"""Parts of a country that are called like another one."""


def countries_in(text: str) -> tuple[str, ...]:
    """Return the countries that a text names or has the adjectives of, each once, the first first; no languages.

    >>> countries_in("Tides (English: Ebbs) is a Norwegian-language film.")
    ()
    """
    names, pattern = _names()
    return tuple(dict.fromkeys(names.get(found) or REGIONS[found] for found in pattern.findall(text)))


def whole(country: str) -> str:
    """Return the state that a country belongs to."""
    return WITHIN.get(country, country)


def country_called(name: str) -> str | None:
    """Return the country that a name or an adjective is of, None where it is of none.

    >>> country_called("Norwegian"), country_called("the Netherlands"), country_called("Orr")
    ('Norway', 'Netherlands', None)
    """
    return _names()[0].get(name) or _names()[0].get(name.removeprefix("the "))


def are_countries(names: Sequence[str]) -> NDArray[np.bool_]:
    """Return whether each name is a country's or its adjective (n,)."""
    known = _names()[0]
    return np.array([name in known or name.removeprefix("the ") in known for name in names], np.bool_)


@cache
def _names() -> tuple[dict[str, str], re.Pattern[str]]:
    names: dict[str, str] = {}
    for line in FILE.read_text(encoding="utf-8").splitlines():
        country, *others = line.split("\t")
        names |= dict.fromkeys((country, *others), country)
    longest = sorted(map(re.escape, (*names, *REGIONS)), key=len, reverse=True)
    # Nearly no character begins one: what does is looked at first.
    first = "".join(sorted({re.escape(each[0]) for each in names}))
    return names, re.compile(rf"(?=[{first}])(?<!\w)(?:{'|'.join(longest)})(?!\w|:|[ -]language\b)")
