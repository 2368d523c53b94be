"""Reading: what the ranked passages offer as answers, with the features of each, for a ranker to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.answers.asked import Asked, asked_of
from retriever.answers.bridges.onward import read_onward
from retriever.answers.candidates import Candidate, candidates_of
from retriever.answers.choices.comparison import choices_of
from retriever.answers.columns.features import COLUMNS, INDEX, features_of
from retriever.answers.fitting.filters import STRICT, fitting
from retriever.answers.passages import Passage, Ways, read_passages, ways_between
from retriever.learning.standardise import within_questions
from retriever.learning.table import Features
from retriever.session import Session
from retriever.types import Query, Ranking, Scores

RAW = frozenset(name for name in COLUMNS if name.startswith(("asks_", "form_", "behind_", "ahead_"))) | {
    "fits", "fits_not", "agrees", "agrees_not", "gender", "role", "role_not", "covers_with_way", "near_with_way",
    "chance", "covers_every", "near_every", "measures", "measures_else", "called_asked", "because_asked", "by_asked",
    "default_asked", "literal", "literal_asked", "literal_else", "dimension", "dimension_else", "measures_way",
    "cut_before", "cut_behind", "said_share", "focus_means", "focus_means_last", "focus_means_page",
    "means_every", "told_of_life", "cell_best", "is_cell",
}  # fmt: skip
"""Columns that are told as they are; the others within the question."""

INPUTS = (*COLUMNS, *(f"{name}_here" for name in COLUMNS if name not in RAW))
"""What a ranker reads: every column as it is, and within the question those that compare its candidates."""

HERE = [INDEX[name] for name in COLUMNS if name not in RAW]


class Reading(NamedTuple):
    """The candidates (n,) of a question, their `features` (n, len(COLUMNS)), and the passages that they stand in."""

    asked: Asked
    passages: Sequence[Passage]
    ways: Ways
    candidates: Sequence[Candidate]
    features: Features

    @property
    def inputs(self) -> Features:
        """What a ranker reads (n, len(INPUTS))."""
        return inputs_of(self.features)

    def taken(self, rows: Sequence[int]) -> Reading:
        """Return the reading with some of its candidates."""
        return self._replace(candidates=[self.candidates[row] for row in rows], features=self.features[list(rows)])


def inputs_of(features: Features) -> Features:
    """Return what a ranker reads (n, len(INPUTS)) of candidates of one question by their columns (n, len(COLUMNS))."""
    within = within_questions(features[:, HERE], tuple(map(str, HERE)))
    return np.column_stack([features, within]).astype(np.float32)


def best_of(reading: Reading, scores: Scores) -> int:
    """Return the index of the best candidate."""
    return best_by(scores, np.array([len(each.text) for each in reading.candidates]))


def best_by(scores: Scores, lengths: NDArray[np.integer[Any]]) -> int:
    """Return the index of the highest score, then of the longest, then the first."""
    return int(np.lexsort((np.arange(len(scores)), -lengths, -scores))[0])


def read(session: Session, query: Query, found: Ranking, *, onward: bool = False) -> Reading:
    """Return what a question's hits offer as answers: its own choices where it has some, else what stands there.

    Where `onward`, passages are read too that names in the hits lead to.
    """
    asked = asked_of(session, query.question)
    passages = read_passages(session, query, found, asked)
    if onward:
        passages = read_onward(session, query, asked, passages)
    ways = ways_between(passages, asked)
    choices = choices_of(session, query.question, asked, passages)
    candidates = [each.candidate for each in choices] or candidates_of(session, passages, asked)
    if not choices:
        candidates = fitting(session, asked, passages, candidates)
    order = sorted(range(len(candidates)), key=lambda index: candidates[index].passage)
    candidates = [candidates[index] for index in order]
    is_strict = asked.kind in STRICT and not choices
    rows, features = features_of(session, asked, passages, ways, candidates, is_strict)
    candidates = [candidates[row] for row in rows.tolist()]
    if choices:
        agrees = np.array([choices[index].agrees for index in order])
        features[:, INDEX["agrees"]], features[:, INDEX["agrees_not"]] = np.maximum(agrees, 0), np.maximum(-agrees, 0)
    return Reading(asked, passages, ways, candidates, features)
