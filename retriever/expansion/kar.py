"""kar: knowledge-aware retrieval (Xia et al., "Knowledge-aware query expansion with large language models", 2024).

What the question names is looked up, the documents around it in the graph are
filtered by their likeness to the question, and a model writes from these triples
what is searched for. Without a model names are linked and the text of the best
triples is added.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from retriever.expansion.asking import replies, stand_in
from retriever.expansion.joining import check_join, widened
from retriever.expansion.likeness import DOCS, FILTERS, likeness
from retriever.expansion.neighbourhood import Neighbourhood, places_of
from retriever.expansion.structure import structure_of
from retriever.expansion.triples import Rendered, Triples, shown, told
from retriever.prompts import kar_document, kar_entities
from retriever.prompts.kar_entities import Named
from retriever.protocols import Ranker
from retriever.question.entity_linking import Linker
from retriever.question.reader import read_question
from retriever.session import Session
from retriever.types import Query, Step, Unit
from weft.chat.tokens import TOKENS_OF_A_REPLY, tokens_read
from weft.errors import WeftError

BY_LINKING = "linked names, and the text of the best document triples"
SURE = 0.5
"""How surely a name is one that is looked around without a model; of 0, 0.5 and 0.8 the best (docs/expansion.md)."""


class Settings(NamedTuple):
    """How far and by what KAR looks around: docs/expansion.md."""

    h: int
    k: int
    n: int
    graph: bool
    links: bool
    filter: str
    docs: str
    tokens: int
    structure: bool
    model: bool
    join: str


class Kar(NamedTuple):
    """Adds what is known around the names of a question, by a model or without."""

    ranker: Ranker
    settings: Settings

    def expand(self, session: Session, query: Query) -> Query:
        """Return the query with documents that a model wrote from triples, or with the best triples."""
        if session.chat is None or not self.settings.model:
            return widened(session, query, self._best_triples(session, query), self.settings.join)
        return widened(session, query, self._written(session, query), self.settings.join)

    def _written(self, session: Session, query: Query) -> list[str]:
        own, asked = self.settings, query.question.text
        forms = structure_of(session, query.unit) if own.structure else ""
        parsed = replies(session, kar_entities.PROMPT, structure=forms, question=asked)
        if session.is_dry and not parsed:
            empty = tokens_read(kar_document.PROMPT.messages(structure=forms, triples="", question=asked))
            session.assume(own.n, own.n * (empty + own.tokens), own.n * TOKENS_OF_A_REPLY)
            return []
        named = kar_entities.read_reply(parsed[0]) if parsed else ()
        triples = self._triples(session, query, self._entities(session, query, named))
        text = shown(session, query, triples, own.tokens, own.docs, own.k)
        return replies(session, kar_document.PROMPT, own.n, structure=forms, triples=text, question=asked)

    def _entities(self, session: Session, query: Query, named: Iterable[Named]) -> list[int]:
        """Return the entity of the question's best hit and of each name, each once."""
        found = [self._found(session, query._replace(allowed=None))]
        for each in named:
            linked = linked_to(session, each.name)
            found.append(linked or self._found(session, read_question(session, each.text, query.unit)))
        return [*dict.fromkeys(each for each in found if each)]

    def _found(self, session: Session, query: Query) -> int | None:
        """Return the entity of the best hit: the hit itself, or that of its page."""
        found = self.ranker.rank(session, query, 1)
        if not len(found.ids):
            return None
        if found.unit == "entity":
            return int(found.ids[0])
        chunk_table = session.chunk_table
        return int(chunk_table.entities_of(chunk_table.pages[chunk_table.indices(found.ids)])[0])

    def _triples(self, session: Session, query: Query, entities: list[int]) -> list[Triples]:
        """Return the `k` likest entities within `h` hops of each, none with graph=no."""
        own, timer = self.settings, session.trace.timer()
        if not own.graph:
            return [Triples(entity, ()) for entity in entities]
        scores = likeness(session, query.question.vectors, own.filter, own.docs)
        around = Neighbourhood(session, own.links)
        places = places_of(session, np.array(entities, np.int64)).tolist()
        found = [
            Triples(entity, tuple(around.nearest(place, scores, own.h, own.k)))
            for entity, place in zip(entities, places, strict=True)
        ]
        related = [len(each.related) for each in found]
        detail = {"entities": session.uris("entity", entities), "related": related}
        session.trace.add(Step("kar triples", timer.seconds(), detail=detail))
        return found

    def _best_triples(self, session: Session, query: Query) -> list[str]:
        """Return the texts of the `n` triples around linked names whose other document is likest, ties in their order.

        Nothing is added where no name is sure: what is only like the question misleads more than it helps.
        """
        own = self.settings
        sure = [each.entities[0] for each in query.question.mentions if each.weights[0] >= SURE]
        triples = self._triples(session, query, [*dict.fromkeys(map(int, sure))])
        chosen = sorted(told(session, triples), key=lambda each: -each.score)[: own.n]
        if not own.graph:
            chosen = []
        ids = [each for one in chosen for each in (one.entity, one.other)] or [each.entity for each in triples]
        texts = Rendered(session, query, own.docs, own.k).of(ids, own.tokens)
        stand_in(session, "kar", BY_LINKING, {"added": session.uris("entity", ids)})
        if not chosen:
            return texts
        pairs = zip(texts[::2], chosen, texts[1::2], strict=True)
        return ["\n".join((first, each.relation, second)) for first, each, second in pairs]


def linked_to(session: Session, name: str) -> int | None:
    """Return what a name means most likely, None where it is no name here or only a part of one."""
    mentions = Linker(session).mentions(name)
    whole = [each for each in mentions if each.start == 0 and each.end >= len(name.rstrip())]
    return int(whole[0].entities[0]) if whole else None


def kar(session: Session, unit: Unit, ranker: Ranker, **options: object) -> Kar:
    """Return what adds documents written from triples; raise WeftError for options that there are not."""
    settings = Settings(**options)  # type: ignore[arg-type]
    check_join("kar", settings.join)
    for key, value, choice in (("filter", settings.filter, FILTERS), ("docs", settings.docs, DOCS)):
        if value not in choice:
            raise WeftError(f"kar({key}={value}): {key}={value} is none of {', '.join(choice)}")
    return Kar(ranker, settings)
