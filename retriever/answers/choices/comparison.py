"""Questions that compare two things or ask for yes or no: what they offer to choose from, and what the pages say of it.

Which was earlier, older, longer or larger follows from values read from the pages of both; where the page of a work
is asked about somebody ("whose director was born first"), from the page of whom it names. Yes or no follows from the
same values, from what rows and sentences of the same relation tell (`statements`), from the countries of both, from
whether both pages say what is asked, or, of one thing, from a sentence that says it (`confirmed`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import isclose
from typing import NamedTuple

from retriever.answers.asked import LEAD, Asked
from retriever.answers.candidates import NUMBERED, Candidate
from retriever.answers.choices.alternatives import Subject, about, alternatives
from retriever.answers.choices.comparatives import BETTER, RECENT, compares_amounts
from retriever.answers.choices.confirmed import confirmed, denies
from retriever.answers.choices.counts import counted_in, counts_beside, counts_of, tabled
from retriever.answers.choices.described import value_described
from retriever.answers.choices.kindred import kindred
from retriever.answers.choices.statements import Verdict, places_told, verdict_of
from retriever.answers.choices.values import (  # fmt: skip
    BORN,
    DIED,
    LIVED,
    ROUNDED,
    Value,
    measured_of,
    person_of,
    value_beside,
    value_of,
)
from retriever.answers.hops.kin.names import name_at
from retriever.answers.passages import Passage
from retriever.answers.text.countries import countries_in, whole
from retriever.answers.text.kinds import kind_of_text
from retriever.answers.text.lexicon.adjectives import LESS, MORE
from retriever.answers.text.likeness import normalised
from retriever.answers.text.lists import parts_of
from retriever.answers.text.words import content_in
from retriever.session import Session
from retriever.types import Question

LATER = re.compile(
    r"\b(?:young\w*|later|latest|last|recent\w*|newer|newest|after|more|most|better|best|larg\w*|long\w*|high\w*"
    rf"|tall\w*|great\w*|bigg\w*|deep\w*|wide\w*|{MORE})\b", re.I)  # fmt: skip
EARLIER = re.compile(
    r"\b(?:old\w*|first|earli\w*|before|small\w*|less|least|few\w*|short\w*|low\w*"
    rf"|{LESS})\b", re.I)  # fmt: skip
MAKERS = re.compile(r"\b(?:director|performer|composer|author|writer|producer|singer)s?\b", re.I)
COUNTRY = re.compile(r"\b(?:country|nationality|nation)\b", re.I)
COUNTRY_ROW = re.compile(r"^(?:countr(?:y|ies)|nation(?:ality)?|citizenship) \| ([^|\n]+)", re.I | re.M)
COMPARES = re.compile(r"\b(?:[a-z]+er|more|less|fewer)\s+(?:[a-z]+\s+){0,3}than\b|\b(?:before|after)\b", re.I)
THAN = re.compile(
    r"^\W*(?:is|are|was|were|does|do|did|has|have|can|could|will)(?:n't)?\s+(?:the\s+)?(.{1,80}?)\s+"
    r"(?:(?:have|has|had|weigh|take|carry|hold|seat|employ|cost)\s+)?(?:an?\s+)?"
    r"(?-i:more|less|fewer|[a-z]+er)\b.{0,80}?\bthan\s+(?:the\s+)?(.{1,80}?)\W*$", re.I)  # fmt: skip
THAN_AT = re.compile(
    r"\b(?:more|less|fewer|[a-z]+er)\b.{0,80}?\b(?P<at>in|on|at|for|with) (?:the )?(\S.{0,80}?) than (?P=at) "
    r"(?:the )?(\S.{0,80}?)\W{0,8}$", re.I,
)  # fmt: skip
"""Two rows that a yes/no question compares: "Is it longer than B?", "Were there more at A than at B?"."""

TOGETHER = re.compile(r"\b(?:both|same|or|than|and|either|neither)\b", re.I)
SAME, BOTH = re.compile(r"\bsame\b", re.I), re.compile(r"\bboth\b(?!.*\bsame\b)", re.I)
BY_SAME = re.compile(
    r"\b(?P<done>\w+(?:ed|en|wn|ilt|ung)|made) by the same (?P<noun>\w+)|\bthe same (?:man|woman|person|\w+(?:or|er)) "
    r"(?P<does>direct|write|compose|produce|design|sing|record|edit)\b", re.I,
)  # fmt: skip
"""What asks whether one has made both: "written by the same person", "did the same man write"."""

DONE = {"write": "written", "sing": "sung", "director": "directed", "author": "written", "writer": "written"}
"""What is done by a verb that does not end in "ed", or where something is "made" by a noun."""

SELDOM = -0.1
"""How surely two things have something in common of which nothing is told: most have not."""

UNTOLD = 0.5
"""How surely two things are ordered by amounts beside which nothing of what is asked is said."""

YES, NO = "yes", "no"


class Choice(NamedTuple):
    """An answer to choose; `agrees` is 1 where the pages speak for it, -1 against, 0 where they say nothing."""

    candidate: Candidate
    agrees: float


def choices_of(session: Session, question: Question, asked: Asked, passages: Sequence[Passage]) -> list[Choice]:
    """Return what a question offers to choose from, nothing where it offers no choice."""
    if asked.is_polar:
        agrees, place, start = kindred(session, question, passages) or _judged(question, asked, passages)
        signs = ((YES, 1.0), (NO, -1.0)) if passages else ()
        return [Choice(_candidate(word, place, passages, start), sign * agrees) for word, sign in signs]
    subjects = alternatives(question, asked, passages)
    if len(subjects) != 2 or not passages:
        return []
    values = _values(asked, passages, subjects)
    # An amount beside which nothing of what is asked is said may be another one.
    is_told = not compares_amounts(asked.text) or all(value is not None and value.says > 0 for value in values)
    order = _order(asked, values, subjects) * (1.0 if is_told else UNTOLD)
    found = []
    for each, value, sign in zip(subjects, values, (1.0, -1.0), strict=True):
        first = each.passages[0] if each.passages else 0
        passage, sentence = (value.passage, value.sentence) if value and order else (first, 0)
        found.append(Choice(_candidate(each.name, passage, passages, sentence), sign * order))
    return found


def _judged(question: Question, asked: Asked, passages: Sequence[Passage]) -> Verdict:
    """Return how surely the pages say yes, -1 to 1, and where."""
    subjects = _named_subjects(question, passages)
    is_compared = COMPARES.search(asked.text) is not None
    if len(subjects) == 2 and _is_compared(question, subjects):
        values = _values(asked, passages, subjects)
        if values[0] and (order := _order(asked, values, subjects)) and all(each and each.says > 0 for each in values):
            return Verdict(order, values[0].passage, values[0].sentence)
    if rows := _judged_by_rows(asked, passages):
        return rows
    is_joint = TOGETHER.search(asked.text) is not None
    if not is_joint:
        sign = -1.0 if denies(asked.text) else 1.0
        for mention in question.mentions:
            own = about(mention.name, question, passages)
            if verdict := verdict_of(asked, question, mention, passages, own):
                return verdict._replace(agrees=sign * verdict.agrees)
    if len(subjects) < 2 or not is_joint:
        return confirmed(asked, passages)
    if is_compared:
        return Verdict(0.0, subjects[0].passages[0], 0)
    if BOTH.search(asked.text) and (verdict := _of_both(question, asked, passages, subjects)):
        return verdict
    return Verdict(_agreement(asked, passages, subjects), subjects[0].passages[0], 0)


def _of_both(
    question: Question, asked: Asked, passages: Sequence[Passage], subjects: Sequence[Subject]
) -> Verdict | None:
    """Return the lesser of what rows and sentences of the same relation tell of two things; None where it is not told.

    What is asked of both is asked of each, without the other one's name.
    """
    told = []
    for own, other in (subjects, subjects[::-1]):
        mentions = tuple(each for each in question.mentions if each.name != other.name)
        mention = next(each for each in mentions if each.name == own.name)
        told.append(verdict_of(asked, question._replace(mentions=mentions), mention, passages, own.passages))
    least = min((each for each in told if each), key=lambda each: each.agrees, default=None)
    return least if all(told) or (least and least.agrees < 0) else None


def _judged_by_rows(asked: Asked, passages: Sequence[Passage]) -> Verdict | None:
    """Return whether one row of a table has more of what is asked than another one, None where no table tells both."""
    text = LEAD.sub("", asked.text, count=1)
    found = THAN_AT.search(text) or THAN.match(text)
    names = [*found.groups()[-2:]] if found else []
    values = tabled(asked, counted_in(asked.text), passages, names) if names else None
    order = _order(asked, values, [Subject(name, ()) for name in names]) if values else 0.0
    return Verdict(order, values[0].passage, values[0].sentence) if values and order else None


def _values(asked: Asked, passages: Sequence[Passage], subjects: Sequence[Subject]) -> Sequence[Value | None]:
    """Return what is compared of each thing: by rows of one measure, else by what says most of what is asked."""
    owns = [each.passages for each in subjects]
    noun, names = counted_in(asked.text), [each.name for each in subjects]
    if _is_life(asked):
        own = [
            value_described(asked, passages, each.name) if each.is_described and not each.passages
            else value_of(asked, passages, each.passages)
            for each in subjects
        ]  # fmt: skip
        return own if all(own) else tabled(asked, "", passages, names) or own
    if noun:
        known = counts_of(asked, noun, passages, owns) or tabled(asked, noun, passages, names)
        return known or counts_beside(asked, noun, passages, names) or [None, None]
    rows = measured_of(asked, passages, owns) or tabled(asked, noun, passages, names)
    return rows or [_value(asked, passages, each) for each in subjects]


def _value(asked: Asked, passages: Sequence[Passage], subject: Subject) -> Value | None:
    """Return what is compared of one thing, by its own passages, else by sentences that name or describe it."""
    if subject.passages:
        return value_of(asked, passages, subject.passages)
    beside = value_beside(asked, passages, subject.name)
    return value_described(asked, passages, subject.name) if beside is None and subject.is_described else beside


def _is_life(asked: Asked) -> bool:
    return any(pattern.search(asked.text) for pattern in (BORN, DIED, LIVED, RECENT))


def _is_compared(question: Question, subjects: Sequence[Subject]) -> bool:
    """Tell whether a question compares just two things: "than", "before" or "after" and the second, which ends it."""
    second = max(question.mentions, key=lambda each: each.start)
    found = COMPARES.search(question.text, 0, second.start)
    between = question.text[found.end() : second.start].strip().lower() if found else None
    first = min((each for each in question.mentions if each.name == subjects[0].name), key=lambda each: each.start)
    behind, before = question.text[second.end :].strip(" ?.!"), question.text[: first.start].lower().split()
    is_of = bool(before) and (before[-1] == "of" or before[-2:] == ["of", "the"])
    owned = question.text[first.end : first.end + 1] in ("'", "’")
    return (second.name == subjects[1].name and between in ("", "the")
            and (not behind or behind in ("was", "were", "did", "is")) and not is_of and not owned)  # fmt: skip


def _candidate(text: str, passage: int, passages: Sequence[Passage], sentence: int = 0) -> Candidate:
    start, _ = passages[passage].bounds[sentence]
    return Candidate(text, normalised(text), passage, start, start, NUMBERED["choice"], 0)


def _named_subjects(question: Question, passages: Sequence[Passage]) -> list[Subject]:
    """Return the first two things that a question names and a passage is about."""
    mentions = sorted(question.mentions, key=lambda each: each.start)
    found = [Subject(each.name, about(each.name, question, passages)) for each in mentions]
    known = [each for each in found if each.passages]
    return known[:2]


def _order(asked: Asked, values: Sequence[Value | None], subjects: Sequence[Subject]) -> float:
    """Return 1 where the first of two is what is asked for by their values, -1 where it is the second, else 0."""
    first, second = values
    if first is None or second is None or not _is_comparable(first, second):
        return 0.0
    # The Old Mill and the First Bank are compared by what is said beside their names.
    text = re.sub("|".join(re.escape(each.name) for each in subjects if each.name) or "$^", "", asked.text)
    later = bool(RECENT.search(text)) or (bool(LATER.search(text)) and not EARLIER.search(text))
    if LIVED.search(asked.text) or BETTER.search(text):
        later = True
    if BORN.search(asked.text) and re.search(r"\bold", asked.text, re.I):
        later = False
    return 1.0 if (first.number > second.number) == later else -1.0


def _is_comparable(one: Value, other: Value) -> bool:
    """Tell whether two values are of one measure and not the same, but for what the conversion of units rounds."""
    return one.measure == other.measure and not isclose(one.number, other.number, rel_tol=ROUNDED)


def _agreement(asked: Asked, passages: Sequence[Passage], subjects: Sequence[Subject]) -> float:
    """Return how surely both pages say what is asked, -1 to 1; 0 where they say nothing."""
    if COUNTRY.search(asked.text):
        own = [_countries(asked, passages, each) for each in subjects]
        if not all(own):
            return 0.0
        # Of a Franco-Swiss painter both are told first; others that a page names are seldom those it is from.
        first, second = (each[:2] for each in own)
        return 1.0 if first[0] in second or second[0] in first else -1.0
    if by := BY_SAME.search(asked.text):
        makers = [_made_by(_deed(by), passages, each) for each in subjects]
        return (-1.0 if makers[0].isdisjoint(makers[1]) else 1.0) if all(makers) else SELDOM
    if SAME.search(asked.text):
        one, other = (places_told(asked, passages, each.passages) for each in subjects)
        return (1.0 if one & other else -1.0) if one and other else SELDOM
    wanted = {whole(each) for each in countries_in(asked.text)}
    if wanted and not all(wanted & set(_countries(asked, passages, each)) for each in subjects):
        return -1.0
    shares = [_said(asked, passages, each) for each in subjects]
    return max(-1.0, min(1.0, 2 * min(shares) - 0.6))


def _deed(by: re.Match[str]) -> str:
    """Return the participle of what is said to be done by the same."""
    if by["does"]:
        does = by["does"].lower()
        return DONE.get(does) or f"{does.removesuffix('e')}ed"
    done = by["done"].lower()
    return DONE.get(by["noun"].lower(), done) if done == "made" else done


def _made_by(deed: str, passages: Sequence[Passage], subject: Subject) -> frozenset[str]:
    """Return the names, by their stems, by whom the beginnings of a thing's pages say that it was made."""
    said = re.compile(rf"\b(?:{re.escape(deed)}(?:,? and \w+)? |(?<!\wed )(?<!\wen ))by ", re.I)
    for index in subject.passages:
        text = passages[index].text
        for found in said.finditer(text, *passages[index].bounds[0]):
            if name := name_at(text, found.end()):
                return content_in(text[slice(*name)])
    return frozenset()


def _countries(asked: Asked, passages: Sequence[Passage], subject: Subject) -> list[str]:
    told = [passages[index] for index in subject.passages]
    if MAKERS.search(asked.text):
        return [whole(each) for each in person_of(asked, passages, subject.passages)[0].countries]
    rows = (row for each in told if each.kind == "infobox" for row in COUNTRY_ROW.finditer(each.text))
    said = [whole(part.strip()) for row in rows for part in parts_of(row[1])]
    return said or [whole(each) for each in kind_of_text(told[0].text).countries]


def _said(asked: Asked, passages: Sequence[Passage], subject: Subject) -> float:
    """Return the share of what is asked that the passages of a thing say."""
    said = {int(each) for index in subject.passages for each in passages[index].asked} - {-1}
    return float(sum(asked.weights[index] for index in said))
