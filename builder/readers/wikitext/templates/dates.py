"""Templates of dates, years and ages, as the words that they show.

>>> long_date(2001, 5, 12, False), long_date(2001, 5, 0, True)
('May 12, 2001', 'May 2001')
"""

from __future__ import annotations

import re

from builder.readers.wikitext.state import Call, Page, Rule
from builder.readers.wikitext.templates.tables import by_name

MONTHS = " January February March April May June July August September October November December".split(" ")
DIGITS = re.compile(r"\d+")
ISO = re.compile(r"(-?\d{1,4})-(\d\d?)(?:-(\d\d?))?$")
ENDS_OF_MARRIAGE = by_name("words", "end of marriage")
TRUE = frozenset(("y", "yes", "1", "true"))


def long_date(year: int, month: int, day: int, day_first: bool) -> str:
    """Return a date in words, as far as it is known: what is not is 0."""
    if not 1 <= month <= 12:
        return str(year or "")
    name = MONTHS[month]
    if day_first or not day:
        return " ".join(str(part) for part in (day, name, year) if part)
    return f"{name} {day}, {year}" if year else f"{name} {day}"


def _number(text: str) -> int:
    """Return a year, a month, also by its name, or a day; 0 for anything else."""
    text = text.strip()
    if text.title() in MONTHS:
        return MONTHS.index(text.title())
    found = DIGITS.match(text)
    return int(found[0]) if found and len(found[0]) < 6 else 0


def _numbers(call: Call, first: int) -> tuple[int, int, int]:
    """Return year, month and day, each an argument, from the first one on."""
    year, month, day = (_number(call.get(str(first + offset))) for offset in range(3))
    return year, month, day


def _day_first(call: Call) -> bool:
    return call.get("df").lower() in TRUE


def _date(call: Call, page: Page, value: str) -> str:
    """Show year, month and day given each by itself, or a date in words as it stands."""
    year, month, day = _numbers(call, 1)
    if not year or (call.get("2") and not month):
        return call.get("1")
    return long_date(year, month, day, _day_first(call))


def _written_date(call: Call, page: Page, value: str) -> str:
    found = ISO.match(call.get("1"))
    if found and 1 <= int(found[2]) <= 12:
        return long_date(int(found[1]), int(found[2]), int(found[3] or 0), call.get("2").lower() != "mdy")
    return _date(call, page, value) if DIGITS.fullmatch(call.get("1")) else call.get("1")


def _sorted_date(call: Call, page: Page, value: str) -> str:
    if len(call.positional) == 1:
        return _written_date(call, page, value)
    return long_date(*_numbers(call, 1), call.get("format").lower() == "dmy" or _day_first(call))


def _years(begin: tuple[int, ...], end: tuple[int, ...]) -> int | None:
    """Return the full years from one date to another, each as far as it is known."""
    if not (begin[0] and end[0]):
        return None
    return end[0] - begin[0] - (all(begin + end) and end[1:] < begin[1:])


def _birth_and_age(call: Call, page: Page, value: str) -> str:
    """Show a date of birth with the age on the day of the page's last change, where that is known."""
    born, today = _numbers(call, 1), tuple(map(int, DIGITS.findall(page.date)))
    age = _years(born, today) if all(born) and len(today) == 3 else None
    shown = _date(call, page, value)
    return f"{shown} (age {age})" if age is not None and 0 <= age < 130 else shown


def _death_and_age(call: Call, page: Page, value: str) -> str:
    age = _years(_numbers(call, 4), _numbers(call, 1))
    shown = _date(call, page, value)
    return shown if age is None else f"{shown} (aged {age})"


def _age(call: Call, page: Page, value: str) -> str:
    age = _years(_numbers(call, 1), _numbers(call, 4))
    return "" if age is None else str(age)


def _year_and_age(call: Call, page: Page, value: str) -> str:
    age = _years((_number(call.get("2")),), (_number(call.get("1")),))
    return call.get("1") if age is None else f"{call.get('1')} (aged {age - 1}–{age})"


def _as_of(call: Call, page: Page, value: str) -> str:
    if call.get("alt"):
        return call.get("alt")
    words = "since" if call.get("since") else "as of"
    when = long_date(*_numbers(call, 1), call.get("df") != "US") or call.get("1")
    return f"{words if call.get('lc') else words.capitalize()} {when}{call.get('post')}"


def _marriage(call: Call, page: Page, value: str) -> str:
    name, begin, end = call.get("1"), call.get("2"), call.get("3")
    reason = ENDS_OF_MARRIAGE.get(call.get("end", "reason").lower().rstrip("."))
    if not begin:
        return f"{name} ({reason} {end})" if reason and end else name
    if end:
        begin += f"; {reason} {end}" if reason else f"–{end}"
    return f"{name} (m. {begin})"


def _film_date(call: Call, page: Page, value: str) -> str:
    """Show dates with their places: year, month, day, place, and again."""
    shown: list[str] = []
    for start in range(0, len(call.positional), 4):
        *parts, place = (part.strip() for part in [*call.positional[start : start + 4], "", "", ""][:4])
        year, month, day = map(_number, parts)
        if year:
            when = long_date(year, month, day, _day_first(call))
            shown.append(f"{when} ({place})" if place else when)
    return "<br>".join(shown)


RULES: dict[str, Rule] = {
    "date": _date, "date and age": _birth_and_age, "date and age at death": _death_and_age,
    "year and age": _year_and_age, "written date": _written_date, "sorted date": _sorted_date, "age": _age,
    "as of": _as_of, "marriage": _marriage, "dates with places": _film_date,
}  # fmt: skip
