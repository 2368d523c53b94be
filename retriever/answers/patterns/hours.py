"""Hours: from when to when something is open on a weekday, by a table's columns."""

from __future__ import annotations

import re

from retriever.answers.patterns.rows import table_of, told_in_row
from retriever.answers.ranker import Ranked
from retriever.answers.reading import Reading
from retriever.answers.text.words import content_in, stem_of, stems_in

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
DAY = re.compile(r"\b(mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs?|ur)?(?:days?)?\b", re.I)
BESIDE = re.compile(r"[,;&/\n]|\band\b", re.I)
OPEN = re.compile(
    r"\b(?:when|(?:what|which) (?:hours?|times?))\b.*\b(?:is|are|be)\b.*\bopen\b|\bopen(?:ing)? (?:hours|times)\b", re.I
)
HOURS = frozenset(map(stem_of, (*DAYS, "open", "opening", "hour", "time")))
SPAN = re.compile(r"\s(?:to|until|till|through)\s|(?<![\d ])[ ]?[–—-]", re.I)


def opening(reading: Reading) -> Ranked | None:
    """Return from when to when it is open on the weekday that a question names, by a table's columns; None without.

    Every other word that is asked must be of what stands above the table.
    """
    days = [index for index, day in enumerate(DAYS) if stem_of(day) in reading.asked.tokens]
    for index, passage in enumerate(reading.passages) if len(days) == 1 and OPEN.search(reading.asked.text) else ():
        table = table_of(passage)
        labels = [{*stems_in(label)} for label in table.head] if table else []
        columns = [column for word in ("open", "close") for column, own in enumerate(labels) if stem_of(word) in own]
        above = {*stems_in(passage.title), *stems_in(passage.heading)} | HOURS
        is_meant = len(columns) == 2 and content_in(reading.asked.text) <= above
        for cells, span in zip(table.rows, table.spans, strict=True) if table and is_meant else ():
            if days[0] in _days(cells[0]):
                times = dict.fromkeys(cells[column].strip() for column in columns)
                return told_in_row(reading, " to ".join(times), index, span)
    return None


def _days(text: str) -> set[int]:
    """Return the weekdays of a cell, by their numbers; all from the first to the last of a span.

    >>> sorted(_days("Monday to Wednesday")), sorted(_days("Saturday, Sunday")), sorted(_days("Fri–Mon, Wed"))
    ([0, 1, 2], [5, 6], [0, 2, 4, 5, 6])
    """
    found: set[int] = set()
    for part in BESIDE.split(text):
        days = list(DAY.finditer(part))
        own = [next(index for index, day in enumerate(DAYS) if day.startswith(each[1].lower())) for each in days]
        if len(own) > 1 and SPAN.search(part, days[0].end(), days[-1].start()):
            own = [(own[0] + step) % 7 for step in range((own[-1] - own[0]) % 7 + 1)]
        found.update(own)
    return found
