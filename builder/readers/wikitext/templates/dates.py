"""Templates of dates, years and ages, as the words that they show.

>>> long_date(2001, 5, 12, False), long_date(2001, 5, None, True)
('May 12, 2001', 'May 2001')
"""

from __future__ import annotations

import re
from datetime import date

from builder.readers.wikitext.state import Call, Page, Rule
from builder.readers.wikitext.templates.phrases import given

MONTHS = "January February March April May June July August September October November December".split()
DIGITS = re.compile(r"\d+")
ISO = re.compile(r"(-?\d{1,4})-(\d\d?)(?:-(\d\d?))?$")
ENDS_OF_MARRIAGE = {
    "div": "div.", "divorced": "div.", "died": "died", "d": "died", "wid": "wid.", "widowed": "wid.",
}  # fmt: skip
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


def _date(call: Call, page: Page, value: str) -> str:
    """Show year, month and day given each by itself, or a date in words as it stands."""
    return _words(call)


def _plain_date(call: Call, page: Page, value: str) -> str:
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


def _death_and_age(call: Call, page: Page, value: str) -> str:
    aged = _age_at(call, 1, 4)
    return f"{_words(call)} (aged {aged})" if aged else _words(call)


def _birth_and_age(call: Call, page: Page, value: str) -> str:
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


def _age(call: Call, page: Page, value: str) -> str:
    return _age_at(call, 4, 1)


def _as_of(call: Call, page: Page, value: str) -> str:
    if call.get("alt"):
        return call.get("alt")
    words = ("since", "Since") if call.get("since") else ("as of", "As of")
    when = long_date(
        _number(call.get("1")), _number(call.get("2")), _number(call.get("3")), call.get("df") != "US"
    )
    return f"{words[not call.get('lc')]} {when or call.get('1')}{call.get('post')}"


def _circa(call: Call, page: Page, value: str) -> str:
    return " – ".join(f"c. {year}" for year in given(call)[:2]) or "c."


def _floruit(call: Call, page: Page, value: str) -> str:
    return f"fl. {'–'.join(given(call)[:2])}".strip()


def _range(call: Call, page: Page, value: str) -> str:
    return "–".join(given(call)[:2])


def _marriage(call: Call, page: Page, value: str) -> str:
    name, begin, end = call.get("1"), call.get("2"), call.get("3")
    reason = ENDS_OF_MARRIAGE.get(call.get("end", "reason").lower().rstrip("."))
    if not begin:
        return f"{name} ({reason} {end})" if reason and end else name
    if end and reason:
        return f"{name} (m. {begin}; {reason} {end})"
    return f"{name} (m. {begin}–{end})" if end else f"{name} (m. {begin})"


def _film_date(call: Call, page: Page, value: str) -> str:
    """Show dates with their places: year, month, day, place, and again."""
    values = [value.strip() for value in call.positional]
    shown: list[str] = []
    for start in range(0, len(values), 4):
        year, month, day, place = [*values[start : start + 4], "", "", ""][:4]
        when = long_date(_number(year), _number(month), _number(day), _day_first(call)) if year else ""
        if when:
            shown.append(f"{when} ({place})" if place else when)
    return "<br>".join(shown)


def _sort_date(call: Call, page: Page, value: str) -> str:
    given = [value.strip() for value in call.positional]
    if len(given) == 1:
        return _plain_date(call, page, value)
    year, month, day = ([_number(value) for value in given] + [None] * 3)[:3]
    style = call.get("format").lower()
    return long_date(year, month, day, style == "dmy" or _day_first(call))


def _year_and_age(call: Call, page: Page, value: str) -> str:
    died, born = _number(call.get("1")), _number(call.get("2"))
    if died is None or born is None:
        return call.get("1")
    return f"{call.get('1')} (aged {died - born - 1}–{died - born})"


RULES: dict[str, Rule] = {
    "date": _date, "date and age": _birth_and_age, "date and age at death": _death_and_age,
    "year and age": _year_and_age, "written date": _plain_date, "sorted date": _sort_date, "age": _age,
    "as of": _as_of, "circa": _circa, "floruit": _floruit, "range": _range, "marriage": _marriage,
    "dates with places": _film_date,
}  # fmt: skip
