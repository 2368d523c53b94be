"""Rows: what a table with columns of yes and no says of its things: of which it is so, and whether it is so of one.

"Which glazes are food safe?" selects the rows of a table of glazes that have "yes" below "Food safe", and "Is Fog food
safe?" asks what the row of Fog has there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from retriever.answers.candidates import NUMBERED, Candidate
from retriever.answers.passages import Passage
from retriever.answers.ranker import Ranked, alone
from retriever.answers.reading import Reading
from retriever.answers.text.likeness import answer_tokens
from retriever.answers.text.lists import singulars
from retriever.answers.text.words import content_in, stem_of, stems_in
from weft.text.sentences import Span

YES, NO = frozenset(("yes", "y", "✓", "✔", "x")), frozenset(("no", "n", "–", "-", "✗", ""))
NOT = re.compile(r"\b(?:not|no|without|never)\b|n['’]t\b", re.I)
ASKING = frozenset(map(stem_of, ("list", "name", "give", "tell", "show", "kinds", "types", "sorts", "available")))
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
OPEN = re.compile(
    r"\b(?:when|(?:what|which) (?:hours?|times?))\b.*\b(?:is|are|be)\b.*\bopen\b|\bopen(?:ing)? (?:hours|times)\b", re.I
)
HOURS = frozenset(map(stem_of, (*DAYS, "open", "opening", "hour", "time")))
SPAN = re.compile(r"\s(?:to|until|through)\s|[–—]|\s-\s", re.I)
SELECTED = 0.8
"""The chance of rows that explain every word of a question."""


class Table(NamedTuple):
    """A table as it is read: the labels of its columns, and its rows with where they stand."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    spans: Sequence[Span]


def selected(reading: Reading) -> Ranked | None:
    """Return the first cells of the rows that a question selects, in one answer; None where no table has its things.

    Every word that is asked must be a label, a value or a word of what stands above the table.
    """
    asked = reading.asked
    things = {*map(stem_of, (asked.several, *singulars(asked.several)))}
    for index, passage in enumerate(reading.passages) if asked.several else ():
        table = _table(passage)
        if table is None or things.isdisjoint(stems_in(table.head[0])):
            continue
        wanted = content_in(asked.text) - {*stems_in(passage.title), *stems_in(passage.heading), *things} - ASKING
        kept, explained = _kept(table, wanted, NOT.search(asked.text) is not None)
        if len(kept) and wanted <= explained:
            text = ", ".join(table.rows[row][0] for row in kept)
            return _told(reading, text, index, table.spans[kept[0]])
    return None


def said_of(reading: Reading) -> Ranked | None:
    """Return the yes or no that a row has in the column that a yes/no question names; None where no table has both.

    Every word that is asked must be of the row's first cell, of the column's label, or of what stands above.
    """
    asked = reading.asked
    for index, passage in enumerate(reading.passages) if asked.is_polar and not NOT.search(asked.text) else ():
        table = _table(passage)
        if table is None:
            continue
        above = {*stems_in(passage.title), *stems_in(passage.heading), *stems_in(table.head[0])}
        for column, label in _of_yes_and_no(table):
            for cells, span in zip(table.rows, table.spans, strict=True):
                named, said = {*stems_in(cells[0])}, {*stems_in(label)}
                wanted = content_in(asked.text) - above
                if named and named - above <= wanted and said <= wanted and wanted <= named | said:
                    return _told(reading, "yes" if cells[column].strip().lower() in YES else "no", index, span)
    return None


def opening(reading: Reading) -> Ranked | None:
    """Return from when to when it is open on the weekday that a question names, by a table's columns; None without.

    Every other word that is asked must be of what stands above the table.
    """
    days = [index for index, day in enumerate(DAYS) if stem_of(day) in reading.asked.tokens]
    for index, passage in enumerate(reading.passages) if len(days) == 1 and OPEN.search(reading.asked.text) else ():
        table = _table(passage)
        labels = [{*stems_in(label)} for label in table.head] if table else []
        columns = [column for word in ("open", "close") for column, own in enumerate(labels) if stem_of(word) in own]
        above = {*stems_in(passage.title), *stems_in(passage.heading)} | HOURS
        is_meant = len(columns) == 2 and content_in(reading.asked.text) <= above
        for cells, span in zip(table.rows, table.spans, strict=True) if table and is_meant else ():
            if days[0] in _days(cells[0]):
                times = dict.fromkeys(cells[column].strip() for column in columns)
                return _told(reading, " to ".join(times), index, span)
    return None


def _days(text: str) -> set[int]:
    """Return the weekdays of a cell, by their numbers; all between the first and the last of a span.

    >>> sorted(_days("Monday to Wednesday")), sorted(_days("Saturday, Sunday"))
    ([0, 1, 2], [5, 6])
    """
    stems = {stem_of(day): index for index, day in enumerate(DAYS)}
    found = [stems[stem] for stem in stems_in(text) if stem in stems]
    return {*range(found[0], found[-1] + 1)} if found and SPAN.search(text) else {*found}


def _told(reading: Reading, text: str, passage: int, span: Span) -> Ranked:
    found = Candidate(text, " ".join(answer_tokens(text)), passage, *span, NUMBERED["value"], 0)
    return alone(reading, found, SELECTED)


def _of_yes_and_no(table: Table) -> Iterator[tuple[int, str]]:
    """Yield the columns that have nothing but yes and no, with their labels."""
    for column, label in enumerate(table.head[1:], 1):
        values = {row[column].strip().lower() for row in table.rows}
        if values <= YES | NO and values & YES and stems_in(label):
            yield column, label


def _table(passage: Passage) -> Table | None:
    if passage.kind != "table":
        return None
    rows = [(passage.text[start:end].split(" | "), (start, end)) for start, end in passage.bounds]
    head = next((cells for cells, _ in rows if len(cells) > 1), None)
    body = [(cells, span) for cells, span in rows if head is not None and len(cells) == len(head) and cells is not head]
    return Table(head, *zip(*body, strict=True)) if head and body else None


def _kept(table: Table, wanted: Set[str], is_not: bool) -> tuple[list[int], set[str]]:
    """Return the rows that all columns keep, and the stems asked for that labels and values say."""
    kept, explained = set(range(len(table.rows))), set[str]()
    for column, label in enumerate(table.head[1:], 1):
        values = [row[column].strip().lower() for row in table.rows]
        label_stems = {*stems_in(label)}
        if YES.union(NO).issuperset(values) and label_stems and label_stems <= wanted:
            kept &= {row for row, value in enumerate(values) if value in (NO if is_not else YES)}
            explained |= label_stems
            continue
        told = {row: {*stems_in(value)} for row, value in enumerate(values) if value}
        named = {row: stems for row, stems in told.items() if stems and stems <= wanted}
        if named:
            kept &= set(told) - set(named) if is_not else set(named)
            explained |= set[str]().union(*named.values()) | (label_stems & wanted)
    return sorted(kept), explained
