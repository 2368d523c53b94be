"""Claims: what a yes/no question says of a thing that it names: a date, a place, who did it, or another name.

Each claim goes with one word of the question, its relation: of "Did the bridge, designed by Tam Orrow, open in 1790?"
the name goes with "designed" and the year with "open".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from retriever.answers.asked import Asked
from retriever.answers.text.dates import Date, dates_in
from retriever.answers.text.words import FUNCTION, UPPER, stems_in
from retriever.types import QueryMention, Question

NAME = re.compile(rf"[{UPPER}][\w'’-]*(?:\s+(?:(?:of|the|de|von|van)\s+){{0,2}}[{UPPER}][\w'’-]*)*")
PREPOSITION = re.compile(
    r"\b(in|at|near|from|on|to|into|by|with|for|against|of|over|under|beside|around|outside|behind|after|within)\s+"
    r"(?:the\s+)?$", re.I)  # fmt: skip
PLACED = frozenset(("in", "at", "on"))
OF = re.compile(r"([\w-]+)\s+of\s+(?:the\s+)?$", re.I)
OWNS = re.compile(r"['’]s?\s+([\w-]+)")
NO_DATE = (0, 0, 0)
UNTOLD = re.compile(r"\d|\b(?:century|centuries|decade)\b", re.I)


Words: TypeAlias = list[tuple[int, int, str]]
"""Words of a question that tell a relation: where each begins, the index of its stem, the word."""


class Claim(NamedTuple):
    """A name or a date that is claimed of a thing, as "date", "place", "agent" or "object".

    `relation` is the index in `Asked.stems` of the word that it goes with, -1 where only "is" tells it, and `word`
    that word; `relations` are those of all such words of the question. `preposition` is what stands before the name.
    `is_of`: the word names a role of the thing ("the mayor of X").
    """

    text: str
    stems: frozenset[str]
    date: Date
    part: str
    preposition: str
    relation: int
    word: str
    is_of: bool
    relations: frozenset[int]


def claims_of(asked: Asked, question: Question, subject: QueryMention) -> list[Claim]:
    """Return the claims on a thing that a question names; none where a part of them cannot be judged."""
    text = question.text
    before, role = preposition(text, subject.start), _role(text, subject)
    if before in PLACED or before == "near":
        return []
    dates = [each for each in dates_in(text) if each[1] <= subject.start or each[0] >= subject.end]
    names = [name.span() for name in _names(text, subject)]
    spans = [*((start, end) for start, end, _ in dates), *names, (subject.start, subject.end)]
    if UNTOLD.search(_without(text, spans)):
        return []
    words = _relations(asked, spans)
    found = [_claim(text, (start, end), "date", date, words, role) for start, end, date in dates]
    for start, end in names:
        part = _part(text, start, subject)
        found.append(_claim(text, (start, end), part, NO_DATE, words, role))
    # What is said of the holder of a role is said of somebody else.
    own = all(each.preposition != "near" and (not role or each.word == role) for each in found)
    return found if own else []


def preposition(text: str, place: int) -> str:
    """Return the preposition that stands right before a place of a text, in lower case, "" where none does."""
    found = PREPOSITION.search(text, 0, place)
    return found[1].lower() if found else ""


def content(text: str) -> frozenset[str]:
    """Return the stems of the words of a name, small ones apart."""
    return frozenset(stem for word in text.split() if word.lower() not in FUNCTION for stem in stems_in(word))


def _names(text: str, subject: QueryMention) -> Iterator[re.Match[str]]:
    """Yield the names of a question but its subject, without those of months."""
    dates = dates_in(text)
    for name in NAME.finditer(text, text.find(" ") + 1):
        start, end = name.span()
        inside = any(begin <= start < stop for begin, stop, _ in dates)
        if not inside and (start >= subject.end or end <= subject.start):
            yield name


def _without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _role(text: str, subject: QueryMention) -> str:
    """Return the word that names a role or a part of the subject: that of "the mayor of X" and of "X's mayor"."""
    found = OF.search(text, 0, subject.start) or OWNS.match(text, subject.end)
    return found[1].lower() if found else ""


def _part(text: str, start: int, subject: QueryMention) -> str:
    before = preposition(text, start)
    if before in PLACED:
        return "place"
    acts = before == "by" or (start < subject.start and preposition(text, subject.start) != "by")
    return "agent" if acts else "object"


def _claim(text: str, span: tuple[int, int], part: str, date: Date, words: Words, role: str) -> Claim:
    own, (index, word) = text[slice(*span)], _relation(words, span[0])
    return Claim(own, content(own), date, part, preposition(text, span[0]), index, word, word != "" and word == role,
                 frozenset(index for _, index, _ in words))  # fmt: skip


def _relation(words: Words, place: int) -> tuple[int, str]:
    """Return the last word that tells a relation before a place, else the first behind it, else none."""
    before = [each for each in words if each[0] < place]
    chosen = before[-1] if before else words[0] if words else (0, -1, "")
    return chosen[1:]


def _relations(asked: Asked, spans: Sequence[tuple[int, int]]) -> Words:
    """Return the words of a question that tell a relation: where each begins, the index of its stem, the word."""
    starts, ends = asked.words.starts.tolist(), asked.words.ends.tolist()
    found = []
    for start, end, stem in zip(starts, ends, asked.words.stems, strict=True):
        index = asked.told.get(stem, -1)
        inside = any(begin <= start < stop for begin, stop in spans)
        if index >= 0 and asked.weights[index] > 0 and not inside:
            found.append((start, index, asked.text[start:end].lower()))
    return found
