"""What labels say of what is asked: of rows and columns of tables, and before colons."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.answers.asked import Asked, flags
from retriever.answers.candidates import Candidate, Laid
from retriever.answers.passages import Passage, row_start
from retriever.answers.text.lexicon.meanings import meant, vectors_of
from retriever.answers.text.words import stems_in

ROWS = ("label", "label_share", "in_row", "label_means", "in_line")
NO_ROW = (0.0,) * len(ROWS)

LINE = re.compile(r"\W*(\w[^:.|\n]{0,60}?)\s*:\s")
"""What stands before a colon at the beginning of a sentence labels the rest: "Home port: Orse"."""

LABEL = re.compile(r"\W*\w[^:.|\n]{0,60}:")
"""A sentence that labels the next one: "Opening hours:"."""

REPORTS = re.compile(r"\b(?:said|says|asked|asks|answered|wrote|replied|added|reads?)$", re.I)
"""How the words end that report a speech, and label nothing."""

Floats = NDArray[np.float64]


class Label(NamedTuple):
    """What a label of a row or column says (w,) and means (w,) of what is asked, how many of its n words are asked."""

    says: Floats
    means: Floats
    told: int
    n: int


def alike_to(stems: Sequence[str], asked: Asked) -> Floats:
    """Return how much of each of the stems asked for words like it say (w,)."""
    own = ("", *stems)
    means = meant(own, vectors_of(own), asked.open_stems, asked.meanings).max(0)
    return np.asarray(np.maximum(flags(stems, asked), means), np.float64)


def rows_of(asked: Asked, laid: Laid, candidates: Sequence[Candidate]) -> dict[str, Floats]:
    """Return the columns `ROWS`: how much of what is asked the labels of a cell say, and how much of them is asked.

    Where there are no rows, what stands before a colon labels the rest of its sentence.
    """
    found = np.zeros((len(candidates), len(ROWS)))
    for index, passage in enumerate(laid.passages):
        rows = laid.rows(index)
        cells = [passage.text[row_start(passage.text, start) : end].split(" | ") for start, end in passage.bounds]
        sentences = laid.sentences[rows] - laid.first_sentences[index]
        if passage.kind in ("infobox", "table") and any(len(row) > 1 for row in cells):
            found[rows] = _cells(asked, passage, cells, candidates[rows], sentences.tolist())
        else:
            found[rows] = _lines(asked, passage, candidates[rows], sentences)
    return dict(zip(ROWS, found.T, strict=True))


def _cells(
    asked: Asked, passage: Passage, rows: Sequence[Sequence[str]], own: Sequence[Candidate], sentences: Sequence[int]
) -> Floats:
    """Return the columns `ROWS` (n, len(ROWS)) of candidates of a table, by the labels of row and column."""
    head = next((row for row in rows if len(row) > 1), []) if passage.kind == "table" else []
    found: list[tuple[float, ...]] = []
    parts: dict[str, Label] = {}
    known: dict[tuple[int, int], tuple[float, ...]] = {}
    for each, number in zip(own, sentences, strict=True):
        if len(rows[number]) < 2 or rows[number] is head:
            found.append(NO_ROW)
            continue
        start, _ = passage.bounds[number]
        cell = passage.text.count(" | ", row_start(passage.text, start), each.start + 1)
        if (number, cell) not in known:
            for text in (texts := [*(rows[number][:1] if cell else ()), *head[cell : cell + 1]]):
                if text not in parts:
                    parts[text] = _label(text, asked)
            says, share, means = _said_by([parts[text] for text in texts], asked)
            known[number, cell] = says, share, 1.0, means, 0.0
        found.append(known[number, cell])
    return np.array(found, np.float64).reshape(-1, len(ROWS))


def _lines(asked: Asked, passage: Passage, own: Sequence[Candidate], sentence: NDArray[np.int64]) -> Floats:
    """Return the columns `ROWS` (n, len(ROWS)) of candidates by what stands before a colon in their sentence."""
    found, before = np.zeros((len(own), len(ROWS))), ""
    starts = np.array([each.start for each in own])
    for number, (start, end) in enumerate(passage.bounds):
        line = LINE.match(passage.text, start, end)
        label = line[1] if line and not REPORTS.search(line[1]) else before
        before = passage.text[start:end][:-1] if LABEL.fullmatch(passage.text, start, end) else ""
        if label:
            inside = np.flatnonzero((sentence == number) & (starts >= (line.end() if line else start)))
            says, share, means = _said_by([_label(label, asked)], asked)
            found[inside] = says, share, 0.0, means, 1.0
    return found


def _label(text: str, asked: Asked) -> Label:
    stems = stems_in(text)
    return Label(flags(stems, asked), alike_to(stems, asked), sum(stem in asked.told for stem in stems), len(stems))


def _said_by(labels: Sequence[Label], asked: Asked) -> tuple[float, float, float]:
    """Return how much of what is asked labels say together, how much of them is asked, and what they mean of it."""
    if not labels:
        return 0.0, 0.0, 0.0
    share = sum(each.told for each in labels) / max(1, sum(each.n for each in labels))
    says = np.maximum.reduce([each.says for each in labels])
    means = np.maximum.reduce([each.means for each in labels])
    return float(says @ asked.every), share, float(means @ asked.weights)
