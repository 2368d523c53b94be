"""Cells: what the labels of rows and columns, and the other cells of a row, say of what is asked.

Of a table of seasons the row with "Dunmere" below "Champion" and the column "Top scorer" tell together who scored most
in the year that Dunmere became champion.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.answers.asked import Asked, flags
from retriever.answers.candidates import Candidate, Laid
from retriever.answers.columns.labels import Floats, Label, label_of, lines_of, said_by
from retriever.answers.passages import Passage, row_start
from retriever.answers.text.dates import MONTHS
from retriever.answers.text.literals import literals_in
from retriever.answers.text.words import content_in, stems_in
from retriever.synthesis.grammar.units import unit_of, with_unit

ROWS = ("label", "label_share", "in_row", "label_means", "in_line", "cell_told", "is_cell")

ASIDE = re.compile(r"\s*\([^()]*\)\s*$")
PARTLY = 0.5
"""What a label counts that a question means but does not say, or of which it says not all words."""


class Cell(NamedTuple):
    """Characters `start` to `end` of a passage are cell `column`, from 0, of row `row`."""

    start: int
    end: int
    row: int
    column: int
    text: str


def rows_of(asked: Asked, laid: Laid, candidates: Sequence[Candidate]) -> dict[str, Floats]:
    """Return the columns `ROWS`: how much of what is asked the labels of a cell say, and how much of them is asked.

    `cell_told` is how much they say with the other cells of the row and what stands above; `is_cell`: a candidate is a
    whole cell. Where there are no rows, what stands before a colon labels the rest of its sentence.
    """
    found = np.zeros((len(candidates), len(ROWS)))
    for index, passage in enumerate(laid.passages):
        rows, own = laid.rows(index), candidates[laid.rows(index)]
        cells = _cells(passage)
        if any(each.column for each in cells):
            found[rows] = _in_cells(asked, passage, cells, own)
            continue
        sentences = laid.sentences[rows] - laid.first_sentences[index]
        for inside, (says, share, means) in lines_of(asked, passage, own, sentences):
            found[rows][inside, :5] = np.column_stack([says, share, [0.0], means, [1.0]])
    return dict(zip(ROWS, found.T, strict=True))


def in_unit(asked: Asked, passage: Passage, candidate: Candidate) -> str:
    """Return a candidate's text with the unit that `units_told` finds, if the question does not say it.

    "How many million viewers?" asks for no more than a number.
    """
    (unit,) = units_told([passage], [candidate._replace(passage=0)])
    return candidate.text if _is_said(unit, asked) else with_unit(candidate.text, unit)


def units_told(passages: Sequence[Passage], candidates: Sequence[Candidate]) -> list[str]:
    """Return the unit (n,) that the label of the column or row of each candidate has, "" of what is no bare number."""
    known: dict[int, dict[int, tuple[str, str]]] = {}
    found = []
    for each in candidates:
        if each.passage not in known:
            known[each.passage] = _numbers_with_units(passages[each.passage])
        text, unit = known[each.passage].get(each.start, ("", ""))
        found.append(unit if text == each.text else "")
    return found


def below_other_labels(
    asked: Asked, passages: Sequence[Passage], candidates: Sequence[Candidate]
) -> NDArray[np.float32]:
    """Return 1 for each candidate (n,) of a table that stands below another label than the only one asked for.

    Labels of columns with a cell that the question names too, which tells the row, are not asked for.
    """
    found = np.zeros(len(candidates), np.float32)
    places = np.array([each.passage for each in candidates], np.int64)
    for index, passage in enumerate(passages):
        cells = _cells(passage) if passage.kind == "table" else []
        column = _only_column(asked, cells)
        rows = np.flatnonzero(places == index) if column else places[:0]
        starts = np.array([candidates[row].start for row in rows.tolist()], np.int64)
        at = np.searchsorted([cell.start for cell in cells], starts, side="right") - 1
        own = [cells[max(0, each)].column != column for each in at.tolist()]
        found[rows] = own
    is_told = np.array([each.end > each.start for each in candidates], np.bool_)
    return np.where(is_told, found, np.float32(0))


def _only_column(asked: Asked, cells: Sequence[Cell]) -> int:
    """Return the only column whose label is asked for, 0 where none or several are."""
    first = min((each.row for each in cells if each.column), default=-1)
    head = _with_months([each.text for each in cells if each.row == first])
    said = {column for column, text in enumerate(head) if column and content_in(text) and _is_said(text, asked)}
    own = (each for each in cells if each.row != first and each.column in said)
    said -= {each.column for each in own if _is_said(each.text, asked)}
    return next(iter(said)) if len(said) == 1 else 0


def _numbers_with_units(passage: Passage) -> dict[int, tuple[str, str]]:
    """Return the cells of a table, by where they begin, whose columns or rows have a unit, with that."""
    cells = _cells(passage)
    first = min((each.row for each in cells if each.column), default=0) if passage.kind == "table" else -1
    of_columns = {each.column: _unit_of(each.text) for each in cells if each.row == first and each.column}
    of_rows = {each.row: _unit_of(each.text) for each in cells if not each.column}
    own = (each for each in cells if each.column and each.row != first)
    found = {each.start: (each.text.strip(), of_columns.get(each.column, "") or of_rows[each.row]) for each in own}
    return {start: told for start, told in found.items() if told[1]}


def _unit_of(label: str) -> str:
    """Return the unit in a label, but no letter that abbreviates the label: "Won (W)"."""
    unit = unit_of(label)
    return "" if len(unit) == 1 and unit.lower() == label.strip()[:1].lower() else unit


def _cells(passage: Passage) -> list[Cell]:
    """Return the cells of a table or infobox, row by row; none of other passages."""
    found: list[Cell] = []
    for row, (bound, end) in enumerate(passage.bounds if passage.kind in ("infobox", "table") else ()):
        start = row_start(passage.text, bound)
        for column, text in enumerate(passage.text[start:end].split(" | ")):
            found.append(Cell(start, start + len(text), row, column, text))
            start += len(text) + len(" | ")
    return found


def _in_cells(asked: Asked, passage: Passage, cells: Sequence[Cell], own: Sequence[Candidate]) -> Floats:
    """Return the columns `ROWS` (n, len(ROWS)) of the candidates of a table."""
    several = {each.row for each in cells if each.column}
    first = min(several) if passage.kind == "table" else -1
    starts, told = np.array([each.start for each in cells]), _told(asked, passage, cells, first)
    at = np.maximum(0, np.searchsorted(starts, [each.start for each in own], side="right") - 1)
    found = np.zeros((len(own), len(ROWS)))
    for row, cell in enumerate(at.tolist()):
        if cells[cell].row in several and cells[cell].row != first:
            each, text = own[row], cells[cell].text.strip()
            found[row, :-1] = told[cell]
            found[row, -1] = each.end > each.start and each.text in (text, ASIDE.sub("", text))
    return found


def _told(asked: Asked, passage: Passage, cells: Sequence[Cell], first: int) -> Floats:
    """Return the columns `ROWS` but the last one (n, len(ROWS) - 1) of cells; row `first`, if any, labels columns."""
    head = _with_months([each.text for each in cells if each.row == first])
    labels = {text: label_of(text, asked) for text in {*head, *(each.text for each in cells if not each.column)}}
    worth = {text: _worth(text, label, asked) for text, label in labels.items()}
    # What a column is called tells it from the others, what stands above the table does not.
    called = frozenset[str]().union(*map(stems_in, head))
    above = flags([stem for stem in stems_in(f"{passage.title} {passage.heading}") if stem not in called], asked)
    # A cell has the first one of its row for a label, which has none, and the one above it.
    numbered = {text: index for index, text in enumerate(labels)}
    rows, columns = np.array([(each.row, each.column) for each in cells], np.int64).T
    begins = np.arange(len(cells)) - columns
    ids = np.array([numbered.get(each.text, -1) for each in cells])
    top = np.array([*(numbered[text] for text in head), -1])[np.minimum(columns, len(head))]
    own = np.column_stack([np.where(columns > 0, ids[begins], -1), top])
    told = np.maximum(above, np.array([*worth.values(), np.zeros(len(asked.stems))])[own].max(1))
    for index, each in enumerate(cells):
        if _is_said(each.text, asked):
            others = (rows == each.row) & (rows != first)
            others[index] = False
            told[others] = np.maximum(told[others], _key(asked, each, head, worth))
    said, ones = said_by([*labels.values()], own, asked), np.ones(len(cells))
    return np.column_stack([said.says, said.share, ones, said.means, 0 * ones, told @ asked.every])


def _with_months(head: Sequence[str]) -> Sequence[str]:
    """Return the labels of columns, short ones for the months of a year in full."""
    short = {month[:3].capitalize(): month for month in MONTHS}
    return [short.get(each.strip(" ."), each) for each in head] if {*short} <= {*map(str.strip, head)} else head


def _key(asked: Asked, cell: Cell, head: Sequence[str], worth: Mapping[str, Floats]) -> Floats:
    """Return what a cell of which all words are asked says (w,), with the label of its column; else nothing."""
    if not _is_said(cell.text, asked):
        return np.zeros(len(asked.stems))
    own = [worth[text] for text in head[cell.column : cell.column + 1]]
    return np.asarray(np.maximum.reduce([flags(stems_in(cell.text), asked), *own]))


def _worth(text: str, label: Label, asked: Asked) -> Floats:
    return label.says if _is_said(text, asked) or _names_literal(text, asked) else PARTLY * label.means


def _names_literal(text: str, asked: Asked) -> bool:
    """Tell whether a question has a literal of a label, as it has "--keep" of "-k, --keep DAYS"."""
    return any(re.search(rf"(?<![\w-]){re.escape(text[start:end])}(?![\w-])", asked.text) is not None
               for start, end in literals_in(text))  # fmt: skip


def _is_said(text: str, asked: Asked) -> bool:
    """Tell whether a question says all words of a label or cell, such as "Long" in a name too."""
    stems = stems_in(text)
    return bool(stems) and all(stem in asked.tokens or stem in asked.told for stem in stems)
