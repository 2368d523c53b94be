"""What kind of thing relations lead to, by the names of it: years, persons and titles differ as their embeddings do."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from retriever.context import Cache
from retriever.encodings import Vectors
from retriever.focus.planner.steps import schema_of
from retriever.index.vectors import space_of
from retriever.session import Session

SAMPLE = 150
"""Names that stand for all that a relation leads to, evenly over the graph."""

MOST_WORDS = 1 << 14

Ends = Mapping[int, tuple[float, float]]
"""For each relation how like a word is to its objects and to its subjects."""


class Kinds:
    """The mean embeddings of the objects and of the subjects of each relation."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._n = len(schema_of(session).predicates)
        self._means: Vectors = session.part("kinds of ends", _means)
        self._known: Cache[str, NDArray[np.float64]] = session.part("kinds of words", lambda own: Cache(MOST_WORDS))

    def of(self, word: str | None) -> Ends:
        """Return how like a word is to what each relation leads to, beside what it is to the others on average."""
        if word is None or not len(self._means):
            return {number: (0.0, 0.0) for number in range(self._n)}
        cosines = self._known.of([word], lambda missing: ((each, self._cosines(each)) for each in missing))[word]
        return {number: (cosines[2 * number], cosines[2 * number + 1]) for number in range(self._n)}

    def _cosines(self, word: str) -> NDArray[np.float64]:
        cosines = self._means.products(self._session.encode([word])).astype(np.float64)[:, 0]
        return np.asarray(cosines - cosines.mean(), np.float64)


def _means(session: Session) -> Vectors:
    """Return the mean vector of each relation's objects, then of its subjects, relation by relation."""
    graph, space = session.adjacency, space_of(session, "label")
    rows: list[Vectors] = []
    for predicate in range(len(graph.type_ids)):
        for table in (graph.incoming, graph.outgoing):
            at = np.flatnonzero(table.values == predicate)
            ends = np.unique(np.searchsorted(table.indptr, _spread(at), side="right") - 1)
            rows.append(_mean(space.rows.at(_known(space.ids, graph.entity_ids[ends]))))
    if not rows:
        return session.encode([""])[:0]
    joined = rows[0]
    for each in rows[1:]:
        joined = joined.joined(each)
    return joined


def _spread(at: NDArray[np.int64]) -> NDArray[np.int64]:
    return at[:: max(1, len(at) // SAMPLE)][:SAMPLE]


def _known(ids: NDArray[np.int64], wanted: NDArray[np.int64]) -> NDArray[np.int64]:
    places = np.minimum(np.searchsorted(ids, wanted), len(ids) - 1)
    return places[ids[places] == wanted] if len(ids) else places[:0]


def _mean(vectors: Vectors) -> Vectors:
    return vectors.mean() if len(vectors) else vectors.zeros(1)
