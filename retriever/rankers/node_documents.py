"""Rankers of entities by their documents: vss, and multi-vss, which compares the pieces of the first documents."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from retriever.explain.reasons import strongest
from retriever.index.ties import in_order
from retriever.index.vectors import known
from retriever.rankers.single_signal import SignalRanker
from retriever.session import Session
from retriever.signals.vector import SHOWN, VectorSignal, entity_space
from retriever.types import Attribution, Evidence, Ids, Query, Ranking, Scores, Unit
from weft.documents import Documents
from weft.errors import WeftError

STANDS_IN = "label vectors stand in for node documents, which weft build --node-documents makes"

PIECED_TOKENS = 4096
"""The most words of a document that are cut into pieces."""

OVERLAP = 5
"""Each piece begins with the last fifth of the one before."""

JOINS = {"top3": 3, "max": 1, "mean": None}
"""How many of a document's best pieces its score is the mean of; None: all."""


class DocumentRanker(SignalRanker):
    """Entities by the cosine of the question with their documents, or with their labels where there are none."""

    def __init__(self, space: str) -> None:
        super().__init__(VectorSignal("entity", space), "entity")
        self.space = space

    @property
    def warnings(self) -> tuple[str, ...]:
        """Say that labels stand in, where they do."""
        return (STANDS_IN,) if self.space == "label" else ()


class PiecesSignal:
    """The cosine of the question with the pieces of an entity's document: the mean of the best ones.

    A piece has `size` characters. Documents are rendered and embedded as they are asked for.
    """

    name = "pieces"

    def __init__(self, relations: bool, size: int, n_best: int | None) -> None:
        self.relations = relations
        self.size = size
        self.n_best = n_best

    def propose(self, session: Session, query: Query, k: int) -> Ids:
        """Return none: it reorders what others propose."""
        return np.empty(0, np.int64)

    def score(self, session: Session, query: Query, ids: Ids) -> Scores:
        """Return the score of each entity; encodes about a piece for every 200 characters of their documents."""
        if not len(ids) or not len(known(query.vectors)):
            return np.zeros(len(ids), np.float32)
        texts = [self._pieces(text) for text in self._texts(session, ids)]
        similar = self._similar(session, query, [piece for pieces in texts for piece in pieces])
        ends = np.cumsum([len(pieces) for pieces in texts])[:-1]
        return np.array([_mean_of_best(each, self.n_best) for each in np.split(similar, ends)], np.float32)

    def evidence(self, session: Session, query: Query, identity: int) -> tuple[Evidence, ...]:
        """Return the most similar piece."""
        (text,) = self._texts(session, np.array([identity]))
        pieces = self._pieces(text)
        similar = self._similar(session, query, pieces)
        best = int(np.argmax(similar))
        (uri,) = session.uris("entity", [identity])
        shown = " ".join(pieces[best].split())[:SHOWN]
        return (Evidence(self.name, "text", uri, shown, float(similar[best])),)

    def _texts(self, session: Session, ids: Ids) -> list[str]:
        renderer = Documents(session.skb.connection, relations=self.relations, budget=PIECED_TOKENS)
        return [each.text for each in renderer.of(ids.tolist())]

    def _pieces(self, text: str) -> list[str]:
        step = self.size - self.size // OVERLAP
        return [text[start : start + self.size] for start in range(0, max(1, len(text) - self.size // OVERLAP), step)]

    def _similar(self, session: Session, query: Query, pieces: list[str]) -> NDArray[np.float32]:
        """Return each piece's highest cosine (n,) with any of the question's vectors."""
        highest: NDArray[np.float32] = session.encode(pieces).products(known(query.vectors)).max(axis=1)
        return highest


class PieceRanker(DocumentRanker):
    """The first `n` entities by document in the order of their pieces, then the others by document (STaRK's MultiVSS).

    The score is the pieces', and 2 more for the first `n`, so that it falls along the ranking.
    """

    def __init__(self, space: str, pieces: PiecesSignal, n: int) -> None:
        super().__init__(space)
        self.pieces = pieces
        self.n = n

    def rank(self, session: Session, query: Query, k: int) -> Ranking:
        """Return at most k hits, best first."""
        ids = self.signal.propose(session, query, max(k, self.n))
        by_document = self.signal.score(session, query, ids)
        head = ids[: self.n]
        by_pieces = self._scores(session, query, head)
        order = in_order(session, "entity", head, by_pieces, by_document[: self.n])
        rows = np.append(order, np.arange(len(head), len(ids)))[:k]
        own = np.append(by_pieces, np.zeros(len(ids) - len(head), np.float32))
        is_first = np.arange(len(ids)) < len(head)
        scores = np.where(is_first, 2 + own, by_document).astype(np.float32)
        features = np.column_stack([own, by_document]).astype(np.float32)
        groups = (~is_first).astype(np.int32)
        return Ranking("entity", ids[rows], scores[rows], features[rows], ("pieces", "vector"), groups[rows])

    def signals(self, session: Session, query: Query, found: Ranking) -> dict[str, Scores]:
        """Return the similarity of the pieces, 0 beyond the first `n`, and that of the document."""
        return {name: found.features[:, found.columns.index(name)] for name in ("pieces", "vector")}

    def reasons(self, session: Session, query: Query, found: Ranking) -> list[tuple[Attribution, ...]]:
        """Return the best piece, or the document beyond the first `n`."""
        makers = ((self.pieces, query), (self.signal, query))
        hits = zip(found.ids.tolist(), found.scores.tolist(), found.groups.tolist(), strict=True)
        return [
            strongest(session, "entity", makers, hit, {"vector" if group else "pieces": score})
            for hit, score, group in hits
        ]

    def _scores(self, session: Session, query: Query, ids: Ids) -> Scores:
        """Return the scores of the pieces; what was asked last is known, since documents are embedded for it."""
        key = (query.key, ids.tobytes(), self.pieces.relations, self.pieces.size, self.pieces.n_best)
        return session.memo.of("pieces", key, lambda: self.pieces.score(session, query, ids), held=query.allowed)


def vss(session: Session, unit: Unit, relations: bool) -> DocumentRanker:
    """Return what ranks by documents."""
    return DocumentRanker(entity_space(session, relations))


def multi_vss(session: Session, unit: Unit, relations: bool, n: int, size: int, join: str) -> PieceRanker:
    """Return what ranks by documents and their pieces; raise WeftError for a `join` that is none."""
    if join not in JOINS:
        raise WeftError(f"multi-vss(join={join}): join={join} is none of {', '.join(JOINS)}")
    return PieceRanker(entity_space(session, relations), PiecesSignal(relations, size, JOINS[join]), n)


def _mean_of_best(scores: NDArray[np.float32], n: int | None) -> float:
    return float(np.sort(scores)[::-1][:n].mean())
