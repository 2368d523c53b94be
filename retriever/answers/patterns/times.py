"""Times: weekdays, months and hours of the day as tables of opening hours write them.

>>> hours_in("8.15 am to 6.45 pm"), hours_in("9–12, 14–17:30"), hours_in("9 to 5"), hours_in("closed")
([(495, 1125)], [(540, 720), (840, 1050)], [(540, 1020)], [])
>>> sorted(days_in("Fri–Mon, Wed")), sorted(days_in("weekends")), sorted(months_in("October to February"))
([0, 2, 4, 5, 6], [5, 6], [0, 1, 9, 10, 11])
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retriever.answers.text import dates

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
DAY = re.compile(r"\b(mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs?|ur)?(?:days?)?\b", re.I)
MONTHS = tuple(dates.MONTHS)
ENDINGS = "|".join(month[3:] for month in MONTHS)
MONTH = re.compile(rf"\b({'|'.join(month[:3] for month in MONTHS)})(?:t|{ENDINGS})?\b", re.I)
SEVERAL_DAYS = (
    (re.compile(r"\b(?:every day|daily|all week|(?:7|seven) days)\b", re.I), range(7)),
    (re.compile(r"\bweekdays?\b", re.I), range(5)), (re.compile(r"\bweekends?\b", re.I), range(5, 7)),
)  # fmt: skip
BESIDE = re.compile(r"[,;&/\n]|\band\b", re.I)
SPAN = re.compile(r"\s(?:to|until|till|through)\s|(?<![\d ])[ ]?[–—-]", re.I)

TIME = r"(?:(?<![\d.,:])(\d{1,2})(?:[.:](\d\d))?(?:\s?([ap])\.?m\b\.?)?|\b(noon|midday|midnight)\b)"
FROM_TO = re.compile(rf"(?P<opens>{TIME})\s*(?:to|until|till|[–—-])\s*(?P<closes>{TIME})", re.I)
HALF_DAY, DAY_LONG = 720, 1440
NAMED = {"noon": HALF_DAY, "midday": HALF_DAY, "midnight": DAY_LONG}

Minutes = tuple[int, int]
"""When something opens and closes, in minutes of the day."""


def days_in(text: str) -> set[int]:
    """Return the weekdays that a text names, Monday as 0; all from the first to the last of a span."""
    found = _of_cycle(text, DAY, DAYS)
    return found.union(*(days for pattern, days in SEVERAL_DAYS if pattern.search(text)))


def months_in(text: str) -> set[int]:
    """Return the months that a text names, January as 0; all from the first to the last of a span."""
    return _of_cycle(text, MONTH, MONTHS)


def _of_cycle(text: str, pattern: re.Pattern[str], names: Sequence[str]) -> set[int]:
    found: set[int] = set()
    for part in BESIDE.split(text):
        each = list(pattern.finditer(part))
        own = [next(index for index, name in enumerate(names) if name.startswith(one[1].lower())) for one in each]
        if len(own) > 1 and SPAN.search(part, each[0].end(), each[-1].start()):
            own = [(own[0] + step) % len(names) for step in range((own[-1] - own[0]) % len(names) + 1)]
        found.update(own)
    return found


def hours_in(text: str) -> list[Minutes]:
    """Return from when to when a text says that something is open, in minutes of the day."""
    return [_minutes(match) for match in FROM_TO.finditer(text)]


def minute_at(hour: str | None, minute: str | None, half: str | None, named: str | None) -> int:
    """Return the minute of the day of a time's four groups: hour, minute, "a" or "p", and noon or midnight."""
    if named:
        return NAMED[named.lower()]
    hours = int(hour or 0) % 12 if half else int(hour or 0)
    return 60 * hours + int(minute or 0) + (HALF_DAY if (half or "").lower() == "p" else 0)


def _minutes(match: re.Match[str]) -> Minutes:
    """Return a span of hours; of "9 to 5 pm" and "9 to 5" the first is in the morning."""
    first, last = match.group(2, 3, 4, 5), match.group(7, 8, 9, 10)
    opens, closes = minute_at(*first), minute_at(*last)
    if last[2] and not first[2] and not first[3] and opens + HALF_DAY < closes:
        # "2 to 5 pm" is in the afternoon.
        opens += HALF_DAY if last[2].lower() == "p" and opens < HALF_DAY else 0
    if not last[2] and not last[3] and closes <= opens:
        closes += HALF_DAY
    return opens, closes
