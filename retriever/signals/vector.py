"""Cosine of the question with every chunk (entities: every label, or another space of theirs)."""

from __future__ import annotations

import numpy as np

from retriever.context import Context
from retriever.index.ann import Approximate
from retriever.index.ties import first
from retriever.index.vectors import Similarity, exact, known, similarity
from retriever.signals.mentioned import mention_of
from retriever.types import Evidence, Ids, Query, Scores, Unit

SHOWN = 80
"""Characters of a text that evidence shows."""


class VectorSignal:
    """The highest cosine of a unit's row with any of the question's vectors; exact, never by a sample.

    With `ann` an approximate index proposes, unless the question restricts what
    may be ranked; scores are exact all the same.
    """

    name = "vector"

    def __init__(self, context: Context, unit: Unit, space: str | None = None, ann: bool = False) -> None:
        self.context = context
        self.unit = unit
        self.ann = ann
        self.space = space or ("chunk" if unit == "chunk" else "label")

    @property
    def similarity(self) -> Similarity:
        """The space as the question sees it."""
        return similarity(self.context, self.space)

    def propose(self, query: Query, k: int) -> Ids:
        """Return the k most similar units; none for a question without any known word."""
        if not self.ann or query.allowed is not None:
            return first(self.context, self.unit, self.similarity.best(query, k, query.allowed), k)[0]
        rows = self.similarity.rows
        index = self.context.part(f"approximate {self.space}", lambda own: Approximate(rows))
        ids = self.similarity.ids[index.nearest(known(query), k)]
        return first(self.context, self.unit, (ids, self.similarity.of(query, ids)), k)[0]

    def score(self, query: Query, ids: Ids) -> Scores:
        """Return the similarity of each unit."""
        return self.similarity.of(query, ids)

    def evidence(self, query: Query, identity: int) -> tuple[Evidence, ...]:
        """Return how the unit begins, and which of the question's vectors is like it where there are several."""
        score = float(self.score(query, np.array([identity]))[0])
        if not len(known(query)):
            return ()
        skb = self.context.skb
        if self.unit == "entity":
            (entity,) = skb.entities([identity])
            mention = mention_of(query, np.array([identity]))
            return (Evidence(self.name, "label", entity.uri, self._by(query, identity) + entity.label, score, mention),)
        (chunk,) = skb.chunks([identity])
        text = " ".join(chunk.text.split())[:SHOWN]
        return (Evidence(self.name, "text", chunk.uri, self._by(query, identity) + text, score),)

    def _by(self, query: Query, identity: int) -> str:
        vectors = known(query)
        indices = np.flatnonzero(self.similarity.ids == identity)
        if len(vectors) < 2 or not len(indices):
            return ""
        each = [float(exact(self.similarity.rows, indices, vector[None])[0]) for vector in vectors]
        number = int(np.argmax(each))
        return f"by expansion {number}: " if number else ""
