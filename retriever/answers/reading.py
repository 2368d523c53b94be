"""Reading: what the ranked passages offer as answers, with the features of each, for a ranker to choose from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.answers.asked import Asked, asked_of
from retriever.answers.candidates import NAMING, NUMBERED, Candidate, candidates_of
from retriever.answers.choices.comparison import choices_of
from retriever.answers.columns.features import COLUMNS, INDEX, features_of
from retriever.answers.passages import Passage, Ways, read_passages, ways_between
from retriever.answers.text import dates
from retriever.answers.text.kinds import kinds_of
from retriever.answers.text.likeness import answer_tokens
from retriever.answers.text.looks import has_number, looks_of
from retriever.answers.text.words import stem_of
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

STRICT, LEAST_FIT, BARE_FIT, SURE_FIT = ("time", "number"), 0.3, 0.4, 0.8
"""Kinds of answers that are told by their looks: nothing else is an answer where anything looks so, and what measures
something else is none where anything measures what is asked for; a number without a unit may measure it."""

WHERE = ("place", "country")
AMOUNTS = frozenset(NUMBERED[form] for form in ("date", "year", "number"))
DATED = frozenset(NUMBERED[form] for form in ("date", "year"))
NOBODY: frozenset[str] = frozenset()
WHERE_ASKED = re.compile(r"\bwhere\b", re.I)
LIVES = re.compile(r"\b(?:born|birth|birthday|died?|dead|death)\b", re.I)
ENDS = (" in ", " near ", " outside ", " the ")
WITHIN, BEFORE = re.compile(r"([^\W\d_]+) (?:in|near|outside) (?:the )?$"), 40
BORN = re.compile(r"\bborn $", re.I)
"""What stands before somebody's first name: "Ada Orr, born Ida Kell,"."""

YEARS = re.compile(r"\d{3,4}\b.*\b\d{3,4}\b")
"""What tells from when to when: no birth and no death."""

MONTHS = frozenset(month.capitalize() for month in dates.MONTHS)
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


def read(session: Session, query: Query, found: Ranking) -> Reading:
    """Return what a question's hits offer as answers: its own choices where it has some, else what stands there."""
    asked = asked_of(session, query.question)
    passages = read_passages(session, query, found, asked)
    ways = ways_between(passages, asked)
    choices = choices_of(query.question, asked, passages)
    candidates = [each.candidate for each in choices] or candidates_of(session, passages, asked)
    if not choices:
        candidates = _fitting(session, asked, passages, candidates)
    order = sorted(range(len(candidates)), key=lambda index: candidates[index].passage)
    candidates = [candidates[index] for index in order]
    features = features_of(session, asked, passages, ways, candidates)
    if asked.kind in STRICT and not choices:
        fits = features[:, INDEX["fits"]]
        kept = np.flatnonzero(fits >= (BARE_FIT if asked.measures and fits.max(initial=0) >= SURE_FIT else LEAST_FIT))
        if len(kept):
            candidates, features = [candidates[index] for index in kept], features[kept]
    if choices:
        agrees = np.array([choices[index].agrees for index in order])
        features[:, INDEX["agrees"]], features[:, INDEX["agrees_not"]] = np.maximum(agrees, 0), np.maximum(-agrees, 0)
    return Reading(asked, passages, ways, candidates, features)


def _fitting(
    session: Session, asked: Asked, passages: Sequence[Passage], candidates: list[Candidate]
) -> list[Candidate]:
    """Return the candidates that may be what a question asks for, all where there is none."""
    if asked.kind == "person" or (asked.reasons and asked.kind not in STRICT):
        candidates = [each for each in candidates if not _is_amount(each)] or candidates
    if asked.kind == "time" and LIVES.search(asked.text):
        candidates = [each for each in candidates if not YEARS.search(each.text)] or candidates
    if asked.kind in WHERE and WHERE_ASKED.search(asked.text):
        # "Third place" may be where somebody ended up, 1,600 is nowhere.
        candidates = [each for each in candidates if any(map(str.isalpha, each.text))] or candidates
    if asked.kind not in WHERE:
        return candidates
    places = _places(session, passages, candidates) or candidates
    if asked.kind != "place" or not asked.focus:
        return places
    return [each for each in places if not _has_one(asked, passages[each.passage].text, each.start)] or places


def _has_one(asked: Asked, text: str, start: int) -> bool:
    """Tell whether a text says that what is asked for lies there: "the highest town in" stands before no town."""
    if not text.endswith(ENDS, 0, start):
        return False
    before = WITHIN.search(text, max(0, start - BEFORE), start)
    return before is not None and stem_of(before[1]) in asked.focus


def _places(session: Session, passages: Sequence[Passage], candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates that may be places: no dates, nobody with a page, no other name of whom a page is about."""
    pages = {passage.entity: passage.page for passage in passages}
    linked = sorted({each.entity for each in candidates if each.entity} - pages.keys())
    pages |= dict(zip(linked, session.chunk_table.pages_of(np.array(linked, np.int64)).tolist(), strict=True))
    kinds = kinds_of(session, {page for page in pages.values() if page})
    people = {entity for entity, page in pages.items() if page in kinds and kinds[page].is_person}
    titles = [frozenset(answer_tokens(each.title)) if each.entity in people else NOBODY for each in passages]
    named = [[link for link in passage.links if link.entity in people] for passage in passages]
    return [
        each for each in candidates
        if each.form not in DATED and not (each.entity in people and looks_of(each.text)[0])
        and (each.form not in NAMING or titles[each.passage].isdisjoint(each.key.split()))
        and not BORN.search(passages[each.passage].text, max(0, each.start - 8), each.start)
        and (each.entity or not any(link.start <= each.start < each.end <= link.end for link in named[each.passage]))
    ]  # fmt: skip


def _is_amount(candidate: Candidate) -> bool:
    """Tell whether a candidate is a date, "May to October", a number or a cell with one: nobody and no reason."""
    large = [word for word in candidate.text.split() if word[0].isupper()]
    is_season = bool(large) and MONTHS.issuperset(large) and not {*large} <= {"April", "May", "June", "August"}
    is_cell = candidate.form == NUMBERED["value"] and has_number(candidate.text)
    return candidate.form in AMOUNTS or is_season or is_cell
