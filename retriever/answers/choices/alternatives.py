"""The two things between which a question lets choose: by their titles, by its mentions, or as they are typed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from retriever.answers.asked import Asked
from retriever.answers.choices.counts import rows_of
from retriever.answers.passages import Passage
from retriever.answers.text.lexicon.adjectives import GRADED
from retriever.answers.text.words import FUNCTION, UPPER, content_in, stems_in
from retriever.types import Question
from weft.text.names import name_key, short_name

OR = re.compile(r"(?<!\s)\s*+,?\s*+(?<=\s)or\s++(?:(?:the|(?-i:an?))\s+)?", re.I)
# What ends an alternative that no title and no mention ends.
BEHIND = re.compile(r"[,:]\s+|\b(?:is|was|are|were|does|did|do|has|between|first|of)\s+(?:the\s+)?")
# Two things at the end of a question, behind a comma or as it is typed without capitals: "which is faster, kittiwake or
# old sarn".
RELATIVE = rf"(?:(?:{GRADED})e(?:r|st)|first|last|(?:more|most|less|fewer|fewest) \w+)"
COMPARED = re.compile(rf"\b{RELATIVE}\b", re.I)
TWO = r"((?:[^,:\s]+\s){0,6}[^,:\s]+)\s*,?\s+or\s+((?:[^,:\s]+\s){0,7}[^,:\s]+)$"
OF_TWO = re.compile(
    rf"(?:^\W*|,\s+|\b{RELATIVE}\s+|\b(?=out of))(?:(?:out of|between)(?!\s+\d)"
    rf"|of the (?:two|[a-z]+s(?=,? (?-i:[\"{UPPER}])))),?\s+", re.I,
)  # fmt: skip
AND = re.compile(r",?\s+and\s+(?:the\s+)?", re.I)
"""What stands before two things that "and" joins: "who was born first out of Ada Orr and Bo Lund"; no years, and none
of "the first war between Kell and Vess"."""

DESCRIBED = re.compile(r"(?:the|its|their|his|her) [a-z]")
"""How a thing begins that is described and not named: "the branch to Quenby"."""

LONGEST = 300
"""Characters of a question that may offer two things."""

TYPED = (
    re.compile(rf"^\W*(?:which|who|what)\b[^,:]*\b{RELATIVE}\b[^,:]*[,:]\s+{TWO}", re.I),
    re.compile(rf"^\W*(?:which|who|what)\b(?:(?!\bor\b).)*(?<!\bthe )(?<!\ban )(?<!\ba )\b{RELATIVE}\s+{TWO}"),
)


class Subject(NamedTuple):
    """One of the things compared: as the question calls it, and the passages (by index) that tell of it.

    `is_described`: the question does not name it but says what it is.
    """

    name: str
    passages: tuple[int, ...]
    is_described: bool = False


def alternatives(question: Question, asked: Asked, passages: Sequence[Passage]) -> list[Subject]:
    """Return the two things between which "or" stands."""
    text = question.text.rstrip(" .").removesuffix("?").rstrip()
    if len(text) > LONGEST:
        return []
    typed = _typed(text, question, passages) if asked.kind in ("thing", "person", "place") else []
    if any(each.is_described for each in typed):
        return typed
    titles = {key for passage in passages for key in _keys(passage.title)}
    cells = (cell for passage in passages for row in rows_of(passage)[1:] for cell in row)
    titles |= {name_key(cell) for cell in cells if not cell.islower()} - {""}
    for start, end in _joints(text):
        left = _left(text[:start], question, titles)
        right = _right(text[end:], end, question, titles)
        if left and right:
            return [Subject(name, about(name, question, passages)) for name in (left, right)]
    return typed if text.islower() else []


def _joints(text: str) -> Iterator[tuple[int, int]]:
    """Yield where "or" stands, the last first, then each "and" behind "out of" or "between"."""
    yield from (match.span() for match in reversed(list(OR.finditer(text))))
    two = OF_TWO.search(text)
    if two and COMPARED.search(text):
        yield from (match.span() for match in AND.finditer(text, two.end()))


def _typed(text: str, question: Question, passages: Sequence[Passage]) -> list[Subject]:
    """Return the two things between which "or" stands at the end of a question, as they are typed, both told."""
    patterns = TYPED if text.islower() else TYPED[:1]
    found = next(filter(None, (pattern.search(text) for pattern in patterns)), None)
    names = [*found.groups()] if found else []
    told = [{*passage.words.stems, *stems_in(f"{passage.title} {passage.heading}")} for passage in passages]
    if not all(any(stems >= content_in(name) for stems in told) for name in names):
        return []
    return [
        Subject(_without_the(name), about(_without_the(name), question, passages), DESCRIBED.match(name) is not None)
        for name in names
    ]


def _keys(title: str) -> tuple[str, ...]:
    short = short_name(title)
    return (name_key(title),) if short is None else (name_key(title), name_key(short))


def _left(text: str, question: Question, titles: set[str]) -> str | None:
    """Return the longest end of a text that is a title or a mention, else what follows its last comma."""
    starts = [match.start() for match in re.finditer(r"(?<!\S)\S", text)]
    for start in starts:
        if name_key(text[start:]) in titles:
            return _without_the(text[start:])
    mentions = [each for each in question.mentions if each.end == len(text)]
    behind = _without_the(BEHIND.split(text)[-1].strip())
    if mentions and len(behind) < len(mentions[0].name):
        return mentions[0].name
    return behind if _is_name(behind) else None


def _right(text: str, offset: int, question: Question, titles: set[str]) -> str | None:
    ends = [match.end() for match in re.finditer(r"\S(?!\S)", text)]
    for end in reversed(ends):
        if name_key(text[:end]) in titles:
            return _without_the(text[:end].rstrip(" ,?"))
    for mention in question.mentions:
        if mention.start <= offset + 4 and mention.end > offset:
            return mention.name
    name = re.split(r"[,?]| (?:born|die|have|has|is|was|come|the) ", text)[0].strip()
    return _without_the(name) if _is_name(name) else None


def _is_name(text: str) -> bool:
    """Tell whether a text may be a name: all its words but small ones have a capital or a digit."""
    words = text.split()
    large = [word for word in words if not word.islower()]
    return bool(words) and not words[0].islower() and 2 * len(large) >= len(words) and words[0].lower() not in FUNCTION


def _without_the(name: str) -> str:
    """Return a name without an article in lower case, which is no part of it."""
    return name.removeprefix("the ").strip()


def about(name: str, question: Question, passages: Sequence[Passage]) -> tuple[int, ...]:
    """Return the passages (by index) about what a question calls by a name: of its title, else whom it is taken for.

    Else those whose titles have all words of the name in a row, else those below a heading of that name.
    """
    key = name_key(name)
    exact = [index for index, passage in enumerate(passages) if key in _keys(passage.title)]
    if exact:
        return tuple(sorted(exact, key=lambda index: name_key(passages[index].title) != key))
    entities = {entity for each in question.mentions if each.name == name for entity in each.entities.tolist()}
    meant = [index for index, passage in enumerate(passages) if passage.entity in entities]
    keys = [f" {name_key(passage.title)} " for passage in passages]
    meant = meant or [index for index, title in enumerate(keys) if key and f" {key} " in title]
    return tuple(meant or [index for index, passage in enumerate(passages) if key and key == name_key(passage.heading)])
