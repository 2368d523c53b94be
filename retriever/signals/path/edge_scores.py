"""How like a question entities are with the relation types on the way to them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.encodings import Vectors
from retriever.index.vectors import Space, known, rounded, similarity, space_of
from retriever.session import Session
from retriever.types import Ids, Query, Scores

SHORTEST = 1e-9
"""The least square of a length."""


class Relations(NamedTuple):
    """Names and embeddings of relation types, by their position in the adjacency."""

    names: tuple[str, ...]
    rows: Vectors


class Labels(NamedTuple):
    """The squares of the lengths of all labels (n + 1,), and whether they share a word with a relation type.

    Last stands a label without any word, for entities that have none.
    """

    squares: NDArray[np.float64]
    are_typed: NDArray[np.bool_]


def edge_scores(session: Session, query: Query, ids: Ids, ways: Vectors, which: NDArray[np.int64]) -> Scores:
    """Return the scores (n,) of entities, each with the way at its index `which`.

    Of sparse labels most share no word with the question, nor with a relation:
    their lengths are all that counts.
    """
    space, vectors = similarity(session, "label"), known(query.vectors)
    if space.rows.one_by_one or not len(space.ids):
        return cosines_of_sums(rows_at(Space(space.ids, space.rows), ids, vectors), ways, which, vectors)
    labels, places = _labels(session, query.vectors), space.places.of(ids)
    squares = labels.squares[places] + (ways.lengths().astype(np.float64) ** 2)[which]
    scores = _cosines(ways.products(vectors)[which], squares)
    # Weights are above 0, so what shares a word has a product above 0.
    near = np.flatnonzero(labels.are_typed[places] | space.scores(vectors)[:, places].any(axis=0))
    rows = rows_at(Space(space.ids, space.rows), ids[near], vectors)
    scores[near] = cosines_of_sums(rows, ways, which[near], vectors)
    return scores


def cosines_of_sums(labels: Vectors, ways: Vectors, which: NDArray[np.int64], vectors: Vectors) -> Scores:
    """Return the highest cosine (n,) of any vector with each of the labels (n,) plus the way at its index `which`.

    No sum is made: its product and its length follow from those of its two parts.
    """
    products = labels.products(vectors) + ways.products(vectors)[which]
    squares = labels.lengths().astype(np.float64) ** 2 + (ways.lengths().astype(np.float64) ** 2)[which]
    squares += 2 * labels.beside(ways, which)
    return _cosines(products, squares)


def _cosines(products: NDArray[np.float32], squares: NDArray[np.float64]) -> Scores:
    """Return the highest product (n,) of (n, m), divided by the length whose square stands beside it."""
    best = products.max(axis=1, initial=-np.inf).astype(np.float64)
    # What rounding leaves of two opposite vectors is no length.
    lengths = np.sqrt(np.where(squares > SHORTEST, squares, 0))
    return rounded(np.divide(best, lengths, out=np.zeros_like(best), where=lengths > 0).astype(np.float32))


def relations(session: Session, like: Vectors) -> Relations:
    """Return the relation types, their vectors of the same kind as others."""
    return session.part("relations", lambda own: _read_relations(own, like))


def _read_relations(session: Session, like: Vectors) -> Relations:
    names: dict[int, str] = dict(session.skb.connection.execute("SELECT id, name FROM relation_type"))
    ids = session.adjacency.type_ids
    return Relations(
        tuple(names[each] for each in ids.tolist()), rows_at(space_of(session, "relation_type"), ids, like)
    )


def _labels(session: Session, like: Vectors) -> Labels:
    """Return what scores need of all labels, which are sparse."""
    return session.part("label lengths", lambda own: _read_labels(own, like))


def _read_labels(session: Session, like: Vectors) -> Labels:
    space = space_of(session, "label")
    rows = space.rows.at(np.arange(len(space.ids)))
    are_typed = rows.meet(relations(session, like).rows)
    return Labels(np.append(rows.lengths().astype(np.float64) ** 2, 0), np.append(are_typed, False))


def rows_at(space: Space, ids: Ids, like: Vectors) -> Vectors:
    """Return the rows (n,) of ids, of the same kind as others, zeros where one has none."""
    if not len(space.ids):
        return like.zeros(len(ids))
    indices = np.minimum(np.searchsorted(space.ids, ids), len(space.ids) - 1)
    have = space.ids[indices] == ids
    if have.all():
        return space.rows.at(indices)
    # Behind the rows that there are stands one of zeros, for the others.
    places = np.where(have, np.cumsum(have) - 1, np.count_nonzero(have))
    return space.rows.at(indices[have]).joined(like.zeros(1))[places]
