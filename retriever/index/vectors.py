"""Exact cosines of a question with the rows of a vector space, the same bits wherever a row stands."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from retriever.context import Context, Space
from retriever.index.ties import kth_highest
from retriever.types import Ids, Query, Scores

TOLERANCE = 1e-6
"""Cosines that differ by less are the same."""

FEW = 8
"""Rows are gathered when they are fewer than one in so many; reading the whole matrix in its order is quicker else."""

BATCH = 8192
"""Rows gathered at a time."""

THREADS = min(4, os.cpu_count() or 1)
SMALL = 16_384
"""Rows that one thread reads sooner than several begin."""

WORKERS = ThreadPoolExecutor(THREADS, "similarity")

Rows = NDArray[np.float32]


class Similarity:
    """A vector space, or some rows of one, as a question sees it.

    The similarity is the highest over the question's vectors. Those of the whole
    space are kept for the last question, since several signals ask for the same
    ones.
    """

    def __init__(self, space: Space) -> None:
        self.ids = space.ids
        self.rows = space.rows
        self._last: tuple[Rows, Scores, Sequence[Future[None]]] | None = None
        self._among: tuple[Ids, NDArray[np.int64]] | None = None

    def best(self, query: Query, k: int, among: Ids | None = None) -> tuple[Ids, Scores]:
        """Return ids and similarities of the k best rows, sorted by id, and of all that tie with the k-th.

        Only rows of `among` (sorted ids) count where it is given. A question
        without any known word has none. O(n d), O(len(among) d) where these are few.
        """
        vectors = known(query)
        indices = None if among is None else self._indices(among)
        n = len(self.ids) if indices is None else len(indices)
        if not len(vectors) or not n or k < 1:
            return np.empty(0, np.int64), np.empty(0, np.float32)
        if indices is None or n == len(self.ids):
            picked = near_top(self.whole(query), k)
        else:
            few = FEW * n < len(self.ids)
            picked = indices[near_top(exact(self.rows, indices, vectors) if few else self.whole(query)[indices], k)]
        return self.ids[picked], self.of(query, self.ids[picked])

    def of(self, query: Query, ids: Ids) -> Scores:
        """Return the similarity (n,) of each id's row, 0 where it has none or the question no known word."""
        vectors = known(query)
        scores = np.zeros(len(ids), np.float32)
        if not len(self.ids) or not len(vectors):
            return scores
        distinct, back = np.unique(ids, return_inverse=True)
        indices = np.minimum(np.searchsorted(self.ids, distinct), len(self.ids) - 1)
        known_already = self._last is not None and np.array_equal(self._last[0], query.vectors)
        found = rounded(self.whole(query)[indices]) if known_already else exact(self.rows, indices, vectors)
        return np.where(self.ids[indices] == distinct, found, 0).astype(np.float32)[back]

    def whole(self, query: Query) -> Scores:
        """Return the similarity (n,) of every row, true to `TOLERANCE`."""
        _, scores, running = self._begun(query)
        for each in running:
            each.result()
        return scores

    def begin(self, query: Query) -> None:
        """Begin to compare every row with a question, while other things are done for it."""
        if len(self.ids) and len(known(query)):
            self._begun(query)

    def _begun(self, query: Query) -> tuple[Rows, Scores, Sequence[Future[None]]]:
        if self._last is None or not np.array_equal(self._last[0], query.vectors):
            scores = np.empty(len(self.ids), np.float32)
            self._last = (query.vectors, scores, compare(self.rows, known(query), scores))
        return self._last

    def _indices(self, ids: Ids) -> NDArray[np.int64]:
        """Return where ids stand; kept for the last array, since most questions may rank the same ones."""
        if self._among is None or self._among[0] is not ids:
            indices = np.minimum(np.searchsorted(self.ids, ids), max(0, len(self.ids) - 1))
            self._among = (ids, indices[self.ids[indices] == ids] if len(self.ids) else indices[:0])
        return self._among[1]


def known(query: Query) -> Rows:
    """Return the question's vectors that are not zero (m, d)."""
    return query.vectors[query.vectors.any(axis=1)]


def compare(rows: Rows, vectors: Rows, scores: Scores) -> Sequence[Future[None]]:
    """Begin to write each row's highest cosine with any of the vectors; `scores` are true when all parts are done.

    One core reads rows twice as fast by `einsum` as by a matrix product, whose threads wait for each other besides.
    """
    if len(rows) < SMALL:
        highest(rows, vectors, scores)
        return ()
    borders = np.linspace(0, len(rows), THREADS + 1).astype(int).tolist()
    parts = [slice(*each) for each in pairwise(borders)]
    return [WORKERS.submit(highest, rows[part], vectors, scores[part]) for part in parts]


def highest(rows: Rows, vectors: Rows, scores: Scores) -> None:
    """Write each row's highest cosine with any of the vectors, one at least."""
    np.einsum("ij,j->i", rows, vectors[0], out=scores)
    for vector in vectors[1:]:
        np.maximum(scores, np.einsum("ij,j->i", rows, vector), out=scores)


def exact(rows: Rows, indices: NDArray[np.int64], vectors: Rows) -> Scores:
    """Return the highest cosine of the rows at some indices with any of the vectors, rounded to `TOLERANCE`.

    A matrix product may give equal rows different last bits, by where they
    stand; this sum takes every row by itself.
    """
    scores = np.full(len(indices), -np.inf, np.float32)
    for start in range(0, len(indices), BATCH) if len(vectors) else ():
        highest(rows[indices[start : start + BATCH]], vectors, scores[start : start + BATCH])
    return rounded(scores)


def rounded(scores: Scores) -> Scores:
    """Return scores on the grid of `TOLERANCE`."""
    on_grid: Scores = (np.round(scores / np.float32(TOLERANCE)) * np.float32(TOLERANCE)).astype(np.float32)
    return on_grid


def near_top(scores: Scores, k: int) -> NDArray[np.int64]:
    """Return the indices of the k highest scores and of those that may tie with the k-th."""
    if k >= len(scores):
        return np.arange(len(scores))
    return np.flatnonzero(scores >= kth_highest(scores, k) - 2 * TOLERANCE)


def similarity(context: Context, space: str) -> Similarity:
    """Return a whole space of an SKB, shared by all that ask for it."""
    return context.part(f"similarity {space}", lambda own: Similarity(own.space(space)))


def begin(context: Context, query: Query) -> None:
    """Begin to compare a question with all chunks, labels and sections, where any of these may be ranked."""
    if query.allowed is None:
        for space in ("chunk", "label", "section"):
            similarity(context, space).begin(query)


def page_similarity(context: Context) -> Similarity:
    """Return the labels of pages, title and type, by page id."""
    return context.part("similarity page", _page_labels)


def _page_labels(context: Context) -> Similarity:
    labels, chunk_table = context.space("label"), context.chunk_table
    if not len(labels.ids):
        return Similarity(Space(np.empty(0, np.int64), labels.rows))
    indices = np.minimum(np.searchsorted(labels.ids, chunk_table.page_entities), len(labels.ids) - 1)
    have = labels.ids[indices] == chunk_table.page_entities
    return Similarity(Space(chunk_table.page_ids[have], labels.rows[indices[have]]))
