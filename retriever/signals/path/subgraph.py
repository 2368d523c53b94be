"""Grow a subgraph from the entities that a question is like (thesis, section 3.3: Subgraph Retrieval).

Each of the most similar entities is a seed. Again and again the neighbour joins
whose label, averaged with the relation types on the way to it, is most like the
question. A relation is read both ways, against its direction as `is_X_of`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.encodings import Vectors
from retriever.index.csr import are_in
from retriever.index.vectors import Space, known, near_top, rounded, scores_of, similarity, space_of
from retriever.session import Session
from retriever.signals.entity import best_entities
from retriever.types import Ids, Query, Scores
from weft.arrays.adjacency import Adjacency

HUB = 1000
"""Of an entity with more edges, those to the most similar labels are looked at; not so in the thesis."""


SHORTEST = 1e-9
"""The least square of a length."""


class Path(NamedTuple):
    """The way from a seed to an entity: ids, the types of relation between them as read, and its end's score."""

    entities: tuple[int, ...]
    types: tuple[str, ...]
    score: float


class Subgraph(NamedTuple):
    """The paths to the entities of a subgraph, as they joined: the seed's own first."""

    paths: tuple[Path, ...]

    @property
    def score(self) -> float:
        """The mean of the scores with which the entities joined."""
        return sum(path.score for path in self.paths) / len(self.paths)


class Edges(NamedTuple):
    """Edges (n,) from members to `nodes`, positions of entities; `members` number the paths that they go on."""

    nodes: NDArray[np.int64]
    types: NDArray[np.int64]
    backward: NDArray[np.bool_]
    members: NDArray[np.int64]
    scores: Scores

    def joined(self, more: Edges, members: NDArray[np.int64]) -> Edges:
        """Return these edges and more, without those that lead to a member."""
        kept = ~are_in(np.append(self.nodes, more.nodes), np.sort(members))
        return Edges(
            np.append(self.nodes, more.nodes)[kept],
            np.append(self.types, more.types)[kept],
            np.append(self.backward, more.backward)[kept],
            np.append(self.members, more.members)[kept],
            np.append(self.scores, more.scores)[kept],
        )


NO_EDGES = Edges(
    np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, bool), np.empty(0, np.int64), np.empty(0, np.float32)
)


class Relations(NamedTuple):
    """Names and embeddings of relation types, by their position in the adjacency."""

    names: tuple[str, ...]
    rows: Vectors


def best_subgraph(session: Session, query: Query, seeds: int = 3, size: int = 5) -> Subgraph | None:
    """Return the best of the subgraphs of `size` entities around the best entities, None where there is no entity.

    A seed without any relation comes after those that grew; equal subgraphs
    stand as their seeds. O(size * HUB * d) a seed.
    """
    entities, scores = best_entities(session, query, seeds)
    grown = [
        _grow(session, query, seed, score, size) for seed, score in zip(entities.tolist(), scores.tolist(), strict=True)
    ]
    return max(grown, key=lambda each: (len(each.paths) > 1, each.score), default=None)


def _grow(session: Session, query: Query, seed: int, score: float, size: int) -> Subgraph:
    ids = session.adjacency.entity_ids
    names, rows = _relations(session, query.vectors)
    paths, bases = [Path((seed,), (), score)], [query.vectors.zeros(1)]
    frontier = NO_EDGES
    while len(paths) < size:
        more = _edges(session, query, paths[-1].entities[-1], len(paths) - 1, bases[-1])
        frontier = frontier.joined(more, np.searchsorted(ids, [path.entities[-1] for path in paths]))
        if not len(frontier.nodes):
            break
        index = _best_edge(session, frontier, names)
        before, type_ = int(frontier.members[index]), int(frontier.types[index])
        read = _read(names[type_], bool(frontier.backward[index]))
        node = int(ids[frontier.nodes[index]])
        last = paths[before]
        paths.append(Path((*last.entities, node), (*last.types, read), float(frontier.scores[index])))
        bases.append(bases[before] + rows[np.array([type_])])
    return Subgraph(tuple(paths))


def _edges(session: Session, query: Query, entity: int, member: int, base: Vectors) -> Edges:
    """Return the edges of an entity, scored; `base` (1,) is the sum of the relation types on the way to it."""
    index = int(np.searchsorted(session.adjacency.entity_ids, entity))
    nodes, types, backward = neighbours(session.adjacency, index)
    ids = session.adjacency.entity_ids[nodes]
    if len(nodes) > HUB:
        kept = near_top(scores_of(similarity(session, "label"), query.vectors, ids), HUB)
        nodes, types, backward, ids = nodes[kept], types[kept], backward[kept], ids[kept]
    _, rows = _relations(session, query.vectors)
    distinct, which = np.unique(types, return_inverse=True)
    ways = rows[distinct]
    if base.any().any():
        ways += base[np.zeros(len(distinct), np.int64)]
    labels = rows_at(space_of(session, "label"), ids, query.vectors)
    scores = cosines_of_sums(labels, ways, which, known(query.vectors))
    return Edges(nodes, types, backward, np.full(len(nodes), member), scores)


def neighbours(
    adjacency: Adjacency, index: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """Return the neighbours of an entity, their relation types, and whether each is read backward.

    A type that leads to a neighbour both ways is read forward alone; an entity
    is no neighbour of its own.
    """
    n, outgoing, incoming = len(adjacency.entity_ids), adjacency.outgoing, adjacency.incoming
    forth, back = (slice(csr.indptr[index], csr.indptr[index + 1]) for csr in (outgoing, incoming))
    keys = outgoing.values[forth].astype(np.int64) * n + outgoing.indices[forth]
    back_keys = incoming.values[back].astype(np.int64) * n + incoming.indices[back]
    back_keys = back_keys[~are_in(back_keys, np.sort(keys))]
    types, nodes = np.divmod(np.concatenate([keys, back_keys]), max(1, n))
    backward = np.arange(len(nodes)) >= len(keys)
    others = nodes != index
    return nodes[others], types[others], backward[others]


def cosines_of_sums(labels: Vectors, ways: Vectors, which: NDArray[np.int64], vectors: Vectors) -> Scores:
    """Return the highest cosine (n,) of any vector with each of the labels (n,) plus the way at its index `which`.

    No sum is made: its product and its length follow from those of its two parts.
    """
    products = labels.products(vectors) + ways.products(vectors)[which]
    best = products.max(axis=1, initial=-np.inf).astype(np.float64)
    squares = labels.lengths().astype(np.float64) ** 2 + (ways.lengths().astype(np.float64) ** 2)[which]
    squares += 2 * labels.beside(ways[which])
    # What rounding leaves of two opposite vectors is no length.
    lengths = np.sqrt(np.where(squares > SHORTEST, squares, 0))
    return rounded(np.divide(best, lengths, out=np.zeros_like(best), where=lengths > 0).astype(np.float32))


def _best_edge(session: Session, frontier: Edges, names: tuple[str, ...]) -> int:
    """Return the edge with the highest score; ties by the node's uri, the type as read, the earlier member."""
    tied = np.flatnonzero(frontier.scores == frontier.scores.max())
    if len(tied) == 1:
        return int(tied[0])
    ranks = session.uri_ranks("entity", session.adjacency.entity_ids[frontier.nodes[tied]])
    tied = tied[ranks == ranks.min()]
    read = [_read(names[frontier.types[index]], bool(frontier.backward[index])) for index in tied]
    keys = zip(read, frontier.members[tied].tolist(), tied.tolist(), strict=True)
    return int(min(keys)[2])


def _read(name: str, backward: bool) -> str:
    return f"is_{name}_of" if backward else name


def _relations(session: Session, like: Vectors) -> Relations:
    """Return the relation types, their vectors of the same kind as others."""
    return session.part("relations", lambda own: _read_relations(own, like))


def _read_relations(session: Session, like: Vectors) -> Relations:
    names: dict[int, str] = dict(session.skb.connection.execute("SELECT id, name FROM relation_type"))
    ids = session.adjacency.type_ids
    return Relations(
        tuple(names[each] for each in ids.tolist()), rows_at(space_of(session, "relation_type"), ids, like)
    )


def rows_at(space: Space, ids: Ids, like: Vectors) -> Vectors:
    """Return the rows (n,) of ids, of the same kind as others, zeros where one has none."""
    if not len(space.ids):
        return like.zeros(len(ids))
    indices = np.minimum(np.searchsorted(space.ids, ids), len(space.ids) - 1)
    have = space.ids[indices] == ids
    # Behind the rows that there are stands one of zeros, for the others.
    places = np.where(have, np.cumsum(have) - 1, np.count_nonzero(have))
    return space.rows.at(indices[have]).joined(like.zeros(1))[places]
