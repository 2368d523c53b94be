"""Sections by their heading paths, pages by their labels; the best ones' own chunks (thesis, section 3.2: Section)."""

from __future__ import annotations

import numpy as np

from retriever.context import Context
from retriever.index.csr import slices
from retriever.index.hierarchy import by_container, held_by_sections
from retriever.index.ties import first
from retriever.index.vectors import known, page_similarity, similarity
from retriever.signals.mentioned import mention_of
from retriever.types import Evidence, Ids, Query, Scores, Unit


class SectionSignal:
    """Similarity of the question with the heading path of a chunk's section, in a lead with the label of its page.

    An entity scores as the best of the chunks that cite it, 0 where none does.
    """

    name = "section"

    def __init__(self, context: Context, unit: Unit, n: int = 5) -> None:
        self.context = context
        self.unit = unit
        self.n = n

    def propose(self, query: Query, k: int) -> Ids:
        """Return the chunks that stand directly in the n best sections and pages, whatever k; empty ones do not count.

        Of entities, those that these chunks cite, at most k.
        """
        held = held_by_sections(self.context, query.allowed if self.unit == "chunk" else None)
        chunks = held.of(best_parents(self.context, query, self.n, held.containers))
        if self.unit == "entity":
            return self._cited(query, chunks)[:k]
        return by_container(self.context, query, chunks, self.score(query, chunks))

    def score(self, query: Query, ids: Ids) -> Scores:
        """Return the similarity of each chunk's own section or page."""
        if self.unit == "chunk":
            return self._chunk_scores(query, self.context.chunk_table.indices(ids))
        graph = self.context.adjacency
        indices, owners = slices(graph.cited_in, np.searchsorted(graph.entity_ids, ids))
        scores = np.full(len(ids), -np.inf, np.float32)
        np.maximum.at(scores, owners, self._chunk_scores(query, graph.cited_in.indices[indices].astype(np.int64)))
        return np.where(np.isneginf(scores), 0, scores).astype(np.float32)

    def evidence(self, query: Query, identity: int) -> tuple[Evidence, ...]:
        """Return the section, or the page of a lead."""
        index = self._best_index(query, identity)
        if index is None or not len(known(query)):
            return ()
        chunk_table = self.context.chunk_table
        page, section = int(chunk_table.pages[index]), int(chunk_table.sections[index])
        mention = mention_of(query, chunk_table.entities_of(np.array([page])))
        score = float(self._chunk_scores(query, np.array([index]))[0])
        if section:
            (own,) = self.context.skb.sections([section])
            return (Evidence(self.name, "section", own.uri, own.path_text, score, mention),)
        (whole,) = self.context.skb.pages([page])
        return (Evidence(self.name, "page", whole.uri, whole.title, score, mention),)

    def _chunk_scores(self, query: Query, indices: Ids) -> Scores:
        chunk_table = self.context.chunk_table
        sections = chunk_table.sections[indices]
        lead = sections == 0
        scores = np.zeros(len(indices), np.float32)
        scores[lead] = page_similarity(self.context).of(query, chunk_table.pages[indices[lead]])
        scores[~lead] = similarity(self.context, "section").of(query, sections[~lead])
        return scores

    def _cited(self, query: Query, chunks: Ids) -> Ids:
        graph = self.context.adjacency
        indices, _ = slices(graph.cites, np.searchsorted(graph.chunk_ids, chunks))
        cited = graph.entity_ids[np.unique(graph.cites.indices[indices])]
        if query.allowed is not None:
            cited = np.intersect1d(cited, query.allowed, assume_unique=True)
        return first(self.context, "entity", (cited, self.score(query, cited)), len(cited))[0]

    def _best_index(self, query: Query, identity: int) -> int | None:
        if self.unit == "chunk":
            return int(self.context.chunk_table.indices(np.array([identity]))[0])
        citing = np.array([citation.chunk_id for citation in self.context.skb.cited_in(identity)], np.int64)
        if not len(citing):
            return None
        indices = self.context.chunk_table.indices(citing)
        best, _ = first(self.context, "chunk", (citing, self._chunk_scores(query, indices)), 1)
        return int(self.context.chunk_table.indices(best)[0])


def best_parents(context: Context, query: Query, n: int, among: Ids) -> Ids:
    """Return the n most similar of some sections and pages (sorted; pages by negative ids), ties by uri."""
    leads, sections = np.split(among, [np.searchsorted(among, 0)])
    sections, of_sections = similarity(context, "section").best(query, n, sections)
    pages, of_pages = page_similarity(context).best(query, n, -leads[::-1])
    uris = context.skb.uris("section", sections.tolist()) + context.skb.uris("page", pages.tolist())
    scores = np.concatenate([of_sections, of_pages])
    order = sorted(range(len(uris)), key=lambda index: (-scores[index], uris[index]))[:n]
    return np.concatenate([sections, -pages])[np.array(order, np.int64)]
