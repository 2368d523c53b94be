"""Entities by their labels; all chunks that cite one of the best ones (thesis, section 3.2: Entity)."""

from __future__ import annotations

import numpy as np

from retriever.context import Context
from retriever.index.csr import slices
from retriever.index.hierarchy import allowed_indices, by_container
from retriever.index.ties import first, in_order
from retriever.index.vectors import known, similarity
from retriever.signals.mentioned import mention_of
from retriever.types import Evidence, Ids, Query, Scores, Unit

SHOWN = 3
"""Entities that evidence names."""


class EntitySignal:
    """Similarity of the question with the label of the most similar entity that a chunk cites.

    A chunk that cites none scores 0. Entities themselves are ranked by their label.
    """

    name = "entity"

    def __init__(self, context: Context, unit: Unit, n: int = 5) -> None:
        self.context = context
        self.unit = unit
        self.n = n

    def propose(self, query: Query, k: int) -> Ids:
        """Return all chunks that cite one of the n best entities, whatever k; entities that none cites do not count."""
        labels = similarity(self.context, "label")
        if self.unit == "entity":
            return first(self.context, "entity", labels.best(query, k, query.allowed), k)[0]
        entities, _ = best_entities(self.context, query, self.n)
        graph = self.context.adjacency
        cited = np.searchsorted(graph.entity_ids, entities)
        chunks = graph.chunk_ids[np.unique(graph.cited_in.indices[slices(graph.cited_in, cited)[0]])]
        if query.allowed is not None:
            chunks = np.intersect1d(chunks, query.allowed, assume_unique=True)
        return by_container(self.context, query, chunks, self.score(query, chunks))

    def score(self, query: Query, ids: Ids) -> Scores:
        """Return the highest similarity of all entities that each chunk cites."""
        labels = similarity(self.context, "label")
        if self.unit == "entity":
            return labels.of(query, ids)
        graph = self.context.adjacency
        indices, owners = slices(graph.cites, np.searchsorted(graph.chunk_ids, ids))
        scores = np.full(len(ids), -np.inf, np.float32)
        np.maximum.at(scores, owners, labels.of(query, graph.entity_ids[graph.cites.indices[indices]]))
        return np.where(np.isneginf(scores), 0, scores).astype(np.float32)

    def evidence(self, query: Query, identity: int) -> tuple[Evidence, ...]:
        """Return the most similar entities that the unit cites."""
        if not len(known(query)):
            return ()
        cited = np.array([identity])
        if self.unit == "chunk":
            cited = np.array([citation.entity_id for citation in self.context.skb.citations([identity])], np.int64)
        scores = similarity(self.context, "label").of(query, cited)
        order = in_order(self.context, "entity", cited, scores)[:SHOWN]
        return tuple(
            Evidence(self.name, "entity", entity.uri, entity.label, score, mention_of(query, np.array([entity.id])))
            for entity, score in zip(
                self.context.skb.entities(cited[order].tolist()), scores[order].tolist(), strict=True
            )
        )


def best_entities(context: Context, query: Query, n: int) -> tuple[Ids, Scores]:
    """Return the n most similar entities, best first, ties by uri; to rank chunks, of those that such a chunk cites."""
    graph, cited = context.adjacency, None
    if query.unit == "chunk" and query.allowed is None:
        cited = context.part("cited entities", _cited_entities)
    elif query.unit == "chunk" and query.allowed is not None:
        indices, _ = slices(graph.cites, allowed_indices(context, query.allowed))
        cited = graph.entity_ids[np.unique(graph.cites.indices[indices])]
    return first(context, "entity", similarity(context, "label").best(query, n, cited), n)


def _cited_entities(context: Context) -> Ids:
    graph = context.adjacency
    return graph.entity_ids[np.diff(graph.cited_in.indptr) > 0]
