"""When in a day a question asks for: "at 5 pm", "before 9", "in the evening", and whether something is open then.

>>> is_open_then("Is it open at 5 pm?", [(540, 1080)]), is_open_then("Is it open after 6 pm?", [(540, 1080)])
(True, False)
>>> is_open_then("Is it open at 8?", [(540, 1080)]), is_open_then("Is it open on Sunday night?", [(540, 1080)])
(False, None)
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retriever.answers.patterns.times import DAY_LONG, EARLIEST, HALF_DAY, TIME, Minutes, minute_at

PARTS = {"morning": (0, 720), "afternoon": (720, 1080), "evening": (1080, 1440)}
LEAST, ENOUGH = 15, 90
"""Minutes of a part of a day: with no more than the first it is closed then, with the second open."""

CLOCK = re.compile(rf"\b(?P<how>at|after|past|from|later than|before|by|earlier than|until|till) {TIME}", re.I)
TIMED = re.compile(r"\b(?:at|after|past|from|before|by|until|till|than) (?:\d|noon|midday|midnight)", re.I)
NUMERALS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
UNKNOWN = re.compile(
    rf"\bnights?\b|\b(?:at|after|before|until|from|by) (?:{NUMERALS}|lunch|dinner|work|school|dark)\b"
    r"|\b(?:early|late|later|earlier)\b", re.I,
)  # fmt: skip
"""What says when in other words."""

STARTS = frozenset(("after", "past", "later than", "until", "till"))
ENDS = frozenset(("before", "earlier than"))
"""Behind these a bare hour is in the afternoon; behind those it is in the morning, from EARLIEST on."""


def is_open_then(text: str, hours: Sequence[Minutes]) -> bool | None:
    """Tell whether something is open at the time of day that a question names, or at all; None where that is unclear.

    "At 4" may be in the morning or in the afternoon: it is open then where it is so at either.
    """
    if clock := CLOCK.search(text):
        return _at(clock, hours)
    if UNKNOWN.search(text) or re.search(r"\d", text):
        return None
    part = next((each for name, each in PARTS.items() if name in text.lower()), None)
    if part is None:
        return bool(hours)
    minutes = sum(max(0, min(part[1], closes) - max(part[0], opens)) for opens, closes in hours)
    return False if minutes <= LEAST else True if minutes >= ENOUGH else None


def _at(clock: re.Match[str], hours: Sequence[Minutes]) -> bool | None:
    how, minute = clock["how"].lower(), minute_at(*clock.group(2, 3, 4, 5))
    is_bare = not clock[4] and not clock[5] and minute < HALF_DAY and not clock[2].startswith("0")
    if not is_bare or (how in ENDS and minute >= EARLIEST):
        return _is_open(how, minute, hours)
    found = {_is_open(how, each, hours) for each in (minute, minute + HALF_DAY)}
    if how == "at":
        return any(found)
    return found.pop() if len(found) == 1 else _is_open(how, minute + HALF_DAY, hours) if how in STARTS else None


def _is_open(how: str, minute: int, hours: Sequence[Minutes]) -> bool:
    if how in ENDS:
        return any(opens < minute for opens, _ in hours)
    if how in ("after", "past", "later than"):
        return any(closes > minute for _, closes in hours)
    if how in STARTS:
        return any(opens < minute <= closes for opens, closes in hours)
    if how == "by":
        return any(opens <= minute < closes for opens, closes in hours)
    return any(opens <= each < closes for opens, closes in hours for each in (minute, minute + DAY_LONG))
