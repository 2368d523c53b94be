"""Rows: what a table with columns of yes and no says of its things: of which it is so, and whether it is so of one.

"Which glazes are food safe?" selects the rows of a table of glazes that have "yes" below "Food safe", and "Is Fog food
safe?" asks what the row of Fog has there. "List the glazes" is answered by all of a list below the heading "Glazes".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from retriever.answers.candidates import NUMBERED, Candidate
from retriever.answers.choices.counts import rows_of
from retriever.answers.passages import Passage
from retriever.answers.ranker import Ranked, single_candidate
from retriever.answers.reading import Reading
from retriever.answers.text.lexicon.hypernyms import noun_of
from retriever.answers.text.likeness import normalised
from retriever.answers.text.lists import COUNT, count_asked, singulars
from retriever.answers.text.words import content_in, stem_of, stems_in
from weft.text.sentences import Span

YES, NO = frozenset(("yes", "y", "✓", "✔", "x")), frozenset(("no", "n", "–", "-", "✗", ""))
NOT = re.compile(r"\b(?:not|no|without|never)\b|n['’]t\b", re.I)
ASKING = frozenset(map(stem_of, "please list name give tell show kinds types sorts available s".split()))
NAMING = frozenset(map(stem_of, ("name", "title")))
NAME = re.compile(r"([^:]{1,40}): ")
"""What an item of a list begins with that says something of what it names."""

LONGEST_ITEM = 200
"""Characters of an item; longer ones are paragraphs."""

BULLET = re.compile(r"\s*(?:[-*•–]|\d{1,3}[.)])\s+")
SELECTED = 0.8
"""The chance of rows that explain every word of a question."""


class Table(NamedTuple):
    """A table as it is read: the labels of its columns, and its rows with where they stand."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    spans: Sequence[Span]


def selected(reading: Reading) -> Ranked | None:
    """Return the first cells of the rows that a question selects, in one answer, else the items of a list.

    None where no table and no list has its things. Every word that is asked must be a label, a value or a word of what
    stands above.
    """
    asked = reading.asked
    things = {*map(stem_of, (asked.several, *singulars(asked.several)))}
    for index, passage in enumerate(reading.passages) if asked.several else ():
        table = table_of(passage)
        if table is None or things.isdisjoint(_things_of(table, passage)):
            continue
        wanted = content_in(asked.text) - {*stems_in(passage.title), *stems_in(passage.heading), *things} - ASKING
        kept, explained = _kept(table, wanted, NOT.search(asked.text) is not None)
        names = dict.fromkeys(table.rows[row][0] for row in kept if table.rows[row][0])
        if names and wanted <= explained:
            return told_in_row(reading, ", ".join(names), index, table.spans[kept[0]])
    return _listed(reading, things) if asked.several and not NOT.search(asked.text) else None


def _things_of(table: Table, passage: Passage) -> Set[str]:
    """Return the stems of what the rows of a table are: by the first label, or what stands above one such as "Name"."""
    own = {*stems_in(table.head[0])}
    return own if own - NAMING else {stem_of(noun_of(passage.heading or passage.title))}


def _listed(reading: Reading, things: Set[str]) -> Ranked | None:
    """Return the list below that heading which says hardly more than the things asked for.

    It has as many items as a question says there are; of these it wants the names alone, without what is said of them.
    """
    text, count = reading.asked.text, count_asked(reading.asked.text)
    asked, found = content_in(COUNT.sub(" ", text) if count else text), list[tuple[int, int]]()
    for index, passage in enumerate(reading.passages):
        is_so = passage.kind == "list" and heads(passage.heading, passage.title, asked, things)
        items = _items(passage.text) if is_so else []
        if items and count in (0, len(items)) and max(map(len, items)) <= LONGEST_ITEM:
            found.append((len(content_in(passage.heading) - asked - things), index))
    if not found:
        return None
    _, index = min(found)
    passage = reading.passages[index]
    names = [NAME.match(item) for item in _items(passage.text)] if count else []
    told = ", ".join(name[1] for name in names if name) if names and all(names) else items_in(passage.text)
    return told_in_row(reading, told, index, passage.bounds[0])


def heads(heading: str, title: str, asked: Set[str], things: Set[str]) -> bool:
    """Tell whether a heading is about things, by their stems, and says with its page's title all else that is asked.

    >>> asked = content_in("List the chief executives of Kell Cycles")
    >>> things = {stem_of("executives")}
    >>> [heads(each, "Kell Cycles", asked, things) for each in ("Chief executives", "Executives", "Chief engineers")]
    [True, False, False]
    """
    said = {*stems_in(heading), *stems_in(title)}
    return stem_of(noun_of(heading)) in things and asked - things - ASKING <= said


def items_in(text: str) -> str:
    """Return the items of a list in one line.

    >>> items_in("- Ada (1959–1986)\\n- Bo"), items_in("Those are:\\nAda, a smith;\\nBo.")
    ('Ada (1959–1986), Bo', 'Ada, a smith; Bo')
    """
    items = _items(text)
    return ("; " if any("," in item for item in items) else ", ").join(items)


def _items(text: str) -> list[str]:
    lines = [BULLET.sub("", line, count=1).strip() if BULLET.match(line) else line.strip() for line in text.split("\n")]
    return [line.rstrip(" .;,") for line in lines if line and not line.endswith(":")]


def said_of(reading: Reading) -> Ranked | None:
    """Return the yes or no that a row has in the column that a yes/no question names; None where no table has both.

    Every word that is asked must be of the row's first cell, of the column's label, or of what stands above.
    """
    asked = reading.asked
    for index, passage in enumerate(reading.passages) if asked.is_polar and not NOT.search(asked.text) else ():
        table = table_of(passage)
        if table is None:
            continue
        above = {*stems_in(passage.title), *stems_in(passage.heading), *stems_in(table.head[0])}
        for column, label in _of_yes_and_no(table):
            for cells, span in zip(table.rows, table.spans, strict=True):
                named, said = {*stems_in(cells[0])}, {*stems_in(label)}
                wanted = content_in(asked.text) - above
                if named and named - above <= wanted and said <= wanted and wanted <= named | said:
                    return told_in_row(reading, "yes" if cells[column].strip().lower() in YES else "no", index, span)
    return None


def told_in_row(reading: Reading, text: str, passage: int, span: Span) -> Ranked:
    """Return a reading with what a row tells as its answer."""
    found = Candidate(text, normalised(text), passage, *span, NUMBERED["value"], 0)
    return single_candidate(reading, found, SELECTED)


def _of_yes_and_no(table: Table) -> Iterator[tuple[int, str]]:
    """Yield the columns that have nothing but yes and no, with their labels."""
    for column, label in enumerate(table.head[1:], 1):
        values = {row[column].strip().lower() for row in table.rows}
        if values <= YES | NO and values & YES and stems_in(label):
            yield column, label


def table_of(passage: Passage) -> Table | None:
    """Return a table, its short rows filled up; an empty first cell goes on with the thing of the row above."""
    head, *rows = rows_of(passage) or [[]]
    body: list[tuple[list[str], Span]] = []
    for cells, span in zip(rows, passage.bounds[len(passage.bounds) - len(rows) :], strict=True):
        if 1 < len(cells) <= len(head):
            name = cells[0].strip() or (body[-1][0][0] if body else "")
            body.append(([name, *cells[1:], *[""] * (len(head) - len(cells))], span))
    return Table(head, *zip(*body, strict=True)) if body else None


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
