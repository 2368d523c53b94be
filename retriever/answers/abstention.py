"""Abstention: how surely what is read answers a question, so that none is given where nothing does."""

from __future__ import annotations

import re
from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from retriever.answers.asked import Asked
from retriever.answers.candidates import Candidate
from retriever.answers.choices.comparatives import AMOUNTS, compared_by
from retriever.answers.choices.counts import counted_in
from retriever.answers.columns.cells import units_told
from retriever.answers.columns.features import INDEX
from retriever.answers.columns.life_patterns import SAYS, SPAN
from retriever.answers.columns.lives import lives_asked
from retriever.answers.columns.populations import population_asked, says_population
from retriever.answers.reading import Reading, best_of
from retriever.answers.rules.added import WITH_UNITS
from retriever.answers.rules.entries import has_any
from retriever.answers.text.forms import FORMS
from retriever.answers.text.measures import measures_of
from retriever.answers.text.words import stems_in
from retriever.fusion.store import Fusion
from retriever.learning.log_odds import probability
from retriever.question.identifiers import sure_identifiers
from retriever.synthesis.grammar.units import with_unit
from retriever.types import Scores

UNTOLD = 0.7
"""What is left of the chance where a page that tells a life says so in such words, and none does: few questions that
abstention is learned from are such."""

DATED = {
    "birth": re.compile(r"\bborn\W*$|\b(?:date|year|time|day) of birth\b|\bbirth ?date\b", re.I),
    "death": re.compile(r"\b(?:die|died)\W*$|\b(?:date|year|time|day) of death\b", re.I),
}
"""Questions for the day of a birth or a death, and nothing else."""

ROWS_OF_LIVES = (
    (re.compile(r"\b(?:born|birth)", re.I), re.compile(r"born|birth|origin|home ?town|native", re.I)),
    (re.compile(r"\b(?:die|died|death)\b", re.I), re.compile(r"die|death|dead", re.I)),
)
"""What asks about a birth or a death, and the labels of rows that tell where."""

UNSAID = 0.4
"""What is left of the chance of a date, or a number of people, whose sentence says nothing of the birth, the death or
the population that is asked for."""

UNDECIDED = 0.53
"""Factor of the chance of one of two things of which nothing tells the order."""

ORDERS = re.compile(r"\b(?:first|last|earlier|later|older|younger|longer|(?:more|most) recent(?:ly)?)\b", re.I)
NEAR = 20
"""Characters between two numbers of which the second one goes on with the unit of the first one."""

UNITS_ASKED = re.compile(r"\bhow many\b", re.I)
BARE = ("number", "date", "year")
"""Forms of candidates that may be numbers without a unit: 1909 is no height."""

LEAST_MEANT = 0.3
"""The share, by rarity, of what is asked that the sentence of such a number has to mean."""

YEAR = re.compile(r"\b1\d{3}\b|\b20\d{2}\b")
TELLS_DEFAULT = re.compile(
    r"\b(?:default|unless|if (?:none|not|no|it is not|omitted|unset)|initial|otherwise|normally)", re.I
)
"""What tells of a default, in its own words or others."""

ANSWERABLE = (
    "covers_every", "near_every", "passage_every", "score", "margin", "agreement", "best_chance", "covers_with_way",
    "near_with_way", "covers_names", "fits", "fits_not", "agrees", "is_choice", "said_at_all", "names_known", "named",
    "n_asked", "second_chance", "chances", "means_at_all", "means_every_at_all", "least_meant", "share", "names_said",
    "untold",
)  # fmt: skip
"""What tells whether a question can be answered, of its best candidate and of all that is read."""

OF_BEST = (
    "covers_every", "near_every", "passage_every", "covers_with_way", "near_with_way", "covers_names", "fits",
    "fits_not",
)  # fmt: skip
"""Columns of the best candidate that are told as they are."""


def chance(fusion: Fusion, reading: Reading, scores: Scores) -> float:
    """Return how surely what is read answers the question, 0 to 1; 0 where nothing speaks for any candidate."""
    if not len(scores) or _is_open(reading) or not has_any(reading.asked, reading.passages):
        return 0.0
    best = best_of(reading, scores)
    others = (_measures_else, _measures_nothing, _in_another_year, _in_another_row, _is_no_default)
    if any(is_else(reading, best) for is_else in others):
        return 0.0
    found = float(probability(fusion.model.score(signs_of(reading, scores)[None]))[0])
    found *= UNSAID if _is_undated(reading, best) or _is_no_population(reading, best) else 1.0
    return found * (UNTOLD if _is_untold(reading) else 1.0) * (UNDECIDED if _is_undecided(reading) else 1.0)


def _is_no_default(reading: Reading, index: int) -> bool:
    """Tell whether the default of an option or setting is asked for, and a candidate's passage tells of no default."""
    text = reading.passages[reading.candidates[index].passage].text
    return reading.asked.defaults and bool(sure_identifiers(reading.asked.text)) and TELLS_DEFAULT.search(text) is None


def _is_no_population(reading: Reading, index: int) -> bool:
    """Tell whether a question asks how many people live somewhere, which nothing says of a candidate."""
    found = reading.candidates[index]
    return population_asked(reading.asked) and not says_population(reading.passages[found.passage], found)


def _is_undated(reading: Reading, index: int) -> bool:
    """Tell whether a candidate is to be the day of a birth or a death of which its sentence says nothing.

    A life says so by the dash between its dates.
    """
    found, asked = reading.candidates[index], reading.asked
    part = next((part for part, asks in DATED.items() if asks.search(asked.text)), "")
    is_told = reading.features[index, INDEX["told_of_life"]] or found.end <= found.start
    if asked.kind != "time" or not part or is_told:
        return False
    text = reading.passages[found.passage].text
    start, end = reading.passages[found.passage].sentence_at(found.start)
    is_life = any(span.start() <= found.start < span.end() for span in SPAN.finditer(text, start, end))
    return not is_life and SAYS[part].search(text, start, end) is None


def _is_undecided(reading: Reading) -> bool:
    """Tell whether a question asks which of two things comes first or is more so, and nothing tells it of both."""
    text = reading.asked.text
    is_choice = reading.features[:, INDEX["form_choice"]].any() and (ORDERS.search(text) or AMOUNTS.search(text))
    return bool(is_choice) and not reading.features[:, [INDEX["agrees"], INDEX["agrees_not"]]].any()


def _in_another_row(reading: Reading, index: int) -> bool:
    """Tell whether a place of a birth or a death would be told by a row of an infobox that is about something else."""
    found, text = reading.candidates[index], reading.asked.text
    passage = reading.passages[found.passage]
    asked = [labels for asks, labels in ROWS_OF_LIVES if asks.search(text)]
    if len(asked) != 1 or reading.asked.kind != "place" or passage.kind != "infobox" or found.end <= found.start:
        return False
    label, _, value = passage.text[slice(*passage.sentence_at(found.start))].partition(" | ")
    return bool(value) and asked[0].search(label) is None


def _is_untold(reading: Reading) -> bool:
    """Tell whether a question asks where somebody was born or died, and no page tells that in such words."""
    asks = reading.asked.kind == "place" and lives_asked(reading.asked)
    return asks and not reading.features[:, INDEX["told_of_life"]].any()


def _is_open(reading: Reading) -> bool:
    """Tell whether nothing speaks for either answer to a yes/no question, or for either of two things by an amount."""
    is_choice, text = reading.features[:, INDEX["form_choice"]].any(), reading.asked.text
    decides = reading.asked.is_polar or (is_choice and (compared_by(text)[0] or counted_in(text)))
    return bool(decides) and not reading.features[:, [INDEX["agrees"], INDEX["agrees_not"]]].any()


def _as_told(reading: Reading, index: int) -> str:
    """Return a candidate's text with the unit that its column or row has."""
    found = reading.candidates[index]
    (unit,) = units_told(reading.passages, [found])
    return with_unit(found.text, unit)


def _measures_else(reading: Reading, index: int) -> bool:
    """Tell whether a candidate is in units of something else than a question asks to be measured.

    Where the question names the unit ("how many megawatts"), so is what counts things.
    """
    asked, found = reading.asked.measures, measures_of(_as_told(reading, index))
    if UNITS_ASKED.search(reading.asked.text) and (found or measures_of(_counted(reading, index))) == {"count"}:
        return bool(asked) and "count" not in asked
    own = found - {"count"}
    return bool(asked and own) and "count" not in asked and own.isdisjoint(asked)


def _counted(reading: Reading, index: int) -> str:
    """Return a candidate with all that goes on with it: "eighteen turbines" for "eighteen"."""
    own = reading.candidates[index]
    same = (each for each in reading.candidates if each.passage == own.passage and each.form == own.form)
    return max((each for each in same if each.start == own.start), key=lambda each: each.end).text


def _measures_nothing(reading: Reading, index: int) -> bool:
    """Tell whether a number without a unit stands where a unit is asked for, and its sentence means nothing of that."""
    asked, found = reading.asked, reading.candidates[index]
    has_unit = FORMS[found.form] not in BARE or measures_of(_as_told(reading, index))
    if has_unit or not asked.measures or not asked.measures <= WITH_UNITS:
        return False
    passage = reading.passages[found.passage]
    start, end = passage.sentence_at(found.start)
    first, last = passage.words.span(start, end)
    is_meant = float(passage.means[first:last].max(0, initial=0.0) @ asked.weights) >= LEAST_MEANT
    return not is_meant or _goes_on(reading, found)


def _goes_on(reading: Reading, found: Candidate) -> bool:
    """Tell whether a number goes on with one of another unit right before it: "14 hours and cooling 36"."""
    text, asked = reading.passages[found.passage].text, reading.asked
    before = [each for each in reading.candidates if each.passage == found.passage and each.end <= found.start]
    measured = [each for each in before if found.start - each.end <= NEAR and measures_of(each.text) - {"count"}]
    if not measured:
        return False
    last = max(measured, key=lambda each: each.end)
    says = any(stem in asked.told for stem in stems_in(text[last.end : found.start]))
    return not says and measures_of(last.text).isdisjoint(asked.measures)


def _in_another_year(reading: Reading, index: int) -> bool:
    """Tell whether a question names a year, of which a candidate's passage, that names others, says nothing.

    Nor does any other page that is read: there a first hop may be.
    """
    asked, found = {*YEAR.findall(reading.asked.text)}, reading.candidates[index]
    if not asked or reading.asked.kind == "time" or found.end <= found.start:
        return False
    passage = reading.passages[found.passage]
    start, end = passage.sentence_at(found.start)
    told = {*YEAR.findall(passage.text[start:end])}
    others = [each for each in reading.passages if each.page != passage.page]
    known = {year for each in (passage, *others) for year in YEAR.findall(f"{each.title} {each.heading} {each.text}")}
    return bool(told) and asked.isdisjoint(known)


def signs_of(reading: Reading, scores: Scores) -> NDArray[np.float32]:
    """Return what tells whether the question can be answered (len(ANSWERABLE),)."""
    best = best_of(reading, scores)
    found = reading.candidates[best]
    same = np.array([each.key == found.key for each in reading.candidates])
    place = reading.passages[found.passage].sentence_at(found.start)
    return signs_by(reading.features[best], scores, same, names_beside(reading, found.passage, *place), of_all(reading))


def signs_by(
    row: NDArray[np.float32], scores: Scores, same: NDArray[np.bool_], names_said: float, whole: dict[str, float]
) -> NDArray[np.float32]:
    """Return the signs in the order of ANSWERABLE.

    `row` are the columns of the best candidate, `same` (n,) tells which say the same, `names_said` is the share of the
    question's names that its sentence or title says, `whole` what `of_all` returns.
    """
    score = scores[same].max()
    other = scores[~same].max(initial=-np.inf)
    powers = np.exp(scores - scores.max())
    told = {name: row[INDEX[name]] for name in OF_BEST} | whole | {
        "score": score, "margin": min(8.0, score - other), "agreement": min(5, int(same.sum())),
        "agrees": row[INDEX["agrees"]] + row[INDEX["agrees_not"]], "is_choice": row[INDEX["form_choice"]],
        "share": powers[same].sum() / powers.sum(), "names_said": max(whole["named"], names_said),
    }  # fmt: skip
    return np.array([told[name] for name in ANSWERABLE], np.float32)


def of_all(reading: Reading) -> dict[str, float]:
    """Return the signs that are the same whichever candidate is the best."""
    asked = reading.asked
    said, meant = np.zeros(len(asked.stems)), np.zeros(len(asked.stems))
    for passage in reading.passages:
        said[passage.asked[passage.asked >= 0]] = 1
        meant = np.maximum(meant, passage.means.max(0, initial=0))
    stems = {stem for each in reading.passages for stem in (*each.words.stems, *stems_in(each.title))}
    chances = sorted((passage.chance for passage in reading.passages), reverse=True)
    return {
        "best_chance": chances[0], "second_chance": sum(chances[1:2]), "chances": sum(chances),
        "said_at_all": float(said @ asked.weights), "names_known": _names_in(stems, asked),
        "named": max((passage.named for passage in reading.passages), default=0.0),
        "n_asked": min(8, len(asked.stems)), "means_at_all": float(meant @ asked.weights),
        "means_every_at_all": float(meant @ asked.every), "least_meant": float(meant.min(initial=1.0)),
        "untold": float(_is_untold(reading)),
    }  # fmt: skip


def _names_in(stems: Collection[str], asked: Asked) -> float:
    """Return the share of a question's names, by their words with a capital, that some stems say."""
    return sum(stem in stems for stem in asked.capitals) / len(asked.capitals) if asked.capitals else 1.0


def names_beside(reading: Reading, passage: int, start: int, end: int) -> float:
    """Return the share of a question's names that a sentence of a passage, or the title above it, says."""
    own = reading.passages[passage]
    return _names_in({*stems_in(own.text[start:end]), *stems_in(own.title)}, reading.asked)
