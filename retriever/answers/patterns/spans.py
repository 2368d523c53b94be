"""Answer spans: a candidate cut to the part of it that a question asks for, or widened to a whole cell.

The ranker scores runs of characters that no question has chosen; one of them may hold the answer and a word too many.
"""

from __future__ import annotations

import re

from retriever.answers.asked import Asked
from retriever.answers.candidates import NAMING, NUMBERED, Candidate
from retriever.answers.choices.values import CELL
from retriever.answers.text.lexicon.hypernyms import senses_of
from retriever.answers.text.likeness import normalised
from retriever.answers.text.words import stem_of

NAMED_KINDS = frozenset(("thing", "person", "place", "country"))

ABOUT = r"(?:about |around |c\. ?)?"
WITH_AMOUNT = re.compile(
    rf"([^\W\d][^\d(,]*?)(?:, {ABOUT}(?!\d+(?:st|nd|rd|th)\b)(?:\d[\d.,]* ?[^\W\d][^,(]*|\d{{4}})| \({ABOUT}\d[^()]*\))"
)
"""A name and a measure or a year of it in one cell: "Pale Down, 366 m", "Skarrow (2,040 inhabitants)"."""

OF_FOCUS = re.compile(r"(?:the |an? )?([a-z]+) of (?:the |an? )?(?=\S)")
"""What stands before an answer that says again what is asked for: "a rank of captain"."""

AGE_ASKED, AGED = re.compile(r"\bhow old\b|\b(?:what|which) age\b", re.I), re.compile(r"\baged? (?:of )?(\d+)\b")
JOB_ASKED = re.compile(r"\b(?:job|profession|occupation|trade)\b|\bfor a living\b", re.I)
CHILD_OF = re.compile(r"(?:the )?(?:[a-z]+ )?(?:son|daughter|child) of (?:an? |the )?(?=[a-z])")
"""Whose child somebody is, where the parent's trade is asked for: "daughter of a cheesemaker"."""

PARTICIPLE = re.compile(r"(.*\b([a-z]+)) ([a-z]+ed)")
REST_OF_CELL = re.compile(r"(?: [a-z]+){1,2}(?=\n| \| |$)")


def as_asked(asked: Asked, text: str, candidate: Candidate) -> Candidate:
    """Return a candidate of a text cut or widened to what is asked for, as it is where no rule says so."""
    if text[candidate.start : candidate.end] != candidate.text:
        return candidate
    if AGE_ASKED.search(asked.text) and (found := AGED.search(candidate.text)):
        return _cut(candidate, *found.span(1))
    if asked.kind not in NAMED_KINDS or asked.measures:
        return candidate
    if candidate.form == NUMBERED["value"] and (found := WITH_AMOUNT.fullmatch(candidate.text)):
        return _cut(candidate, *found.span(1))
    if candidate.form in NAMING:
        return _widened(text, candidate) if asked.kind == "thing" else candidate
    if candidate.form != NUMBERED["phrase"]:
        return candidate
    if JOB_ASKED.search(asked.text) and (child := CHILD_OF.match(candidate.text)):
        return _cut(candidate, child.end(), len(candidate.text))
    of, behind = OF_FOCUS.match(candidate.text), PARTICIPLE.fullmatch(candidate.text)
    if of and stem_of(of[1]) in asked.focus:
        return _cut(candidate, of.end(), len(candidate.text))
    # "A chain lowered every evening": what was done to it is no part of what it is.
    if behind and senses_of(behind[2]) and not senses_of(behind[3]):
        return _cut(candidate, *behind.span(1))
    return candidate


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
