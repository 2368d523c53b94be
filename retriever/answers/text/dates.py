"""Dates and amounts as values, and the lives that the beginnings of pages tell.

>>> life_of("Ada Orr (3 May 1870 – 1931) was a painter.")
Life(birth=(1870, 5, 3), death=(1931, 0, 0))
"""

from __future__ import annotations

import re
from typing import NamedTuple

MONTHS = "january february march april may june july august september october november december".split()
MONTH = (
    "(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    "|Nov(?:ember)?|Dec(?:ember)?)"
)
DATE = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?P<month>{MONTH})\.?,?\s+(?P<year>\d{{3,4}})"
    rf"|(?P<month2>{MONTH})\.?\s+(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\s*,?\s+(?P<year2>\d{{3,4}})"
    rf"|(?P<month3>{MONTH})\s+(?P<year3>\d{{3,4}})"
    # Three digits before a word count or measure, but for those behind "in".
    r"|(?P<year4>[12]\d{3}|(?<=\bin )\d{3}(?!,)"
    r"|(?<=[ (.–-])\d{3}(?!,|[^\W_])(?!\s+(?!(?:BCE?|CE|AD|to|and|or|until|the)\b)[^\W\d_])))"
    r"(?![\d%]|[.,]\d)"
    r"(?P<era>\s?BCE?\b)?"
)
PARENTHESIS = re.compile(r"\(([^()]*(?:\([^()]*\)[^()]*)*)\)")
BORN, DIED = re.compile(r"\bborn\b|\bb\.", re.I), re.compile(r"\bdied\b|\bd\.|\bdeath\b|\bexecuted\b|\bkilled\b", re.I)
AMOUNT = re.compile(r"(?<![\w.])(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?![\w])\s*(million|billion|thousand)?")
SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9}
HEAD = 400
"""Characters in which a life is told."""

Date = tuple[int, int, int]
"""Year, month and day, 0 for what is not told; years before Christ are below 0."""


class Life(NamedTuple):
    """When somebody was born and died, as far as it is told."""

    birth: Date | None
    death: Date | None


def dates_in(text: str) -> list[tuple[int, int, Date]]:
    """Return the dates of a text with where they begin and end, from years on.

    >>> [date for *_, date in dates_in("Built in 1785, Ostwick, of 412.6 t or 1,785 bricks; 4 May 1790")]
    [(1785, 0, 0), (1790, 5, 4)]
    >>> [date for *_, date in dates_in("Of 345 seats; burnt in 843 (rebuilt 845 to 860), 418 m long")]
    [(843, 0, 0), (845, 0, 0), (860, 0, 0)]
    """
    return [(match.start(), match.end(), _date(match)) for match in DATE.finditer(text)]


def _date(match: re.Match[str]) -> Date:
    parts = match.groupdict()
    year = int(parts["year"] or parts["year2"] or parts["year3"] or parts["year4"])
    month = parts["month"] or parts["month2"] or parts["month3"]
    day = int(parts["day"] or parts["day2"] or 0)
    number = next(index for index, name in enumerate(MONTHS, 1) if name.startswith(month[:3].lower())) if month else 0
    return (-year, 0, 0) if parts["era"] else (year, number, day)


def life_of(text: str) -> Life:
    """Return the life that the first parenthesis with a date tells, else what "born" and "died" do.

    >>> life_of("Born | Ostwick\\nDied | 3 May 1841, Dunmere")
    Life(birth=None, death=(1841, 5, 3))
    """
    head = text[:HEAD]
    for match in PARENTHESIS.finditer(head):
        found = dates_in(match[1])
        if not found:
            continue
        inside = match[1]
        if len(found) > 1:
            gap = inside[found[0][1] : found[1][0]]
            if re.search(r"[–—-]|died|d\.", gap):
                return Life(found[0][2], found[1][2])
            return Life(found[0][2], None) if BORN.search(inside) else Life(None, None)
        if DIED.search(inside) or re.match(r"\s*(?:[–—-]|\?)", inside):
            return Life(None, found[0][2])
        if BORN.search(inside):
            return Life(found[0][2], None)
    return Life(_behind(BORN, head), _behind(DIED, text))


def _behind(word: re.Pattern[str], text: str) -> Date | None:
    """Return the first date within the sentence behind a word."""
    for match in word.finditer(text):
        sentence = re.split(r"\. |\n", text[match.end() : match.end() + 80])[0]
        if found := dates_in(sentence):
            return found[0][2]
    return None


def amounts_in(text: str) -> list[tuple[int, float]]:
    """Return the numbers of a text with where they begin.

    >>> amounts_in("It has 1,260 seats and 2.5 million fish.")
    [(7, 1260.0), (23, 2500000.0)]
    """
    return [
        (match.start(), float(match[1].replace(",", "")) * SCALES.get(match[2] or "", 1.0))
        for match in AMOUNT.finditer(text)
    ]
