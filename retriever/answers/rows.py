"""Rows: which rows of a table a question for several things selects, by the values and the yes and no of its columns.

"Which glazes are food safe?" selects those of a table of glazes that have "yes" below "Food safe".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from retriever.answers.candidates import NUMBERED, Candidate
from retriever.answers.passages import Passage
from retriever.answers.ranker import Ranked, alone
from retriever.answers.reading import Reading
from retriever.answers.text.likeness import answer_tokens
from retriever.answers.text.lists import singulars
from retriever.answers.text.words import FUNCTION, WORD, stem_of, stems_in
from weft.text.sentences import Span

YES, NO = frozenset(("yes", "y", "✓", "✔", "x")), frozenset(("no", "n", "–", "-", "✗", ""))
NOT = re.compile(r"\b(?:not|no|without|never)\b|n['’]t\b", re.I)
ASKING = frozenset(map(stem_of, ("list", "name", "give", "tell", "show", "kinds", "types", "sorts", "available")))
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
    for index, passage in enumerate(reading.passages) if asked.several else ():
        table = _table(passage)
        things = {*map(stem_of, (asked.several, *singulars(asked.several)))}
        if table is None or things.isdisjoint(stems_in(table.head[0])):
            continue
        own = {*stems_in(passage.title), *stems_in(passage.heading), *things}
        wanted = {stem_of(word) for word in WORD.findall(asked.text) if word.lower() not in FUNCTION} - own - ASKING
        kept, explained = _kept(table, wanted, NOT.search(asked.text) is not None)
        if len(kept) and wanted <= explained:
            text = ", ".join(table.rows[row][0] for row in kept)
            start, end = table.spans[kept[0]]
            found = Candidate(text, " ".join(answer_tokens(text)), index, start, end, NUMBERED["value"], 0)
            return alone(reading, found, SELECTED)
    return None


def _table(passage: Passage) -> Table | None:
    if passage.kind != "table":
        return None
    rows = [(passage.text[start:end].split(" | "), (start, end)) for start, end in passage.bounds]
    head = next((cells for cells, _ in rows if len(cells) > 1), None)
    body = [(cells, span) for cells, span in rows if head is not None and len(cells) == len(head) and cells is not head]
    return Table(head, *zip(*body, strict=True)) if head and body else None


def _kept(table: Table, wanted: set[str], is_not: bool) -> tuple[list[int], set[str]]:
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
