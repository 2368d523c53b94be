"""Cosine of the question with every chunk, or every entity's document; its label where documents were not embedded."""

from __future__ import annotations

from itertools import islice

import numpy as np

from retriever.encodings import dense
from retriever.index.dense.ann import Approximate
from retriever.index.ties import first, leading
from retriever.index.vectors import best, known, scores_of, similarity, space_of
from retriever.session import Session
from retriever.signals.mentioned import mention_of
from retriever.types import Evidence, Ids, Query, Scores, Step, Unit

LEAST = 80
"""So many are ranked at least: steps of one question ask for 20 and for 80."""

SHOWN = 80
"""Characters of a text that evidence shows."""


class VectorSignal:
    """The highest cosine of a unit's row with any of the question's vectors; exact, never by a sample.

    With `ann` an approximate index proposes, unless the question restricts what
    may be ranked, or vectors are sparse, whose postings are quicker than any
    index; scores are exact all the same.
    """

    name = "vector"

    def __init__(self, unit: Unit, space: str | None = None, ann: bool = False) -> None:
        self.unit = unit
        self.ann = ann
        self._named = space or ("chunk" if unit == "chunk" else None)

    def space(self, session: Session) -> str:
        """Return the name of the vector space that is compared."""
        return self._named or entity_space(session)

    def propose(self, session: Session, query: Query, k: int) -> Ids:
        """Return the k most similar units; none for a question without any known word.

        What entities are compared by stands in the trace.
        """
        name, timer = self.space(session), session.trace.timer()
        found = self._propose(session, query, k, name)
        if self.unit == "entity":
            session.trace.add(Step("vector", timer.seconds(), detail={"space": name}))
        return found

    def _propose(self, session: Session, query: Query, k: int, name: str) -> Ids:
        space = similarity(session, name)
        matrix = space.rows.matrix if self.ann and query.allowed is None else None
        if matrix is None:
            found = leading(
                session, self.unit, (name, query.key),
                lambda n: best(space, query.vectors, n, query.allowed), k, LEAST, held=query,
            )[0]  # fmt: skip
            return found if len(found) >= k or not len(known(query.vectors)) else self._filled(session, query, found, k)
        index = session.part(f"approximate {name}", lambda own: Approximate(matrix))
        ids = space.ids[index.nearest(dense(known(query.vectors)), k)]
        return first(session, self.unit, (ids, scores_of(space, query.vectors, ids)), k)[0]

    def _filled(self, session: Session, query: Query, found: Ids, k: int) -> Ids:
        """Return what was found and, up to k, units that are like the question in nothing: all tie, so by uri."""
        allowed, known_already = None if query.allowed is None else {*query.allowed.tolist()}, {*found.tolist()}
        by_uri = session.skb.connection.execute(f"SELECT id FROM {self.unit} ORDER BY uri")
        others = (each for (each,) in by_uri if each not in known_already and (allowed is None or each in allowed))
        return np.append(found, np.fromiter(islice(others, k - len(found)), np.int64))

    def score(self, session: Session, query: Query, ids: Ids) -> Scores:
        """Return the similarity of each unit."""
        return scores_of(similarity(session, self.space(session)), query.vectors, ids)

    def evidence(self, session: Session, query: Query, identity: int) -> tuple[Evidence, ...]:
        """Return how the unit begins, and which of the question's vectors is like it where there are several."""
        score = float(self.score(session, query, np.array([identity]))[0])
        if not len(known(query.vectors)):
            return ()
        skb = session.skb
        by = self._by(session, query, identity)
        if self.unit == "entity":
            (entity,) = skb.entities([identity])
            mention = mention_of(query.question, np.array([identity]))
            kind = "label" if self.space(session) == "label" else "document"
            return (Evidence(self.name, kind, entity.uri, by + entity.label, score, mention),)
        (chunk,) = skb.chunks([identity])
        text = " ".join(chunk.text.split())[:SHOWN]
        return (Evidence(self.name, "text", chunk.uri, by + text, score),)

    def _by(self, session: Session, query: Query, identity: int) -> str:
        vectors = known(query.vectors)
        each = similarity(session, self.space(session)).of(vectors, np.array([identity]))
        number = int(np.argmax(each[:, 0]))
        return f"by expansion {number}: " if number else ""


def entity_space(session: Session, relations: bool = False) -> str:
    """Return the space by which entities are compared: their documents where they were embedded, else their labels."""
    wanted = "document+relations" if relations else "document"
    return wanted if len(space_of(session, wanted).ids) else "label"
