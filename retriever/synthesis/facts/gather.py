"""Gather the facts of an SKB: what its sentences and rows say, then its relations and attributes.

Chunks are streamed in the order of their ids; memory follows the entities alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from typing import NamedTuple

import numpy as np

from retriever.session import Session
from retriever.synthesis.facts.clauses import clause_facts
from retriever.synthesis.facts.definitions import noun_of, said_of
from retriever.synthesis.facts.fact import Fact, Thing
from retriever.synthesis.facts.known import row_facts
from retriever.synthesis.facts.meanings import Meaning, Meanings, Usage, names_of
from retriever.synthesis.facts.rows import infobox_facts, is_card, keyed_facts, table_facts
from retriever.synthesis.facts.sentences import Passage, facts_of, is_of_another
from retriever.synthesis.facts.store import FactStore
from retriever.synthesis.facts.stored import attribute_facts, has_evidence, relation_facts
from weft.text.names import plain_name
from weft.text.normalise import words_of
from weft.text.sentences import sentences, spans

PASSAGES = """
SELECT chunk.id, chunk.text, chunk.kind, page.title, entity.id, substr(section.path_text, length(page.title) + 4)
FROM chunk JOIN page ON page.id = chunk.page_id JOIN entity ON entity.page_id = page.id
LEFT JOIN section ON section.id = chunk.section_id ORDER BY chunk.id
"""
"""Every chunk with the headings above it, which a path joins behind the title: `substr` counts from 1."""

SEPARATOR = " > "

FEW = 0.25
"""Facts a paragraph below which sentences are also read whose subjects and objects are no names."""

KINDS = frozenset("language languages genre genres currency religion order class family title role nickname".split())
"""Words of predicates whose object has a name that other things have too: a country's language is called as it is."""

ENGLISH = frozenset("the and to that are with for this from which be can when".split())
LEAST_ENGLISH = 0.05
"""The share of those words by which paragraphs are English, the one language that is read: manuals and notes have
14 to 20%."""

NOBODY = 0
"""No entity's id: what `it` means below a heading that names another thing is not known."""

LOOKED_AT = 200
"""Paragraphs that tell the language."""


class Gathered(NamedTuple):
    """The facts of an SKB, what texts call its entities, in their pages' first sentences or in passing, and how."""

    store: FactStore
    nouns: dict[int, str]
    usage: Usage


def gather(
    session: Session, advance: Callable[[int], object] = lambda n: None, *, only_said: bool = True,
    reads_keys: bool = False,
) -> Gathered:  # fmt: skip
    """Read every chunk, relation and attribute of an SKB; `advance` is called for each chunk. Linear.

    `only_said`: questions are made of facts alone whose chunk says the predicate, not merely both ends.
    `reads_keys`: where sentences say little, rows of plain tables are called by their keys, too long a name for a
    question that describes it.
    """
    (ids,) = np.array(session.skb.connection.execute("SELECT id FROM entity ORDER BY id").fetchall(), np.int64).T \
        if session.skb.count("entity") else (np.empty(0, np.int64),)
    usage = Usage(ids, *(np.zeros(len(ids), np.int32) for _ in range(6)))
    nouns: dict[int, str] = {}
    store = FactStore(only_said=only_said)
    in_passing: dict[int, str] = {}
    said = (_said(kind, passage, nouns, in_passing) for kind, passage in _passages(session, usage, advance))
    meant = partial(_meant, names_of(session))
    store.add(map(meant, chain.from_iterable(said)))
    if has_evidence(session) and _says_little(session, store):
        meanings = Meanings(session, usage)
        # Read before, so that how names are written is known, and not counted again.
        again = _passages(session, usage.copy(), ignore)
        said = (_clauses(kind, passage, meanings, reads_keys=reads_keys) for kind, passage in again)
        store.add(map(meant, chain.from_iterable(said)))
    store.add(relation_facts(session))
    store.add(map(meant, attribute_facts(session)))
    store.finish()
    return Gathered(store, in_passing | nouns, usage)


def _says_little(session: Session, store: FactStore) -> bool:
    """Tell whether paragraphs give few facts, though they are in a language that gives some."""
    table = session.chunk_table
    paragraphs = table.chunk_ids[np.array(table.kind_names)[table.kinds] == "paragraph"]
    said = store.connection.execute("SELECT chunk FROM fact WHERE said >= 0")
    n = int(np.isin(np.array([chunk for (chunk,) in said], np.int64), paragraphs).sum())
    if n:
        return n < FEW * len(paragraphs)
    spread = paragraphs[:: max(1, len(paragraphs) // LOOKED_AT)].tolist()
    return is_english(" ".join(chunk.text for chunk in session.skb.chunks(spread)))


def is_english(text: str) -> bool:
    """Tell whether a text has as many of the commonest words of English as English has. Linear.

    >>> is_english("To open the lock, turn the key."), is_english("Der Schlüssel öffnet das Schloss an der Tür.")
    (True, False)
    """
    words = words_of(text)
    return sum(word in ENGLISH for word in words) > LEAST_ENGLISH * len(words)


def _note_nouns(passage: Passage, nouns: dict[int, str]) -> None:
    for start, end, entity in passage.links:
        noun = "" if entity in nouns else said_of(passage.text, start, end)
        if noun:
            nouns[entity] = noun


def _said(
    kind: str, passage: Passage, nouns: dict[int, str], in_passing: dict[int, str]
) -> Iterator[Fact]:
    """Yield what a passage says; note what it calls its page, and what it links to."""
    if kind in ("infobox", "table"):
        is_box = kind == "table" and is_card(passage.text, passage.names)
        rows = passage._replace(text=passage.text.partition("\n")[2], links=()) if is_box else passage
        return _rows("infobox" if is_box else kind, rows)
    if kind != "paragraph":
        return iter(())
    _note_nouns(passage, in_passing)
    noun = "" if passage.own in nouns else noun_of(passage)
    if noun:
        nouns[passage.own] = noun
    return facts_of(passage._replace(nouns=frozenset(nouns.get(passage.own, "").split()[-1:])))


def _rows(kind: str, passage: Passage) -> Iterator[Fact]:
    """Yield what questions are made of, and what else rows say."""
    chunk, text, links = passage.chunk_id, passage.text, list(passage.links)
    yield from infobox_facts(chunk, text, passage.own) if kind == "infobox" else table_facts(chunk, text, links)
    yield from row_facts(chunk, kind, text, passage.own, links)


def _meant(named: Meaning, fact: Fact) -> Fact:
    """Return a fact whose names are entities where one alone has that name, so that both are one thing."""
    if KINDS & set(fact.predicate.words.split()):
        return fact
    ends = (fact.subject, fact.object)
    subject, object_ = (
        Thing("entity", each.text, entity) if each.kind == "name" and (entity := named(each.text)) is not None else each
        for each in ends
    )
    return fact._replace(subject=subject, object=object_)


def ignore(n: int) -> None:
    """Do nothing with a number: for a second reading, which is not told."""


def _clauses(kind: str, passage: Passage, meanings: Meanings, *, reads_keys: bool) -> Iterator[Fact]:
    if kind == "table" and reads_keys:
        return keyed_facts(passage.chunk_id, passage.text, list(passage.links))
    if kind not in ("paragraph", "list"):
        return iter(())
    return clause_facts(passage.chunk_id, passage.text, list(passage.sentences), list(passage.links),
                        lambda words: meanings.of(words, passage.own),
                        NOBODY if is_of_another(passage) else passage.own)  # fmt: skip


def _note_usage(text: str, begins: list[int], indices: list[int], usage: Usage, *, is_prose: bool) -> None:
    """Count how a text writes the entities at some indices, which it links to from some places on."""
    for begin, index in zip(begins, indices, strict=True):
        usage.linked[index] += 1
        usage.definite[index] += text[max(0, begin - 4) : begin].lower() == "the "
        if is_prose:
            usage.note(index, text, begin)


def _note_own(text: str, name: str, index: int, usage: Usage) -> None:
    """Count how a paragraph writes the name of its page's own entity, where no longer name begins so."""
    for match in re.finditer(rf"\b(?i:{re.escape(name)})\b(?!-|\s[A-Z])", text):
        usage.note(index, text, match.start())


def _passages(
    session: Session, usage: Usage, advance: Callable[[int], object]
) -> Iterator[tuple[str, Passage]]:
    if not has_evidence(session):
        return
    chunk_table, links, ends = session.chunk_table, session.link_table, session.skb.sentence_table
    for chunk, text, kind, title, own, path in session.skb.connection.execute(PASSAGES):
        index = int(np.searchsorted(chunk_table.chunk_ids, chunk))
        part = slice(int(links.starts[index]), int(links.starts[index + 1]))
        indices, begins = links.entities[part].tolist(), links.begins[part].tolist()
        is_prose = kind == "paragraph"
        _note_usage(text, begins, indices, usage, is_prose=is_prose)
        if is_prose:
            _note_own(text, plain_name(title), int(np.searchsorted(usage.ids, own)), usage)
        spots = list(zip(begins, links.ends[part].tolist(), usage.ids[links.entities[part]].tolist(), strict=True))
        known = ends.of(chunk)
        bounds = sentences(text) if known is None else spans(text, known)
        names = tuple(dict.fromkeys((title, plain_name(title))))
        advance(1)
        headings = tuple(path.split(SEPARATOR)) if path else ()
        yield kind, Passage(chunk, text, bounds, spots, own, names, headings=headings)
