"""Rules: what is added to the log-odds of candidates beyond what a ranker has learned."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from retriever.answers.candidates import sentence_of
from retriever.answers.columns.cells import below_other_labels, units_told
from retriever.answers.columns.features import INDEX
from retriever.answers.columns.populations import told_of_populations
from retriever.answers.reading import Reading
from retriever.answers.rules.abbreviations import told_of_abbreviation
from retriever.answers.rules.aspects import told_of_aspect
from retriever.answers.rules.beside import (
    measured_in_parentheses,
    outside,
    told_by_kind,
    told_in_parentheses,
    told_of_share,
)
from retriever.answers.rules.causes import told_of_causes
from retriever.answers.rules.contrasts import (
    below_another_name,
    instead,
    of_another_page,
    of_another_part,
    of_the_day,
    opposite,
)
from retriever.answers.rules.entries import of_another_entry
from retriever.answers.rules.identities import told_of_identities, told_of_kind_alone
from retriever.answers.rules.objects import told_by_verb
from retriever.answers.rules.prepositions import told_by_preposition
from retriever.answers.rules.subjects import told_of_subjects, told_of_things
from retriever.answers.rules.unlikely import unlikely
from retriever.answers.text.forms import FORMS
from retriever.answers.text.lists import count_asked, listed, parts_of
from retriever.answers.text.measures import dimension_told, measures_of
from retriever.synthesis.grammar.units import with_unit
from retriever.types import Scores

TOLD = np.float32(5)
"""Log-odds bonus where a page says "born in" right before a candidate and the birth of its subject is asked for;
log-odds penalty of a number in no unit asked for, if its sentence has one in such a unit."""

CELL, LEAST_OF_CELL = np.float32(2), 0.7
"""Bonus of the one cell whose labels, row and headings match most of the question, and the least IDF-weighted share
of it that they must match."""

IDENTITY, KIND_ALONE = np.float32(6), np.float32(3)
"""Greatest bonus where a sentence says that a candidate is what is asked for, by its noun; penalty of what is any
thing of that kind."""

CAUSE = np.float32(4)
"""Bonus of a candidate that a sentence gives as the cause of what is asked; penalty of one that it denies."""

BEHIND, OBJECT, SUBJECT = np.float32(4), np.float32(5), np.float32(4)
"""Greatest bonus of a candidate behind the preposition by which a question asks, or behind its verb, or before it;
greatest penalty of somebody behind the verb where who stands before it is asked for."""

NAMED_SO, PAIRED, OUTSIDE, MEASURED, SHARE = map(np.float32, (4, 3, 2, 7, 3))
"""Greatest bonus of a name that has the noun asked for; bonus in the parenthesis behind words of the question and
penalty in another parenthesis of the sentence; penalty of a place that lies around the one asked for; bonus of an
amount in the parenthesis behind the name asked about, and of a percentage right before what is asked about."""

UNLIKELY = np.float32(4)
"""Penalty of what hardly answers anything: a relative clause, a thing where somebody is asked for."""

ANOTHER = np.float32(3)
"""Penalty of a row of the infobox of a page that the question does not name, and of a number or a name in another
part of its sentence than the words of the question."""

HEADED = np.float32(4)
"""Penalty of a row that stands below the name of something else."""

ENTRY = np.float32(8)
"""Penalty of what is told of another option, setting or the like than the question names."""

MOST_JUDGED = 64
"""Best candidates to which penalties are applied at once, until the best one is among those."""

INSTEAD = re.compile(r"\b(?:instead|in place of|rather than|no longer|unlike|replaced?)\b", re.I)
"""What asks for what something else took the place of."""

OPPOSITE = np.float32(3)
"""Penalty of a candidate behind the opposite of the superlative asked for, where its sentence has both: "the highest
flow was 4,070; the lowest, 71"."""

SEVERAL, MOST_LISTED = np.float32(2), 12
"""Bonus of a part of an enumeration where several things are asked for, for so many best candidates."""

WITH_UNITS = frozenset("mass temperature length area volume speed money energy".split())
"""What no number without a unit measures, unless its sentence says that it does."""


def with_rules(reading: Reading, scores: Scores) -> Scores:
    """Return the log-odds (n,) of candidates with the bonuses and penalties of all rules."""
    told = reading.features[:, INDEX["told_of_life"]]
    told = told + told_of_populations(reading.asked, reading.passages, reading.candidates)
    told = told - _beside_units(reading) - _beside_dimension(reading)
    found: Scores = scores + TOLD * told + CELL * _is_the_cell(reading)
    own = reading.asked, reading.passages, reading.candidates
    found = found + IDENTITY * told_of_identities(*own) ** 2 + CAUSE * told_of_causes(*own)
    behind = np.maximum(told_by_preposition(*own), np.maximum(told_of_aspect(*own), told_of_abbreviation(*own)))
    found = found + BEHIND * behind + OBJECT * told_by_verb(*own)
    found = found + SUBJECT * (told_of_subjects(*own) + told_of_things(*own))
    found = found + NAMED_SO * told_by_kind(*own) + PAIRED * told_in_parentheses(*own) - OUTSIDE * outside(*own)
    found = found + MEASURED * measured_in_parentheses(*own) + SHARE * told_of_share(*own)
    found = found - ENTRY * of_another_entry(*own) - ANOTHER * below_other_labels(*own)
    judged = np.zeros(len(found), np.bool_)
    while len(found) and not judged[np.argmax(found)]:
        best = np.argsort(-found, kind="stable")[:MOST_JUDGED]
        best = best[~judged[best]]
        found[best] -= _against(reading.taken(best.tolist()))
        judged[best] = True
    if reading.asked.several:
        found = found + SEVERAL * _among_several(reading, found)
    return found


def _against(reading: Reading) -> Scores:
    """Return the penalties of candidates (n,)."""
    own = reading.asked, reading.passages, reading.candidates
    found: Scores = KIND_ALONE * told_of_kind_alone(*own) + OPPOSITE * opposite(*own) + UNLIKELY * unlikely(*own)
    found = found + ANOTHER * of_the_day(*own) + HEADED * below_another_name(*own)
    if not INSTEAD.search(reading.asked.text):
        found = found + ANOTHER * instead(*own[1:])
    # Where links lead from what a question names to a page, that may be the one that it asks about.
    is_led = reading.features[:, [INDEX["from_named"], INDEX["reached"]]].max(1, initial=0) > 0
    return found + ANOTHER * (np.where(is_led, 0, of_another_page(*own)) + of_another_part(*own))


def _is_the_cell(reading: Reading) -> NDArray[np.float32]:
    """Return 1 for each candidate (n,) that is the one whole cell of which most is told, if that is enough."""
    told, best, whole = reading.features[:, [INDEX[name] for name in ("cell_told", "cell_best", "is_cell")]].T
    found = ((told >= LEAST_OF_CELL) & (best > 0) & (whole > 0)).astype(np.float32)
    several = len({reading.candidates[row].key for row in np.flatnonzero(found).tolist()}) > 1
    return np.zeros_like(found) if several else found


def _among_several(reading: Reading, scores: Scores) -> NDArray[np.float32]:
    """Return 1 for those of the best candidates (n,) that stand in an enumeration, or are one.

    Where a question says how many there are, 2 for those in an enumeration of as many, and half in another one.
    """
    found, count = np.zeros(len(scores), np.float32), count_asked(reading.asked.text)
    for index in np.argsort(-scores, kind="stable")[:MOST_LISTED].tolist():
        each = reading.candidates[index]
        text, span = reading.passages[each.passage].text, (each.start, each.end)
        whole = listed(text, *span) if each.end > each.start else span
        n = len(parts_of(text[slice(*whole)] if whole != span else each.text))
        found[index] = 0 if n < 2 else 1 if not count else 2 if n == count else 0.5
    return found


def _beside_units(reading: Reading) -> NDArray[np.float32]:
    """Return 1 for each candidate (n,) that is a number of no unit asked for, in a sentence with one of such a unit."""
    asked, found = reading.asked, np.zeros(len(reading.candidates), np.float32)
    if not asked.measures or not asked.measures <= WITH_UNITS:
        return found
    numbers = [index for index, each in enumerate(reading.candidates) if FORMS[each.form] == "number"]
    units = units_told(reading.passages, [reading.candidates[index] for index in numbers])
    texts = (with_unit(reading.candidates[index].text, unit) for index, unit in zip(numbers, units, strict=True))
    measured = dict(zip(numbers, map(measures_of, texts), strict=True))
    places = {index: sentence_of(reading.passages, reading.candidates[index]) for index in numbers}
    told = {places[index] for index in numbers if measured[index] & asked.measures}
    found[[index for index in numbers if not measured[index] & asked.measures and places[index] in told]] = 1
    return found


def _beside_dimension(reading: Reading) -> NDArray[np.float32]:
    """Return 1 for each amount (n,) that tells no dimension beside one of its sentence that tells the one asked for.

    Of "Old Viaduct (14 km), 72 metres high" only the latter is a height.
    """
    asked, found = reading.asked, np.zeros(len(reading.candidates), np.float32)
    if not asked.dimension:
        return found
    told: dict[int, str] = {}
    for index, each in enumerate(reading.candidates):
        if FORMS[each.form] == "number" and measures_of(each.text) & asked.measures:
            told[index] = dimension_told(reading.passages[each.passage].text, each.start, each.end)
    places = {index: sentence_of(reading.passages, reading.candidates[index]) for index in told}
    own = {places[index] for index, dimension in told.items() if dimension == asked.dimension}
    found[[index for index, dimension in told.items() if not dimension and places[index] in own]] = 1
    return found
