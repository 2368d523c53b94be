"""Signs: whether a row or a sentence holds what is claimed, holds something else in its place, or neither.

Something else speaks against a claim only where the relation is of what happens once: who lives or works somewhere may
live elsewhere too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from retriever.answers.choices.claims import NAME, PLACED, Claim, content, preposition
from retriever.answers.passages import Passage
from retriever.answers.text.countries import countries_in
from retriever.answers.text.dates import Date, dates_in
from retriever.answers.text.kinds import kind_of_text

ONCE = re.compile(
    r"(?:born|birth|die|dead|death|buri|found|establish|open|buil|construct|design|creat|invent|compos|writ|wrote"
    r"|author|architect|paint|publi|print|launch|complet|sign|discover|direct|premi|releas|charter|proclaim|preced"
    r"|succeed)", re.I)  # fmt: skip
SETTLED = re.compile(r"(?:born|birth|die|dead|death|buri|found|establish)", re.I)
"""Words of what happens once and in a place, which a name behind "in" tells."""

AGENT = re.compile(r"(?:er|or|ist|ect|ian)s?$|\bby$", re.I)
"""Labels of rows that hold who did something: Designer, Author, Architect, Built by."""

REGION = re.compile(
    r"\b(?:country|nation|state|republic|kingdom|principality|empire|region|province|county|district|island|isles?"
    r"|valley|vale|heights|mountains|continent|shire|duchy|territory|coast)\b", re.I)  # fmt: skip
"""What holds towns, so that a town that is told may lie in it."""

EVENT = re.compile(
    r"\b(?:war|battle|siege|revolution|rising|mutiny|army|navy|exhibition|festival|flood|fire|ages?|monday|tuesday"
    r"|wednesday|thursday|friday|saturday|sunday|midsummer|christmas|easter)\b", re.I)  # fmt: skip
HEDGED = re.compile(
    r"\b(?:possibly|perhaps|probably|maybe|said|believed|thought|claim\w*|legend\w*|alleged\w*|rumou?r\w*|would|should"
    r"|planned|if|not|never|no|nor|neither|den(?:y|ies|ied)|disputed)\b|n['’]t\b", re.I)  # fmt: skip
"""What leaves open whether something is so, or denies it."""

UNSURE = re.compile(
    rf"\b(?:about|around|circa|near|before|after|nearly|almost|without|instead)\b|\bca?\.|\?|{HEDGED.pattern}", re.I
)
"""What makes a value less than exact, too."""

RANGE = re.compile(r"\d\s*[–—-]\s*(?:\d{1,2}\s+\w+\s+)?\d|\b(?:between|from|to|until)\b", re.I)
NOW = re.compile(r"(?:is|are)\b", re.I)
LIES = frozenset(("in", "at", "of", "on", "near", "within"))


def sign_of(claim: Claim, value: str, label: str, question: str, passages: Sequence[Passage]) -> int:
    """Return 1 where the value of a row, or of a sentence (`label` is ""), holds a claim, -1 where another, else 0."""
    if UNSURE.search(value):
        return 0
    if claim.part == "date":
        return _dated(claim, value, label)
    names = [content(name) for name in _names(claim, value, label)]
    if claim.stems in names or (claim.part == "agent" and any(claim.stems < name for name in names)):
        return 1
    if claim.part == "object" or not names or any(claim.stems & name for name in names):
        return 0
    if claim.stems & content(value):
        return 0
    if claim.part == "place":
        return -1 if SETTLED.match(claim.word) and _elsewhere(claim, value, label, passages) else 0
    holds_one = claim.is_of and claim.word == label.lower() and NOW.match(question)
    return -1 if holds_one or ONCE.match(claim.word) else 0


def _dated(claim: Claim, value: str, label: str) -> int:
    found = [date for start, _, date in dates_in(value) if label or preposition(value, start) in PLACED]
    own = [date for date in found if date[0] == claim.date[0]]
    if any(_agree(claim.date, date) for date in own):
        return 1
    told_less = any(0 in date for date in own)
    return 0 if not found or told_less or RANGE.search(value) or not ONCE.match(claim.word) else -1


def _agree(claimed: Date, told: Date) -> bool:
    return all(one in (0, other) for one, other in zip(claimed, told, strict=True))


def _names(claim: Claim, value: str, label: str) -> Iterator[str]:
    """Yield the names of a value that stand where the claimed one would."""
    if label and claim.part != "agent" and AGENT.search(label):
        return
    free = label and (claim.part != "agent" or claim.is_of or AGENT.search(label))
    dates = dates_in(value)
    for name in NAME.finditer(value):
        before = preposition(value, name.start())
        if any(start <= name.start() < end for start, end, _ in dates):
            continue
        alike = before in PLACED if claim.part == "place" else before == "by" if claim.part == "agent" else (
            before == claim.preposition)  # fmt: skip
        if free or alike:
            yield name[0]


def _elsewhere(claim: Claim, value: str, label: str, passages: Sequence[Passage]) -> bool:
    """Tell whether the places of a value are others than the one claimed, as far as the passages tell."""
    if countries_in(claim.text) or REGION.search(claim.text) or EVENT.search(claim.text):
        return False
    names = list(_names(claim, value, label))
    if any(EVENT.search(name) for name in names):
        return False
    for passage in passages:
        kind = kind_of_text(passage.text) if passage.title == claim.text and passage.is_lead else None
        if kind and ((kind.is_a and not kind.is_place) or REGION.search(" ".join(kind.is_a))):
            return False
    # A place may lie in the one that is claimed, or that in it.
    pairs = [(name, claim.text) for name in names] + [(claim.text, name) for name in names]
    return not any(_lies_in(one, other, passages) for one, other in pairs)


def _lies_in(one: str, other: str, passages: Sequence[Passage]) -> bool:
    """Tell whether a passage about one place names the other in a row, or where it may say that it lies there."""
    for passage in passages:
        if passage.title == one:
            for start, end in passage.bounds:
                text = passage.text[start:end]
                place = text.find(other)
                if place >= 0 and (" | " in text or preposition(text, place) in LIES):
                    return True
    return False
