"""Statements: whether the pages of a thing that a yes/no question names tell what it claims, or tell otherwise.

A row or a sentence of the same relation ("Born | 1580, Ostwick", "was designed by Tam Orrow") speaks for a claim where
it holds what is claimed. It speaks against it where it holds another value of the same kind in its place, and the
relation is of what happens once. Where none tells the relation nothing is said, and where they differ nothing is sure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from retriever.answers.asked import Asked
from retriever.answers.choices.claims import NAME, PLACED, Claim, claims_of, content, preposition
from retriever.answers.choices.signs import HEDGED, SETTLED, sign_of
from retriever.answers.choices.values import CELL
from retriever.answers.passages import Passage
from retriever.answers.text.dates import dates_in
from retriever.answers.text.words import LOWER, stems_in, word_spans
from retriever.types import QueryMention, Question

SITE = re.compile(
    r"(?:locat|locale|place|site|country|countries|region|state|city|town|province|county|district|address|venue"
    r"|headquarters|parish|municipality)", re.I)  # fmt: skip
STANDS = re.compile(r"\b(?:is|are|was|were|lies?|stands?)\b", re.I)
ITSELF = re.compile(r"\s*(?:he|she|it|they)\b(?!['’])", re.I)
LEAD_IN = re.compile(r"\s*(?:(?:in|on|at)\s+[^,]{1,25},\s*)?(?:the\s+)?", re.I)
OTHERS = re.compile(r"\b(?:who|whom|whose|which|where|when|while|that|than|as)\b", re.I)
BREAK = re.compile(r"[;.]|\b(?:and|but|before|after|until|when|where|who|which|while|then|that)\b", re.I)
NEAR = 60
"""Characters behind the words of a relation in which its value stands."""


class Verdict(NamedTuple):
    """1 for what is claimed, -1 against it, 0 where nothing is sure; the passage that tells it and its sentence."""

    agrees: float
    passage: int
    sentence: int


class Told(NamedTuple):
    """A row or a sentence that tells the relation: what stands behind it, and the label of a row, "" without one.

    `says_all`: a sentence says every word of the question, names apart.
    """

    passage: int
    sentence: int
    label: str
    value: str
    says_all: bool


def verdict_of(
    asked: Asked, question: Question, subject: QueryMention, passages: Sequence[Passage], own: Sequence[int]
) -> Verdict | None:
    """Return what the passages `own` (by index) of a thing say of what is claimed of it; None where they say nothing.

    Every claim has to be told; one that is told otherwise speaks against all.
    """
    claims = claims_of(asked, question, subject)
    if not claims:
        return None
    if all(claim.relation < 0 for claim in claims):
        return _placed(claims, subject, passages, own)
    found = [_verdict(claim, asked, subject, passages, own) for claim in claims]
    told = [each for each in found if each]
    least = min(told, key=lambda each: each.agrees, default=None)
    return least if len(told) == len(found) or (least and least.agrees < 0) else None


def places_told(asked: Asked, passages: Sequence[Passage], own: Sequence[int]) -> set[frozenset[str]]:
    """Return the names, by their stems, behind the birth, death or foundation that is asked of the passages `own`."""
    settled = [stem for word, *_ in word_spans(asked.text) if SETTLED.match(word) for stem in stems_in(word)]
    relations = {asked.told[stem] for stem in settled if stem in asked.told}
    found: set[frozenset[str]] = set()
    for index in own:
        passage = passages[index]
        for start, end in passage.bounds:
            first, last = passage.words.span(start, end)
            said = [place for place in range(first, last) if int(passage.asked[place]) in relations]
            if said:
                behind = int(passage.words.ends[said[0]])
                value = passage.text[behind:end]
                if CELL not in passage.text[start:end]:
                    value = BREAK.split(value)[0][:NEAR]
                dates = dates_in(value)
                found |= {content(name[0]) for name in NAME.finditer(value)
                          if not any(begin <= name.start() < stop for begin, stop, _ in dates)}  # fmt: skip
    return found


def _placed(
    claims: Sequence[Claim], subject: QueryMention, passages: Sequence[Passage], own: Sequence[int]
) -> Verdict | None:
    """Return where a thing is told to be in each place that is claimed, with nothing but "is" to tell the relation."""
    if any(claim.part != "place" for claim in claims):
        return None
    for index in own:
        about = _about_itself(passages[index], subject)
        for number, (start, end) in enumerate(passages[index].bounds):
            text = passages[index].text[start:end]
            label, cell, value = text.partition(CELL)
            if cell:
                names = {content(name[0]) for name in NAME.finditer(value) if SITE.match(label)}
            elif number in about and STANDS.search(text) and not HEDGED.search(text) and not OTHERS.search(text):
                placed = (name for name in NAME.finditer(text) if preposition(text, name.start()) in PLACED)
                names = {content(name[0]) for name in placed}
            else:
                continue
            if all(claim.stems in names for claim in claims):
                return Verdict(1.0, index, number)
    return None


def _verdict(
    claim: Claim, asked: Asked, subject: QueryMention, passages: Sequence[Passage], own: Sequence[int]
) -> Verdict | None:
    """Return the first row, else sentence, that speaks for a claim, else against it, None where none does.

    A sentence for it beside one or a row against it says nothing surely: 0.
    """
    told = _told(claim, asked, subject, passages, own)
    signs = [(sign_of(claim, each.value, each.label, asked.text, passages), each) for each in told]
    speak = [each for sign, each in signs if sign > 0 and (each.label or each.says_all)]
    deny = [each for sign, each in signs if sign < 0]
    if not speak and not deny:
        return None
    chosen = speak[0] if speak else deny[0]
    agrees = (1.0 if speak else -1.0) if chosen.label or not (speak and deny) else 0.0
    return Verdict(agrees, chosen.passage, chosen.sentence)


def _told(
    claim: Claim, asked: Asked, subject: QueryMention, passages: Sequence[Passage], own: Sequence[int]
) -> list[Told]:
    """Return the rows, then the sentences, that tell the relation of the subject itself."""
    rows, sentences = [], []
    for index in own:
        passage = passages[index]
        about = _about_itself(passage, subject)
        titled = {asked.told.get(stem, -1) for stem in stems_in(passage.title)}
        for number, (start, end) in enumerate(passage.bounds):
            first, last = passage.words.span(start, end)
            said = passage.asked[first:last].tolist()
            if claim.relation not in said:
                continue
            behind = int(passage.words.ends[first + said.index(claim.relation)])
            text = passage.text[start:end]
            label, cell, value = text.partition(CELL)
            if cell and behind <= start + len(label):
                rows.append(Told(index, number, label.strip(), value, True))
            elif number in about and not HEDGED.search(text) and not OTHERS.search(text[: behind - start]):
                value = BREAK.split(passage.text[behind:end])[0][:NEAR]
                sentences.append(Told(index, number, "", value, claim.relations <= {*said, *titled}))
    return [*rows, *sentences]


def _about_itself(passage: Passage, subject: QueryMention) -> set[int]:
    """Return the numbers of the sentences whose subject is the thing: its name, or a pronoun behind such a sentence."""
    names = sorted({subject.name, passage.title, *subject.name.split()[-1:], passage.title.split(" (")[0]})
    named = re.compile(rf"(?:{'|'.join(map(re.escape, names))})(?!['’-]|\w|\s+[^\W\d_{LOWER}])")
    found: set[int] = set()
    for number, (start, end) in enumerate(passage.bounds):
        text = passage.text[start:end]
        lead = LEAD_IN.match(text)
        rest = text[lead.end() if lead else 0 :]
        before = number == 0 or number - 1 in found or CELL in passage.text[slice(*passage.bounds[number - 1])]
        if CELL not in text and (named.match(rest) or (before and ITSELF.match(rest))):
            found.add(number)
    return found
