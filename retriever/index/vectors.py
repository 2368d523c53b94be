"""Exact cosines of vectors with the rows of a vector space, the same bits wherever a row stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.encodings import Vectors
from retriever.index.dense.rows import DenseRows
from retriever.index.places import Places, places_of
from retriever.index.posted_rows import PostedRows
from retriever.index.ties import kth_highest
from retriever.protocols import Pass, Rows
from retriever.session import Memo, Session
from retriever.types import Ids, Scores
from weft.sparse.sparse_rows import SPARSE, SparseRows, load_sparse
from weft.sparse.vector_postings import VectorPostings

TOLERANCE = 1e-6
"""Cosines that differ by less are the same."""

FEW = 8
"""Rows are gathered when they are fewer than one in so many; reading the whole matrix in its order is quicker else."""


class Space(NamedTuple):
    """A vector space whose rows are found by id: `ids` sorted, `rows` beside them."""

    ids: Ids
    rows: Rows


class Similarity(NamedTuple):
    """A vector space, or some rows of one, as a session asks it; what it has read for a vector is the session's.

    Vectors (m,) are of unit length, none of them zero (`known`).
    """

    name: str
    ids: Ids
    rows: Rows
    memo: Memo
    places: Places

    def scores(self, vectors: Vectors) -> NDArray[np.float32]:
        """Return the cosines (m, n) of vectors with all rows, true to `TOLERANCE`; all vectors in one reading."""
        if not len(vectors):
            return np.empty((0, len(self.ids)), np.float32)
        passes = self._whole(vectors)
        if any(each.error for each in passes):
            return self.rows.some(np.arange(len(self.ids)), vectors)
        return np.stack([each.scores for each in passes])

    def nearest(self, vectors: Vectors, k: int, among: Ids | None = None) -> tuple[Ids, NDArray[np.float32]]:
        """Return the rows that are among the k nearest of any vector, and ties, by id, with their cosines (m, n).

        The k highest by the maximum over the vectors are among them. Only rows
        of `among` (sorted ids) count where it is given, and of sparse ones only
        those that share a word with a vector.
        """
        indices = None if among is None else self._indices(among)
        n = len(self.ids) if indices is None else len(indices)
        if not len(vectors) or not n or k < 1:
            return np.empty(0, np.int64), np.empty((len(vectors), 0), np.float32)
        if indices is not None and self.rows.one_by_one and FEW * n < len(self.ids):
            picked = indices[near_tops(rounded(self.rows.some(indices, vectors)), k, self.rows.least)]
        else:
            among = None if n == len(self.ids) else indices
            found = [self._near(each, vectors[i : i + 1], k, among) for i, each in enumerate(self._whole(vectors))]
            picked = found[0] if len(found) == 1 else np.unique(np.concatenate(found))
        return self.ids[picked], self.of(vectors, self.ids[picked])

    def _near(self, one: Pass, vector: Vectors, k: int, among: NDArray[np.int64] | None) -> NDArray[np.int64]:
        """Return the indices that `near_top` gives for exact scores, of some rows where they are given."""
        scores = one.scores if among is None else one.scores[among]
        near = near_top(scores, k, self.rows.least)
        if one.error:
            # The k best by estimate are k rows, so the k-th nearest is no farther than the farthest of these.
            likely = self._exact(near, vector, among)
            lowest = kth_highest(likely, min(k, len(likely)))
            near = np.flatnonzero(scores >= lowest - one.error - 2 * TOLERANCE)
            near = near[near_top(self._exact(near, vector, among), k, self.rows.least)]
        return near if among is None else among[near]

    def _exact(self, near: NDArray[np.int64], vector: Vectors, among: NDArray[np.int64] | None) -> Scores:
        scores: Scores = self.rows.some(near if among is None else among[near], vector)[0]
        return scores

    def of(self, vectors: Vectors, ids: Ids) -> NDArray[np.float32]:
        """Return the cosines (m, n) of vectors with each id's row, 0 where it has none."""
        if not len(self.ids) or not len(vectors):
            return np.zeros((len(vectors), len(ids)), np.float32)
        indices = self.places.of(ids)
        if not self.rows.one_by_one or self._are_known(vectors):
            found = rounded(np.stack([each.scores[indices] for each in self._whole(vectors)]))
        else:
            distinct, back = np.unique(indices, return_inverse=True)
            found = rounded(self.rows.some(distinct, vectors))[:, back]
        return np.where(indices >= 0, found, np.float32(0))

    @property
    def kind(self) -> str:
        """The name of its passes in a memo."""
        return f"similarity {self.name}"

    def begin(self, vectors: Vectors) -> list[Pass]:
        """Begin to compare every row with vectors, while other things are done."""
        keys = vectors.row_keys()
        new = {key: place for place, key in enumerate(keys) if not self.memo.holds(self.kind, key)}
        begun = dict(zip(new, self.rows.compare(vectors[np.array([*new.values()])]), strict=True)) if new else {}
        return [
            self.memo.of(self.kind, key, partial(self._pass, begun, key, vectors[place : place + 1]))
            for place, key in enumerate(keys)
        ]

    def _pass(self, begun: Mapping[bytes, Pass], key: bytes, vector: Vectors) -> Pass:
        """Return what has begun for a vector; it was known before, and dropped since, where nothing has."""
        found = begun.get(key)
        return self.rows.compare(vector)[0] if found is None else found

    def _are_known(self, vectors: Vectors) -> bool:
        """Tell whether every row's exact cosine with each vector is known."""
        if not all(self.memo.holds(self.kind, key) for key in vectors.row_keys()):
            return False
        return not any(each.error for each in self.begin(vectors))

    def _whole(self, vectors: Vectors) -> list[Pass]:
        """Return every row's cosines with each vector, or estimates of them."""
        begun = self.begin(vectors)
        for each in begun:
            for part in each.running:
                part.result()
        return begun

    def _indices(self, ids: Ids) -> NDArray[np.int64]:
        """Return where ids stand, which are told from others by their identity."""
        return self.memo.of(f"indices {self.name}", id(ids), lambda: self._found(ids), held=ids)

    def _found(self, ids: Ids) -> NDArray[np.int64]:
        indices = self.places.of(ids)
        return indices[indices >= 0]


def known(vectors: Vectors) -> Vectors:
    """Return the vectors that are not zero."""
    return vectors[vectors.any()]


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


def rounded(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return scores on the grid of `TOLERANCE`."""
    on_grid: NDArray[np.float32] = (np.round(scores / np.float32(TOLERANCE)) * np.float32(TOLERANCE)).astype(np.float32)
    return on_grid


def near_top(scores: Scores, k: int, least: float = -np.inf) -> NDArray[np.int64]:
    """Return the indices of the k highest scores and of those that may tie with the k-th, none below `least`."""
    lowest = -np.inf if k >= len(scores) else kth_highest(scores, k) - 2 * TOLERANCE
    if (bound := max(lowest, least)) == -np.inf:
        return np.arange(len(scores))
    return np.flatnonzero(scores >= bound)


def near_tops(scores: Iterable[Scores], k: int, least: float) -> NDArray[np.int64]:
    """Return the indices that `near_top` gives for any of several scores (n,), sorted."""
    found = [near_top(each, k, least) for each in scores]
    return found[0] if len(found) == 1 else np.unique(np.concatenate(found))


def space_of(session: Session, name: str) -> Space:
    """Return a vector space, its rows in the order of the ids."""
    skb = session.skb
    if not session.part("is sparse", lambda own: own.skb.meta("vector_dtype") == SPARSE):
        found = skb.vectors(name)
        return Space(found.ids, session.part(f"rows {name}", lambda own: DenseRows(found.rows)))
    postings = session.part(f"vector postings {name}", lambda own: VectorPostings(own.skb.connection, name))
    return Space(postings.ids, PostedRows(postings, skb.connection, partial(_sparse_rows, session, name)))


def _sparse_rows(session: Session, name: str) -> SparseRows:
    """Return the rows of a sparse space, which a search needs only where it compares rows with each other."""
    return session.part(f"sparse rows {name}", lambda own: load_sparse(own.skb.connection, name).rows)


def similarity(session: Session, name: str) -> Similarity:
    """Return a whole space of an SKB as a session asks it."""
    space = space_of(session, name)
    return Similarity(name, *space, session.memo, session.part(f"places {name}", lambda own: places_of(space.ids)))


def begin(session: Session, vectors: Mapping[str, Vectors]) -> None:
    """Begin to compare all rows of spaces with vectors, each by its name."""
    for name, own in vectors.items():
        space = similarity(session, name)
        if len(space.ids):
            space.begin(known(own))


def page_similarity(session: Session) -> Similarity:
    """Return the labels of pages, title and type, by page id."""
    ids, indices = session.part("labels of pages", _page_labels)
    rows = space_of(session, "label").rows
    # Postings are a session's own, since its connection reads them; a matrix is copied once for all sessions.
    rows = session.part("rows of pages", lambda own: rows.taken(indices)) if rows.one_by_one else rows.taken(indices)
    return Similarity("page", ids, rows, session.memo, session.part("places page", lambda own: places_of(ids)))


def _page_labels(session: Session) -> tuple[Ids, NDArray[np.int64]]:
    """Return the pages whose entity has a label that was embedded, and where it stands among the labels."""
    ids, chunk_table = space_of(session, "label").ids, session.chunk_table
    if not len(ids):
        return np.empty(0, np.int64), np.empty(0, np.int64)
    indices = np.minimum(np.searchsorted(ids, chunk_table.page_entities), len(ids) - 1)
    have = ids[indices] == chunk_table.page_entities
    return chunk_table.page_ids[have], indices[have]
