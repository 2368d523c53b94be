"""The row of a whole table that has the most or the least of what a question asks for.

"Which is the longest tunnel?" is answered by the first cell of a row, "How long is the longest tunnel?" by that of the
column that tells how long.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from math import isclose

from retriever.answers.asked import CHOICE, Asked
from retriever.answers.candidates import NUMBERED, Candidate
from retriever.answers.choices.comparatives import AMOUNTS, RECENT, rows_asked
from retriever.answers.choices.comparison import EARLIER, LATER
from retriever.answers.choices.counts import counted_in, measuring, saying
from retriever.answers.choices.values import ROUNDED, Amount, days
from retriever.answers.passages import Passage
from retriever.answers.tables.symbols import spelled_out
from retriever.answers.tables.whole import ASKING, LEAST_ROWS, Found, Row, Table, above, place_of, whole_table
from retriever.answers.text.dates import dates_in, quantities_in
from retriever.answers.text.lexicon.adjectives import GRADED
from retriever.answers.text.lexicon.hypernyms import is_person, noun_of
from retriever.answers.text.lexicon.meanings import told_for
from retriever.answers.text.likeness import normalised
from retriever.answers.text.words import content_in, stem_of, stems_in
from retriever.session import Session
from weft.text.sentences import Span

COMMON = "(?:abundant|common|frequent|numerous|plentiful|prevalent|widespread)"
COMMONEST = re.compile(rf"\b(?:most|least) {COMMON}\b", re.I)
HOW_COMMON = re.compile(
    r"%|\b(?:percent|share|proportion|abundan|frequen|occurren|concentrat|amount|total|number|count|volume|weight|mass|ppm)",
    re.I,
)  # fmt: skip
BY_WHAT = frozenset(map(stem_of, "mass weight volume".split()))
"""What asks for what there is most of, the labels of columns that tell it, and by what, which no label need say."""

MOST = re.compile(
    r"(?<!\bat )\b(?:(?:(?<=\bthe )(?:most|fewest|least)(?= people\b)|best(?=[ -]selling\b)"
    rf"|(?:most|fewest|least)(?! (?:of|likely|people)\b))(?: (?:recent(?:ly)?|expensive|costly|{COMMON}))?"
    rf"|(?:{GRADED}|few)est)\b", re.I,
)  # fmt: skip
"""What asks for the most or the least of several: "longest", "most"; not "at most"."""

HOW = re.compile(r"\bhow [a-z]+\b", re.I)
TOTAL = re.compile(r"\W*(?:sub)?total\b", re.I)
"""The first cell of a row that adds up others, which has the most of every column."""

FAST = re.compile(r"\b(?:fast|quick|slow)(?:er|est)\b", re.I)
TAKEN = re.compile(r"^(?!.*\b(?:depart|arriv|start|open|clos|first|last)).*\b(?:times?|duration)\b", re.I)
"""What asks for the least or the most time taken, and the labels of columns that tell it."""

CLOCK = re.compile(r"(?:(\d{1,2}):)?(\d{1,2}):(\d{2}(?:\.\d+)?)")
PART_OF_TIME = r"(\d{1,6}(?:\.\d{1,3})?)\s?(h(?:ours?|rs?)?|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?)(?![a-z])"
PARTS_OF_TIME = re.compile(PART_OF_TIME, re.I)
WHOLE_TIME = re.compile(rf"\W*(?:{PART_OF_TIME}[\s,]{{0,3}}(?:and\s)?){{1,3}}\W*", re.I)
MANY = re.compile(r"\b(?:most|least|fewest)\b", re.I)
NO_AMOUNT = re.compile(r"\b(?:no|nr|number|numbers|phone|telephone|rank|id|year|page|room|code)\b", re.I)
"""What asks for the most of something that a label need not name, and labels of numbers that are no amounts."""

DEGREES, TEMPERATURE = re.compile(r"°|\bdegrees?\b|\btemp", re.I), frozenset((stem_of("temperature"),))
ENDS = (
    (re.compile(r"\b(?:cold|cool)est\b|\blowest temp", re.I), re.compile(r"\b(?:low|min|cold)", re.I)),
    (re.compile(r"\b(?:warm|hott)est\b|\bhighest temp", re.I), re.compile(r"\b(?:high|max|warm|hot)", re.I)),
)
"""What asks for a temperature at one end, and the labels of columns that tell it, where several have degrees."""

LASTING = {"h": 3600.0, "m": 60.0, "s": 1.0}
AGE, AGED = re.compile(r"\bage\b", re.I), re.compile(r"\b(?:old|young)est\b", re.I)
LEAST_SHARE = 0.8
"""The share of the cells of a column, but for empty ones, that must have a number."""


def superlative(session: Session, asked: Asked, passages: Sequence[Passage]) -> Found | None:
    """Return what the row tells that has the most or least of what a question asks for; None where no table does.

    Every other word that is asked must be of a label or of what stands above the table, which is read to its end, or be
    asked for by one ("earns" for a wage). Of two rows that have as much none is the answer.
    """
    most = MOST.search(asked.text)
    if most is None or asked.is_polar or CHOICE.search(asked.text):
        return None
    which, said = rows_asked(asked.text, most.start())
    wanted = content_in(HOW.sub(" ", asked.text)) - {*stems_in(said + most[0])} - ASKING
    wanted -= BY_WHAT if COMMONEST.search(asked.text) else frozenset()
    for passage in passages if wanted else ():
        table = whole_table(session, passage)
        told = above(passage).union(*map(stems_in, (*table.head, table.caption) if table else ()))
        told |= TEMPERATURE if table and any(map(DEGREES.search, table.head)) else frozenset()
        if table is None or any(told.isdisjoint((stem, *told_for(stem))) for stem in wanted):
            continue
        for column in _columns(asked, table):
            if rows := _ranked(asked, table, column, which):
                return _told(asked, table.head, rows, column, passages)
    return None


def _told(
    asked: Asked, head: Sequence[str], rows: Sequence[Row], column: int, passages: Sequence[Passage]
) -> Found | None:
    columns = [_asked_for(asked, head, row.cells, column) for row in rows]
    cells = [row.cells[own].strip() for row, own in zip(rows, columns, strict=True)]
    texts = [spelled_out(cell, (each.text for each in passages)) for cell in cells]
    text, (index, read) = ", ".join(texts), place_of(rows[0].passage, passages)
    span = _cell(rows[0], columns[0]) if len(rows) == 1 else rows[0].span
    found = Candidate(text, normalised(text), index, *span, NUMBERED["value"], 0)
    return Found(found, read) if all(texts) else None


def _cell(row: Row, column: int) -> Span:
    """Return where a cell of a row stands, the row where that cannot be told."""
    start = row.span[0] + sum(len(cell) + len(" | ") for cell in row.cells[:column])
    own = row.cells[column].rstrip()
    return (start, start + len(own)) if own and row.passage.text.startswith(own, start) else row.span


def _columns(asked: Asked, table: Table) -> Iterator[int]:
    """Yield the columns that tell what is asked for the most of: by what it counts or measures, else by a label."""
    noun, labels = counted_in(asked.text), list(enumerate(table.head))
    if AGED.search(asked.text):
        yield from (column for column, label in labels if AGE.search(label))
    for says in [saying(asked, noun)] if noun else measuring(asked):
        yield from (column for column, label in labels if says(label))
    if FAST.search(asked.text):
        yield from (column for column, label in labels if TAKEN.search(label))
    if end := next((end for asks, end in ENDS if asks.search(asked.text)), None):
        degrees = [(column, label) for column, label in labels if DEGREES.search(label)]
        yield from [column for column, label in degrees if end.search(label) or len(degrees) == 1]
    if not noun:
        others = ((column, {*stems_in(label)} - asked.focus) for column, label in labels)
        yield from (column for column, stems in others if any(stem in asked.told for stem in stems))
        if MANY.search(asked.text):
            found = _only_amounts(table)
            is_common = COMMONEST.search(asked.text) is not None
            yield from (column for column in found if not is_common or HOW_COMMON.search(table.head[column]))


def _only_amounts(table: Table) -> list[int]:
    """Return the column of a table that alone has amounts, none where several have."""
    cells = ((column, [row.cells[column] for row in table.rows]) for column in range(1, len(table.head)))
    found = [column for column, own in cells if own and all(any(map(str.isdigit, cell)) for cell in own)]
    return [column for column in found if len(found) == 1 and not NO_AMOUNT.search(table.head[column])]


def _ranked(asked: Asked, table: Table, column: int, which: slice) -> list[Row]:
    """Return which rows are asked for by their order in a column, those with the most or the least first.

    Nothing where another row has as much, without numbers, or where they are of several measures.
    """
    rows = (row for row in table.rows if not TOTAL.match(row.cells[0]))
    filled = [row for row in rows if row.cells[column].strip(" –-")]
    told = [(*amount, row) for row in filled if (amount := _amount(asked, row.cells[column])) is not None]
    least = max(LEAST_ROWS, LEAST_SHARE * len(filled), which.stop)
    if not which.stop or len(told) < least or len({measure for _, measure, _ in told}) > 1:
        return []
    told.sort(key=lambda each: each[0], reverse=_is_greatest(asked, table.head[column]))
    amounts = [amount for amount, *_ in told]
    edges = [edge for edge in (which.start, which.stop) if 0 < edge < len(told)]
    is_alone = not any(isclose(amounts[edge - 1], amounts[edge], rel_tol=ROUNDED) for edge in edges)
    return [row for *_, row in told[which]] if is_alone else []


def _amount(asked: Asked, cell: str) -> Amount | None:
    """Return the first date or amount of a cell with its measure, as the question compares them; None without one."""
    if FAST.search(asked.text) and (seconds := _seconds(cell)) is not None:
        return seconds, "time"
    amounts = [(each.number, each.measure) for each in quantities_in(cell)]
    if AMOUNTS.search(asked.text) and not RECENT.search(asked.text):
        return amounts[0] if amounts else None
    return next(iter([(days(date), "") for *_, date in dates_in(cell)] or amounts), None)


def _is_greatest(asked: Asked, label: str) -> bool:
    """Tell whether the greatest number is asked for; the oldest has the greatest age, and the earliest date."""
    is_later = bool(RECENT.search(asked.text)) or (bool(LATER.search(asked.text)) and not EARLIER.search(asked.text))
    is_fast = FAST.search(asked.text) is not None and TAKEN.search(label) is not None
    return is_later != bool(is_fast or (AGE.search(label) and not AMOUNTS.search(asked.text)))


def _seconds(cell: str) -> float | None:
    """Return how long a time is that a cell tells, None where it tells none.

    >>> _seconds("6 min 48 s"), _seconds("6m48s"), _seconds("1:02:30"), _seconds("9:03"), _seconds("1,200 s")
    (408.0, 408.0, 3750.0, 543.0, None)
    """
    if clock := CLOCK.fullmatch(cell.strip()):
        hours, minutes, seconds = (float(each or 0) for each in clock.groups())
        return 3600 * hours + 60 * minutes + seconds
    if WHOLE_TIME.fullmatch(cell) is None:
        return None
    return sum(float(number) * LASTING[unit[0].lower()] for number, unit in PARTS_OF_TIME.findall(cell))


def _asked_for(asked: Asked, head: Sequence[str], cells: Sequence[str], column: int) -> int:
    """Return the column of the answer: with the noun asked for, else the number itself, or what is no number."""
    focus = [_named_in(head, cells, other) for other, label in enumerate(head) if asked.focus & {*stems_in(label)}]
    if asked.kind == "number" or (asked.kind == "time" and column not in focus):
        return focus[0] if focus else column
    people = [other for other, label in enumerate(head) if asked.kind == "person" and is_person(noun_of(label))]
    named = [other for other, cell in enumerate(cells) if other != column and any(map(str.isalpha, cell))]
    return next(iter([other for other in (*focus, *people) if other != column] or named), column)


def _named_in(head: Sequence[str], cells: Sequence[str], column: int) -> int:
    """Return the first of the columns below one label that has a word, where the others are parts of it, else its own.

    Below "Z, element & symbol" stand "8", "oxygen" and "O".
    """
    below = [column, *takewhile(lambda other: not head[other].strip(), range(column + 1, len(head)))]
    return next((other for other in below if any(map(str.isalpha, cells[other]))), column)
