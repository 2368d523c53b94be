"""Filters: which candidates may be an answer to a question by its kind, before any is ranked."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence, Set
from itertools import dropwhile, takewhile
from typing import NamedTuple

from retriever.answers.asked import Asked
from retriever.answers.candidates import LOOSE, NUMBERED, Candidate
from retriever.answers.fitting.named_forms import (
    EMERGENCY,
    MAIL,
    MONTH,
    NAMED_FORMS,
    PHONE_FIRST,
    TELEPHONE,
    TELEPHONES,
    TIMES,
)
from retriever.answers.fitting.somebody import has_one, of_kind, places_in
from retriever.answers.passages import Passage
from retriever.answers.text import dates
from retriever.answers.text.kind_asked import ORDINAL
from retriever.answers.text.lexicon.hypernyms import above, is_person, senses_of, senses_of_kind
from retriever.answers.text.literals import kinds_of_literal
from retriever.answers.text.looks import has_number
from retriever.answers.text.measures import has_unit, measures_of, units_asked
from retriever.answers.text.words import FUNCTION, stem_of, word_spans
from retriever.session import Session
from weft.embedders.word_vectors import word_vectors

STRICT, WHERE = ("time", "number"), ("place", "country")
"""Kinds of answers that are told by their looks, and those that are told by where they are."""

AMOUNTS = frozenset(NUMBERED[form] for form in ("date", "year", "number"))
DATED = frozenset(NUMBERED[form] for form in ("date", "year"))
WHERE_ASKED = re.compile(r"\bwhere\b", re.I)
LIVES = re.compile(r"\b(?:born|birth|birthday|died?|dead|death)\b", re.I)
YEARS = re.compile(r"\d{3,4}\b.*\b\d{3,4}\b")
"""What tells from when to when: no birth and no death."""

MONTHS = frozenset(month.capitalize() for month in dates.MONTHS)

OFTEN = re.compile(r"\bhow often (?:do|does|is|are|am|may|must|should|can|to)\b", re.I)
"""What asks for a rate. "How often did she win?" may ask for a number alone."""

DATE_FIRST = re.compile(rf"(?:\d{{1,2}} )?(?:(?:{MONTH}) )?\d{{1,4}}\b(?! ?[a-z%°])")
AGE = re.compile(r"aged? (?:of )?\d+|\d+ years old")
"""What a cell with a date begins with, and what nobody dies of."""

FEW_DIGITS = re.compile(r"\d{1,3}")
IN_YEAR = re.compile(rf"\b(?:(?:in|by|until|since|from|to|of|before|after|about|AD)|{dates.MONTH},?) $")
"""A number that may be an early year, and what stands before one then."""

JOBS = re.compile(r"\b(?:job|profession|occupation) (?:of|did|does|has|had|was|is)\b|'s (?:job|profession|occupation)\b"
                  r"|\bfor a living\b", re.I)  # fmt: skip
DEEDS = re.compile(r"\b(?:functions?|roles?|purposes?|tasks?|duty|duties) of\b", re.I)
WORKERS = ("er", "or", "ist", "man", "woman", "smith", "wright")
"""What asks for what somebody is by trade, what asks for a deed, and how nouns for somebody by trade end."""

MOST_SENSES = 3
"""Senses of such a noun of which one must be a person: an operator is a function first."""

PASSIVE = re.compile(r"^\W*what (?:is|are|was|were) (?!done\b)[a-z]+(?:ed|en|wn)\b", re.I)
"""What asks for a thing by what is done to it: "What is burned to smoke fish?"."""

CALLED = re.compile(r"\b(?:is|are|was|were) (?:[^?]{1,80} )?(?:called|named|known as)\b", re.I)
"""What asks for a name, which is no number."""

NAME_ASKED = re.compile(r"\bnames? of\b", re.I)
HOW_OLD = re.compile(r"\bhow old\b(?!.*\b(?:baby|babies|puppy|puppies|kittens?|chicks?|calf|calves|lambs?)\b)", re.I)
WEEKS_OLD = re.compile(r"\b(?:seconds?|minutes?|hours?|days?|weeks?)\b", re.I)

LONGEST_BEFORE = len(" September, ")
AMOUNT = re.compile(r"\d[^A-Z]*")
"""A number and what it counts: nowhere. "12 Mill Lane" and "room 12" are somewhere."""

NAMED = frozenset(map(stem_of, "university college company newspaper magazine orchestra airline".split()))
"""Nouns for what has a name."""

OPTION = frozenset(("option",))
IN_YEARS = frozenset(("time", "count"))
"""What a number that looks like a year may measure."""


class Filter(NamedTuple):
    """Which questions it is for, and which candidates may answer them; where it keeps none, all are kept."""

    asks: Callable[[Asked], bool]
    keeps: Callable[[Sequence[Passage], Candidate], bool]


def fitting(
    session: Session, asked: Asked, passages: Sequence[Passage], candidates: list[Candidate]
) -> list[Candidate]:
    """Return the candidates that may be what a question asks for, mostly all where there is none."""
    if asked.kind in ("thing", "number"):
        candidates = _named_things(asked, candidates)
    for each in FILTERS:
        if each.asks(asked):
            candidates = [own for own in candidates if each.keeps(passages, own)] or candidates
    if asked.kind == "number" and (units := units_asked(asked.text)):
        candidates = _in_units(asked, units, candidates)
    if asked.kind not in WHERE:
        return of_kind(session, asked, passages, candidates)
    # "Tolle valley railway gauge" may ask for no valley.
    nowhere = DATED if asked.is_phrase else AMOUNTS
    places = places_in(session, passages, [each for each in candidates if each.form not in nowhere]) or candidates
    if asked.kind != "place" or not asked.focus:
        return places
    return [each for each in places if not has_one(asked, passages[each.passage].text, each.start)] or places


def _named_things(asked: Asked, candidates: list[Candidate]) -> list[Candidate]:
    """Return the candidates that are what a question names: telephone numbers, addresses, sides, jobs, or things.

    None where none is a telephone number or an address, which nothing else answers.
    Behind "which" or "what" a noun asks for another one, not for "sank" or "permitted to touch it", but for a deed
    where it is a function or a purpose.
    """
    for asks, told in NAMED_FORMS:
        if asks.search(asked.text):
            found = [each for each in candidates if told(each.text)]
            if not found and asks is TELEPHONES:
                found = [each for each in candidates if EMERGENCY.fullmatch(each.text)]
            if found or asks in (TELEPHONES, MAIL):
                return found
    if PHONE_FIRST.search(asked.text) and (found := [each for each in candidates if TELEPHONE.fullmatch(each.text)]):
        return found
    if asked.kind == "thing" and JOBS.search(asked.text):
        return [each for each in candidates if is_job(each.text)] or candidates
    if asked.asks_what and PASSIVE.search(asked.text):
        candidates = [each for each in candidates if each.form not in LOOSE or not is_verbal(each.text)] or candidates
    if not asked.focus or asked.is_phrase or asked.reasons or asked.kind != "thing" or DEEDS.search(asked.text):
        return candidates
    if not NAMED.isdisjoint(asked.focus):
        candidates = [each for each in candidates if not (each.text.islower() or _is_amount(each))] or candidates
    return [each for each in candidates if each.form not in LOOSE or not is_verbal(each.text)] or candidates


def _in_units(asked: Asked, units: Set[str], candidates: list[Candidate]) -> list[Candidate]:
    """Return the candidates without those in another unit of what is measured, where any has the one asked for."""
    if not any(has_unit(each.text, units) for each in candidates):
        return candidates
    return [each for each in candidates if has_unit(each.text, units) or not measures_of(each.text) & asked.measures]


def is_job(text: str) -> bool:
    """Tell whether a run of words ends with a noun for somebody: "a lighthouse keeper", "tram driver"."""
    last = text.split()[-1].lower()
    may_be = not senses_of(last) or not above(last, MOST_SENSES).isdisjoint(senses_of_kind("person"))
    return is_person(last) or (last.endswith(WORKERS) and may_be)


def is_verbal(text: str) -> bool:
    """Tell whether a run of words begins with what no noun ends: its last word before a function word is none.

    >>> is_verbal("permitted to touch it"), is_verbal("smoked eel soup"), is_verbal("brotli")
    (True, False, False)
    """
    words = dropwhile(lambda word: word.lower() in FUNCTION, (word for word, *_ in word_spans(text)))
    run = [*takewhile(lambda word: word.lower() not in FUNCTION, words)]
    if not run or not run[-1].islower() or senses_of(run[-1]):
        return False
    # A word that English texts have, and that is no noun, is a verb, an adjective or an adverb.
    return stem_of(run[-1]).encode() in word_vectors().indices


def _is_date(passages: Sequence[Passage], candidate: Candidate) -> bool:
    """Tell whether a candidate is a date, or a year behind "in": 1850 may be a height."""
    return candidate.form in DATED and (not candidate.text.isdecimal() or _is_in_year(passages, candidate))


def _is_dated(candidate: Candidate) -> bool:
    """Tell whether a candidate is a date or a cell that begins with one: "what" without a noun asks for neither."""
    is_cell = candidate.form == NUMBERED["value"]
    return candidate.form in DATED or (is_cell and DATE_FIRST.match(candidate.text) is not None)


def _is_few(passages: Sequence[Passage], candidate: Candidate) -> bool:
    """Tell whether a candidate is a number of up to three digits where no year stands, as in a column of distances."""
    return FEW_DIGITS.fullmatch(candidate.text) is not None and not _is_in_year(passages, candidate)


def _is_in_year(passages: Sequence[Passage], candidate: Candidate) -> bool:
    """Tell whether a word stands before a candidate that stands before years, as "in" does."""
    text, start = passages[candidate.passage].text, candidate.start
    return IN_YEAR.search(text[max(0, start - LONGEST_BEFORE) : start]) is not None


def _is_amount(candidate: Candidate) -> bool:
    """Tell whether a candidate is a date, "May to October", a number or a cell with one: nobody and no reason."""
    large = [word for word in candidate.text.split() if word[0].isupper()]
    is_season = bool(large) and MONTHS.issuperset(large) and not {*large} <= {"April", "May", "June", "August"}
    is_cell = candidate.form == NUMBERED["value"] and has_number(candidate.text)
    return candidate.form in AMOUNTS or is_season or is_cell or AGE.fullmatch(candidate.text) is not None


def _asks(kind: str, words: re.Pattern[str]) -> Callable[[Asked], bool]:
    """Return what tells whether a question of a kind has some words."""
    return lambda asked: asked.kind == kind and words.search(asked.text) is not None


def _asks_where(asked: Asked) -> bool:
    return asked.kind in WHERE and WHERE_ASKED.search(asked.text) is not None


def _without(words: re.Pattern[str]) -> Callable[[Sequence[Passage], Candidate], bool]:
    """Return what tells whether a candidate has none of some words."""
    return lambda _, each: words.search(each.text) is None


def _with(words: re.Pattern[str]) -> Callable[[Sequence[Passage], Candidate], bool]:
    """Return what tells whether a candidate has some words."""
    return lambda _, each: words.search(each.text) is not None


FILTERS = (
    Filter(lambda asked: asked.kind == "person" or (asked.reasons and asked.kind not in STRICT),
           lambda _, each: not _is_amount(each)),
    Filter(_asks("person", NAME_ASKED), lambda _, each: not each.text.islower()),
    Filter(_asks("number", HOW_OLD), _without(WEEKS_OLD)),
    Filter(_asks("time", LIVES), _without(YEARS)),
    # "Third place" may be where somebody ended up, 1,600 is nowhere.
    Filter(_asks_where, lambda _, each: any(map(str.isalpha, each.text))),
    Filter(_asks_where, lambda _, each: AMOUNT.fullmatch(each.text) is None),
    Filter(lambda asked: asked.kind == "thing" and asked.asks_what, lambda _, each: not _is_dated(each)),
    Filter(_asks("number", OFTEN), lambda _, each: not each.text.isdecimal()),
    Filter(lambda asked: asked.kind == "number" and bool(asked.measures) and asked.measures.isdisjoint(IN_YEARS),
           lambda passages, each: not _is_date(passages, each)),
    Filter(lambda asked: asked.kind == "time", lambda passages, each: not _is_few(passages, each)),
    *(Filter(_asks("time", asks), _with(told)) for asks, told in TIMES),
    Filter(lambda asked: asked.literals == OPTION, lambda _, each: kinds_of_literal(each.text) >= OPTION),
    Filter(_asks("thing", CALLED), lambda _, each: each.form not in AMOUNTS),
    Filter(lambda asked: asked.kind in ("thing", "manner"), lambda _, each: each.text.lower() not in ORDINAL),
)  # fmt: skip
"""What keeps the candidates that may answer, one after the other."""
