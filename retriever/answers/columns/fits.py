"""How well each candidate is what is asked for: by what it looks like, measures, and is by its own page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum

import numpy as np
from numpy.typing import NDArray

from retriever.answers.asked import Asked
from retriever.answers.candidates import NUMBERED, Candidate, Laid
from retriever.answers.passages import Passage
from retriever.answers.text.countries import are_countries
from retriever.answers.text.dates import dates_in, half_asked, half_told
from retriever.answers.text.forms import FORMS
from retriever.answers.text.kinds import Kind, roles_in
from retriever.answers.text.lexicon.hypernyms import above, noun_of
from retriever.answers.text.lexicon.meanings import alike, vectors_of
from retriever.answers.text.literals import kinds_of_literal
from retriever.answers.text.looks import has_number, looks_of
from retriever.answers.text.measures import UPRIGHT, dimension_told, is_size, is_way, measures_behind, measures_of
from retriever.answers.text.words import stem_of
from retriever.learning.table import Features, Rows

FITS = (
    "fits", "fits_not", "focus", "focus_page", "focus_near", "is_person", "is_place", "gender", "role", "role_not",
    "country", "page_covers", "measures", "measures_else", "bare", "counts", "looks_person",
    "looks_place", "focus_means", "focus_means_last", "focus_means_near", "focus_means_page",
    "literal", "literal_asked", "literal_else", "dimension", "dimension_else", "measures_way",
    "is_a", "is_a_not", "is_a_kind", "is_a_kind_not", "amount_else",
)  # fmt: skip
AT = {name: index for index, name in enumerate(FITS)}
LOOKS_AT = [AT["looks_person"], AT["looks_place"]]
LITERAL_AT = [AT[name] for name in ("literal", "literal_asked", "literal_else")]
DIMENSION_AT = [AT[name] for name in ("dimension", "dimension_else", "measures_way")]
LOOKED_AT = [NUMBERED[name] for name in ("name", "title", "quoted", "value")]
IS_A_AT = [AT[name] for name in ("is_a", "is_a_not", "is_a_kind", "is_a_kind_not")]
TIMES = frozenset("day night eve morning evening afternoon week weekend month season year dawn dusk sunset".split())
"""Nouns that tell a time behind another word: "Lantern Night", "third week of Thawmonth"."""

AMOUNTS = [NUMBERED[name] for name in ("number", "date", "year")]
DATED = [NUMBERED[name] for name in ("date", "year")]
LITERALS = [NUMBERED[name] for name in ("literal", "name", "quoted", "value")]
MEASURING = [NUMBERED[name] for name in ("number", "value", "year")]
YEAR = stem_of("year")
AS_YEAR = 0.35
"""How well a number of four digits fits at most that may be a year, where an amount is asked for."""

OTHER_HALF = 0.2
"""How well a date fits at most until which something went on, where its beginning is asked for, or from which on."""

LEAST_FIT, BARE_FIT, SURE_FIT = 0.3, 0.4, 0.8
"""How well what is told by its looks must fit: nothing else is an answer where anything looks so, and what measures
something else is none where anything measures what is asked for; a number without a unit may measure it."""

LESS_FIT = 0.85
"""How well a number fits that measures what is asked for in another dimension, or as the way beside a size."""


def fits_of(asked: Asked, laid: Laid, own: Sequence[Candidate], pages: Mapping[int, Kind]) -> Features:
    """Return the columns `FITS` (c, len(FITS)) of candidates.

    `pages` has what the page of an entity says that it is.
    """
    part = np.zeros((len(own), len(FITS)), np.float32)
    forms = np.array([each.form for each in own], np.int64)
    part[:, AT["country"]] = are_countries([each.text for each in own])
    fits = _by_form(asked, own, forms, part[:, AT["country"]] > 0, pages)
    _named(part, asked, own, forms, pages)
    for row in np.flatnonzero(np.isin(forms, MEASURING)).tolist() if asked.measures else ():
        if own[row].form != NUMBERED["value"] or has_number(own[row].text):
            fits[row] = _measured(part[row], asked, laid.passages[own[row].passage], own[row])
            if own[row].form == NUMBERED["year"]:
                fits[row] = min(fits[row], 1.0 if len(own[row].text) < 4 else AS_YEAR)
    for row in np.flatnonzero(np.isin(forms, LITERALS)).tolist():
        if literals := kinds_of_literal(own[row].text):
            is_asked = not literals.isdisjoint(asked.literals)
            part[row, LITERAL_AT] = True, is_asked, bool(asked.literals) and not is_asked
            fits[row] = 1.0 if is_asked else fits[row]
    _is_a(part, asked, own)
    if asked.kind == "time" and (half := half_asked(asked.text)):
        for row in np.flatnonzero(np.isin(forms, DATED)).tolist():
            if half_told(laid.passages[own[row].passage].text, own[row].start, own[row].end) == -half:
                fits[row] = min(fits[row], OTHER_HALF)
    if asked.counts_not:
        part[np.isin(forms, AMOUNTS), AT["amount_else"]] = 1
    part[:, AT["fits"]], part[:, AT["fits_not"]] = np.maximum(0, fits), np.maximum(0, np.negative(fits))
    _roles(part, asked, laid, own)
    if asked.focus:
        _focus(part, asked, laid, own, pages)
    return part


def fitting_rows(asked: Asked, columns: Features) -> Rows:
    """Return which candidates fit (m,) by their columns `FITS`, all where none does."""
    fits = columns[:, AT["fits"]]
    least = BARE_FIT if asked.measures and fits.max(initial=0) >= SURE_FIT else LEAST_FIT
    rows = np.flatnonzero(fits >= least)
    return rows if len(rows) else np.arange(len(fits))


def _by_form(
    asked: Asked, own: Sequence[Candidate], forms: NDArray[np.int64], countries: NDArray[np.bool_],
    pages: Mapping[int, Kind],
) -> NDArray[np.float64]:  # fmt: skip
    """Return how well candidates fit (n,) by their form, by what their page is, and by being a country."""
    fits = np.array([_fit(asked.kind, form, None, False, "") for form in FORMS])[forms]
    special = np.array([each.entity in pages for each in own], np.bool_) | countries
    if asked.kind == "time":
        special |= [noun_of(each.text) in TIMES for each in own]
    if asked.kind in ("number", "place", "country"):
        special |= [any(map(str.isdigit, each.text)) for each in own]
    for row in np.flatnonzero(special).tolist():
        each = own[row]
        fits[row] = _fit(asked.kind, FORMS[each.form], pages.get(each.entity), bool(countries[row]), each.text)
    if YEAR in asked.focus and asked.kind == "time":
        return np.where(forms == NUMBERED["year"], fits, np.minimum(fits, 0.1))
    return fits


def _named(
    part: Features, asked: Asked, own: Sequence[Candidate], forms: NDArray[np.int64], pages: Mapping[int, Kind]
) -> None:
    """Fill what names look like, and what they are by their own pages."""
    weights = dict(zip(asked.stems, asked.weights.tolist(), strict=True))
    rows = np.flatnonzero(np.isin(forms, LOOKED_AT))
    part[rows[:, None], LOOKS_AT] = np.array([looks_of(own[row].text) for row in rows.tolist()]).reshape(-1, 2)
    for row, each in enumerate(own):
        if each.entity and (kind := pages.get(each.entity)) is not None:
            part[row, AT["is_person"]], part[row, AT["is_place"]] = kind.is_person, kind.is_place
            part[row, AT["focus_page"]] = not asked.focus.isdisjoint(kind.is_a)
            part[row, AT["gender"]] = asked.gender * kind.gender
            part[row, AT["page_covers"]] = fsum(weights.get(stem, 0.0) for stem in kind.is_a)


def _is_a(part: Features, asked: Asked, own: Sequence[Candidate]) -> None:
    """Fill whether the noun of a candidate names the kind of thing asked for, or one that is none."""
    if not (asked.senses or asked.kind_senses):
        return
    known: dict[str, tuple[bool, bool, bool, bool]] = {}
    nouns = [noun_of(each.text) for each in own]
    for noun in set(nouns):
        kinds = above(noun)
        fits, is_so = not kinds.isdisjoint(asked.senses), not kinds.isdisjoint(asked.kind_senses)
        other, else_so = bool(kinds and asked.senses) and not fits, bool(kinds and asked.kind_senses) and not is_so
        known[noun] = fits, other, is_so, else_so
    if own:
        part[:, IS_A_AT] = [known[noun] for noun in nouns]


def _roles(part: Features, asked: Asked, laid: Laid, own: Sequence[Candidate]) -> None:
    """Fill whether a candidate stands where somebody has the role asked for, or another one."""
    starts, stems = np.array([each.start for each in own]), {*asked.stems, *asked.tokens}
    for index, passage in enumerate(laid.passages):
        for begin, end, sign in roles_in(passage.text, stems):
            inside = (laid.owners == index) & laid.stands & (begin <= starts) & (starts < end)
            part[inside, AT["role" if sign > 0 else "role_not"]] = 1


def _focus(part: Features, asked: Asked, laid: Laid, own: Sequence[Candidate], pages: Mapping[int, Kind]) -> None:
    """Fill whether a candidate says the noun asked for, and how like it its words, those beside it and its page are."""
    n, first, last, stands = len(laid.stems), laid.spans[:, 0], laid.spans[:, 1], laid.stands
    says = np.append(np.array([stem in asked.focus for stem in laid.stems], np.float32), np.float32(0))
    likes = [alike(passage.vectors, asked.focus_meaning).max(1, initial=0) for passage in laid.passages]
    like = np.append(np.concatenate(likes), np.float32(0))
    beside = np.array([*(first - back for back in (1, 2, 3)), *(last + ahead for ahead in (0, 1))])
    begins, ends = laid.first_words[laid.owners], laid.first_words[laid.owners + 1]
    # What is no word of the passage is the word behind the last one, which says nothing.
    around = np.where((beside < begins) | (beside >= ends), n, beside)
    part[:, AT["focus_near"]] = says[around].max(0)
    part[stands, AT["focus_means_near"]] = like[around].max(0)[stands]
    part[stands, AT["focus"]] = _most_within(says, first, last)[stands]
    part[stands, AT["focus_means"]] = _most_within(like, first, last)[stands]
    part[stands, AT["focus_means_last"]] = like[np.where(last > begins, last - 1, n)][stands]
    kinds: dict[int, float] = {}
    for row, each in enumerate(own):
        if each.entity in pages:
            if each.entity not in kinds:
                is_a = vectors_of(("", *sorted(pages[each.entity].is_a)))
                kinds[each.entity] = float(alike(is_a, asked.focus_meaning).max())
            part[row, AT["focus_means_page"]] = kinds[each.entity]


def _most_within(values: Features, first: NDArray[np.int64], last: NDArray[np.int64]) -> Features:
    """Return the greatest of values (n + 1,) of words from `first` to before `last` (m,); 0 where there is none."""
    most = np.maximum.reduceat(values, np.column_stack([first, last]).ravel())[::2]
    return np.where(first < last, most, np.float32(0))


def _measured(row: Features, asked: Asked, passage: Passage, each: Candidate) -> float:
    """Fill whether a number measures what is asked for, and return how well it fits: 0 to 1."""
    own = measures_of(each.text)
    told = dimension_told(passage.text, each.start, each.end) if asked.dimension else ""
    behind = measures_behind(passage.text, each.end)
    bare = not own
    row[AT["bare"]] = bare
    row[AT["measures"]] = bool(own & asked.measures)
    row[AT["measures_else"]] = bool(own) and not own & asked.measures
    if "count" in asked.measures:
        _, last = passage.words.span(each.start, max(each.end, each.start + 1))
        follower = passage.words.stems[last : last + 2]
        row[AT["counts"]] = any(stem in asked.told for stem in follower)
        return 1.0 if bare and not behind - {"count"} else 0.5
    if own & asked.measures:
        is_other = bool(told) and told != asked.dimension
        sentence = passage.text[slice(*passage.sentence_at(each.start))]
        is_far = asked.dimension in UPRIGHT and is_way(each.text) and is_size(sentence)
        row[DIMENSION_AT] = told == asked.dimension != "", is_other, is_far
        return LESS_FIT if is_other or is_far else 1.0
    if bare and told and told == asked.dimension:
        return 1.0
    return 0.4 if bare and not behind else 0.3


def _fit(asks: str, form: str, kind: Kind | None, country: bool, text: str) -> float:
    """Return how well what a candidate looks like, and is by its page, is what is asked for: -1 to 1."""
    if asks == "time":
        return {"date": 1.0, "year": 0.8}.get(form, 0.4 if noun_of(text) in TIMES else -1.0)
    if asks == "number":
        return _fit_as_number(form, text)
    if form in ("date", "year", "number"):
        return -1.0 if asks in ("person", "place", "country") else -0.3
    is_name = form in ("name", "title", "quoted", "value")
    if asks in ("place", "country") and form == "value" and dates_in(text):
        return -0.5
    if asks in ("person", "place"):
        return _fit_as_one(asks, is_name, kind, country, text)
    if asks == "country":
        return 1.0 if country else -0.5
    if asks == "manner":
        return -0.5 if is_name else 0.3
    return 0.2 if is_name else 0.0


def _fit_as_number(form: str, text: str) -> float:
    if form == "number":
        return 1.0
    if form in ("date", "year"):
        return 0.8 if form == "year" and len(text) < 4 else -0.5
    return 0.3 if any(map(str.isdigit, text)) else -1.0


def _fit_as_one(asks: str, is_name: bool, kind: Kind | None, country: bool, text: str) -> float:
    """Return how well a candidate is a person or a place: by its page, else by its looks."""
    if kind is not None and kind.is_a:
        if asks == "person":
            return 1.0 if kind.is_person else -0.8
        return -0.8 if kind.is_person else 0.7 + 0.3 * kind.is_place
    if asks == "person":
        is_name = is_name and not country and any(map(str.isupper, text))
    return 0.4 if is_name else -0.6
