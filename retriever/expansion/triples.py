"""Document triples: an entity's document, how it is related to another, and that one's document, as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from retriever.expansion.neighbourhood import MENTIONED, MENTIONS, Reached, Step
from retriever.expansion.texts import fitted
from retriever.index.vectors import scores_of, similarity
from retriever.session import Session
from retriever.types import Query
from weft.chat.tokens import tokens_of
from weft.documents import Documents
from weft.text.names import backward_words, relation_words
from weft.text.truncation import cut_text

LINKS = {MENTIONS: "mentions", MENTIONED: "is mentioned by"}
class Triples(NamedTuple):
    """An entity by its id, and what was found around it, the most similar first."""

    entity: int
    related: tuple[Reached, ...]


class Told(NamedTuple):
    """A triple as text: whose document it begins with, the relation in words, and the other document."""

    entity: int
    other: int
    relation: str
    score: float


def told(session: Session, triples: Sequence[Triples]) -> list[Told]:
    """Return all triples with their relations in words, in their order."""
    ids = session.adjacency.entity_ids
    steps = {step for each in triples for reached in each.related for step in reached.steps}
    entities = session.skb.entities([int(ids[step.place]) for step in steps])
    names = {step.place: entity.name for step, entity in zip(steps, entities, strict=True)}
    predicates = session.part("relation words", _relation_words)
    return [
        Told(each.entity, int(ids[reached.place]), _relation(reached, names, predicates), reached.score)
        for each in triples for reached in each.related
    ]  # fmt: skip


def shown(session: Session, query: Query, triples: Sequence[Triples], tokens: int, docs: str, k: int) -> str:
    """Return triples as a model reads them, by entity, each document once, in at most `tokens`.

    A document that was shown above is told by its name. Documents share the
    tokens equally, and what shorter ones leave.
    """
    relations = told(session, triples)
    heads = [f"- {each.relation}: " for each in relations]
    ids = [*dict.fromkeys([each.entity for each in triples] + [each.other for each in relations])]
    room = max(0, tokens - sum(map(tokens_of, heads)))
    texts = Rendered(session, query, docs, k).of(ids, room)
    whole = dict(zip(ids, fitted(texts, room, tokens_of), strict=True))
    lines: list[str] = []
    for each in triples:
        lines.append(_once(session, whole, each.entity))
        for head, relation in zip(heads, relations, strict=True):
            if relation.entity == each.entity:
                lines.append(head + _once(session, whole, relation.other).replace("\n", "\n  "))
        lines.append("")
    return cut_text("\n".join(lines).strip(), tokens, tokens_of)


def _once(session: Session, texts: dict[int, str], entity: int) -> str:
    """Return a document, and its name when it is asked for again."""
    text = texts[entity]
    texts[entity] = session.skb.entities([entity])[0].name
    return text


class Rendered(NamedTuple):
    """Renders documents as `docs` says: an entity's own, or the `k` chunks of its page that are likest the question."""

    session: Session
    query: Query
    docs: str
    k: int

    def of(self, ids: Sequence[int], room: int) -> list[str]:
        """Return the texts of entities, each of at most four equal shares of a room in tokens."""
        budget = 4 * room // max(1, len(ids))
        documents = Documents(self.session.skb.connection, relations=False, budget=budget, count=tokens_of)
        return [self._likest(each.entity_id) or each.text for each in documents.of(ids)]

    def _likest(self, entity: int) -> str:
        """Return the likest chunks of an entity's page in reading order, "" where it is told by its own document."""
        if self.docs == "lead":
            return ""
        chunks = self.session.chunks_of_entity(entity)
        if not len(chunks):
            return ""
        scores = scores_of(similarity(self.session, "chunk"), self.query.question.vectors, chunks)
        likest = chunks[np.sort(np.lexsort((np.arange(len(chunks)), -scores))[: self.k])]
        (own,) = self.session.skb.entities([entity])
        return "\n".join([own.label, *(chunk.text for chunk in self.session.skb.chunks(likest.tolist()))])


def _relation_words(session: Session) -> dict[tuple[int, bool], str]:
    """Return the words of each relation type by its place among all, and whether it is read backwards."""
    ids = session.adjacency.type_ids.tolist()
    names = dict(session.skb.connection.execute("SELECT id, name FROM relation_type"))
    return {
        (place, backward): (backward_words if backward else relation_words)(names[each])
        for place, each in enumerate(ids)
        for backward in (False, True)
    }


def _relation(reached: Reached, names: dict[int, str], predicates: dict[tuple[int, bool], str]) -> str:
    """Return the steps of a path in words, with the names of the entities between."""
    words = [_words(step, predicates) for step in reached.steps]
    between = [names[step.place] for step in reached.steps[:-1]]
    return "".join(f"{word} {name}, which " for word, name in zip(words, between, strict=False)) + words[-1]


def _words(step: Step, predicates: dict[tuple[int, bool], str]) -> str:
    if step.kind in LINKS:
        return LINKS[step.kind]
    return predicates[step.kind, step.backward]
