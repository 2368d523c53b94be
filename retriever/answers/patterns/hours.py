"""Hours: whether, from when and until when something is open on a weekday, by the rows of a table.

The rows are days or, with days and hours in their cells, places: "Library | Tue, Wed 10 to 5; Sat 10 to 1 | Sunday".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from retriever.answers.asked import Asked
from retriever.answers.passages import Passage
from retriever.answers.patterns.times import DAY, DAYS, MONTHS, Minutes, days_in, hours_in, months_in, spans_in
from retriever.answers.patterns.when import PARTS, TIMED, is_open_then
from retriever.answers.ranker import Ranked
from retriever.answers.reading import Reading
from retriever.answers.tables.rows import Table, table_of, told_in_row
from retriever.answers.text.words import content_in, stem_of, stems_in
from weft.text.sentences import Span

OPEN = re.compile(
    r"\b(?:when|(?:what|which) (?:hours?|times?)|how long)\b.*\b(?:is|are|be)\b.*\bopen\b"
    r"|\bopen(?:ing)? (?:hours|times)\b", re.I,
)  # fmt: skip
BOTH = re.compile(r"\bopen and close\b", re.I)
OPENS = re.compile(r"\b(?:when|(?:what|which) time|how early)\b.*\b(?:do|does|will)\b.*\bopen\b", re.I)
CLOSES = re.compile(
    r"\b(?:when|(?:what|which) time)\b.*\b(?:do|does|will)\b.*\b(?:close|shut)\b|\bhow late\b.*\bopen\b"
    r"|\b(?:until|till) (?:when|what time)\b.*\bopen\b", re.I,
)  # fmt: skip
IS_OPEN = re.compile(r"^\W*(?:is|are)\b(?!n['’]t\b)(?!.*\b(?:not|never|first)\b).*\b(?:open|closed|shut)\b", re.I)
IS_SHUT = re.compile(r"\b(?:closed|shut)\b", re.I)
CLOSED = re.compile(r"^\W*(?:(?:closed|shut)\b.*|none|no|)\W*$", re.I)
OTHER_DAYS = re.compile(
    r"\b(?:easter|christmas|new year(?:['’]s)?|good friday|boxing|(?:bank |public )?holidays?|eve|bank)\b"
    r"(?: (?:day|eve)\b)?", re.I,
)  # fmt: skip
SEASON = re.compile(r"\b(?:spring|summer|autumn|winter|seasons?|term|holidays?|easter|christmas)\b", re.I)
"""What no month tells: rows and columns of such are left alone."""

PART = re.compile(r"\b(?:mornings?|afternoons?|evenings?)\b", re.I)
OF_HOURS = frozenset(map(stem_of, "open opening hour closing".split()))
NO_THINGS = OF_HOURS | frozenset(
    map(stem_of, (*DAYS, *MONTHS, *PARTS, *"night noon close closed shut time times when late early".split()))
)
"""Stems that say when, or that hours are asked for, and not of what."""

PARTS_OF_CELL = re.compile(rf";|\n|(?<=[\dmn]),(?=\s*{DAY.pattern})", re.I)
"""What parts the days of a cell, each with its hours: of "Mon, Tue 9 to 5, Sat 9 to 12" the second comma."""

FEWEST_DAYS = 4
"""Days that a table has at least where one that it has not is taken for closed."""


class Told(NamedTuple):
    """What a row says of a day, in words and in minutes, where it stands, and how near that is to what is asked."""

    text: str
    hours: Sequence[Minutes]
    passage: int
    span: Span
    worth: float


def opening(reading: Reading) -> Ranked | None:
    """Return whether, from when or until when it is open on the weekday that a question names; None without a table.

    The table must be one of opening hours, of what is asked. Of rows and columns for several months those count whose
    months the question names; where several differ, none does.
    """
    asked = reading.asked
    patterns = (IS_OPEN,) if asked.is_polar else (OPEN, OPENS, CLOSES)
    days = [index for index, day in enumerate(DAYS) if stem_of(day) in asked.tokens]
    holiday = OTHER_DAYS.search(asked.text)
    if not any(pattern.search(asked.text) for pattern in patterns) or (len(days) != 1 and not holiday):
        return None
    rows = [row for index, passage in enumerate(reading.passages)
            for row in _told(asked, index, passage, days[0] if len(days) == 1 else 0, holiday)]  # fmt: skip
    most = max((row.worth for row in rows), default=None)
    best = [row for row in rows if row.worth == most]
    answers = {_answer(asked, row) for row in best}
    answer = answers.pop() if len(answers) == 1 else ""
    return told_in_row(reading, answer, best[0].passage, best[0].span) if answer else None


def _told(asked: Asked, index: int, passage: Passage, day: int, holiday: re.Match[str] | None) -> Iterator[Told]:
    """Yield what the tables of a passage say of a weekday, or of a holiday."""
    if holiday:
        yield from _shut_on(asked, index, passage, holiday[0].lower()) if asked.is_polar else ()
        return
    yield from _rows(asked, index, passage, day)
    yield from _rows_of_places(asked, index, passage, day)


def _rows(asked: Asked, index: int, passage: Passage, day: int) -> Iterator[Told]:
    """Yield what the rows of a table of opening hours say of a weekday, one for each column that may be meant."""
    table = table_of(passage)
    if table and _day_column(table) is None:
        table = _by_day(table)
    of_days = _day_column(table) if table else None
    if table is None or of_days is None or any(SEASON.search(cell) for row in table.rows for cell in row):
        return
    months = months_in(asked.text)
    wanted = _wanted(asked.text)
    columns = _columns(table, of_days, wanted, months)
    worth = _worth(asked, passage, table, columns, wanted)
    if worth is None:
        return
    for several in _by_season(table, months):
        of_day = [number for number in several if day in days_in(table.rows[number][of_days])]
        for number in of_day:
            texts = [_joined([table.rows[number][column].strip() for column in own]) for own in columns]
            if asked.is_polar and not any(map(months_in, table.head)):
                # A place is open where any of its parts is.
                texts = [", ".join(texts)] if any(map(hours_in, texts)) else texts[:1]
            for text in texts:
                hours = [span for cell in text.split(", ") for span in hours_in(cell)]
                yield Told(text, hours, index, table.spans[number], worth)
        known = {each for number in several for each in days_in(table.rows[number][of_days])}
        if asked.is_polar and not of_day and len(known) >= FEWEST_DAYS:
            yield Told("closed", [], index, table.spans[several[0]], worth)


def _rows_of_places(asked: Asked, index: int, passage: Passage, day: int) -> Iterator[Told]:
    """Yield what the row of the place that a question names says of a weekday, in cells with days and hours."""
    for cells, span, worth in _places(asked, passage):
        if any(SEASON.search(cell) for label, cell in cells if not IS_SHUT.search(label)):
            continue
        told = {text: hours_in(text) for label, cell in cells for text in _hours_of(label, cell, day)}
        if not told and asked.is_polar and len(days_in("; ".join(cell for _, cell in cells))) >= FEWEST_DAYS:
            told = {"closed": []}
        for text, hours in told.items():
            yield Told(text, hours, index, span, worth)


def _shut_on(asked: Asked, index: int, passage: Passage, holiday: str) -> Iterator[Told]:
    """Yield that the place which a question names is closed on a holiday, where a cell for that says so."""
    for cells, span, worth in _places(asked, passage):
        if any(IS_SHUT.search(label) and holiday in cell.lower() for label, cell in cells):
            yield Told("closed", [], index, span, worth)


def _places(asked: Asked, passage: Passage) -> Iterator[tuple[list[tuple[str, str]], Span, float]]:
    """Yield the rows of opening hours whose first cell a question names: labels and cells, where, and how near."""
    table = table_of(passage)
    if table is None or any(days_in(row[0]) for row in table.rows) or not OF_HOURS & {*stems_in(" ".join(table.head))}:
        return
    near = {*stems_in(passage.title), *stems_in(passage.heading)}
    wanted = _wanted(OTHER_DAYS.sub("", asked.text))
    for row, span in zip(table.rows, table.spans, strict=True):
        place = {*stems_in(row[0])}
        if wanted & place and wanted <= place | near:
            cells = list(zip(table.head[1:], row[1:], strict=True))
            yield cells, span, 2 * len(wanted & place) - 0.5 * len(place - wanted)


def _wanted(text: str) -> set[str]:
    """Return the stems that say of what a question asks hours."""
    return {stem for stem in content_in(text) if stem not in NO_THINGS and not stem[0].isdigit()} - {"am", "pm"}


def _hours_of(label: str, cell: str, day: int) -> Iterator[str]:
    """Yield what a cell with days says of a weekday: its hours, or that it is closed then.

    >>> cell = "Mon, Tue 9 am to 1 pm and 2 to 5 pm, Sat 9 am to noon"
    >>> [list(_hours_of("Open", cell, day)) for day in (1, 5, 6)]
    [['9 am to 1 pm and 2 to 5 pm'], ['9 am to noon'], []]
    >>> list(_hours_of("Closed", "Sun, Mon", 6))
    ['closed']
    """
    for part in PARTS_OF_CELL.split(cell):
        if part and day in days_in(part):
            if spans := spans_in(part):
                yield part[spans[0].start() : spans[-1].end()]
            elif IS_SHUT.search(label) or IS_SHUT.search(part):
                yield "closed"


def _by_day(table: Table) -> Table:
    """Return a table whose columns are days with a row for each of its cells, its label and its day."""
    days = [column for column, label in enumerate(table.head) if days_in(label)]
    cells = [(row, span, column) for row, span in zip(table.rows, table.spans, strict=True) for column in days]
    rows = [[row[0], table.head[column], row[column]] for row, _, column in cells]
    return Table([table.head[0], "Day", "Opening hours"], rows, [span for _, span, _ in cells])


def _joined(cells: Sequence[str]) -> str:
    """Return the cells of opening and closing, or of the parts of a day, in one."""
    if any(map(hours_in, cells)):
        return ", ".join(cell for cell in cells if not CLOSED.search(cell))
    return " to ".join(dict.fromkeys(cells))


def _day_column(table: Table) -> int | None:
    """Return the column that says on which days, None where none does."""
    named = [sum(bool(days_in(row[column])) for row in table.rows) for column in range(len(table.head))]
    return named.index(max(named)) if max(named) else None


def _by_season(table: Table, months: Set[int]) -> Iterator[list[int]]:
    """Yield the rows of the same months, those of months that a question names, or of all where it names none."""
    seasons: dict[frozenset[int], list[int]] = {}
    for number, row in enumerate(table.rows):
        seasons.setdefault(frozenset[int]().union(*map(months_in, row)), []).append(number)
    yield from (rows for season, rows in seasons.items() if not season or not months or months & season)


def _columns(table: Table, of_days: int, wanted: Set[str], months: Set[int]) -> list[list[int]]:
    """Return which columns may be meant, those together that tell of one day together.

    They are those of opening and closing, or of the parts of a day, else those whose labels are asked for most, of the
    months that are named.
    """
    labels = [{*stems_in(label)} for label in table.head]
    ends = [column for word in ("open", "close") for column, own in enumerate(labels) if stem_of(word) in own]
    if len(ends) == 2:
        return [ends]
    others = [column for column in range(len(labels)) if column != of_days]
    told = [column for column in others if any(hours_in(row[column]) for row in table.rows)]
    if len(told) > 1 and all(PART.search(table.head[column]) for column in told):
        return [told]
    seasons = {column: months_in(table.head[column]) for column in told}
    told = [column for column in told if not seasons[column] or not months or months & seasons[column]]
    most = max((len(labels[column] & wanted) for column in told), default=0)
    return [[column] for column in told if len(labels[column] & wanted) == most]


def _worth(
    asked: Asked, passage: Passage, table: Table, columns: Sequence[Sequence[int]], wanted: Set[str]
) -> float | None:
    """Return how near a table is to what is asked; None where it is of something else, or tells no opening hours.

    Every word that is asked must be of the column, the heading or the title. Where the heading names it ("Thornhithe
    branch"), what it is need not be told ("surgery").
    """
    heading, title = content_in(passage.heading), {*stems_in(passage.title)}
    labelled = {stem for own in columns for column in own for stem in stems_in(table.head[column])}
    near, names = heading | labelled, asked.named.union(asked.capitals) - NO_THINGS
    is_told = wanted <= near | title or (bool(names & near) and names <= near | title)
    if not columns or not is_told:
        return None
    words = stems_in(passage.heading)
    of_hours = bool(OF_HOURS & {*words, *title})
    is_of_it = bool(names & heading) or bool(wanted & labelled) or (bool(words) and words[-1] in wanted)
    if not (of_hours or is_of_it or (not words and wanted <= title)):
        # A rota, a timetable or lessons.
        return None
    # The table of the shop is not the one of the whole page.
    return 2 * len(wanted & near) + len(wanted & title) + 2 * of_hours - 0.5 * len(heading - wanted - NO_THINGS)


def _answer(asked: Asked, row: Told) -> str:
    """Return what a row says of what is asked, "" where it does not say it."""
    if asked.is_polar:
        if not row.hours and not CLOSED.search(row.text):
            return ""
        is_open = is_open_then(asked.text, row.hours)
        return "" if is_open is None else "yes" if is_open != (IS_SHUT.search(asked.text) is not None) else "no"
    spans = spans_in(row.text)
    if TIMED.search(asked.text) or (row.hours and not spans):
        return ""
    if not spans or BOTH.search(asked.text):
        return row.text
    if CLOSES.search(asked.text):
        return spans[-1]["closes"]
    return spans[0]["opens"] if OPENS.search(asked.text) else row.text
