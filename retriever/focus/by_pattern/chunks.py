"""The method `cypher` over chunks: those that mention the nodes that fit a pattern, or stand on their pages."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from retriever.focus.by_pattern.ranker import COLUMNS, PatternRanker
from retriever.index.lift import cited, lift
from retriever.index.ties import in_order
from retriever.index.vectors import scores_of, similarity
from retriever.protocols import Untrained
from retriever.session import Session
from retriever.types import Attribution, Ids, Query, Ranking, Scores

EVERYTHING = 1 << 40


class ChunksByPattern(Untrained):
    """Ranks the chunks of the entities that another ranker finds: by scope, then by their own likeness, ties by uri."""

    def __init__(self, entities: PatternRanker) -> None:
        self.entities = entities

    def rank(self, session: Session, query: Query, k: int) -> Ranking:
        """Return at most k hits, best first."""
        lifted = lift(session, self._fitting(session, query), "chunk", query.allowed)
        by_pattern = lifted.features[:, COLUMNS.index("pattern")]
        like = scores_of(similarity(session, "chunk"), query.vectors, lifted.ids)
        order = in_order(session, "chunk", lifted.ids, by_pattern, like)[:k]
        features = np.column_stack([by_pattern, like]).astype(np.float32)[order]
        return lifted.taken(order)._replace(scores=features.sum(axis=1), features=features)

    def signals(self, session: Session, query: Query, found: Ranking) -> Mapping[str, Scores]:
        """Return how early the scope is that found each hit's entity, and the hit's likeness to the question."""
        return {name: found.features[:, found.columns.index(name)] for name in COLUMNS}

    def reasons(self, session: Session, query: Query, found: Ranking) -> list[tuple[Attribution, ...]]:
        """Return for each hit why the first of the entities that it is about fits."""
        fitting = self._fitting(session, query)
        rows = [self._first(session, fitting.ids, chunk) for chunk in found.ids.tolist()]
        entities = self.entities.reasons(session, self._of_entities(query), fitting.taken(np.array(rows, np.int64)))
        return [
            tuple(reason._replace(contribution=float(score)) for reason in reasons)
            for reasons, score in zip(entities, found.scores, strict=True)
        ]

    def _fitting(self, session: Session, query: Query) -> Ranking:
        return self.entities.rank(session, self._of_entities(query), EVERYTHING)

    @staticmethod
    def _of_entities(query: Query) -> Query:
        return query._replace(unit="entity", allowed=None)

    @staticmethod
    def _first(session: Session, entities: Ids, chunk: int) -> int:
        """Return the place of the first of some entities that a chunk cites, or on whose page it stands."""
        chunk_table, own = session.chunk_table, np.array([chunk])
        page = chunk_table.entities_of(chunk_table.pages[chunk_table.indices(own)])
        return int(np.flatnonzero(np.isin(entities, np.append(cited(session, own)[0], page)))[0])
