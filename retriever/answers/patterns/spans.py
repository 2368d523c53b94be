"""Answer spans: a candidate cut to the part of it that a question asks for, or widened to a whole cell.

The ranker scores runs of characters that no question has chosen; one of them may hold the answer and a word too many.
"""

from __future__ import annotations

import re
from itertools import takewhile

from retriever.answers.asked import Asked
from retriever.answers.candidates import LOOSE, NAMING, NUMBERED, Candidate
from retriever.answers.choices.values import CELL
from retriever.answers.columns.life_patterns import NATION
from retriever.answers.fitting.named_forms import GENRE, GENRES
from retriever.answers.rules.aspects import whole_of
from retriever.answers.text.countries import are_countries
from retriever.answers.text.dates import MONTH
from retriever.answers.text.kinds import OFFICE
from retriever.answers.text.lexicon.hypernyms import senses_of
from retriever.answers.text.likeness import normalised
from retriever.answers.text.lists import PART
from retriever.answers.text.numbers import NUMBER_WORD
from retriever.answers.text.words import UPPER, stem_of, stems_in

NAMED_KINDS = frozenset(("thing", "person", "place", "country"))

ABOUT = r"(?:about |around |some |just |only |over |nearly |c\. ?)?"
WITH_AMOUNT = re.compile(
    rf"([^\W\d][^\d(,]*?)(?:, {ABOUT}(?!\d+(?:st|nd|rd|th)\b)(?:\d[\d.,]* ?[^\W\d][^,(]*|\d{{4}})| \({ABOUT}\d[^()]*\))"
)
"""A name and a measure or a year of it in one cell: "Pale Down, 366 m", "Skarrow (2,040 inhabitants)"."""

BEFORE_NAME, WHERE_TOLD = re.compile(rf"(?:the )?([a-z]+) (?=[{UPPER}])"), re.compile(r"(.+?) (?:in|at|on) (?:the )?\S")
"""A noun before names, "actresses Ida and Mia", and a name before where it is told of: "Orr Medal in the war"."""

NOUN_BEFORE = re.compile(rf"(?:[\w-]+ )*?([\w-]+) ([\w-]+|[{UPPER}].*)")
"""A noun before what it names: "the heavy isotope tritium"."""

OF_FOCUS = re.compile(r"(?:the |an? )?([a-z]+) of (?:the |an? )?(?=\S)")
"""What stands before an answer that says again what is asked for: "a rank of captain"."""

AGE_ASKED, AGED = re.compile(r"\bhow old\b|\b(?:what|which) age\b", re.I), re.compile(r"\baged? (?:of )?(\d+)\b")
JOB_ASKED = re.compile(r"\b(?:job|profession|occupation|trade)\b|\bfor a living\b", re.I)
CHILD_OF = re.compile(r"(?:the )?(?:[a-z]+ )?(?:son|daughter|child) of (?:an? |the )?(?=[a-z])")
"""Whose child somebody is, where the parent's trade is asked for: "daughter of a cheesemaker"."""

OF_WHAT = re.compile(r"\bdied? (?:of|from)\W*$", re.I)
FROM_WHAT = re.compile(r"(?:age )?\d[^a-z]*(?:from|of) (?:an? |the )?(?=\S)|(?:forms?|types?|kinds?) of (?=\S)")
"""What stands before what somebody died of: "2015 from pneumonia", "form of cancer"."""

DATED = re.compile(
    rf" (?:on|in|around|since|until|by|after) (?:{MONTH}\b|\d{{3,4}}\b|\d{{1,2}} {MONTH}\b).*"
    r"|,? (?:aged|at (?:the )?age(?: of)?) \d.*"
)
"""When something was, behind where: "Kell on February 2"."""

PLACED = re.compile(rf" (?:in|at) (?:the )?[{UPPER}].*")
"""Where somebody died, behind of what: "cancer in Kell"."""

LOCATED = re.compile(r"([a-z][a-z -]*[a-z])(?<! and)(?<! or) (?:at|near) (?:(?:the|an?|his|her|its|their) )?\w.*")
"""What a phrase names with where that is: "a barrel organ at the fish market"."""

PARTICIPLE = re.compile(r"(.*\b([A-Za-z][a-z]*)) ([a-z]+ed)")
REST_OF_CELL = re.compile(r"(?: [a-z]+){1,2}(?=\n| \| |$)")


NUMBER = rf"(?:\d[\d.,]*(?<=\d)|{NUMBER_WORD})"
SCALE = r"(?:[ ](?:hundred|thousand|million|billion))?"
NO_UNIT = "and|or|in|at|of|on|to|by|for|with|from|is|was"
UNIT = rf"{SCALE}(?:[ ]?(?:%|°[CF]?)|[ ](?!(?:{NO_UNIT})\b)[^\W\d_]+(?:[²³/]\w*)?)?"
JOINT = r"(?P<joint> (?:to|and|or) | ?[–-] ?)"
BEGUN = re.compile(rf"(?P<lead>\b(?:from|between) {ABOUT})?(?P<number>(?<![\w.,]){NUMBER})(?:{UNIT})?{JOINT}\Z", re.I)
ENDED = re.compile(rf"(?:{UNIT})?{JOINT}{NUMBER}{UNIT}", re.I)
LEAD, LEAD_READ = re.compile(rf"\b(from|between) {ABOUT}\Z", re.I), 60
CHANGES = re.compile(
    r"\b(?:rose|risen?|rising|fell|fallen|falling|grew|grown?|growing|increas|decreas|declin|drop|reduc|chang|rais|cut"
    r"|went|mov|shift|extend|expand|shr[aiu]nk|lower|climb)\w*\b[^.;]{0,30}\Z", re.I)  # fmt: skip
"""What goes from one number to another one: both are answers."""

SMALLER = {
    "years?": "months?|weeks?|days?", "months?": "weeks?|days?", "weeks?": "days?", "days?": "hours?|minutes?",
    "hours?": "minutes?|seconds?", "minutes?": "seconds?", "feet|foot": "inch(?:es)?",
    "pounds?": "ounces?|shillings?|pence", "degrees": "minutes",
}  # fmt: skip
"""Units in which an amount is told, and those in which the rest of it is."""

COMPOUND = re.compile("|".join(rf"(?<![\w.,]){NUMBER} (?:{large}),? (?:and )?{NUMBER} (?:{small})\b"
                               for large, small in SMALLER.items()), re.I)  # fmt: skip
COMPOUND_READ = 40
"""Characters before and behind a number in which the rest of its amount is looked for: "six days and five hours"."""

POWER = re.compile(r" [a-z]+")
RATE = re.compile(
    rf"(?:once|twice|(?:{NUMBER}) times)(?: (?:in )?(?:every|each|an?|per)(?: (?:{NUMBER}))?(?: [a-z]+)?"
    r"| (?:daily|weekly|monthly|yearly))", re.I,
)
BECAUSE, REASON = re.compile(r"(?:\bbecause|, since) (?:the |an? )?\Z", re.I), re.compile(r"[^.;,\n]{1,240}(?=[.;,\n])")
LONGEST_BECAUSE = len(" because the ")


PARTNERS = re.compile(rf"(?:, {PART})*,? (?:and|&) {PART}")
"""Somebody else who is named in a row with a name."""

PEERAGE = re.compile(
    r", (?:\d+(?:st|nd|rd|th) )?(?:Duke|Duchess|Earl|Count|Countess|Prince|Princess|Baron|Baroness|Marquess|Viscount"
    rf"|Viscountess|Landgrave|Margrave|Elector|King|Lord|Lady) of (?:the )?[{UPPER}][\w’'-]*(?:[- ][{UPPER}][\w’'-]*)*"
)
"""What stands behind the name of somebody and is a part of it: "Karl, Prince of Dune"."""

TAIL = re.compile(
    r"(?<=\w),? (?:while|whereas|although|though|which|who|whose)\b|(?<=\w), (?:but|particularly|especially)\b"
)
"""Where a phrase goes on with something else: "Danish places, while dear ones are named after Swedish ones"."""


def as_asked(asked: Asked, text: str, candidate: Candidate) -> Candidate:
    """Return a candidate of a text cut or widened to what is asked for, as it is where no rule says so."""
    if text[candidate.start : candidate.end] != candidate.text:
        return candidate
    found = _as_asked(asked, text, candidate)
    return _without_tail(found) if found.form in LOOSE else found


def without_noun(asked: Asked, text: str) -> str:
    """Return names without the noun before them that a question asks for: "Ida and Mia" for "actresses Ida and Mia"."""
    noun = BEFORE_NAME.match(text)
    return text[noun.end() :] if noun and stem_of(noun[1]) in asked.focus else text


def _without_tail(candidate: Candidate) -> Candidate:
    """Return a phrase up to where it goes on with something else, and without half of a pair of parentheses."""
    own, tail = candidate.text, TAIL.search(candidate.text)
    end = tail.start() if tail else len(own)
    if own[:end].count(")") > own[:end].count("("):
        end = own.index(")")
    return _cut(candidate, 0, end) if 0 < end < len(own) else candidate


def _as_asked(asked: Asked, text: str, candidate: Candidate) -> Candidate:
    if AGE_ASKED.search(asked.text) and (found := AGED.search(candidate.text)):
        return _cut(candidate, *found.span(1))
    if OF_WHAT.search(asked.text):
        return _cause_of_death(candidate)
    if asked.reasons:
        return _whole_reason(text, candidate)
    if asked.kind == "number":
        return _whole_amount(text, candidate)
    if whole := whole_of(asked.text, text, candidate.start, candidate.end):
        return _at(text, candidate, *whole)
    return candidate if asked.kind not in NAMED_KINDS or asked.measures else _named(asked, text, candidate)


def _named(asked: Asked, text: str, candidate: Candidate) -> Candidate:
    """Return somebody, somewhere or something as it is called."""
    if candidate.form == NUMBERED["value"] and (found := WITH_AMOUNT.fullmatch(candidate.text)):
        return _cut(candidate, *found.span(1))
    if asked.kind == "person":
        candidate = _somebody(text, candidate)
    elif asked.kind != "thing":
        candidate = _somewhere(asked, candidate)
    if begins := len(candidate.text) - len(without_noun(asked, candidate.text)):
        return _cut(candidate, begins, len(candidate.text))
    if candidate.form in NAMING:
        return _something(asked, text, candidate) if asked.kind == "thing" else candidate
    return _core(asked, candidate) if candidate.form == NUMBERED["phrase"] else candidate


def _cause_of_death(candidate: Candidate) -> Candidate:
    """Return what somebody died of without when and where that was, and without "form of" before it."""
    if located := LOCATED.fullmatch(candidate.text):
        return _cut(candidate, *located.span(1))
    begun = FROM_WHAT.match(candidate.text)
    dated = DATED.search(candidate.text) or PLACED.search(candidate.text)
    return _cut(candidate, begun.end() if begun else 0, dated.start() if dated else len(candidate.text))


def _somebody(text: str, candidate: Candidate) -> Candidate:
    """Return a name without an office before it, and with the peerage or another one by whom something was done."""
    if office := OFFICE.match(candidate.text):
        candidate = _cut(candidate, office.end(), len(candidate.text))
    if candidate.form in NAMING and (peerage := PEERAGE.match(text, candidate.end)):
        return _at(text, candidate, candidate.start, peerage.end())
    return _with_partner(text, candidate) if text.endswith("by ", 0, candidate.start) else candidate


def _something(asked: Asked, text: str, candidate: Candidate) -> Candidate:
    """Return a name before where it is told of, or with the noun behind it in its cell."""
    told = WHERE_TOLD.match(candidate.text)
    if told and not asked.focus.isdisjoint(stems_in(told[1])):
        return _cut(candidate, *told.span(1))
    return _widened(text, candidate)


def _somewhere(asked: Asked, candidate: Candidate) -> Candidate:
    """Return a place without when something was there, and a nationality without what else somebody is."""
    if dated := DATED.search(candidate.text):
        candidate = _cut(candidate, 0, dated.start())
    if not NATION.search(asked.text) or any(are_countries([candidate.text])):
        return candidate
    words = [*re.finditer(r"\S+", candidate.text)]
    own = takewhile(lambda each: all(are_countries(re.split("[-–]", each[0]))), words)
    ends = [each.end() for each in own]
    return _cut(candidate, 0, ends[-1]) if ends and ends[-1] < len(candidate.text) else candidate


def _core(asked: Asked, candidate: Candidate) -> Candidate:
    """Return a phrase without where it is, what it is of, and what was done to it, where these are not asked for."""
    if GENRES.search(asked.text):
        return _genre(candidate)
    if JOB_ASKED.search(asked.text) and (child := CHILD_OF.match(candidate.text)):
        return _cut(candidate, child.end(), len(candidate.text))
    if located := LOCATED.fullmatch(candidate.text):
        return _cut(candidate, *located.span(1))
    inside = NOUN_BEFORE.fullmatch(candidate.text)
    if inside and stem_of(inside[1].lower()) in asked.focus:
        return _cut(candidate, *inside.span(2))
    of, behind = OF_FOCUS.match(candidate.text), PARTICIPLE.fullmatch(candidate.text)
    if of and stem_of(of[1]) in asked.focus:
        return _cut(candidate, of.end(), len(candidate.text))
    # "A chain lowered every evening": what was done to it is no part of what it is.
    if behind and (senses_of(behind[2]) or behind[2][0].isupper()) and not senses_of(behind[3]):
        return _cut(candidate, *behind.span(1))
    return candidate


def _genre(candidate: Candidate) -> Candidate:
    """Return a genre without who plays it and where they are from: "pop" of "Norwegian pop group"."""
    genre = GENRE.fullmatch(candidate.text)
    if genre is None or not genre["who"]:
        return candidate
    words = re.findall(r"\S+ ", candidate.text[: genre.start("who")])
    own = takewhile(lambda word: any(are_countries([word.strip()])), words)
    return _cut(candidate, sum(map(len, own)), genre.start("who"))


def _whole_reason(text: str, candidate: Candidate) -> Candidate:
    """Return what stands behind "because" to the end of its clause, where a candidate begins there."""
    begins = BECAUSE.search(text, max(0, candidate.start - LONGEST_BECAUSE), candidate.start)
    rest = REASON.match(text, candidate.start) if begins else None
    return _at(text, candidate, candidate.start, rest.end()) if rest and rest.end() > candidate.end else candidate


def _whole_amount(text: str, candidate: Candidate) -> Candidate:
    """Return a number with the rest of its range or rate: "between 70 and 95 minutes", "once in every year"."""
    start, end = candidate.start, candidate.end
    if candidate.form != NUMBERED["number"]:
        return candidate
    if power := POWER.match(text, end) if candidate.text.endswith(("cubic", "square")) else None:
        return _at(text, candidate, start, power.end())
    for compound in COMPOUND.finditer(text, max(0, start - COMPOUND_READ), end + COMPOUND_READ):
        if compound.start() <= start and end <= compound.end():
            return _at(text, candidate, *compound.span())
    if rate := RATE.match(text, start):
        return _at(text, candidate, start, max(end, rate.end()))
    begun, ended = BEGUN.search(text, max(0, start - LEAD_READ), start), ENDED.match(text, end)
    if begun and _is_range(text, begun["lead"], begun["joint"], begun.start()):
        return _at(text, candidate, begun.start() if begun["joint"] == " and " else begun.start("number"), end)
    lead = LEAD.search(text, max(0, start - LEAD_READ), start)
    if ended and _is_range(text, lead and lead[1], ended["joint"], lead.start() if lead else start):
        return _at(text, candidate, lead.start() if lead and ended["joint"] == " and " else start, ended.end())
    return candidate


def _is_range(text: str, lead: str | None, joint: str, start: int) -> bool:
    """Tell whether two numbers are a range: "between 5 and 7", "5 to 7", but not "rose from 5 to 7"."""
    word = (lead or " ").lower().split(" ")[0]
    if joint.strip().lower() == "and":
        return word == "between"
    return word != "from" or CHANGES.search(text, max(0, start - LEAD_READ), start) is None


def _at(text: str, candidate: Candidate, start: int, end: int) -> Candidate:
    """Return a candidate of the same passage from one character to another one."""
    own = text[start:end]
    return candidate._replace(text=own, key=normalised(own), start=start, end=start + len(own), entity=0)


def _with_partner(text: str, candidate: Candidate) -> Candidate:
    """Return somebody by whom something was done with another one by whom it was: "by Ada Orr and Bo Lund"."""
    others = PARTNERS.match(text, candidate.end)
    return _at(text, candidate, candidate.start, others.end()) if others and " the " not in others[0] else candidate


def _cut(candidate: Candidate, start: int, end: int) -> Candidate:
    text = candidate.text[start:end]
    begins = candidate.start + start
    return candidate._replace(text=text, key=normalised(text), start=begins, end=begins + len(text), entity=0)


def _widened(text: str, candidate: Candidate) -> Candidate:
    """Return a name with the noun behind it where both are a whole cell: "Material | Sill limestone"."""
    behind = REST_OF_CELL.match(text, candidate.end)
    if not behind or not text.endswith(CELL, 0, candidate.start):
        return candidate
    whole = text[candidate.start : behind.end()]
    return candidate._replace(text=whole, key=normalised(whole), end=behind.end(), entity=0)
