"""Templates of dates, years and ages, as the words that they show.

>>> long_date(2001, 5, 12, False), long_date(2001, 5, None, True)
('May 12, 2001', 'May 2001')
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

from builder.readers.wikitext.state import Call, Page

Rule = Callable[[Call, Page], str]
MONTHS = "January February March April May June July August September October November December".split()
DIGITS = re.compile(r"\d+")
ISO = re.compile(r"(-?\d{1,4})-(\d\d?)(?:-(\d\d?))?$")
TRUE = frozenset(("y", "yes", "1", "true"))


def long_date(year: int | None, month: int | None, day: int | None, day_first: bool) -> str:
    """Return a date in words, as far as it is known."""
    if month is None or not 1 <= month <= 12:
        return str(year) if year is not None else ""
    name = MONTHS[month - 1]
    if day is None:
        return f"{name} {year}" if year is not None else name
    if year is None:
        return f"{day} {name}" if day_first else f"{name} {day}"
    return f"{day} {name} {year}" if day_first else f"{name} {day}, {year}"


def _number(text: str) -> int | None:
    text = text.strip()
    if text.title() in MONTHS:
        return MONTHS.index(text.title()) + 1
    found = DIGITS.match(text)
    return int(found[0]) if found and len(found[0]) < 6 else None


def _day_first(call: Call) -> bool:
    return call.get("df").lower() in TRUE


def _words(call: Call, first: int = 1) -> str:
    given = [call.get(str(first + offset)) for offset in range(3)]
    numbers = [_number(text) for text in given]
    if numbers[0] is None or (numbers[1] is None and given[1]):
        return given[0]
    return long_date(numbers[0], numbers[1], numbers[2], _day_first(call))


def _date(call: Call, page: Page) -> str:
    """Show year, month and day given each by itself, or a date in words as it stands."""
    return _words(call)


def _plain_date(call: Call, page: Page) -> str:
    given = call.get("1")
    found = ISO.match(given)
    if not found or not 1 <= int(found[2]) <= 12:
        return given if call.get("2") == "" or not DIGITS.fullmatch(given) else _words(call)
    style = call.get("2").lower()
    return long_date(int(found[1]), int(found[2]), int(found[3]) if found[3] else None, style != "mdy")


def _age_at(call: Call, late: int, early: int) -> str:
    numbers = [_number(call.get(str(start + offset))) for start in (late, early) for offset in range(3)]
    end, begin = numbers[:3], numbers[3:]
    if end[0] is None or begin[0] is None:
        return ""
    years = end[0] - begin[0]
    later, earlier = [each for each in end if each], [each for each in begin if each]
    return str(years - (len(later) == len(earlier) == 3 and later[1:] < earlier[1:]))


def _death_and_age(call: Call, page: Page) -> str:
    aged = _age_at(call, 1, 4)
    return f"{_words(call)} (aged {aged})" if aged else _words(call)


def _birth_and_age(call: Call, page: Page) -> str:
    """Show a date of birth with the age on the day of the page's last change, where that is known."""
    shown = _words(call)
    born = [number for number in (_number(call.get(key)) for key in "123") if number]
    try:
        today = date.fromisoformat(page.date)
    except ValueError:
        return shown
    if len(born) < 3:
        return shown
    age = today.year - born[0] - ([today.month, today.day] < born[1:])
    return f"{shown} (age {age})" if 0 <= age < 130 else shown


def _age(call: Call, page: Page) -> str:
    return _age_at(call, 4, 1)


def _as_of(call: Call, page: Page) -> str:
    if call.get("alt"):
        return call.get("alt")
    words = ("since", "Since") if call.get("since") else ("as of", "As of")
    when = long_date(
        _number(call.get("1")), _number(call.get("2")), _number(call.get("3")), call.get("df") != "US"
    )
    return f"{words[not call.get('lc')]} {when or call.get('1')}{call.get('post')}"


def _circa(call: Call, page: Page) -> str:
    return " – ".join(f"c. {value.strip()}" for value in call.positional[:2] if value.strip()) or "c."


def _floruit(call: Call, page: Page) -> str:
    return "fl. " + "–".join(value.strip() for value in call.positional[:2]) if call.positional else "fl."


def _marriage(call: Call, page: Page) -> str:
    name, begin, end = call.get("1"), call.get("2"), call.get("3")
    reason = {
        "div": "div.",
        "divorced": "div.",
        "died": "died",
        "d": "died",
        "wid": "wid.",
        "widowed": "wid.",
    }.get(call.get("end", "reason").lower().rstrip("."))
    if not begin:
        return f"{name} ({reason} {end})" if reason and end else name
    if end and reason:
        return f"{name} (m. {begin}; {reason} {end})"
    return f"{name} (m. {begin}–{end})" if end else f"{name} (m. {begin})"


def _film_date(call: Call, page: Page) -> str:
    """Show dates with their places: year, month, day, place, and again."""
    values = [value.strip() for value in call.positional]
    shown: list[str] = []
    for start in range(0, len(values), 4):
        year, month, day, place = [*values[start : start + 4], "", "", ""][:4]
        when = long_date(_number(year), _number(month), _number(day), _day_first(call)) if year else ""
        if when:
            shown.append(f"{when} ({place})" if place else when)
    return "<br>".join(shown)


def _sort_date(call: Call, page: Page) -> str:
    given = [value.strip() for value in call.positional]
    if len(given) == 1:
        return _plain_date(call, page)
    year, month, day = ([_number(value) for value in given] + [None] * 3)[:3]
    style = call.get("format").lower()
    return long_date(year, month, day, style == "dmy" or _day_first(call))


def _lifetime(words: str) -> Rule:
    return lambda call, page: f"{words} {call.get('1')}" if call.get("1") else words


def _year_range(call: Call, page: Page) -> str:
    return "–".join(value.strip() for value in call.positional[:2] if value.strip())


_DATES = """
    start date|end date|birth date|death date|start-date|end-date|birth-date|death-date|dob|birth year
    |death year|start date and years ago|launch date|release date|date of birth|end date and age
    |start date and age|start-date and age
"""

RULES: dict[str, Rule] = {
    **{name.strip(): _date for name in _DATES.split("|")}, "birth date and age": _birth_and_age,
    "bda": _birth_and_age, "birth date and age2": _birth_and_age, "birth-date and age": _date,
    "birth year and age": _date, "death date and age": _death_and_age, "dda": _death_and_age,
    "death year and age": lambda call, page: _year_and_age(call), "death-date and age": _date,
    "date": _plain_date, "dts": _sort_date, "date table sorting": _sort_date, "dtsh": lambda call, page: "",
    "age": _age, "age in years": _age, "as of": _as_of, "asof": _as_of, "circa": _circa, "c.": _circa,
    "ca": _circa, "c": _circa, "floruit": _floruit, "fl": _floruit, "fl.": _floruit, "reign": _year_range,
    "r.": _lifetime("r."), "marriage": _marriage, "married": _marriage, "film date": _film_date,
    "television date": _film_date, "born": _lifetime("born"), "b.": _lifetime("b."), "d.": _lifetime("d."),
    "died": _lifetime("died"), "born in": _lifetime("born"), "cite year": _date, "years ago": _date,
    "decade": _date, "dash year": _year_range,
}  # fmt: skip


def _year_and_age(call: Call) -> str:
    died, born = _number(call.get("1")), _number(call.get("2"))
    if died is None or born is None:
        return call.get("1")
    return f"{call.get('1')} (aged {died - born - 1}–{died - born})"
