"""Hours: whether, from when and until when something is open on a weekday, by the rows of a table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from retriever.answers.asked import Asked
from retriever.answers.passages import Passage
from retriever.answers.patterns.rows import Table, table_of, told_in_row
from retriever.answers.patterns.times import (
    DAYS,
    FROM_TO,
    MONTHS,
    TIME,
    Minutes,
    days_in,
    hours_in,
    minute_at,
    months_in,
)
from retriever.answers.ranker import Ranked
from retriever.answers.reading import Reading
from retriever.answers.text.words import content_in, stem_of, stems_in
from weft.text.sentences import Span

AT = re.compile(rf"\bat {TIME}", re.I)
PARTS = {"morning": (0, 720), "afternoon": (721, 1020), "noon": (720, 721), "evening": (1020, 1440)}

OPEN = re.compile(
    r"\b(?:when|(?:what|which) (?:hours?|times?))\b.*\b(?:is|are|be)\b.*\bopen\b|\bopen(?:ing)? (?:hours|times)\b", re.I
)
OPENS = re.compile(r"\b(?:when|(?:what|which) time|how early)\b.*\b(?:do|does|will)\b.*\bopen\b", re.I)
CLOSES = re.compile(
    r"\b(?:when|(?:what|which) time)\b.*\b(?:clos|shut)|\bhow (?:late|long)\b.*\bopen\b"
    r"|\b(?:until|till) (?:when|what time)\b.*\bopen\b", re.I,
)  # fmt: skip
CLOSED = re.compile(r"\b(?:closed|shut|none|no)\b|^\W*$", re.I)
IS_OPEN, IS_SHUT = re.compile(r"\bopen\b", re.I), re.compile(r"\b(?:closed|shut)\b", re.I)
NO_THINGS = frozenset(
    map(stem_of, (*DAYS, *MONTHS, *PARTS, *"open opening close closed closing shut hour time late early".split()))
)
"""Stems that say when, or that hours are asked for, and not of what."""

LEAST_SAID = 0.5
"""The share of the words for what is open that its table has, or what stands above."""

ELSE = 0.5
"""What a word of a table's heading counts against it that is not asked for."""


class Told(NamedTuple):
    """What a row says of a day, in words and in minutes, where it stands, and how near that is to what is asked."""

    text: str
    hours: Sequence[Minutes]
    passage: int
    span: Span
    worth: float


def opening(reading: Reading) -> Ranked | None:
    """Return whether, from when or until when it is open on the weekday that a question names; None without a table.

    Every name that is asked must be of the column or what stands above, and half of the other words. Of rows for
    several months the one counts whose months the question names.
    """
    asked = reading.asked
    patterns = (IS_OPEN, IS_SHUT) if asked.is_polar else (OPEN, OPENS, CLOSES)
    days = [index for index, day in enumerate(DAYS) if stem_of(day) in asked.tokens]
    if len(days) != 1 or not any(pattern.search(asked.text) for pattern in patterns):
        return None
    rows = [row for index, passage in enumerate(reading.passages) for row in _rows(asked, index, passage, days[0])]
    if not rows:
        return None
    most = max(row.worth for row in rows)
    best = [row for row in rows if row.worth == most]
    answers = {_answer(asked, row) for row in best}
    # Several tables, or rows of several seasons, may differ where the question does not say which.
    answer = answers.pop() if len(answers) == 1 else ""
    return told_in_row(reading, answer, best[0].passage, best[0].span) if answer else None


def _rows(asked: Asked, index: int, passage: Passage, day: int) -> Iterator[Told]:
    """Yield what the rows of a table say of a weekday, if it is of what is asked: closed where none has it."""
    table = table_of(passage)
    if table is None or not any(days_in(cell) for row in table.rows for cell in row):
        return
    wanted, names = content_in(asked.text) - NO_THINGS, asked.named.union(asked.capitals) - NO_THINGS
    column = _column(table, wanted)
    near = content_in(passage.heading).union(*(stems_in(table.head[each]) for each in column))
    above = near.union(stems_in(passage.title))
    if not column or not names <= above or len(wanted & above) < LEAST_SAID * len(wanted):
        return
    # The table of the shop is not the one of the whole page.
    worth = len(wanted & above) + len(wanted & near) - ELSE * len(content_in(passage.heading) - wanted - NO_THINGS)
    months = months_in(asked.text)
    in_season = [number for number, row in enumerate(table.rows) if _is_in_season(row, months)]
    of_day = [number for number in in_season if any(day in days_in(cell) for cell in table.rows[number])]
    for number in of_day:
        text = " to ".join(dict.fromkeys(table.rows[number][each].strip() for each in column))
        yield Told(text, hours_in(text), index, table.spans[number], worth)
    others = [number for number in in_season if number not in of_day]
    if asked.is_polar and others and (not of_day or any(map(months_in, table.rows[others[0]]))):
        yield Told("closed", [], index, table.spans[others[0]], worth)


def _is_in_season(row: Sequence[str], months: Set[int]) -> bool:
    """Tell whether a row is of some months, or of the whole year."""
    return not months or all(months & each for each in map(months_in, row) if each)


def _column(table: Table, wanted: Set[str]) -> Sequence[int]:
    """Return the columns that tell hours: those of opening and closing, else the one whose label is asked for most."""
    labels = [{*stems_in(label)} for label in table.head]
    ends = [column for word in ("open", "close") for column, own in enumerate(labels) if stem_of(word) in own]
    if len(ends) == 2:
        return ends
    told = [column for column in range(len(labels)) if any(hours_in(row[column]) for row in table.rows)]
    return [max(told, key=lambda column: len(labels[column] & wanted))] if told else []


def _answer(asked: Asked, row: Told) -> str:
    """Return what a row says of what is asked, "" where it does not say it."""
    if asked.is_polar:
        if not row.hours and not CLOSED.search(row.text):
            return ""
        start, end = _asked_part(asked.text)
        is_open = any(opens < end and start < closes for opens, closes in row.hours)
        return "yes" if is_open != (IS_SHUT.search(asked.text) is not None) else "no"
    spans = list(FROM_TO.finditer(row.text))
    if not spans or not (CLOSES.search(asked.text) or OPENS.search(asked.text)):
        return row.text
    return spans[-1]["closes"] if CLOSES.search(asked.text) else spans[0]["opens"]


def _asked_part(text: str) -> Minutes:
    """Return of which part of a day a question asks, the whole where it names none."""
    if at := AT.search(text):
        minute = minute_at(*at.groups())
        return minute, minute + 1
    return next((part for name, part in PARTS.items() if name in text.lower()), (0, 1440))
