"""Whole tables: the rows of all chunks that a table was split into."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from retriever.answers.candidates import Candidate
from retriever.answers.choices.counts import rows_of
from retriever.answers.passages import Passage
from retriever.answers.text.words import stem_of, stems_in
from retriever.session import Session
from weft.text.sentences import Span

ASKING = frozenset(map(stem_of, "what which list name give tell table world record there had have did found s".split()))
"""What a question says that no label needs to say."""

LEAST_ROWS = 2


class Row(NamedTuple):
    """The cells of a row, where it stands, and the passage that has it."""

    cells: Sequence[str]
    span: Span
    passage: Passage


class Table(NamedTuple):
    """The labels of a table's columns, its rows, and what stands before these: its caption."""

    head: Sequence[str]
    rows: Sequence[Row]
    caption: str = ""


class Found(NamedTuple):
    """An answer, and the passages that were read with that of the answer, which may be another part of the table."""

    candidate: Candidate
    passages: Sequence[Passage]


def above(passage: Passage) -> set[str]:
    """Return the stems of the title and the headings above a passage."""
    return {*stems_in(passage.title), *stems_in(passage.heading)}


def place_of(passage: Passage, passages: Sequence[Passage]) -> tuple[int, Sequence[Passage]]:
    """Return which of the passages one is, added where it is another part of a table."""
    known = [index for index, each in enumerate(passages) if each.chunk == passage.chunk]
    return (known[0], passages) if known else (len(passages), [*passages, passage])


def whole_table(session: Session, passage: Passage) -> Table | None:
    """Return a table with the rows of all chunks that it was split into; None of another passage."""
    rows = rows_of(passage)
    if len(rows) < LEAST_ROWS:
        return None
    parts = [passage]
    others = session.skb.connection.execute(
        "SELECT other.id, other.uri, other.text FROM chunk JOIN chunk AS other USING (page_id) WHERE chunk.id = ?"
        " AND other.id <> chunk.id AND other.kind = 'table' AND other.section_id IS chunk.section_id"
        " ORDER BY other.position", (passage.chunk,),
    )  # fmt: skip
    for chunk, uri, text in others:
        lines = [*re.finditer(r"[^\n]+", text)]
        other = passage._replace(chunk=chunk, uri=uri, text=text, bounds=tuple(each.span() for each in lines))
        parts += [other] if rows_of(other)[:1] == rows[:1] else []
    caption = passage.text[: passage.bounds[-len(rows)][0]]
    return Table(rows[0], [row for part in parts for row in _rows(part)], caption)


def _rows(passage: Passage) -> Iterator[Row]:
    """Yield the rows of a table below its labels, empty cells at their end filled up."""
    head, *rows = rows_of(passage)
    bounds = passage.bounds[len(passage.bounds) - len(rows) :]
    for cells, span in zip(rows, bounds, strict=True):
        if 1 < len(cells) <= len(head):
            yield Row([*cells, *[""] * (len(head) - len(cells))], span, passage)
