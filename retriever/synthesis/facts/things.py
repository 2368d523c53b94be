"""Things in a text that a fact can be about: links and mentions, dates, years, numbers with units, names.

>>> [(each.thing.kind, each.thing.text) for each in things_in("laid on 4 May 1201 by Orrin Tasker, 71 metres long.")]
[('date', '4 May 1201'), ('name', 'Orrin Tasker'), ('number', '71 metres')]
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from retriever.synthesis.facts.fact import Thing
from retriever.synthesis.grammar.units import UNITS

MONTHS = "january february march april may june july august september october november december".split()
MONTH = "|".join(name.capitalize() for name in MONTHS)
DATE = rf"\d{{1,2}} (?:{MONTH}),? \d{{3,4}}|(?:{MONTH}) \d{{1,2}}, \d{{3,4}}|(?:{MONTH}) [12]\d{{3}}"
YEAR = r"(?<![\d.,:/-])(?:1\d{3}|20\d\d)(?![\d%:/]|[.,]\d|-\d|s\b)"
NUMBER = (
    rf"(?<![\w.,–-])\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?(?: (?:{UNITS})\b)?"
    rf"|(?<![\w.,–-])\d+(?:\.\d+)?\s?(?:{UNITS})(?![\w])"
)
CAPITAL = r"(?:St\.(?= )|(?:[^\W\d_a-zß-öø-ÿ]\.)+|[^\W\d_a-zß-öø-ÿ](?:[\w’'-]|\.(?=\w))*\w)"
COMPANY = "Inc|Incorporated|Ltd|Limited|LLC|LLP|LP|Corp|Co|PLC|GmbH|Pty"
NAME = (
    rf"\b{CAPITAL}(?: (?:(?:of|de|da|del|la|le|van|von|der|bin|al|the|no|y|du) ){{0,2}}{CAPITAL})*"
    rf"(?:, (?:{COMPANY})\b)?"
)
ANYTHING = re.compile(rf"(?P<date>{DATE})|(?P<year>{YEAR})|(?P<number>{NUMBER})|(?P<name>{NAME})")
WHOLE = re.compile(rf"(?P<date>{DATE})|(?P<year>{YEAR})")
NOT_NAMES = frozenset(
    """The A An In On At He She It They His Her Its Their This That These Those There When While After Before As For
    By With From Since During However Although Both Many Most Some Several All One Two Three First Also But And Or
    If I We Jr Sr Jr. Sr. Sir Dr Mr Mrs Ms St January February March April May June July August September October
    November December AD BC""".split()
)
COMPANIES = frozenset(COMPANY.split("|"))
"""Ends of names of companies, which are none by themselves: `Inc` owns nothing."""


class Found(NamedTuple):
    """A thing and where it stands."""

    start: int
    end: int
    thing: Thing


def things_in(text: str, links: Sequence[tuple[int, int, int]] = ()) -> list[Found]:
    """Return the things of a text in reading order, none within another; `links` are (start, end, entity). Linear."""
    found = [Found(start, end, _entity(text[start:end], entity)) for start, end, entity in links]
    taken = bytearray(len(text))
    for start, end, _ in links:
        taken[start:end] = b"1" * (end - start)
    for match in ANYTHING.finditer(text):
        start, end = match.span()
        if any(taken[start:end]):
            continue
        thing = thing_of(match.lastgroup or "", match[0])
        if thing is not None:
            found.append(Found(start, end, thing))
    return sorted(found, key=lambda each: each.start)


def thing_of(kind: str, text: str) -> Thing | None:
    """Return a thing of a kind with what it is compared by; None for a word that begins sentences."""
    if kind == "date":
        return Thing("date", text, None, days_of(text))
    if kind == "year":
        return Thing("year", text, None, float(text) * 365.25)
    if kind == "number":
        return Thing("number", text, None, number_of(text))
    return None if text in NOT_NAMES | COMPANIES or len(text) < 2 else Thing("name", text)


def _entity(text: str, entity: int) -> Thing:
    """Return a link's thing; one whose words are a date or a year is also compared by it."""
    match = WHOLE.fullmatch(text) if text[-1:].isdigit() else None
    plain = thing_of(match.lastgroup or "", text) if match else None
    return plain or Thing("entity", text, entity)


def number_of(text: str) -> float:
    """Return the number that a text begins with, by its scale.

    >>> number_of("1,250.5 km"), number_of("3 million")
    (1250.5, 3000000.0)
    """
    digits = re.match(r"[\d,]*(?:\.\d+)?", text)
    value = float((digits[0] if digits else "").replace(",", "") or 0)
    return value * (1e9 if "billion" in text else 1e6 if "million" in text else 1)


def days_of(text: str) -> float:
    """Return about how many days lie between year 0 and a date; fit for comparing only."""
    month = next((index for index, name in enumerate(MONTHS) if name in text.lower()), 0)
    numbers = [int(each) for each in re.findall(r"\d+", text)]
    day = numbers[0] if len(numbers) > 1 else 15
    return numbers[-1] * 365.25 + month * 30.44 + day


@lru_cache(maxsize=1 << 16)
def whole_value(text: str) -> Thing:
    """Return the thing that a cell or a literal is as a whole: a date, a year, a number, else a name.

    >>> whole_value("1,388 m").number, whole_value("4 May 1201").kind, whole_value("red ochre").kind
    (1388.0, 'date', 'name')
    """
    match = ANYTHING.fullmatch(text)
    if match and match.lastgroup != "name":
        return thing_of(match.lastgroup or "", text) or Thing("name", text)
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        year, month, day = map(int, text.split("-"))
        return whole_value(f"{day} {MONTHS[max(0, min(11, month - 1))].capitalize()} {year:04d}")
    if re.fullmatch(r"-?\d+(?:\.\d+)?", text):
        return Thing("number", text, None, float(text))
    return Thing("name", text)
