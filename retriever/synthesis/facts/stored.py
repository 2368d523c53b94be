"""Facts that the SKB holds as relations and attributes, each with the chunk that says it where one does.

A relation is evidenced by a chunk that has both ends: on the page of one of them
it cites the other, or it cites both. Of those, one whose words say the predicate
too, in one sentence or row with the other end, is chosen, if it is among the
first few: what was launched at a place is not said to be built there because
another sentence has that word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np

from retriever.session import Session
from retriever.synthesis.facts.fact import Fact, Thing
from retriever.synthesis.facts.known import listed_facts
from retriever.synthesis.facts.rows import CONTEXTUAL, counted_kind, is_fit, is_name, is_plain, without_conversion
from retriever.synthesis.facts.things import whole_value
from retriever.synthesis.grammar.labels import dated, predicate_of
from retriever.synthesis.grammar.predicates import Predicate
from retriever.synthesis.grammar.units import measured_in, with_unit
from retriever.types import Ids
from weft.text.names import plain_name
from weft.text.normalise import words_of
from weft.text.sentences import sentences
from weft.text.stems import stems_of

LONGEST_ARTICLE = 3
FEW = 8
"""Chunks that are looked at for words of a predicate."""

RELATIONS = """
SELECT relation_type.name, subject.id, subject.name, subject.page_id, object.id, object.name, object.page_id
FROM relation
JOIN relation_type ON relation_type.id = type_id
JOIN entity AS subject ON subject.id = subject_id
JOIN entity AS object ON object.id = object_id
ORDER BY relation.id
"""
ATTRIBUTES = """
SELECT attribute.key, attribute.value, entity.id, entity.page_id FROM attribute
JOIN entity ON entity.id = entity_id ORDER BY attribute.id
"""
CITES = "SELECT entity_id, chunk_id FROM cites ORDER BY entity_id, chunk_id"
CHUNKS = "SELECT id, kind, text, page_id FROM chunk WHERE id IN ({}) ORDER BY kind <> 'infobox', position"
VALUED = "SELECT id, kind, text, page_id FROM chunk WHERE page_id = ? AND instr(text, ?) ORDER BY position LIMIT ?"


def has_evidence(session: Session) -> bool:
    """Tell whether chunks are what is found in an SKB, and so what says its facts; in graphs the nodes are."""
    return not session.skb.is_graph and session.skb.count("chunk") > 0


def relation_facts(session: Session) -> Iterator[Fact]:
    """Yield the relations of an SKB; on one with text those that no chunk is evidence of are only known."""
    has_text = has_evidence(session)
    citing = _Citing(session) if has_text else None
    for label, subject, name, page, other, other_name, other_page in session.skb.connection.execute(RELATIONS):
        object_ = _entity(other, other_name)
        predicate = dated(predicate_of(label), label, object_.kind)
        if not predicate.words or not is_fit(predicate.words, object_):
            continue
        ends = End(subject, page, name), End(other, other_page, other_name)
        chunk, said = _evidence(citing, session, predicate, *ends) if citing else (None, True)
        is_asked = chunk is not None or not has_text
        yield Fact(_entity(subject, name), predicate, object_, chunk, said, is_asked=is_asked)


def _entity(entity: int, name: str) -> Thing:
    """Return an entity as a thing; one whose name is a year, a date or a number is that too."""
    thing = whole_value(name)
    kind = thing.kind if thing.kind in ("date", "year", "number") else "entity"
    return Thing(kind, name, entity, thing.number)


def attribute_facts(session: Session) -> Iterator[Fact]:
    """Yield the short attributes of an SKB that a chunk of their entity's page has, all of them where text is none;
    what others name is only known."""
    has_text = has_evidence(session)
    for key, value, entity, page in session.skb.connection.execute(ATTRIBUTES):
        value = without_conversion(value)
        thing = whole_value(value)
        predicate = dated(predicate_of(key), key, counted_kind(thing))
        is_row = not is_name(key) and not CONTEXTUAL & set(predicate.words.split()) and is_fit(predicate.words, thing)
        is_asked = is_plain(value) and bool(predicate.words) and is_row and not (has_text and page is None)
        rows = session.skb.connection.execute(VALUED, (page, thing.text, FEW)).fetchall() \
            if has_text and is_asked else []
        chunk, said = _saying(predicate, rows, partial(_always, (thing.text,)))
        own = Thing("entity", "", entity)
        if is_asked and (chunk is not None or not has_text):
            text = next((text for identity, _, text, _ in rows if identity == chunk), "")
            thing = whole_value(with_unit(value, measured_in(text, value)))
            yield Fact(own, predicate, thing, chunk, said or not has_text)
        elif thing.kind == "name":
            yield from listed_facts(own, key, value, None)


class End(NamedTuple):
    """An entity with its page and its name."""

    entity: int
    page: int | None
    name: str


class _Citing:
    """Which chunks cite an entity, as arrays in the order of the entities; 16 bytes a citation."""

    def __init__(self, session: Session) -> None:
        pairs = np.fromiter(session.skb.connection.execute(CITES), np.dtype((np.int64, 2))).reshape(-1, 2)
        self._entities: Ids = pairs[:, 0].astype(np.int64)
        self._chunks: Ids = pairs[:, 1].astype(np.int64)
        self._session = session
        self._of = lru_cache(maxsize=1 << 14)(self._citing)

    def _citing(self, entity: int) -> tuple[Ids, Ids]:
        """Return the chunks that cite an entity, and their pages."""
        part = slice(*np.searchsorted(self._entities, [entity, entity + 1]).tolist())
        table = self._session.chunk_table
        return self._chunks[part], table.pages[table.indices(self._chunks[part])]

    def both(self, one: End, other: End) -> list[int]:
        """Return a few chunks that have two entities, given with their pages: on the page of one, else citing both."""
        (chunks, pages), (others, other_pages) = self._of(one.entity), self._of(other.entity)
        on_page = [chunks[pages == (other.page or 0)], others[other_pages == (one.page or 0)]]
        joint = _in_both(chunks, others) if not any(map(len, on_page)) else None
        found = np.concatenate(on_page) if joint is None else joint
        return list(dict.fromkeys(found[:FEW].tolist()))


def _in_both(one: Ids, other: Ids) -> Ids:
    """Return what two ascending arrays share; n log m for the shorter of n and the longer of m."""
    short, long = (one, other) if len(one) < len(other) else (other, one)
    if not len(short):
        return short
    at = np.minimum(np.searchsorted(long, short), len(long) - 1)
    joint: Ids = short[long[at] == short]
    return joint


def _evidence(
    citing: _Citing, session: Session, predicate: Predicate, one: End, other: End
) -> tuple[int | None, bool]:
    """Return a chunk that has both ends, and whether it says the predicate."""
    found = citing.both(one, other)
    marks = ",".join("?" * len(found))
    rows = session.skb.connection.execute(CHUNKS.format(marks), found).fetchall() if found else []
    return _saying(predicate, rows, lambda page: tuple(end.name for end in (one, other) if end.page != page))


def _always(names: tuple[str, ...], page: int) -> tuple[str, ...]:
    return names


def _saying(
    predicate: Predicate, chunks: list[tuple[int, str, str, int]], named: Callable[[int], tuple[str, ...]]
) -> tuple[int | None, bool]:
    """Return the first chunk that says a predicate of what must be named on its page, or the first, and whether it
    does."""
    wanted = _content(predicate)
    for chunk, kind, text, page in chunks:
        names = [set(words_of(plain_name(name))) for name in named(page)]
        if any(wanted & set(stems_of(part)) and all(_has(part, name) for name in names) for part in _parts(kind, text)):
            return chunk, True
    return (chunks[0][0], False) if chunks else (None, False)


def _has(part: str, name: set[str]) -> bool:
    """Tell whether a part of a text has a word of a name that is longer than an article."""
    telling = {word for word in name if len(word) > LONGEST_ARTICLE} or name
    return not telling or bool(telling & set(words_of(part)))


def _parts(kind: str, text: str) -> list[str]:
    """Return the sentences of a paragraph, and the rows of anything else, each of a table with its header."""
    if kind in ("paragraph", "list"):
        return [text[start:end] for start, end in sentences(text)]
    lines = text.split("\n")
    return [f"{lines[0]} {lines[1]} {line}" for line in lines[1:]] if kind == "table" and len(lines) > 1 else lines


@lru_cache(maxsize=1 << 12)
def _content(predicate: Predicate) -> frozenset[str]:
    return frozenset(each for each in predicate.key.split() if len(each) > 3 or each.isdigit()) or frozenset(
        predicate.key.split()
    )
