"""Rules: what is added to the log-odds of candidates beyond what a ranker has learned."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from retriever.answers.candidates import sentence_of
from retriever.answers.columns.features import INDEX
from retriever.answers.columns.populations import told_of_populations
from retriever.answers.reading import Reading
from retriever.answers.rules.beside import outside, told_by_kind, told_in_parentheses
from retriever.answers.rules.causes import told_of_causes
from retriever.answers.rules.contrasts import of_another_page, of_another_part, opposite
from retriever.answers.rules.identities import told_of_identities, told_of_kind_alone
from retriever.answers.rules.prepositions import told_by_preposition
from retriever.answers.rules.unlikely import unlikely
from retriever.answers.text.forms import FORMS
from retriever.answers.text.lists import listed
from retriever.answers.text.measures import measures_of
from retriever.types import Scores

TOLD = np.float32(5)
"""What it adds to a candidate's log-odds that a page says "born in" right before it, where its subject's birth is asked
for, and what it takes from a number of no unit asked for, beside one that has it."""

CELL, LEAST_OF_CELL = np.float32(2), 0.7
"""What it adds that a candidate is the one cell of which labels, its row and what stands above tell most of what is
asked, and so much of it, by rarity."""

IDENTITY, KIND_ALONE = np.float32(6), np.float32(3)
"""What it adds at most that a sentence says that a candidate is what the question asks for, by its noun, and what it
takes that it is any thing of that kind."""

CAUSE = np.float32(4)
"""What it adds that a sentence gives a candidate as the cause of what is asked, and takes that it denies that."""

BEHIND = np.float32(4)
"""What it adds at most that a candidate stands behind the preposition by which a question asks."""

NAMED_SO, PAIRED, OUTSIDE = np.float32(4), np.float32(3), np.float32(2)
"""What it adds at most that a name has the noun asked for, what it adds that a candidate is in the parenthesis behind
what is asked, or takes that it is in another one, and takes that it is the place around the one asked for."""

UNLIKELY = np.float32(4)
"""What it takes that a candidate hardly answers anything: a relative clause, a thing where somebody is asked for."""

ANOTHER = np.float32(3)
"""What it takes that a row of an infobox is of another page than the question names, and that a number stands in
another part of its sentence than the words asked for."""

MOST_JUDGED = 64
"""Best candidates from which something is taken at once, until the best one is among those."""

OPPOSITE = np.float32(3)
"""What it takes that the last superlative before a candidate is the opposite of that asked for, where its sentence has
both: "the highest flow was 4,070; the lowest, 71"."""

SEVERAL, MOST_LISTED = np.float32(1.5), 12
"""What it adds to the log-odds of so many best candidates to be of several, where several are asked for."""

WITH_UNITS = frozenset("mass temperature length area volume speed money energy".split())
"""What no number without a unit measures, unless its sentence says that it does."""


def with_rules(reading: Reading, scores: Scores) -> Scores:
    """Return the log-odds (n,) of candidates with what rules add to them, and take."""
    told = reading.features[:, INDEX["told_of_life"]]
    told = told + told_of_populations(reading.asked, reading.passages, reading.candidates)
    found: Scores = scores + TOLD * (told - _beside_units(reading)) + CELL * _is_the_cell(reading)
    own = reading.asked, reading.passages, reading.candidates
    found = found + IDENTITY * told_of_identities(*own) ** 2 + CAUSE * told_of_causes(*own)
    found = found + BEHIND * told_by_preposition(*own)
    found = found + NAMED_SO * told_by_kind(*own) + PAIRED * told_in_parentheses(*own) - OUTSIDE * outside(*own)
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
    """Return what is taken from the log-odds of candidates (n,)."""
    own = reading.asked, reading.passages, reading.candidates
    found: Scores = KIND_ALONE * told_of_kind_alone(*own) + OPPOSITE * opposite(*own) + UNLIKELY * unlikely(*own)
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
    """Return 1 for those of the best candidates (n,) that stand in an enumeration, or are one."""
    found = np.zeros(len(scores), np.float32)
    for index in np.argsort(-scores, kind="stable")[:MOST_LISTED].tolist():
        each = reading.candidates[index]
        text, span = reading.passages[each.passage].text, (each.start, each.end)
        is_part = each.end > each.start and listed(text, *span) != span
        found[index] = is_part or ", " in each.text or " and " in each.text
    return found


def _beside_units(reading: Reading) -> NDArray[np.float32]:
    """Return 1 for each candidate (n,) that is a number of no unit asked for, in a sentence with one of such a unit."""
    asked, found = reading.asked, np.zeros(len(reading.candidates), np.float32)
    if not asked.measures or not asked.measures <= WITH_UNITS:
        return found
    numbers = [index for index, each in enumerate(reading.candidates) if FORMS[each.form] == "number"]
    measured = {index: measures_of(reading.candidates[index].text) for index in numbers}
    places = {index: sentence_of(reading.passages, reading.candidates[index]) for index in numbers}
    told = {places[index] for index in numbers if measured[index] & asked.measures}
    found[[index for index in numbers if not measured[index] & asked.measures and places[index] in told]] = 1
    return found
