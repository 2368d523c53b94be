"""Pages by their labels, title and type; all chunks of the best ones (thesis, section 3.2: Page)."""

from __future__ import annotations

import numpy as np

from retriever.index.hierarchy import by_container, held_by_pages
from retriever.index.ties import first, leading
from retriever.index.vectors import best, known, page_similarity, scores_of, similarity
from retriever.session import Session
from retriever.signals.mentioned import mention_of
from retriever.types import Evidence, Ids, Query, Scores, Unit


class PageSignal:
    """Similarity of the question with the label of a chunk's page.

    Of entities, those that have a page are ranked, singly; any other scores 0.
    """

    name = "page"

    def __init__(self, unit: Unit, n: int = 3) -> None:
        self.unit = unit
        self.n = n

    def propose(self, session: Session, query: Query, k: int) -> Ids:
        """Return all chunks of the n most similar pages, whatever k; pages without a chunk allowed do not count."""
        if self.unit == "entity":
            among = session.of_allowed("entities of pages", query.allowed, lambda: _of_pages(session, query.allowed))
            return first(session, "entity", best(similarity(session, "label"), query.vectors, k, among), k)[0]
        held = held_by_pages(session, query.allowed)
        pages, _ = best_pages(session, query, self.n, held.containers)
        chunks = held.of(pages)
        return by_container(session, query, chunks, self.score(session, query, chunks))

    def score(self, session: Session, query: Query, ids: Ids) -> Scores:
        """Return the similarity of each unit's page."""
        return scores_of(page_similarity(session), query.vectors, _pages(session, self.unit, ids))

    def evidence(self, session: Session, query: Query, identity: int) -> tuple[Evidence, ...]:
        """Return the page."""
        (number,) = _pages(session, self.unit, np.array([identity])).tolist()
        if not number or not len(known(query.vectors)):
            return ()
        (page,) = session.skb.pages([number])
        mention = mention_of(query.question, session.chunk_table.entities_of(np.array([number])))
        score = float(self.score(session, query, np.array([identity]))[0])
        return (Evidence(self.name, "page", page.uri, page.title, score, mention),)


def _of_pages(session: Session, allowed: Ids | None) -> Ids:
    """Return the entities that have a page and may be ranked, sorted."""
    among = np.unique(session.chunk_table.page_entities)
    return among if allowed is None else np.intersect1d(among, allowed, assume_unique=True)


def _pages(session: Session, unit: Unit, ids: Ids) -> Ids:
    """Return the page of each unit, 0 of an entity that has none."""
    chunk_table = session.chunk_table
    return chunk_table.pages[chunk_table.indices(ids)] if unit == "chunk" else chunk_table.pages_of(ids)


def best_pages(session: Session, query: Query, n: int, among: Ids) -> tuple[Ids, Scores]:
    """Return the n most similar pages of some (sorted ids), best first, ties by uri."""
    return leading(
        session, "page", (query.key, id(among)),
        lambda most: best(page_similarity(session), query.vectors, most, among), n, 0, held=(query, among),
    )  # fmt: skip
