"""How much of each hit a prompt shows, decided before it is sent: the first of these levels that fits.

1. `all`: an entity's document with all its relations; a chunk with its page's title and its heading.
2. `likest`: whole texts, and as many relations as an equal share of the room leaves, those first that lead to what the
   question names, then to what it is like.
3. `none`: without relations, where a text is longer than its share and others are shorter.
4. `cut`: without relations, long texts cut.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from retriever.expansion.texts import fitted
from retriever.index.vectors import scores_of, similarity
from retriever.question.reader import named_entities
from retriever.session import Session
from retriever.signals.vector import entity_space
from retriever.types import Ids, Query, Ranking, Scores
from weft.chat.tokens import tokens_of
from weft.documents import Document, Documents

LEAST = 40
"""Tokens that a text needs to say anything."""


class Shown(NamedTuple):
    """Texts of hits as they fit into a prompt, and at which level they do."""

    level: str
    texts: tuple[str, ...]


class Candidates:
    """The texts of one ranking's hits, rendered once for each room that is asked for."""

    def __init__(self, session: Session, query: Query, found: Ranking, relations: bool) -> None:
        self.session = session
        self.query = query
        self.ids = found.ids.tolist()
        self.unit = found.unit
        self.relations = relations and found.unit == "entity"
        self._known: dict[tuple[str, int, int], Document] = {}

    def fitting(self, places: Sequence[int], room: int) -> Shown | None:
        """Return the texts of the hits at some places, at most `room` tokens together; None where nothing fits."""
        share = room // max(1, len(places))
        if share < LEAST:
            return None
        if self.relations:
            for level, budget in (("all", room), ("likest", share)):
                documents = self._documents(places, level, budget)
                whole = not any(each.is_cut or (level == "all" and each.neighbours_left_out) for each in documents)
                if whole and sum(tokens_of(each.text) for each in documents) <= room:
                    return Shown(level, tuple(each.text for each in documents))
        documents = self._documents(places, "none", room)
        texts = [each.text for each in documents]
        is_whole = not any(each.is_cut for each in documents) and sum(map(tokens_of, texts)) <= room
        level = "none" if is_whole and self.relations else "all" if is_whole else "cut"
        return Shown(level, tuple(texts if is_whole else fitted(texts, room, tokens_of)))

    def _documents(self, places: Sequence[int], level: str, budget: int) -> list[Document]:
        keys = [(level, budget, self.ids[place]) for place in places]
        missing = [key for key in dict.fromkeys(keys) if key not in self._known]
        if missing:
            rendered = self._rendered([entity for *_, entity in missing], level, budget)
            self._known.update(zip(missing, rendered, strict=True))
        return [self._known[key] for key in keys]

    def _rendered(self, ids: list[int], level: str, budget: int) -> list[Document]:
        if self.unit == "chunk":
            return _of_chunks(self.session, ids)
        relations = level != "none"
        renderer = Documents(
            self.session.skb.connection, relations=relations, budget=budget, count=tokens_of, whole_text=True
        )
        return list(renderer.of(ids, neighbour_scores(self.session, self.query) if relations else None))


def neighbour_scores(session: Session, query: Query) -> Callable[[Ids], Scores]:
    """Return what scores neighbours for a question: those that it names first, then those that are like it."""
    named, _ = named_entities(query.question)
    space = similarity(session, entity_space(session))

    def scores(ids: Ids) -> Scores:
        like = scores_of(space, query.question.vectors, ids)
        return np.asarray(like + np.isin(ids, named), np.float32)

    return scores


def _of_chunks(session: Session, ids: list[int]) -> list[Document]:
    chunks = session.skb.chunks(ids)
    pages = session.skb.pages([chunk.page_id for chunk in chunks])
    return [
        Document(chunk.id, f"{page.title}\n{chunk.text}", is_cut=False, neighbours_left_out=0)
        for page, chunk in zip(pages, chunks, strict=True)
    ]
