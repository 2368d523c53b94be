"""Facts that the SKB holds as relations and attributes, each with the chunk that says it where one does.

A relation is evidenced by a chunk that has both ends: on the page of one of them
it cites the other, or it cites both. Of those, one whose words say the
predicate too is chosen, if it is among the first few.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from retriever.session import Session
from retriever.synthesis.facts.fact import Fact, Thing
from retriever.synthesis.facts.rows import CONTEXTUAL, is_fit, is_name, is_plain
from retriever.synthesis.facts.things import whole_value
from retriever.synthesis.grammar.predicates import Predicate, dated, predicate_of
from weft.text.stems import stems_of

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
ON_PAGE = """
SELECT chunk.id, chunk.kind, chunk.text FROM chunk JOIN cites ON chunk_id = chunk.id
WHERE page_id = ? AND entity_id = ? ORDER BY chunk.kind <> 'infobox', position LIMIT ?
"""
WITH_BOTH = """
SELECT chunk.id, chunk.kind, chunk.text FROM cites AS one JOIN cites AS other ON other.chunk_id = one.chunk_id
JOIN chunk ON chunk.id = one.chunk_id WHERE one.entity_id = ? AND other.entity_id = ? ORDER BY chunk.id LIMIT ?
"""
VALUED = "SELECT id, kind, text FROM chunk WHERE page_id = ? AND instr(text, ?) ORDER BY position LIMIT ?"


def has_evidence(session: Session) -> bool:
    """Tell whether chunks are what is found in an SKB, and so what says its facts; in graphs the nodes are."""
    return not session.skb.is_graph and session.skb.count("chunk") > 0


def relation_facts(session: Session) -> Iterator[Fact]:
    """Yield the relations of an SKB; on one with text those alone that a chunk is evidence of."""
    has_text = has_evidence(session)
    for label, subject, name, page, other, other_name, other_page in session.skb.connection.execute(RELATIONS):
        object_ = _entity(other, other_name)
        predicate = dated(predicate_of(label), label, object_.kind)
        if not predicate.words or not is_fit(predicate.words, object_):
            continue
        chunk, said = _evidence(session, predicate, (subject, page), (other, other_page)) if has_text else (None, True)
        if chunk is not None or not has_text:
            yield Fact(_entity(subject, name), predicate, object_, chunk, said)


def _entity(entity: int, name: str) -> Thing:
    """Return an entity as a thing; one whose name is a year, a date or a number is that too."""
    thing = whole_value(name)
    kind = thing.kind if thing.kind in ("date", "year", "number") else "entity"
    return Thing(kind, name, entity, thing.number)


def attribute_facts(session: Session) -> Iterator[Fact]:
    """Yield the short attributes of an SKB that a chunk of their entity's page has, all of them where text is none."""
    has_text = has_evidence(session)
    for key, value, entity, page in session.skb.connection.execute(ATTRIBUTES):
        thing = whole_value(value)
        predicate = dated(predicate_of(key), key, thing.kind)
        if not is_plain(value) or not predicate.words or (has_text and page is None):
            continue
        if is_name(key) or CONTEXTUAL & set(predicate.words.split()) or not is_fit(predicate.words, thing):
            continue
        rows = session.skb.connection.execute(VALUED, (page, thing.text, FEW)).fetchall() if has_text else []
        chunk, said = _saying(predicate, rows)
        if chunk is not None or not has_text:
            yield Fact(Thing("entity", "", entity), predicate, thing, chunk, said or not has_text)


def _evidence(
    session: Session, predicate: Predicate, one: tuple[int, int | None], other: tuple[int, int | None]
) -> tuple[int | None, bool]:
    """Return a chunk that has both ends, given by entity and page, and whether it says the predicate."""
    found: list[tuple[int, str, str]] = []
    execute = session.skb.connection.execute
    for (_, page), (entity, _) in ((one, other), (other, one)):
        if page is not None:
            found += execute(ON_PAGE, (page, entity, FEW)).fetchall()
    return _saying(predicate, found or execute(WITH_BOTH, (one[0], other[0], FEW)).fetchall())


def _saying(predicate: Predicate, chunks: list[tuple[int, str, str]]) -> tuple[int | None, bool]:
    """Return the first chunk with a word of a predicate, or the first; an infobox's row is taken to say what it has."""
    wanted = _content(predicate)
    for chunk, _, text in chunks:
        if wanted & set(stems_of(text)):
            return chunk, True
    return (chunks[0][0], False) if chunks else (None, False)


@lru_cache(maxsize=1 << 12)
def _content(predicate: Predicate) -> frozenset[str]:
    return frozenset(each for each in predicate.key.split() if len(each) > 3 or each.isdigit()) or frozenset(
        predicate.key.split()
    )
