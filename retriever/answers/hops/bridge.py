"""Answering hop by hop: first what a question describes, then the question with the answer in its place.

"In which town was the designer of the Quillon Bridge born?" describes a designer. Who that is, is looked for on the
page of the bridge; where the answer is a designer, or at least a person, with a page, the town is looked for there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import NamedTuple

import numpy as np

from retriever.answers.candidates import NAMING, Candidate
from retriever.answers.hops.nested import Description, descriptions, named
from retriever.answers.hops.relatives import entity_of, relative
from retriever.answers.hops.roles import SURE, holder, linking, role_asked
from retriever.answers.passages import HITS
from retriever.answers.ranker import Ranked, alone, but, ranked
from retriever.answers.reading import Reading, read
from retriever.answers.text.countries import are_countries
from retriever.answers.text.kind_asked import asks_person
from retriever.answers.text.kinds import Kind, kinds_of
from retriever.answers.text.lexicon.hypernyms import is_a, noun_of, senses_of
from retriever.answers.text.lexicon.meanings import alike, vectors_of
from retriever.answers.text.looks import has_number, looks_of
from retriever.answers.text.words import stem_of
from retriever.fusion.store import Fusion
from retriever.learning.log_odds import log_odds
from retriever.protocols import Ranker
from retriever.question.reader import linked_question, query_of, question_of
from retriever.session import Session
from retriever.types import Ids, Ranking

MOST_HOPS = 2
"""Descriptions that are answered one after the other."""

FEW = 4
"""Chunks of the pages of what is named that are read for a description."""

MOST_TRIED = 6
"""Best answers to a description of which one must have a page and be what the noun says."""

LEAST_SCORE, LEAST_OF_NAMED, LEAST_PAGED = 3.5, 1.5, 0.5
"""The scores (log-odds) from which on an answer to a description is followed: by a clause, and as somebody's or of
something named, without a page and with one."""

LEAST_CHANCE = 0.2
"""The chance from which on an answer by hops counts, not what the question's own passages offer."""

LEAST_HIT = 0.05
"""The least chance of a passage, as of one that was no hit of the whole question."""

MOST_READ = 12
"""Readings that one question costs at most, however much it describes."""

FIRST_HIT = 0.9
"""The chance of the best passage of a page that is read as it is: it is the page that is asked about."""

LEAST_ALIKE = 0.5
"""How like what a page says it is about a noun must be by word vectors (cosine)."""

COUNTRIES = frozenset(("country", "nation"))
TOWNS = frozenset("village town city municipality commune hamlet capital settlement".split())
TOWN_STEMS = frozenset(map(stem_of, TOWNS))
ANYWHERE = frozenset("place birthplace home hometown location site area spot origin destination".split())
"""Nouns that any place may answer to."""


class Hop(NamedTuple):
    """A question for what another one describes, its answer, and both read.

    `entity` is what the answer names, 0 where it has no page.
    """

    asks: str
    answer: str
    entity: int
    found: Ranked


class Bridged(NamedTuple):
    """The hops to an answer, and the reading of the page to which the last one leads, where it stands."""

    hops: tuple[Hop, ...]
    last: Ranked

    @property
    def is_paged(self) -> bool:
        """Whether every hop leads to a page."""
        return all(hop.entity for hop in self.hops)

    @property
    def chance(self) -> float:
        """The probability that what was read answers every question on the way, 0 to 1."""
        return prod((self.last.chance, *(hop.found.chance for hop in self.hops)))


class Asking(NamedTuple):
    """What ranks chunks and answers, the `chances` of the chunks that were read for the whole question, what may be
    read, and one item of `left` for each reading that is left.

    `everywhere` tells whether what names nothing is looked for on all pages. `described` gathers what descriptions are
    surely answered by.
    """

    session: Session
    chunks: Ranker
    answers: Fusion
    chances: Mapping[int, float]
    allowed: Ids | None
    everywhere: bool
    left: Iterator[int]
    described: list[str]

    def descriptions(self, text: str) -> list[Description]:
        """Return what a question describes and is looked for."""
        found = descriptions(text, linked_question(self.session, text).mentions)
        return found if self.everywhere else named(found)


def bridged(
    session: Session, chunks: Ranker, answers: Fusion, text: str, chances: Mapping[int, float], allowed: Ids | None,
    *, everywhere: bool = True,
) -> tuple[Bridged | None, Sequence[str]]:  # fmt: skip
    """Return the answer by way of what a question describes, and what that is, which is no answer itself.

    No way where the question describes nothing that is found for sure.

    Of several descriptions the first that is found counts, one with a page before one without. `chances` are those of
    the question's best hits; `allowed` are the chunks that may be read, None for all. Only where `everywhere` says so
    is what names nothing looked for, on all pages.
    """
    asking = Asking(session, chunks, answers, chances, allowed, everywhere, iter(range(MOST_READ)), [])
    return _by_way(asking, text, MOST_HOPS), asking.described


def _by_way(asking: Asking, text: str, hops: int) -> Bridged | None:
    by_name = None
    for each in asking.descriptions(text):
        way = _by_way_of(asking, text, each, hops)
        if way is not None and way.chance >= LEAST_CHANCE:
            if way.is_paged:
                return way
            by_name = by_name or way
    return by_name


def _by_way_of(asking: Asking, text: str, each: Description, hops: int) -> Bridged | None:
    hop = _held(asking, each) or _described(asking, each)
    if hop is None:
        return None
    if (hop.entity or asks_person(each.noun)) and not each.may_be_asked(text):
        # Of a thing without a page nothing says that it is what the noun says.
        asking.described.append(hop.answer)
    asked = each.filled(text, hop.answer)
    if asking.descriptions(asked):
        further = _by_way(asking, asked, hops - 1) if hops > 1 else None
        return further and further._replace(hops=(hop, *further.hops))
    last = _on_pages(asking, asked, np.array([hop.entity] if hop.entity else [], np.int64), search=True)
    if last and (found := relative(asking.session, asked, last.reading.passages)):
        return Bridged((hop,), alone(last.reading, found, SURE))
    last = last and but(asking.answers, last, [hop.answer])
    return last and Bridged((hop,), last)


def _described(asking: Asking, each: Description) -> Hop | None:
    first = _on_pages(asking, each.asks, each.anchors, search=not len(each.anchors))
    if first and (found := relative(asking.session, each.asks, first.reading.passages)):
        return Hop(each.asks, found.text, found.entity, alone(first.reading, found, SURE))
    kin = re.compile(rf"\b{re.escape(each.kin)}\b", re.I) if each.kin else None
    if first is None or (kin and any(kin.search(passage.text) for passage in first.reading.passages)):
        # A page that says who the grandfather is, is asked for the grandfather.
        return None
    return _hop(asking.session, each, first) or _by_name(asking.session, each, first)


def _held(asking: Asking, each: Description) -> Hop | None:
    """Return who has a role by his own page, which links to what the role is of; None where no page says so."""
    noun, session = role_asked(each.asks), asking.session
    chunks = linking(session, each.anchors, noun)[:FEW] if noun and len(each.anchors) else each.anchors[:0]
    chunks = chunks if asking.allowed is None else chunks[np.isin(chunks, asking.allowed)]
    if not len(chunks) or next(asking.left, None) is None:
        return None
    reading = read(session, query_of(linked_question(session, each.asks), "chunk", chunks), _known(asking, chunks))
    found = holder(session, each.asks, reading.passages)
    is_other = found is not None and found.entity and found.entity not in each.anchors
    return Hop(each.asks, found.text, found.entity, alone(reading, found, SURE)) if found and is_other else None


def _hop(session: Session, each: Description, first: Ranked) -> Hop | None:
    """Return the best answer to a description that has a page and is what its noun says, None where none is likely.

    None behind a better one that may be so too and has no page, unless both share a word: whose wife has no page, has
    no other one for that.
    """
    tried: set[str] = set()
    better: list[str] = []
    for index in np.argsort(-first.scores, kind="stable").tolist():
        candidate = first.reading.candidates[index]
        if len(tried) == MOST_TRIED or first.scores[index] < (LEAST_SCORE if each.is_clause else LEAST_PAGED):
            return None
        if candidate.key in tried:
            continue
        tried.add(candidate.key)
        entity, words = _entity(session, first.reading, candidate), set(candidate.key.split())
        if entity and entity not in each.anchors and _is(session, entity, each.noun):
            if all(words.intersection(other.split()) for other in better):
                return Hop(each.asks, candidate.text, entity, first._replace(best=index))
        elif not entity and _is_named(candidate, each.noun):
            better.append(candidate.key)
    return None


def _by_name(session: Session, each: Description, first: Ranked) -> Hop | None:
    """Return the best answer to a description where it has no page, None where it is no name that its noun fits."""
    candidate = first.candidate
    if first.scores[first.best] < (LEAST_SCORE if each.is_clause else LEAST_OF_NAMED):
        return None
    names = candidate.form in NAMING and any(are_countries([candidate.text]))
    fits = names if each.noun in COUNTRIES else _is_named(candidate, each.noun)
    return Hop(each.asks, candidate.text, 0, first) if fits and not _entity(session, first.reading, candidate) else None


def _is_named(candidate: Candidate, noun: str) -> bool:
    """Tell whether a candidate without a page is a name that may be what a noun names."""
    text = candidate.text
    is_name = candidate.form in NAMING and text[0].isupper() and not has_number(text) and not any(are_countries([text]))
    return is_name and (looks_of(text)[0] or not asks_person(noun))


def _on_pages(asking: Asking, text: str, entities: Ids, *, search: bool) -> Ranked | None:
    """Return what the pages of some entities offer as answers, all pages where none are given; None for nothing.

    Of longer pages HITS chunks are searched for, or FEW taken of those that were read for the whole question and of
    how the pages begin.
    """
    session, chunks = asking.session, asking.allowed
    if len(entities):
        own = np.unique(np.concatenate([session.chunks_of_entity(int(each)) for each in entities]))
        chunks = own if chunks is None else own[np.isin(own, chunks)]
    if chunks is not None and not search:
        chunks = np.array(sorted(chunks.tolist(), key=lambda each: each not in asking.chances)[:FEW], np.int64)
    if (chunks is not None and not len(chunks)) or next(asking.left, None) is None:
        return None
    if chunks is not None and len(chunks) <= HITS:
        known = query_of(linked_question(session, text), "chunk", chunks)
        return ranked(asking.answers, read(session, known, _known(asking, chunks)))
    query = query_of(question_of(session, text), "chunk", chunks)
    return ranked(asking.answers, read(session, query, asking.chunks.rank(session, query, HITS)))


def _known(asking: Asking, chunks: Ids) -> Ranking:
    """Return chunks as hits, ranked as the whole question's were; what was none of these comes last."""
    chances = np.array([max(LEAST_HIT, asking.chances.get(each, 0.0)) for each in chunks.tolist()])
    chances *= FIRST_HIT / chances.max()
    order = np.argsort(-chances, kind="stable")
    nothing = np.zeros((len(chunks), 0), np.float32)
    return Ranking("chunk", chunks[order], log_odds(chances[order]), nothing, (), np.zeros(len(chunks), np.int32))


def _entity(session: Session, reading: Reading, candidate: Candidate) -> int:
    """Return the entity that a candidate names, 0 where it names none."""
    links = reading.passages[candidate.passage].links
    return candidate.entity or entity_of(session, candidate.text, candidate.start, candidate.end, links)


def _is(session: Session, entity: int, noun: str) -> bool:
    """Tell whether an entity is what a noun names, by its page's title and by how the page begins."""
    (number,) = session.chunk_table.pages_of(np.array([entity])).tolist()
    kind = kinds_of(session, [number]).get(number) if number else None
    if kind is None or stem_of(noun) in kind.is_a:
        return kind is not None
    (page,) = session.skb.pages([number])
    return _may_be(kind, noun, page.title)


def _may_be(kind: Kind, noun: str, title: str) -> bool:
    if asks_person(noun) or kind.is_person:
        return asks_person(noun) and kind.is_person
    if any(is_a(word.lower(), senses_of(noun)) for word in (noun_of(title), title.split(" ", 1)[0])):
        return True
    if kind.is_place:
        # A river is no lake, but a city may be called a town.
        return noun in ANYWHERE or (noun in TOWNS and bool(TOWN_STEMS & kind.is_a))
    like = alike(vectors_of(("", *sorted(kind.is_a))), vectors_of((stem_of(noun),)))
    return bool(like.max() >= LEAST_ALIKE)
