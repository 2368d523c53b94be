"""Exact cosines of vectors with the rows of a vector space, the same bits wherever a row stands."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.index.places import Places, places_of
from retriever.index.ties import kth_highest
from retriever.session import Memo, Session, Space
from retriever.types import Ids, Scores, Vectors

TOLERANCE = 1e-6
"""Cosines that differ by less are the same."""

FEW = 8
"""Rows are gathered when they are fewer than one in so many; reading the whole matrix in its order is quicker else."""

BATCH = 8192
"""Rows gathered at a time."""

BLOCK = 256
"""Rows read at a time for several vectors."""

THREADS = min(4, os.cpu_count() or 1)
SMALL = 16_384
"""Rows that one thread reads sooner than several begin."""

WORKERS = ThreadPoolExecutor(THREADS, "similarity")

Rows = NDArray[np.float32]


class Pass(NamedTuple):
    """One vector's cosine with every row (n,), true when all of `running` are done."""

    scores: Scores
    running: Sequence[Future[None]]


class Similarity(NamedTuple):
    """A vector space, or some rows of one, as a session asks it; what it has read for a vector is the session's.

    Vectors are rows (m, d) of unit length, none of them zero (`known`).
    """

    name: str
    ids: Ids
    rows: Rows
    memo: Memo
    places: Places

    def scores(self, vectors: Vectors) -> NDArray[np.float32]:
        """Return the cosines (m, n) of vectors with all rows, true to `TOLERANCE`; all vectors in one reading."""
        return np.stack(self._whole(vectors)) if len(vectors) else np.empty((0, len(self.ids)), np.float32)

    def nearest(self, vectors: Vectors, k: int, among: Ids | None = None) -> tuple[Ids, NDArray[np.float32]]:
        """Return the rows that are among the k nearest of any vector, and ties, by id, with their cosines (m, n).

        The k highest by the maximum over the vectors are among them. Only rows
        of `among` (sorted ids) count where it is given. O(n d), O(len(among) d)
        where these are few.
        """
        indices = None if among is None else self._indices(among)
        n = len(self.ids) if indices is None else len(indices)
        if not len(vectors) or not n or k < 1:
            return np.empty(0, np.int64), np.empty((len(vectors), 0), np.float32)
        if indices is None or n == len(self.ids):
            picked = near_tops(self._whole(vectors), k)
        elif FEW * n < len(self.ids):
            picked = indices[near_tops(exact(self.rows, indices, vectors), k)]
        else:
            picked = indices[near_tops([each[indices] for each in self._whole(vectors)], k)]
        return self.ids[picked], self.of(vectors, self.ids[picked])

    def of(self, vectors: Vectors, ids: Ids) -> NDArray[np.float32]:
        """Return the cosines (m, n) of vectors with each id's row, 0 where it has none."""
        if not len(self.ids) or not len(vectors):
            return np.zeros((len(vectors), len(ids)), np.float32)
        indices = self.places.of(ids)
        if all(self.memo.holds(self.kind, each.tobytes()) for each in vectors):
            found = rounded(np.stack([each[indices] for each in self._whole(vectors)]))
        else:
            distinct, back = np.unique(indices, return_inverse=True)
            found = exact(self.rows, distinct, vectors)[:, back]
        return np.where(indices >= 0, found, np.float32(0))

    @property
    def kind(self) -> str:
        """The name of its passes in a memo."""
        return f"similarity {self.name}"

    def begin(self, vectors: Vectors) -> list[Pass]:
        """Begin to compare every row with vectors, while other things are done."""
        asked = {each.tobytes(): each for each in vectors}
        new = {key: each for key, each in asked.items() if not self.memo.holds(self.kind, key)}
        begun = dict(zip(new, compare(self.rows, np.stack([*new.values()])), strict=True)) if new else {}
        return [self.memo.of(self.kind, each.tobytes(), partial(self._pass, begun, each)) for each in vectors]

    def _pass(self, begun: Mapping[bytes, Pass], vector: Rows) -> Pass:
        """Return what has begun for a vector; it was known before, and dropped since, where nothing has."""
        found = begun.get(vector.tobytes())
        return compare(self.rows, vector[None])[0] if found is None else found

    def _whole(self, vectors: Vectors) -> list[Scores]:
        """Return every row's cosines with each vector."""
        begun = self.begin(vectors)
        for each in begun:
            for part in each.running:
                part.result()
        return [each.scores for each in begun]

    def _indices(self, ids: Ids) -> NDArray[np.int64]:
        """Return where ids stand, which are told from others by their identity."""
        return self.memo.of(f"indices {self.name}", id(ids), lambda: self._found(ids), held=ids)

    def _found(self, ids: Ids) -> NDArray[np.int64]:
        indices = self.places.of(ids)
        return indices[indices >= 0]


def known(vectors: Vectors) -> Vectors:
    """Return the vectors that are not zero."""
    return vectors[vectors.any(axis=1)]


def highest(scores: NDArray[np.float32]) -> Scores:
    """Return the maximum (n,) over vectors of cosines (m, n), 0 without any vector."""
    return scores.max(axis=0) if len(scores) else np.zeros(scores.shape[1], np.float32)


def best(space: Similarity, vectors: Vectors, k: int, among: Ids | None = None) -> tuple[Ids, Scores]:
    """Return ids and highest cosines of the k rows most similar to any vector, and of ties and some others, by id."""
    ids, scores = space.nearest(known(vectors), k, among)
    return ids, highest(scores)


def scores_of(space: Similarity, vectors: Vectors, ids: Ids) -> Scores:
    """Return the highest cosine (n,) of each id's row with any vector, 0 where it has none, or all vectors are zero."""
    return highest(space.of(known(vectors), ids))


def compare(rows: Rows, vectors: Vectors) -> list[Pass]:
    """Begin to compare each row with vectors, one at least, in one reading of the rows.

    One core reads rows twice as fast by `einsum` as by a matrix product, whose threads wait for each other besides.
    """
    scores = [np.empty(len(rows), np.float32) for _ in vectors]
    if len(rows) < SMALL:
        cosines(rows, vectors, scores)
        return [Pass(each, ()) for each in scores]
    borders = np.linspace(0, len(rows), THREADS + 1).astype(int).tolist()
    parts = [slice(*each) for each in pairwise(borders)]
    running = [WORKERS.submit(cosines, rows[part], vectors, [each[part] for each in scores]) for part in parts]
    return [Pass(each, running) for each in scores]


def cosines(rows: Rows, vectors: Vectors, scores: Sequence[Scores]) -> None:
    """Write each row's cosine with every vector; several vectors take rows that the processor's cache holds."""
    step = len(rows) if len(vectors) == 1 else BLOCK
    for start in range(0, len(rows), max(1, step)):
        part = slice(start, start + step)
        for vector, own in zip(vectors, scores, strict=True):
            np.einsum("ij,j->i", rows[part], vector, out=own[part])


def exact(rows: Rows, indices: NDArray[np.int64], vectors: Vectors) -> NDArray[np.float32]:
    """Return the cosines (m, n) of vectors with the rows at some indices, rounded to `TOLERANCE`.

    A matrix product may give equal rows different last bits, by where they
    stand; this sum takes every row by itself.
    """
    scores = np.empty((len(vectors), len(indices)), np.float32)
    for start in range(0, len(indices), BATCH):
        part = slice(start, start + BATCH)
        cosines(rows[indices[part]], vectors, [each[part] for each in scores])
    return rounded(scores)


def rounded(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return scores on the grid of `TOLERANCE`."""
    on_grid: NDArray[np.float32] = (np.round(scores / np.float32(TOLERANCE)) * np.float32(TOLERANCE)).astype(np.float32)
    return on_grid


def near_top(scores: Scores, k: int) -> NDArray[np.int64]:
    """Return the indices of the k highest scores and of those that may tie with the k-th."""
    if k >= len(scores):
        return np.arange(len(scores))
    return np.flatnonzero(scores >= kth_highest(scores, k) - 2 * TOLERANCE)


def near_tops(scores: Iterable[Scores], k: int) -> NDArray[np.int64]:
    """Return the indices that `near_top` gives for any of several scores (n,), sorted."""
    found = [near_top(each, k) for each in scores]
    return found[0] if len(found) == 1 else np.unique(np.concatenate(found))


def similarity(session: Session, name: str) -> Similarity:
    """Return a whole space of an SKB as a session asks it."""
    space = session.space(name)
    return Similarity(name, *space, session.memo, session.part(f"places {name}", lambda own: places_of(space.ids)))


def begin(session: Session, vectors: Mapping[str, Vectors]) -> None:
    """Begin to compare all rows of spaces with vectors, each by its name."""
    for name, own in vectors.items():
        space = similarity(session, name)
        if len(space.ids):
            space.begin(known(own))


def page_similarity(session: Session) -> Similarity:
    """Return the labels of pages, title and type, by page id."""
    space = session.part("labels of pages", _page_labels)
    return Similarity("page", *space, session.memo, session.part("places page", lambda own: places_of(space.ids)))


def _page_labels(session: Session) -> Space:
    labels, chunk_table = session.space("label"), session.chunk_table
    if not len(labels.ids):
        return Space(np.empty(0, np.int64), labels.rows)
    indices = np.minimum(np.searchsorted(labels.ids, chunk_table.page_entities), len(labels.ids) - 1)
    have = labels.ids[indices] == chunk_table.page_entities
    return Space(chunk_table.page_ids[have], labels.rows[indices[have]])
