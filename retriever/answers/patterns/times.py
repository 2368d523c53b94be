"""Times: weekdays, months and hours of the day as tables of opening hours write them.

>>> hours_in("8.15 am to 6.45 pm"), hours_in("9–12, 2–5"), hours_in("18:00–01:00"), hours_in("closed")
([(495, 1125)], [(540, 720), (840, 1020)], [(1080, 1500)], [])
>>> sorted(days_in("Fri–Mon, Wed")), sorted(days_in("daily except Monday")), sorted(months_in("October to February"))
([0, 2, 4, 5, 6], [1, 2, 3, 4, 5, 6], [0, 1, 9, 10, 11])
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from retriever.answers.text import dates

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
# "Sat", "sun" and "wed" in small letters are days where a list or "on" says so.
LISTED = (
    r"(?:(?<=\bon )|(?<=\bto )|(?<=\bor )|(?<=\band )|(?<![^\W\d_]\s)|(?!(?-i:sat|sun|wed)\b)"
    r"|(?=\w{3}(?:,| and| or| to| ?[&/–-]) ?(?:mon|tue|wed|thu|fri|sat|sun)))"
)
DAY = re.compile(
    rf"(?<!\dst )(?<!\dnd )(?<!\drd )\b{LISTED}(mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs?|ur)?(?:days?)?\b", re.I
)
ORDINAL = re.compile(r"\b(?:first|second|third|fourth|last|other|alternate) $", re.I)
MONTHS = tuple(dates.MONTHS)
MONTH = re.compile(rf"\b({'|'.join((*MONTHS, 'sept', *(month[:3] for month in MONTHS)))})\b", re.I)
SEVERAL_DAYS = (
    (re.compile(r"\b(?:every day|daily|all week|(?:7|seven) days)\b", re.I), range(7)),
    (re.compile(r"\bweekdays?\b", re.I), range(5)), (re.compile(r"\bweekends?\b", re.I), range(5, 7)),
)  # fmt: skip
BUT = re.compile(r"\b(?:except|excluding|but not|not|closed|apart from)\b", re.I)
"""Behind one of these stand the days that are left out."""

SPAN = re.compile(r"\s+(?:to|until|till|through)\s+|\s?[–—-]\s?", re.I)
TIME = r"(?:(?<![\d.,:])(\d{1,2})(?:[.:](\d\d))?(?:\s?([ap])\.?m\b\.?)?|\b(noon|midday|midnight)\b)"
FROM_TO = re.compile(rf"(?P<opens>{TIME})\s*(?:to|until|till|[–—-])\s*(?P<closes>{TIME})", re.I)
AND = re.compile(r"\s*(?:[,;&/]|and)?\s*", re.I)
HALF_DAY, DAY_LONG = 720, 1440
NAMED = {"noon": HALF_DAY, "midday": HALF_DAY, "midnight": 0}
EARLIEST = 420
"""Before seven nothing opens in the morning that is written without "am": "1–5" is in the afternoon."""

MONTH_SPAN = re.compile(rf"(?:\s\d{{1,2}}(?:st|nd|rd|th)?)?(?:{SPAN.pattern})(?:\d{{1,2}}(?:st|nd|rd|th)?\s)?", re.I)
Minutes = tuple[int, int]
"""When something opens and closes, in minutes of the day; past midnight it closes behind DAY_LONG."""


def days_in(text: str) -> set[int]:
    """Return the weekdays that a text names, Monday as 0: all of a span, and none that it leaves out."""
    kept, *left_out = BUT.split(text)
    found = _of_cycle(kept, DAY, DAYS).union(*(days for pattern, days in SEVERAL_DAYS if pattern.search(kept)))
    return found.difference(*(_of_cycle(part, DAY, DAYS) for part in left_out))


def months_in(text: str) -> set[int]:
    """Return the months that a text names, January as 0; all from the first to the last of a span."""
    # A question that begins with "may" asks whether something may be.
    return _of_cycle(re.sub(r"^\W*may\b", "", text, flags=re.I), MONTH, MONTHS)


def _of_cycle(text: str, pattern: re.Pattern[str], names: Sequence[str]) -> set[int]:
    told = [each for each in pattern.finditer(text) if not ORDINAL.search(text[: each.start()][-12:])]
    own = [next(index for index, name in enumerate(names) if name.startswith(each[1].lower()[:3])) for each in told]
    found = {*own}
    for (one, first), (other, last) in pairwise(zip(told, own, strict=True)):
        # "1 October – 31 March" is a span of months too.
        if (SPAN if names is DAYS else MONTH_SPAN).fullmatch(text, one.end(), other.start()):
            found.update((first + step) % len(names) for step in range((last - first) % len(names)))
    return found


def spans_in(text: str) -> list[re.Match[str]]:
    """Return the first spans of hours of a text, as far as nothing but a comma or "and" stands between them."""
    found: list[re.Match[str]] = []
    for match in FROM_TO.finditer(text):
        if found and not AND.fullmatch(text, found[-1].end(), match.start()):
            break
        found.append(match)
    return found


def hours_in(text: str) -> list[Minutes]:
    """Return from when to when a text says that something is open, in minutes of the day."""
    found: list[Minutes] = []
    for match in spans_in(text):
        found.append(_minutes(match, found[-1][1] if found else 0))
    return found


def minute_at(hour: str | None, minute: str | None, half: str | None, named: str | None) -> int:
    """Return the minute of the day of a time's four groups: hour, minute, "a" or "p", and noon or midnight."""
    if named:
        return NAMED[named.lower()]
    hours = int(hour or 0) % 12 if half else int(hour or 0)
    return 60 * hours + int(minute or 0) + (HALF_DAY if (half or "").lower() == "p" else 0)


def _minutes(match: re.Match[str], earlier: int) -> Minutes:
    """Return a span of hours that does not begin before an earlier one ends."""
    first, last = match.group(2, 3, 4, 5), match.group(7, 8, 9, 10)
    opens, closes = minute_at(*first), minute_at(*last)
    is_bare = not first[2] and not first[3] and not (first[0] or "").startswith("0")
    if is_bare and opens <= HALF_DAY and (opens < earlier or opens < EARLIEST or _is_pm(opens, closes, last)):
        # "2 to 5 pm", "1–5" and the second half of "9–12, 2–5" are in the afternoon.
        opens += HALF_DAY if opens < HALF_DAY and (last[2] or "p").lower() == "p" else 0
    if not last[2] and not last[3] and closes <= opens < closes + HALF_DAY:
        closes += HALF_DAY
    return opens, closes + (DAY_LONG if closes <= opens else 0)


def _is_pm(opens: int, closes: int, last: Sequence[str | None]) -> bool:
    """Tell whether "pm" behind the second time is said of both: of "2 to 5 pm", not of "9 to 5 pm"."""
    return (last[2] or "").lower() == "p" and opens + HALF_DAY < closes
