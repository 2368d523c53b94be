"""Vector searches that do not look at every row: what they fetch is compared exactly, and the best are kept."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from benchmarks.ablation_fusions import Measured, questions_of
from benchmarks.fusion import Prepared
from retriever.encodings import dense
from retriever.evaluation.outcomes import Rank
from retriever.index.ties import first
from retriever.index.vectors import highest, known, rounded, similarity
from retriever.question.reader import question_of
from retriever.searcher import Searcher
from retriever.session import Session
from retriever.types import Ranking, ranking

FETCHED = 100
"""So many rows are left to the exact comparison, as in the thesis."""

NEIGHBOURS = 16
BLOCK = 1024

Rows = NDArray[np.float32]
Places = NDArray[np.int64]


class Fetch(Protocol):
    """Finds the places of rows that are likely near a vector."""

    def __call__(self, vector: Rows) -> Places:
        """Return at most `FETCHED` places."""


class Projected:
    """Compares projections on random directions in place of the rows."""

    def __init__(self, rows: Rows, dimensions: int, seed: int = 0) -> None:
        random = np.random.default_rng(seed)
        self._directions = random.standard_normal((rows.shape[1], dimensions)).astype(np.float32)
        projected = rows @ self._directions
        self._rows = projected / np.maximum(1e-9, np.linalg.norm(projected, axis=1, keepdims=True))

    def __call__(self, vector: Rows) -> Places:
        """Return the places of the rows whose projections are nearest."""
        return np.argsort(-(self._rows @ (vector @ self._directions)), kind="stable")[:FETCHED]


class Walked:
    """Walks a graph of near neighbours towards the vector, as HNSW does on its lowest layer.

    The list of the nearest rows met so far holds `FETCHED`; the walk ends when
    all of them have been left. Neighbours are exact, and links go both ways.
    """

    def __init__(self, rows: Rows, neighbours: int = NEIGHBOURS) -> None:
        self._rows = rows
        self._links: list[set[int]] = [set() for _ in rows]
        for index, near in enumerate(_nearest(rows, neighbours)):
            self._links[index].update(near)
            for other in near:
                self._links[other].add(index)

    def __call__(self, vector: Rows) -> Places:
        """Return the places of the nearest rows that were met."""
        start = float(self._rows[0] @ vector)
        waiting, best, seen = [(-start, 0)], [(start, 0)], {0}
        while waiting:
            score, index = heapq.heappop(waiting)
            if len(best) == FETCHED and -score < best[0][0]:
                break
            new = sorted(self._links[index] - seen)
            seen.update(new)
            for other, near in zip(new, (self._rows[new] @ vector).tolist(), strict=True):
                if len(best) < FETCHED or near > best[0][0]:
                    heapq.heappush(waiting, (-near, other))
                    keep = heapq.heappush if len(best) < FETCHED else heapq.heappushpop
                    keep(best, (near, other))
        return np.array([index for _, index in best], np.int64)


def _nearest(rows: Rows, n: int) -> list[list[int]]:
    """Return the places of each row's n nearest other rows."""
    found: list[list[int]] = []
    for start in range(0, len(rows), BLOCK):
        near = rows[start : start + BLOCK] @ rows.T
        near[np.arange(len(near)), start + np.arange(len(near))] = -2
        found += np.argpartition(-near, n, axis=1)[:, :n].tolist()
    return found


class Coarse:
    """Vector search among the rows that are fetched."""

    def __init__(self, session: Session, fetch: Fetch) -> None:
        self._session = session
        self._space = similarity(session, "chunk")
        self._fetch = fetch

    def __call__(self, text: str, k: int) -> Ranking:
        """Return at most k of the chunks that were fetched, in their exact order."""
        vectors = known(question_of(self._session, text).vectors)
        if not len(vectors):
            return ranking("chunk", np.empty(0, np.int64), np.empty(0, np.float32), "vector")
        indices = np.sort(self._fetch(dense(vectors)[0]))
        scored = (self._space.ids[indices], highest(rounded(self._space.rows.some(indices, vectors))))
        ids, scores = first(self._session, "chunk", scored, k)
        return ranking("chunk", ids, scores, "vector")


def searches(session: Session) -> dict[str, Rank]:
    """Return searches by name, the most faithful first; none where vectors are sparse."""
    rows = similarity(session, "chunk").rows.matrix
    if rows is None:
        return {}
    fetches: dict[str, Fetch] = {f"graph of {n} neighbours": Walked(rows, n) for n in (NEIGHBOURS, 4)}
    fetches |= {f"{n} projections": Projected(rows, n) for n in (128, 64, 32, 16)}
    return {name: Coarse(session, fetch) for name, fetch in fetches.items()}


def agreement(each: Prepared, coarse: Rank, ks: Sequence[int]) -> Measured:
    """Return which share of the k best by exact search a coarse one returns among its own k best."""
    whole = Searcher(each.session, "vector").rank_anew
    rows = []
    for question in questions_of(each):
        true, found = whole(question.question, max(ks)).ids, coarse(question.question, max(ks)).ids
        rows.append([float(np.isin(true[:k], found[:k]).mean()) if len(true) else 1.0 for k in ks])
    return Measured(tuple(f"same@{k}" for k in ks), np.array(rows))
