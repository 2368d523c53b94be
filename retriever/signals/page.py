"""Pages by their labels, title and type; all chunks of the best ones (thesis, section 3.2: Page)."""

from __future__ import annotations

import numpy as np

from retriever.context import Context
from retriever.index.hierarchy import by_container, held_by_pages
from retriever.index.ties import first
from retriever.index.vectors import known, page_similarity, similarity
from retriever.signals.mentioned import mention_of
from retriever.types import Evidence, Ids, Query, Scores, Unit


class PageSignal:
    """Similarity of the question with the label of a chunk's page.

    Of entities, those that have a page are ranked, singly; any other scores 0.
    """

    name = "page"

    def __init__(self, context: Context, unit: Unit, n: int = 3) -> None:
        self.context = context
        self.unit = unit
        self.n = n

    def propose(self, query: Query, k: int) -> Ids:
        """Return all chunks of the n most similar pages, whatever k; pages without a chunk allowed do not count."""
        if self.unit == "entity":
            return self._entities(query, k)
        held = held_by_pages(self.context, query.allowed)
        pages, _ = best_pages(self.context, query, self.n, held.containers)
        chunks = held.of(pages)
        return by_container(self.context, query, chunks, self.score(query, chunks))

    def _entities(self, query: Query, k: int) -> Ids:
        among = np.unique(self.context.chunk_table.page_entities)
        if query.allowed is not None:
            among = np.intersect1d(among, query.allowed, assume_unique=True)
        return first(self.context, "entity", similarity(self.context, "label").best(query, k, among), k)[0]

    def score(self, query: Query, ids: Ids) -> Scores:
        """Return the similarity of each unit's page."""
        return page_similarity(self.context).of(query, self._pages(ids))

    def evidence(self, query: Query, identity: int) -> tuple[Evidence, ...]:
        """Return the page."""
        (number,) = self._pages(np.array([identity])).tolist()
        if not number or not len(known(query)):
            return ()
        (page,) = self.context.skb.pages([number])
        mention = mention_of(query, self.context.chunk_table.entities_of(np.array([number])))
        score = float(self.score(query, np.array([identity]))[0])
        return (Evidence(self.name, "page", page.uri, page.title, score, mention),)

    def _pages(self, ids: Ids) -> Ids:
        chunk_table = self.context.chunk_table
        return chunk_table.pages[chunk_table.indices(ids)] if self.unit == "chunk" else chunk_table.pages_of(ids)


def best_pages(context: Context, query: Query, n: int, among: Ids) -> tuple[Ids, Scores]:
    """Return the n most similar pages of some (sorted ids), best first, ties by uri."""
    return first(context, "page", page_similarity(context).best(query, n, among), n)
