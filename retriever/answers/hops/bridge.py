"""Answering hop by hop: first what a question describes, then the question with the answer in its place.

"In which town was the designer of the Quillon Bridge born?" describes a designer. Who that is, is looked for on the
page of the bridge; where the answer is a designer, or at least a person, with a page, the town is looked for there.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import prod
from typing import NamedTuple

import numpy as np

from retriever.answers.columns.lives import lives_asked
from retriever.answers.hops.asking import FEW, Asking, fact_of, known, on_pages
from retriever.answers.hops.description import NO_ENTITIES, Description
from retriever.answers.hops.entities import alike_named, entity_named, paged
from retriever.answers.hops.hop import Hop, hop_of
from retriever.answers.hops.kin.relatives import TOLD, UNTOLD, first_of, kin_asked, relative
from retriever.answers.hops.roles import SURE, holder, linking, maker, role_asked
from retriever.answers.hops.unpaged import told_about
from retriever.answers.patterns.facts import Fact, fact_asked, told_beside, told_in
from retriever.answers.patterns.kin_trades import kin_trade, own_trade, trade_asked
from retriever.answers.ranker import Ranked, ranked, single_candidate, without_named
from retriever.answers.reading import read
from retriever.answers.text.kind_asked import asks_person
from retriever.fusion.store import Fusion
from retriever.protocols import Ranker
from retriever.question.reader import linked_question, query_of
from retriever.session import Session
from retriever.types import Ids

MOST_HOPS = 2
"""Descriptions that are answered one after the other."""

LEAST_CHANCE = 0.2
"""The chance from which on an answer by hops counts, not what the question's own passages offer."""

LEAST_TOLD = 0.2
"""The chance from which on sentences about what has no page answer, before others are looked at."""

LIKELY = 0.5
"""The chance from which on the own page of a place or a thing answers, before others are looked at; also that
from which on a page is followed, though it does not tell what is asked."""

MOST_READ = 12
"""Readings that one question costs at most, however much it describes."""


class Bridged(NamedTuple):
    """The hops to an answer, and the reading of the page to which the last one leads, where it stands.

    `fact` says the same, where there is one. `is_untold`: no page is found to tell the kin that is asked for last.
    """

    hops: tuple[Hop, ...]
    last: Ranked
    fact: Fact | None = None
    is_untold: bool = False

    @property
    def is_sure(self) -> bool:
        """Whether a fact says the answer, or every hop leads to a page, or to what a rule found."""
        return self.fact is not None or all(hop.entity or hop.is_told or hop.is_known for hop in self.hops)

    @property
    def is_read(self) -> bool:
        """Whether the answer stands in a passage, not in a fact alone."""
        return self.fact is None or self.last.candidate.end > self.last.candidate.start

    @property
    def chance(self) -> float:
        """The probability that what was read answers every question on the way, 0 to 1."""
        return prod((self.last.chance, *(hop.found.chance for hop in self.hops)))


class Ways(NamedTuple):
    """The way to an answer, if any, hops to what is described, which is no answer itself, and whether that is kin."""

    way: Bridged | None = None
    described: Sequence[Hop] = ()
    asks_kin: bool = False


def bridged(
    session: Session, chunks: Ranker, answers: Fusion, text: str, chances: Mapping[int, float], allowed: Ids | None,
    *, everywhere: bool = True,
) -> Ways:  # fmt: skip
    """Return the answer by way of what a question describes.

    No way where the question describes nothing that is found for sure.

    Of several descriptions the first that is found counts, one with a page before one without. `chances` are those of
    the question's best hits; `allowed` are the chunks that may be read, None for all. Only where `everywhere` says so
    is what names nothing looked for, on all pages.
    """
    asking = Asking(session, chunks, answers, chances, allowed, everywhere, iter(range(MOST_READ)), {})
    described: list[Hop] = []
    way = _by_way(asking, text, MOST_HOPS, described)
    return Ways(way, described, any(kin_asked(each.asks) for each in asking.descriptions(text)))


def _by_way(asking: Asking, text: str, hops: int, described: list[Hop]) -> Bridged | None:
    by_name, start = None, -1
    for each in asking.descriptions(text):
        if each.start == start:
            # What the pages of names told is not looked for everywhere.
            continue
        way = _by_way_of(asking, text, each, hops, described)
        if way is not None and way.chance >= LEAST_CHANCE * (UNTOLD if way.is_untold else 1.0):
            if way.is_sure and not way.is_untold:
                return way
            by_name, start = by_name or way, start if way.is_untold else each.start
    return by_name


def _by_way_of(asking: Asking, text: str, each: Description, hops: int, described: list[Hop]) -> Bridged | None:
    hop = _held(asking, each) or _described(asking, text, each)
    if hop is None:
        return None
    if (hop.entity or asks_person(each.noun)) and not each.may_be_asked(text):
        # Of a thing without a page nothing says that it is what the noun says.
        described.append(hop)
    asked = each.filled(text, hop.answer)
    page = np.array([hop.entity], np.int64)
    if hop.entity and trade_asked(asked) and (told := _trade(asked, on_pages(asking, asked, page, search=True))):
        # Her own page says what her father did, who may have none.
        return Bridged((hop,), told)
    kin_of = kin_asked(asked)
    # "The mother of Karl, Duke of Kell" is no mother of Kell.
    if asking.descriptions(asked) and (kin_of is None or kin_of.whom != hop.answer):
        passed = asking._replace(passed=asking.passed | {hop.entity, *each.anchors.tolist()})
        further = _by_way(passed, asked, hops - 1, described) if hops > 1 else None
        return further and further._replace(hops=(hop, *further.hops))
    fact = fact_of(asking, asked)
    if fact and not hop.entity:
        return Bridged((hop,), told_beside(hop.found, fact), fact)
    last = on_pages(asking, asked, page, search=True) if hop.entity else _without_page(asking, asked, hop, each)
    if hop.entity and asking.everywhere and not asks_person(each.noun):
        last = _or_elsewhere(asking, asked, hop.answer, last)
    if fact and (stated := told_in(last, fact) or (None if last else told_beside(hop.found, fact))):
        return Bridged((hop,), stated, fact)
    if kin := _kin(asking, asked, last, besides=_own_parent(asking, each)):
        return Bridged((hop,), kin)
    last = last and without_named(asking.answers, last, [hop.answer])
    is_untold = last is not None and kin_asked(asked) is not None
    return last and Bridged((hop,), last._replace(chance=last.chance * (UNTOLD if is_untold else 1)), None, is_untold)


def _or_elsewhere(asking: Asking, asked: str, name: str, own: Ranked | None) -> Ranked | None:
    """Return what the own page of something offers, or where that is little, more likely passages that name it."""
    if own is not None and own.chance >= LIKELY:
        return own
    others = on_pages(asking, asked, NO_ENTITIES, search=True)
    if others is None or (own is not None and others.chance <= own.chance):
        return own
    passage = others.reading.passages[others.candidate.passage]
    return others if name.lower() in f"{passage.title} {passage.text}".lower() else own


def _without_page(asking: Asking, asked: str, hop: Hop, each: Description) -> Ranked | None:
    """Return what sentences about somebody offer, on the pages of what was named or on all; of others what all do."""
    if not hop.is_told and (each.is_clause or not asks_person(each.noun)):
        return on_pages(asking, asked, NO_ENTITIES, search=True)
    where = (each.anchors, NO_ENTITIES) if len(each.anchors) else (NO_ENTITIES,)
    found = [last for entities in where if (last := on_pages(asking, asked, entities, search=True))]
    if kin := _kin(asking, asked, *found):
        return kin
    if found and not hop.is_told and not lives_asked(found[-1].reading.asked):
        return found[-1]
    noun = each.noun if hop.is_told else ""
    readings = (told_about(asking.session, last.reading, hop.answer, noun) for last in found)
    told = [last for reading in readings if (last := ranked(asking.answers, reading)) and last.chance >= LEAST_TOLD]
    return told[0] if told else None if hop.is_told or not found else found[-1]


def _described(asking: Asking, text: str, each: Description) -> Hop | None:
    first = on_pages(asking, each.asks, each.anchors, search=not len(each.anchors))
    if first is None and fact_of(asking, each.asks):
        first = on_pages(asking, each.asks, NO_ENTITIES, search=True)
    kin = re.compile(rf"\b{re.escape(each.kin)}\b", re.I) if each.kin else None
    if kin and first and any(kin.search(passage.text) for passage in first.reading.passages):
        # A page that says who the grandfather is, is asked for the grandfather.
        return None
    if hop := _ruled(asking, each, first):
        return hop
    if first is None:
        return None
    return hop_of(asking, text, each, first)


def _ruled(asking: Asking, each: Description, first: Ranked | None) -> Hop | None:
    """Return what a rule finds for a description: whose kin somebody is, what a fact says, or by whom a work is."""
    if kin := _kin(asking, each.asks, first):
        one = first_of(asking.session, kin.reading.passages[kin.candidate.passage], kin.candidate)
        entity = paged(asking.session, one.entity) or alike_named(asking.session, one.text)
        return Hop(each.asks, one.text, entity, kin, is_told=True)
    fact = fact_asked(asking.session, first.reading.asked) if first else None
    stated = told_in(first, fact) if fact else None
    if first and fact and (stated or asking.allowed is None):
        named = stated and entity_named(asking.session, stated.reading.passages, stated.candidate)
        entity, last = paged(asking.session, fact.entity or named or 0), stated or told_beside(first, fact)
        return Hop(each.asks, fact.value, entity, last, is_told=True, fact=None if stated else fact)
    found = maker(each.asks, first.reading.passages) if first else None
    if first is None or found is None:
        return None
    entity = entity_named(asking.session, first.reading.passages, found)
    return Hop(each.asks, found.text, entity, single_candidate(first.reading, found, SURE))


def _kin(asking: Asking, asked: str, *read: Ranked | None, besides: str = "") -> Ranked | None:
    """Return whom a question for kin asks for, by what was read or else by all pages; None where it asks for none."""
    if kin_asked(asked) is None:
        return None
    told = next(filter(None, (_told(asking.session, asked, each, besides) for each in read)), None)
    return told or _told(asking.session, asked, on_pages(asking, asked, NO_ENTITIES, search=True), besides)


def _own_parent(asking: Asking, each: Description) -> str:
    """Return the key of the parent who is no stepmother or stepfather, "" where nobody is asked for as one."""
    other = {"stepmother": "mother", "stepfather": "father"}.get(each.kin)
    asks = other and each.asks.replace(f"the {each.noun} of", f"the {other} of", 1)
    parent = _kin(asking, asks, on_pages(asking, asks, each.anchors, search=False)) if asks else None
    return parent.candidate.key if parent else ""


def _trade(asked: str, read: Ranked | None) -> Ranked | None:
    """Return whose trade a question asks for, of somebody or of kin, as what was read says it."""
    passages = read.reading.passages if read else ()
    found = kin_trade(asked, passages) or own_trade(asked, passages)
    return single_candidate(read.reading, found, TOLD) if read and found else None


def _told(session: Session, asked: str, read: Ranked | None, besides: str = "") -> Ranked | None:
    found = relative(session, asked, read.reading.passages, besides) if read else None
    return single_candidate(read.reading, found, TOLD) if read and found else None


def _held(asking: Asking, each: Description) -> Hop | None:
    """Return who has a role by his own page, which links to what the role is of; None where no page says so."""
    noun, session = role_asked(each.asks), asking.session
    chunks = linking(session, each.anchors, noun)[:FEW] if noun and len(each.anchors) else each.anchors[:0]
    chunks = chunks if asking.allowed is None else chunks[np.isin(chunks, asking.allowed)]
    if not len(chunks) or next(asking.left, None) is None:
        return None
    reading = read(session, query_of(linked_question(session, each.asks), "chunk", chunks), known(asking, chunks))
    found = holder(session, each.asks, reading.passages)
    if found is None or not found.entity or found.entity in each.anchors:
        return None
    return Hop(each.asks, found.text, found.entity, single_candidate(reading, found, SURE))


