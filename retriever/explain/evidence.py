"""Evidence of feature groups: who is named, who links here with which words, and what a hit says of the question."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.candidates.link_expansion import Hop, Hops, LinkExpansion
from retriever.candidates.verbatim import defines, path_of
from retriever.features.matrix import FIRST, INPUTS, Candidates
from retriever.features.second_pass import BEST
from retriever.fusion.models import FusionModel
from retriever.fusion.two_stage import TwoStage
from retriever.index.links import ScoredLink, link_at, scored_links
from retriever.index.terms import sentence_spans
from retriever.learning.log_odds import probability
from retriever.question.identifiers import identifiers_in, written
from retriever.question.reader import content_stems
from retriever.session import Session
from retriever.signals.mentioned import named_by
from retriever.types import Evidence
from weft.rows import Chunk, Page
from weft.text.names import uri_text
from weft.text.normalise import written_words
from weft.text.pairs import rejoined
from weft.text.stems import stems_of

# Pieces of evidence for one feature group.
MOST = 2
ORDINALS = ("best", "second best", "third best")
UNCOUNTABLE = frozenset({"code", "text"})
"""Kinds of chunk that take no article."""
ASKED_FOR = {"time": "a year, and the question asks when", "number": "a number, and the question asks for one"}
"""What a text has that is of the kind asked for."""


class Hit(NamedTuple):
    """A chunk with its page, the page's entity, and its raw features by column."""

    chunk: Chunk
    page: Page
    entity: int
    raw: Mapping[str, float]


class FeatureEvidence:
    """Finds what stands behind the feature groups of a question's candidates."""

    def __init__(
        self, session: Session, model: FusionModel | TwoStage, candidates: Candidates, rows: NDArray[np.float32]
    ) -> None:
        """Take the candidates of a question with their standardised features (n, s), and the model that ranked them."""
        self.session = session
        self.question = candidates.query.question
        self.candidates = candidates
        self.best_hops = _hops_of_best(session, model, candidates, rows)

    @property
    def hops(self) -> Hops:
        """Where the question's names and text hits lead."""
        return self.candidates.hops

    def of(self, identity: int) -> dict[str, tuple[Evidence, ...]]:
        """Return a candidate's evidence by feature group; what has none is left out."""
        hit = self._hit(identity)
        found = {
            "named": self._named(hit),
            "linked": self._linked(hit, "linked", self.hops.first),
            "second_hop": self._second_hop(hit),
            "hits": (*self._linked(hit, "hits", self.best_hops), *self._cited_by_best(hit)),
            "leads": self._leads(hit),
            "cites": self._cites(hit),
            "words": self._words(hit),
            "title": self._title(hit),
            "place": self._place(hit),
            "shape": self._shape(hit),
            "verbatim": self._verbatim(hit),
        }
        return {group: tuple(evidence)[:MOST] for group, evidence in found.items() if evidence}

    def _hit(self, identity: int) -> Hit:
        (chunk,) = self.session.skb.chunks([identity])
        (page,) = self.session.skb.pages([chunk.page_id])
        (entity,) = self.session.chunk_table.entities_of(np.array([page.id])).tolist()
        row = self.candidates.raw[int(np.searchsorted(self.candidates.pool.ids, identity))]
        return Hit(chunk, page, entity, dict(zip(FIRST, row.tolist(), strict=True)))

    def _mention(self, entity: int) -> str | None:
        return named_by(self.question, entity)

    def _named(self, hit: Hit) -> tuple[Evidence, ...]:
        weight = self.hops.named.get(hit.entity, 0.0)
        if not weight:
            return ()
        return (Evidence("named", "page", hit.page.uri, hit.page.title, weight, self._mention(hit.entity)),)

    def _linked(self, hit: Hit, group: str, hops: Mapping[int, Hop]) -> tuple[Evidence, ...]:
        hop = hops.get(hit.entity)
        if hop is None:
            return ()
        chunk, page, entity = self._source(hop.link)
        text = f"{page.title} links to this page as “{_anchor(chunk, hop.link)}”{self._beside(chunk, hop.link)}"
        return (Evidence(group, "link", chunk.uri, text, hop.weight, self._mention(entity)),)

    def _second_hop(self, hit: Hit) -> tuple[Evidence, ...]:
        hop = self.hops.second.get(hit.entity)
        if hop is None:
            return ()
        chunk, page, middle = self._source(hop.link)
        before = self.hops.first.get(middle)
        text = f"{page.title} links to this page as “{_anchor(chunk, hop.link)}”{self._beside(chunk, hop.link)}"
        mention = None
        if before is not None:
            _, start, named = self._source(before.link)
            mention = self._mention(named)
            text = f"{start.title} links to {text.replace(' links to this', ', which links to this', 1)}"
        return (Evidence("second_hop", "link", chunk.uri, text, hop.weight, mention),)

    def _leads(self, hit: Hit) -> tuple[Evidence, ...]:
        links = scored_links(self.session, [np.array([hit.chunk.id])], self.question.asked)
        if not links.coverage.any():
            return ()
        first = np.lexsort((links.positions, -links.context, -links.coverage))[0]
        best = link_at(self.session.link_table, links, int(first))
        (entity,) = self.session.skb.entities([best.entity])
        text = f"links to {entity.name}{self._beside(hit.chunk, best)}"
        return (Evidence("leads", "entity", entity.uri, text, best.coverage),)

    def _source(self, link: ScoredLink) -> tuple[Chunk, Page, int]:
        """Return the chunk of a link, its page and the page's entity."""
        (chunk,) = self.session.skb.chunks([link.chunk])
        (page,) = self.session.skb.pages([chunk.page_id])
        (entity,) = self.session.chunk_table.entities_of(np.array([page.id])).tolist()
        return chunk, page, entity

    def _beside(self, chunk: Chunk, link: ScoredLink) -> str:
        """Return which of the words asked about stand in a link's sentence."""
        anchor = _anchor(chunk, link)
        within = (each for each in sentence_spans(self.session, chunk) if each[0] <= link.begin < each[1])
        said = set(stems_of(chunk.text[slice(*next(within, (0, 0)))]))
        words = self._asked_words(said - set(stems_of(anchor)))
        return f", in a sentence with {_quoted(words)}" if words else ""

    def _cited_by_best(self, hit: Hit) -> Iterator[Evidence]:
        """Yield what a hit cites that one of the best hits links to as well."""
        cited = [citation.entity_id for citation in self.session.skb.citations([hit.chunk.id])]
        hops = sorted((-self.best_hops[each].weight, each) for each in cited if each in self.best_hops)
        for weight, entity in hops[:1]:
            link = self.best_hops[entity].link
            if link.chunk != hit.chunk.id:
                (known,) = self.session.skb.entities([entity])
                chunk, _, _ = self._source(link)
                yield Evidence("hits", "entity", known.uri, f"mentions {known.name}, as {chunk.uri} does", -weight)

    def _cites(self, hit: Hit) -> list[Evidence]:
        cited = [citation.entity_id for citation in self.session.skb.citations([hit.chunk.id])]
        named = sorted((each for each in cited if each in self.hops.named), key=lambda each: -self.hops.named[each])
        return [
            Evidence("cites", "entity", entity.uri, entity.name, self.hops.named[entity.id], self._mention(entity.id))
            for entity in self.session.skb.entities(named)
        ]

    def _words(self, hit: Hit) -> tuple[Evidence, ...]:
        words = self._asked_words(stems_of(hit.chunk.text))
        return (Evidence("words", "words", hit.chunk.uri, ", ".join(words), hit.raw["asked"]),) if words else ()

    def _title(self, hit: Hit) -> tuple[Evidence, ...]:
        heading = self._heading(hit.chunk)
        wanted = content_stems(written_words(self.question.text))
        words = self._words_of(set(stems_of(hit.page.title)) | heading, wanted)
        if not words:
            return ()
        return (Evidence("title", "words", hit.page.uri, ", ".join(words), hit.raw["title_cover"]),)

    def _heading(self, chunk: Chunk) -> set[str]:
        """Return the stems of the headings above a chunk, the page's title left out."""
        sections = self.session.skb.sections([] if chunk.section_id is None else [chunk.section_id])
        return {each for section in sections for each in stems_of(uri_text(section.uri.partition("#")[2]))}

    def _place(self, hit: Hit) -> tuple[Evidence, ...]:
        rank = round(1 / max(1e-3, hit.raw["in_page"]))
        best = f"its words fit {ORDINALS[rank - 1]} among the passages of its page" if rank <= len(ORDINALS) else ""
        lead = "it is in the introduction" if hit.raw["lead"] else ""
        text = ", and ".join(filter(None, (best, lead)))
        return (Evidence("place", "page", hit.page.uri, text, hit.raw["in_page"]),) if text else ()

    def _shape(self, hit: Hit) -> tuple[Evidence, ...]:
        kind, answer_type = hit.chunk.kind, self.question.answer_type
        article = "" if kind in UNCOUNTABLE else "an " if kind[0] in "aeiou" else "a "
        text = f"is {article}{kind}"
        if hit.raw["shape"] and answer_type in ASKED_FOR:
            text += f" with {ASKED_FOR[answer_type]}"
        return (Evidence("shape", kind, hit.chunk.uri, text, hit.raw["shape"]),)

    def _verbatim(self, hit: Hit) -> tuple[Evidence, ...]:
        above = path_of(hit.chunk, hit.page.title)
        told: dict[str, list[str]] = {}
        for each in identifiers_in(self.question.text):
            if written(each).search(hit.chunk.text):
                how = "defines" if defines(hit.chunk, each) else "has as written"
                told.setdefault(how, []).append(each)
            elif written(each).search(above):
                told.setdefault("has as written in its title or a heading", []).append(each)
        text = ", ".join(f"{how} {_quoted(each)}" for how, each in told.items())
        return (Evidence("verbatim", "identifier", hit.chunk.uri, text, float(len(told))),) if told else ()

    def _asked_words(self, stems: Iterable[str]) -> list[str]:
        """Return the question's words outside its mentions that have one of the stems."""
        return self._words_of(stems, self.question.asked)

    def _words_of(self, stems: Iterable[str], wanted: Iterable[str]) -> list[str]:
        both = set(stems) & set(wanted)
        words = dict.fromkeys(written_words(self.question.text))
        return rejoined([word for word in words if both.intersection(stems_of(word))])


def _hops_of_best(
    session: Session, model: FusionModel | TwoStage, candidates: Candidates, rows: NDArray[np.float32]
) -> Mapping[int, Hop]:
    """Return where the first pass's best hits lead; without a first pass, where the best text hits do."""
    if not isinstance(model, TwoStage) or not len(rows):
        return candidates.hops.hits
    log_odds = model.first.score(rows[:, : len(INPUTS)])
    best = np.lexsort((candidates.pool.ids, -log_odds))[:BEST]
    chances = probability(log_odds[best])
    return LinkExpansion(session).onward_from(candidates.query.question, candidates.pool.ids[best], chances)


def _anchor(chunk: Chunk, link: ScoredLink) -> str:
    """Return the words of a link of a chunk."""
    return chunk.text[link.begin : link.end]


def _quoted(words: Iterable[str]) -> str:
    return ", ".join(f"“{word}”" for word in words)
