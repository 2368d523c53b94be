"""Sections by their heading paths, pages by their labels; the best ones' own chunks (thesis, section 3.2: Section)."""

from __future__ import annotations

import numpy as np

from retriever.index.csr import distinct
from retriever.index.hierarchy import by_container, held_by_sections
from retriever.index.lift import cited, citing, highest_of
from retriever.index.ties import first
from retriever.index.vectors import best, known, page_similarity, scores_of, similarity
from retriever.session import Session
from retriever.signals.mentioned import mention_of
from retriever.types import Evidence, Ids, Query, Scores, Unit


class SectionSignal:
    """Similarity of the question with the heading path of a chunk's section, in a lead with the label of its page.

    An entity scores as the best of the chunks that cite it, 0 where none does.
    """

    name = "section"

    def __init__(self, unit: Unit, n: int = 5) -> None:
        self.unit = unit
        self.n = n

    def propose(self, session: Session, query: Query, k: int) -> Ids:
        """Return the chunks that stand directly in the n best sections and pages, whatever k; empty ones do not count.

        Of entities, those that these chunks cite, at most k.
        """
        held = held_by_sections(session, query.allowed if self.unit == "chunk" else None)
        chunks = held.of(best_parents(session, query, self.n, held.containers))
        if self.unit == "entity":
            return self._cited(session, query, chunks)[:k]
        return by_container(session, query, chunks, self.score(session, query, chunks))

    def score(self, session: Session, query: Query, ids: Ids) -> Scores:
        """Return the similarity of each chunk's own section or page."""
        if self.unit == "chunk":
            return self._chunk_scores(session, query, session.chunk_table.indices(ids))
        indices, owners = citing(session, ids)
        return highest_of(owners, self._chunk_scores(session, query, indices), len(ids))

    def evidence(self, session: Session, query: Query, identity: int) -> tuple[Evidence, ...]:
        """Return the section, or the page of a lead."""
        index = self._best_index(session, query, identity)
        if index is None or not len(known(query.vectors)):
            return ()
        chunk_table = session.chunk_table
        page, section = int(chunk_table.pages[index]), int(chunk_table.sections[index])
        mention = mention_of(query.question, chunk_table.entities_of(np.array([page])))
        score = float(self._chunk_scores(session, query, np.array([index]))[0])
        if section:
            (own,) = session.skb.sections([section])
            return (Evidence(self.name, "section", own.uri, own.path_text, score, mention),)
        (whole,) = session.skb.pages([page])
        return (Evidence(self.name, "page", whole.uri, whole.title, score, mention),)

    def _chunk_scores(self, session: Session, query: Query, indices: Ids) -> Scores:
        chunk_table = session.chunk_table
        sections = chunk_table.sections[indices]
        lead = sections == 0
        scores = np.zeros(len(indices), np.float32)
        scores[lead] = scores_of(page_similarity(session), query.vectors, chunk_table.pages[indices[lead]])
        scores[~lead] = scores_of(similarity(session, "section"), query.vectors, sections[~lead])
        return scores

    def _cited(self, session: Session, query: Query, chunks: Ids) -> Ids:
        entities = distinct(cited(session, chunks)[0])
        if query.allowed is not None:
            entities = np.intersect1d(entities, query.allowed, assume_unique=True)
        return first(session, "entity", (entities, self.score(session, query, entities)), len(entities))[0]

    def _best_index(self, session: Session, query: Query, identity: int) -> int | None:
        if self.unit == "chunk":
            return int(session.chunk_table.indices(np.array([identity]))[0])
        indices, _ = citing(session, np.array([identity]))
        if not len(indices):
            return None
        chunks = session.chunk_table.chunk_ids[indices]
        nearest, _ = first(session, "chunk", (chunks, self._chunk_scores(session, query, indices)), 1)
        return int(session.chunk_table.indices(nearest)[0])


def best_parents(session: Session, query: Query, n: int, among: Ids) -> Ids:
    """Return the n most similar of some sections and pages (sorted; pages by negative ids), ties by uri."""
    kinds = session.memo.of("sections and pages", id(among), lambda: _split(among), held=among)
    sections, of_sections = best(similarity(session, "section"), query.vectors, n, kinds[0])
    pages, of_pages = best(page_similarity(session), query.vectors, n, kinds[1])
    scores = np.concatenate([of_sections, of_pages])
    order = np.argsort(-scores)
    if (scores[order][1:] == scores[order][:-1]).any():
        uris = session.skb.uris("section", sections.tolist()) + session.skb.uris("page", pages.tolist())
        order = np.array(sorted(range(len(uris)), key=lambda index: (-scores[index], uris[index])), np.int64)
    return np.concatenate([sections, -pages])[order[:n]]


def _split(among: Ids) -> tuple[Ids, Ids]:
    """Return the sections of some sections and pages, and the pages."""
    leads, sections = np.split(among, [np.searchsorted(among, 0)])
    return sections, -leads[::-1]
