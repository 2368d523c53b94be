"""Entities by their labels; all chunks that cite one of the best ones (thesis, section 3.2: Entity)."""

from __future__ import annotations

import numpy as np

from retriever.index.csr import distinct
from retriever.index.hierarchy import allowed_indices, by_container
from retriever.index.lift import cited, citing, highest_of
from retriever.index.ties import first, in_order, leading
from retriever.index.vectors import best, known, scores_of, similarity
from retriever.session import Session
from retriever.signals.mentioned import named_by
from retriever.types import Evidence, Ids, Query, Scores, Unit

LEAST = 5
"""So many are ranked at least: this signal asks for 5, paths begin with 3."""

SHOWN = 3
"""Entities that evidence names."""


class EntitySignal:
    """Similarity of the question with the label of the most similar entity that a chunk cites.

    A chunk that cites none scores 0. Entities themselves are ranked by their label.
    """

    name = "entity"

    def __init__(self, unit: Unit, n: int = 5) -> None:
        self.unit = unit
        self.n = n

    def propose(self, session: Session, query: Query, k: int) -> Ids:
        """Return all chunks that cite one of the n best entities, whatever k; entities that none cites do not count."""
        if self.unit == "entity":
            return first(session, "entity", best(similarity(session, "label"), query.vectors, k, query.allowed), k)[0]
        entities, _ = best_entities(session, query, self.n)
        chunks = session.chunk_table.chunk_ids[distinct(citing(session, entities)[0])]
        if query.allowed is not None:
            chunks = np.intersect1d(chunks, query.allowed, assume_unique=True)
        return by_container(session, query, chunks, self.score(session, query, chunks))

    def score(self, session: Session, query: Query, ids: Ids) -> Scores:
        """Return the highest similarity of all entities that each chunk cites."""
        labels = similarity(session, "label")
        if self.unit == "entity":
            return scores_of(labels, query.vectors, ids)
        entities, owners = cited(session, ids)
        return highest_of(owners, scores_of(labels, query.vectors, entities), len(ids))

    def evidence(self, session: Session, query: Query, identity: int) -> tuple[Evidence, ...]:
        """Return the most similar entities that the unit cites."""
        if not len(known(query.vectors)):
            return ()
        cited = np.array([identity])
        if self.unit == "chunk":
            cited = np.array([citation.entity_id for citation in session.skb.citations([identity])], np.int64)
        scores = scores_of(similarity(session, "label"), query.vectors, cited)
        order = in_order(session, "entity", cited, scores)[:SHOWN]
        return tuple(
            Evidence(self.name, "entity", entity.uri, entity.label, score, named_by(query.question, entity.id))
            for entity, score in zip(
                session.skb.entities(cited[order].tolist()), scores[order].tolist(), strict=True
            )
        )


def best_entities(session: Session, query: Query, n: int) -> tuple[Ids, Scores]:
    """Return the n most similar entities, best first, ties by uri; to rank chunks, of those that such a chunk cites."""
    cited = None
    if query.unit == "chunk" and query.allowed is None:
        cited = session.part("cited entities", _cited_entities)
    elif query.unit == "chunk" and (allowed := query.allowed) is not None:
        cited = session.of_allowed("cited entities", allowed, lambda: _cited_by(session, allowed))
    return leading(
        session, "entity", (query.key, id(cited)),
        lambda most: best(similarity(session, "label"), query.vectors, most, cited), n, LEAST, held=(query, cited),
    )  # fmt: skip


def _cited_by(session: Session, allowed: Ids) -> Ids:
    chunk_ids = session.chunk_table.chunk_ids
    return distinct(cited(session, chunk_ids[allowed_indices(session, allowed)])[0])


def _cited_entities(session: Session) -> Ids:
    graph = session.adjacency
    return graph.entity_ids[np.diff(graph.cited_in.indptr) > 0]
