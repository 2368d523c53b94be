"""Fitting candidates: what may be an answer to a question by its kind, before any is ranked."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence, Set
from itertools import dropwhile, takewhile

import numpy as np

from retriever.answers.asked import Asked
from retriever.answers.candidates import NAMING, NUMBERED, Candidate
from retriever.answers.passages import Passage
from retriever.answers.text import dates
from retriever.answers.text.kind_asked import ORDINAL
from retriever.answers.text.kinds import Kind, kinds_of
from retriever.answers.text.lexicon.hypernyms import is_person, senses_of
from retriever.answers.text.likeness import answer_tokens
from retriever.answers.text.looks import has_number, looks_of
from retriever.answers.text.words import FUNCTION, stem_of, word_spans
from retriever.session import Session
from weft.embedders.word_vectors import word_vectors

STRICT, WHERE = ("time", "number"), ("place", "country")
"""Kinds of answers that are told by their looks, and those that are told by where they are."""

AMOUNTS = frozenset(NUMBERED[form] for form in ("date", "year", "number"))
DATED = frozenset(NUMBERED[form] for form in ("date", "year"))
NOBODY: frozenset[str] = frozenset()
WHERE_ASKED = re.compile(r"\bwhere\b", re.I)
LIVES = re.compile(r"\b(?:born|birth|birthday|died?|dead|death)\b", re.I)
ENDS = (" in ", " near ", " outside ", " the ")
WITHIN, BEFORE = re.compile(r"([^\W\d_]+) (?:in|near|outside) (?:the )?$"), 40
WHERE_SAID = re.compile(r"\b(?:in|at|near|outside|to) (?:the )?$", re.I)
DAYS = re.compile(r"\b(?:what|which) (?:exact )?(?:day|date|weekday)\b(?! of the (?:month|year)\b)", re.I)
WEEKDAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
MONTH = "|".join(map(str.capitalize, dates.MONTHS))
DAY = re.compile(rf"\b(?:{MONTH}|{WEEKDAY})")
WEEKDAYS = re.compile(r"\bdays? of the week\b|\b(?:what|which) weekdays?\b", re.I)
CLOCKS = re.compile(r"\b(?:what|which) times?\b(?! (?:period|of|in)\b)|\b(?:opening|visiting) (?:hours|times)\b", re.I)
CLOCK = re.compile(r"\d[:.]\d\d|\d ?[ap]\.?m\b|\bnoon\b|\bmidnight\b|o['’]clock", re.I)
TIMES = ((DAYS, DAY), (WEEKDAYS, re.compile(WEEKDAY)), (CLOCKS, CLOCK))
"""What asks for a day, a day of the week or a time of the day, and what any such answer has in it."""

NOUN_BEFORE = re.compile(r"(?:^|[^\w-])([a-z][a-z-]+) (?:(?:is|was) )?$")
BORN = re.compile(r"\bborn $", re.I)
"""What stands before somebody's first name: "Ada Orr, born Ida Kell,"."""

YEARS = re.compile(r"\d{3,4}\b.*\b\d{3,4}\b")
"""What tells from when to when: no birth and no death."""

MONTHS = frozenset(month.capitalize() for month in dates.MONTHS)

TELEPHONES = re.compile(
    r"\b(?:(?:tele)?phone|mobile|fax) (?:numbers?|of|for)\b"
    r"|^\W*(?:the )?(?!(?:how|who|when|where|why|which|did|do|does|is|are|was|were|has|had)\b).*\b(?:tele)?phone\W*$"
    r"|\bnumbers? (?:to|do|does|should|must|can|shall|may) (?:\w+ ){0,2}(?:ring|call|dial|phone)\b", re.I)  # fmt: skip
TELEPHONE = re.compile(r"(?!\d{4}\s?[–-]\s?\d{4}$)\+?\(?\d(?:[ ()/-]?\d){4,}")
EMERGENCY = re.compile(r"(?!(?:1[5-9]|20)\d\d$)\d{3,4}")
"""What may be a telephone number: five digits and more, no span of years; else a short one that is no year."""

EXTENSIONS = re.compile(
    r"^\W*(?:the )?extension (?:of|for)\b|\b(?:phone|telephone) extension\b|\bextension number\b", re.I
)
EXTENSION = re.compile(r"\d{2,5}")
MAIL = re.compile(r"^\W*(?:the )?e-?mail (?:of|for)\b|\be-?mail address", re.I)
MAIL_ADDRESS = re.compile(r"\S+@\S+")
BODY = "arm|leg|hand|foot|eye|ear|knee|shoulder|wrist|ankle"
SIDES = re.compile(rf"\b(?:which|what) (?:{BODY})(?= (?:is|was|did|does|do|had|has|of|were|are)\b)", re.I)
SIDE = re.compile(rf"(?:(?:the|his|her|its|their) )?(?:left|right)(?: (?:{BODY}))?(?: \w+)?", re.I)
CONTACTS = (
    (TELEPHONES, TELEPHONE.fullmatch), (EXTENSIONS, EXTENSION.fullmatch), (MAIL, MAIL_ADDRESS.fullmatch),
)  # fmt: skip
NAMED_FORMS = (*CONTACTS, (SIDES, SIDE.fullmatch))
"""What asks for something that is told by its looks, and what tells whether a candidate is so."""

OFTEN = re.compile(r"\bhow often (?:do|does|is|are|am|may|must|should|can|to)\b", re.I)
"""What asks for a rate. "How often did she win?" may ask for a number alone."""

DATE_FIRST = re.compile(rf"(?:\d{{1,2}} )?(?:(?:{MONTH}) )?\d{{1,4}}\b(?! ?[a-z%°])")
AGE = re.compile(r"aged? (?:of )?\d+|\d+ years old")
"""What a cell with a date begins with, and what nobody dies of."""

FEW_DIGITS, IN_YEAR = re.compile(r"\d{1,3}"), re.compile(r"\b(?:in|by|until|since|from|to|of|before|after|about|AD) $")
"""A number that may be an early year, and what stands before one then."""

JOBS = re.compile(r"\b(?:job|profession|occupation) (?:of|did|does|has|had|was|is)\b|'s (?:job|profession|occupation)\b"
                  r"|\bfor a living\b", re.I)  # fmt: skip
WORKERS = ("er", "or", "ist", "man", "woman", "smith", "wright")
"""What asks for what somebody is by trade, and how nouns for that end."""

PASSIVE = re.compile(r"^\W*what (?:is|are|was|were) (?!done\b)[a-z]+(?:ed|en|wn)\b", re.I)
"""What asks for a thing by what is done to it: "What is burned to smoke fish?"."""

NAME_ASKED = re.compile(r"\bnames? of\b", re.I)
HOW_OLD = re.compile(r"\bhow old\b(?!.*\b(?:baby|babies|puppy|puppies|kittens?|chicks?|calf|calves|lambs?)\b)", re.I)
WEEKS_OLD = re.compile(r"\b(?:seconds?|minutes?|hours?|days?|weeks?)\b", re.I)

PHONE_FIRST = re.compile(r"^\W*(?:tele)?phone\b(?! (?:box|booth|line|call|model)\b)[^?]*$", re.I)
"""A phrase that begins so mostly asks for a number, but may ask for what a telephone is."""

LONGEST_BEFORE = len(" before ")
AMOUNT = re.compile(r"\d[^A-Z]*")
"""A number and what it counts: nowhere. "12 Mill Lane" and "room 12" are somewhere."""

NAMED = frozenset(map(stem_of, "university college company newspaper magazine orchestra airline".split()))
"""Nouns for what has a name."""

IN_YEARS = frozenset(("time", "count"))
"""What a number that looks like a year may measure."""

LOOSE = frozenset(NUMBERED[form] for form in ("phrase", "clause"))


def fitting(
    session: Session, asked: Asked, passages: Sequence[Passage], candidates: list[Candidate]
) -> list[Candidate]:
    """Return the candidates that may be what a question asks for, mostly all where there is none."""
    if asked.kind in ("thing", "number"):
        candidates = _named_things(asked, candidates)
    if asked.kind == "person" or (asked.reasons and asked.kind not in STRICT):
        candidates = [each for each in candidates if not _is_amount(each)] or candidates
    if asked.kind == "person" and NAME_ASKED.search(asked.text):
        candidates = [each for each in candidates if not each.text.islower()] or candidates
    if asked.kind == "number" and HOW_OLD.search(asked.text):
        candidates = [each for each in candidates if not WEEKS_OLD.search(each.text)] or candidates
    if asked.kind == "time" and LIVES.search(asked.text):
        candidates = [each for each in candidates if not YEARS.search(each.text)] or candidates
    if asked.kind in WHERE and WHERE_ASKED.search(asked.text):
        # "Third place" may be where somebody ended up, 1,600 is nowhere.
        candidates = [each for each in candidates if any(map(str.isalpha, each.text))] or candidates
        candidates = [each for each in candidates if not AMOUNT.fullmatch(each.text)] or candidates
    if asked.kind == "thing" and asked.asks_what:
        candidates = [each for each in candidates if not _is_dated(each)] or candidates
    if asked.kind == "number" and OFTEN.search(asked.text):
        candidates = [each for each in candidates if not each.text.isdecimal()] or candidates
    if asked.kind == "number" and asked.measures and asked.measures.isdisjoint(IN_YEARS):
        candidates = [each for each in candidates if not _is_date(passages, each)] or candidates
    if asked.kind == "time":
        candidates = [each for each in candidates if not _is_few(passages, each)] or candidates
    for asks, told in TIMES if asked.kind == "time" else ():
        if asks.search(asked.text):
            candidates = [each for each in candidates if told.search(each.text)] or candidates
    if asked.kind in ("thing", "manner"):
        candidates = [each for each in candidates if each.text.lower() not in ORDINAL] or candidates
    if asked.kind not in WHERE:
        return _nobody(session, asked, passages, candidates)
    # "Tolle valley railway gauge" may ask for no valley.
    nowhere = DATED if asked.is_phrase else AMOUNTS
    places = _places(session, passages, [each for each in candidates if each.form not in nowhere]) or candidates
    if asked.kind != "place" or not asked.focus:
        return places
    return [each for each in places if not _has_one(asked, passages[each.passage].text, each.start)] or places


def _named_things(asked: Asked, candidates: list[Candidate]) -> list[Candidate]:
    """Return the candidates that are what a question names: telephone numbers, addresses, sides, jobs, or things.

    None where none is a telephone number or an address, which nothing else answers.
    Behind "which" or "what" a noun asks for another one, not for "sank" or "permitted to touch it".
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
        return [each for each in candidates if _is_job(each.text)] or candidates
    if asked.asks_what and PASSIVE.search(asked.text):
        candidates = [each for each in candidates if each.form not in LOOSE or not is_verbal(each.text)] or candidates
    if not asked.focus or asked.is_phrase or asked.reasons or asked.kind != "thing":
        return candidates
    if not NAMED.isdisjoint(asked.focus):
        candidates = [each for each in candidates if not (each.text.islower() or _is_amount(each))] or candidates
    return [each for each in candidates if each.form not in LOOSE or not is_verbal(each.text)] or candidates


def _is_job(text: str) -> bool:
    """Tell whether a run of words ends with a noun for somebody: "a lighthouse keeper", "tram driver"."""
    last = text.split()[-1].lower()
    return is_person(last) or last.endswith(WORKERS)


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


def _has_one(asked: Asked, text: str, start: int) -> bool:
    """Tell whether a text says that what is asked for lies there: "the highest town in" stands before no town."""
    if not text.endswith(ENDS, 0, start):
        return False
    before = WITHIN.search(text, max(0, start - BEFORE), start)
    return before is not None and stem_of(before[1]) in asked.focus


def _nobody(
    session: Session, asked: Asked, passages: Sequence[Passage], candidates: list[Candidate]
) -> list[Candidate]:
    """Return the candidates that are nobody where a noun asks for a thing, or "how" for a manner; for "who" no place.

    Somebody has a page, or a noun before that says so: "the carver Tobit Amsel".
    """
    if asked.kind == "person":
        places = _entities(session, passages, candidates, lambda kind: kind.is_place)
        return [each for each in candidates if not _is_where(passages, each, places)] or candidates
    is_thing = asked.kind == "thing" and asked.focus and asked.senses and not asked.calls
    if not is_thing and asked.kind != "manner":
        return candidates
    people = _entities(session, passages, candidates, lambda kind: kind.is_person)
    told = {each.key for each in candidates if each.form in NAMING and _is_told_somebody(passages, each)}
    return [each for each in candidates if each.key not in told and not _is_somebody(each, people)] or candidates


def _is_told_somebody(passages: Sequence[Passage], candidate: Candidate) -> bool:
    """Tell whether the word before a name says that it is somebody's."""
    before = NOUN_BEFORE.search(passages[candidate.passage].text, max(0, candidate.start - BEFORE), candidate.start)
    return before is not None and looks_of(candidate.text)[0] and is_person(before[1])


def _is_somebody(candidate: Candidate, people: Set[int]) -> bool:
    return candidate.entity in people and looks_of(candidate.text)[0]


def _is_where(passages: Sequence[Passage], candidate: Candidate, places: Set[int]) -> bool:
    """Tell whether a candidate is a place in which something is said to be: nobody, but perhaps its people."""
    text, start = passages[candidate.passage].text, candidate.start
    return candidate.entity in places and WHERE_SAID.search(text, max(0, start - BEFORE), start) is not None


def _entities(
    session: Session, passages: Sequence[Passage], candidates: Sequence[Candidate], are: Callable[[Kind], bool]
) -> set[int]:
    """Return the entities whose pages are of a kind, of those that candidates mean or passages are about."""
    pages = {passage.entity: passage.page for passage in passages}
    linked = sorted({each.entity for each in candidates if each.entity} - pages.keys())
    pages |= dict(zip(linked, session.chunk_table.pages_of(np.array(linked, np.int64)).tolist(), strict=True))
    kinds = kinds_of(session, {page for page in pages.values() if page})
    return {entity for entity, page in pages.items() if page in kinds and are(kinds[page])}


def _places(session: Session, passages: Sequence[Passage], candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates that may be places: nobody with a page, no other name of whom a page is about.

    Nor is it a noun for somebody: "glaciologist".
    """
    people = _entities(session, passages, candidates, lambda kind: kind.is_person)
    titles = [frozenset(answer_tokens(each.title)) if each.entity in people else NOBODY for each in passages]
    named = [[link for link in passage.links if link.entity in people] for passage in passages]
    return [
        each for each in candidates
        if not _is_somebody(each, people) and not _is_told_somebody(passages, each)
        and not (each.text.islower() and is_person(each.text.split()[-1]))
        and (each.form not in NAMING or titles[each.passage].isdisjoint(each.key.split()))
        and not BORN.search(passages[each.passage].text, max(0, each.start - 8), each.start)
        and (each.entity or not any(link.start <= each.start < each.end <= link.end for link in named[each.passage]))
    ]  # fmt: skip


def _is_amount(candidate: Candidate) -> bool:
    """Tell whether a candidate is a date, "May to October", a number or a cell with one: nobody and no reason."""
    large = [word for word in candidate.text.split() if word[0].isupper()]
    is_season = bool(large) and MONTHS.issuperset(large) and not {*large} <= {"April", "May", "June", "August"}
    is_cell = candidate.form == NUMBERED["value"] and has_number(candidate.text)
    return candidate.form in AMOUNTS or is_season or is_cell or AGE.fullmatch(candidate.text) is not None
