"""Candidates: every run of words of the passages that could be the answer, with what the SKB knows of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from retriever.answers.asked import Asked
from retriever.answers.passages import Passage
from retriever.answers.text.forms import FORMS, forms_in
from retriever.answers.text.likeness import answer_tokens
from retriever.context import Cache
from retriever.session import Session
from weft.text.names import short_name

MOST_CHUNKS = 1 << 12
Keyed = tuple[tuple[int, int, int, str, str, tuple[str, ...]], ...]
"""What in a chunk could be an answer: where it begins and ends, its form, text and key, and the words of that.

A garbage collector passes over plain tuples of these, of which there are many.
"""

NUMBERED = {name: index for index, name in enumerate(FORMS)}
NAMING = frozenset(NUMBERED[name] for name in ("name", "quoted", "value"))


class Candidate(NamedTuple):
    """A run of characters of a passage, or its title, that may answer.

    `key` is what all spellings of one answer share. `entity` is what a link says
    it is, 0 where none does. A title stands nowhere: its span is empty, before the first sentence.
    """

    text: str
    key: str
    passage: int
    start: int
    end: int
    form: int
    entity: int


def candidates_of(session: Session, passages: Sequence[Passage], asked: Asked) -> list[Candidate]:
    """Return the candidates of all passages, passage by passage; what the question says itself is left out."""
    known: Cache[int, Keyed] = session.part("forms of chunks", lambda own: Cache(MOST_CHUNKS))
    texts = {passage.chunk: passage.text for passage in passages}
    forms = known.of(texts, lambda missing: ((each, _keyed(texts[each])) for each in missing))
    inside = frozenset(answer_tokens(asked.text))
    entities = _entities(passages)
    found: list[Candidate] = []
    for index, passage in enumerate(passages):
        linked = {(link.start, link.end): link.entity for link in passage.links}
        for start, end, form, text, key, tokens in forms[passage.chunk]:
            if not inside.issuperset(tokens):
                entity = linked.pop((start, end), 0) if linked else 0
                if not entity and form in NAMING:
                    entity = entities.get(key, 0)
                found.append(Candidate(text, key, index, start, end, form, entity))
        for (start, end), entity in linked.items():
            text = passage.text[start:end]
            key = " ".join(answer_tokens(text))
            if key and not inside.issuperset(key.split()):
                found.append(Candidate(text, key, index, start, end, NUMBERED["name"], entity))
        title = short_name(passage.title) or passage.title
        key = " ".join(answer_tokens(title))
        if key and not inside.issuperset(key.split()):
            start, _ = passage.bounds[0]
            found.append(Candidate(title, key, index, start, start, NUMBERED["title"], passage.entity))
    return found


def _entities(passages: Sequence[Passage]) -> dict[str, int]:
    """Return what names are known to mean: those of the pages read, and what their links are anchored on."""
    found: dict[str, int] = {}
    for passage in passages:
        for text in (passage.title, short_name(passage.title) or passage.title):
            found.setdefault(" ".join(answer_tokens(text)), passage.entity)
    for passage in passages:
        for link in passage.links:
            found.setdefault(" ".join(answer_tokens(passage.text[link.start : link.end])), link.entity)
    return found


def _keyed(text: str) -> Keyed:
    found = []
    for form in forms_in(text):
        own = text[form.start : form.end]
        if tokens := answer_tokens(own):
            found.append((form.start, form.end, NUMBERED[form.form], own, " ".join(tokens), tuple(tokens)))
    return tuple(found)
