"""What labels say of what is asked; here those before colons."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.answers.asked import Asked, flags
from retriever.answers.candidates import Candidate
from retriever.answers.passages import Passage
from retriever.answers.text.lexicon.meanings import meant, vectors_of
from retriever.answers.text.words import stems_in

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


class Said(NamedTuple):
    """How much of what is asked labels say, how much of them is asked, and what they mean of it, of each of (n,)."""

    says: Floats
    share: Floats
    means: Floats


def alike_to(stems: Sequence[str], asked: Asked) -> Floats:
    """Return how much of each of the stems asked for words like it say (w,)."""
    own = ("", *stems)
    means = meant(own, vectors_of(own), asked.open_stems, asked.meanings).max(0)
    return np.asarray(np.maximum(flags(stems, asked), means), np.float64)


def lines_of(
    asked: Asked, passage: Passage, own: Sequence[Candidate], sentence: NDArray[np.int64]
) -> Iterator[tuple[NDArray[np.int64], Said]]:
    """Yield which of a passage's candidates stand behind a colon in their sentence, with what the label there says."""
    before, starts = "", np.array([each.start for each in own])
    for number, (start, end) in enumerate(passage.bounds):
        line = LINE.match(passage.text, start, end)
        label = line[1] if line and not REPORTS.search(line[1]) else before
        before = passage.text[start:end][:-1] if LABEL.fullmatch(passage.text, start, end) else ""
        if label:
            inside = np.flatnonzero((sentence == number) & (starts >= (line.end() if line else start)))
            yield inside, said_by([label_of(label, asked)], np.zeros((1, 1), np.int64), asked)


def label_of(text: str, asked: Asked) -> Label:
    """Return what a label says and means of what is asked."""
    stems = stems_in(text)
    return Label(flags(stems, asked), alike_to(stems, asked), sum(stem in asked.told for stem in stems), len(stems))


def said_by(labels: Sequence[Label], own: NDArray[np.int64], asked: Asked) -> Said:
    """Return what labels say together, those of each row of `own` (n, k); -1 is none."""
    nothing = np.zeros(len(asked.stems))
    all_labels = [*labels, Label(nothing, nothing, 0, 0)]
    says, means = (np.array(each)[own].max(1) for each in zip(*(each[:2] for each in all_labels), strict=True))
    told, words = np.array([each[2:] for each in all_labels])[own].sum(1).T
    return Said(says @ asked.every, told / np.maximum(1, words), means @ asked.weights)
