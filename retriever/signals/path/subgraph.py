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
from retriever.index.csr import are_in, distinct, slices
from retriever.index.vectors import Space, known, near_top, rounded, scores_of, similarity, space_of
from retriever.session import Session
from retriever.signals.entity import best_entities
from retriever.types import Ids, Query, Scores
from weft.arrays.adjacency import Adjacency, Csr

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

    def joined(self, more: Edges) -> Edges:
        """Return these edges and more."""
        return Edges(
            np.append(self.nodes, more.nodes),
            np.append(self.types, more.types),
            np.append(self.backward, more.backward),
            np.append(self.members, more.members),
            np.append(self.scores, more.scores),
        )

    def taken(self, kept: NDArray[np.bool_] | NDArray[np.int64]) -> Edges:
        """Return some edges."""
        return Edges(self.nodes[kept], self.types[kept], self.backward[kept], self.members[kept], self.scores[kept])


NO_EDGES = Edges(
    np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, bool), np.empty(0, np.int64), np.empty(0, np.float32)
)


class Members(NamedTuple):
    """The entities of all subgraphs, as they joined: their `paths`, the number of each one's seed, and their `bases`.

    A base (1,) is the sum of the relation types on the way to it.
    """

    paths: tuple[Path, ...]
    seeds: NDArray[np.int64]
    bases: Vectors

    def places(self, ids: Ids) -> NDArray[np.int64]:
        """Return where the entities stand among all ids, which are sorted."""
        return np.searchsorted(ids, [path.entities[-1] for path in self.paths])


class Relations(NamedTuple):
    """Names and embeddings of relation types, by their position in the adjacency."""

    names: tuple[str, ...]
    rows: Vectors


def best_subgraph(session: Session, query: Query, seeds: int = 3, size: int = 5) -> Subgraph | None:
    """Return the best of the subgraphs of `size` entities around the best entities, None where there is no entity.

    A seed without any relation comes after those that grew; equal subgraphs
    stand as their seeds. All grow at once: O(seeds * size * HUB * d) in `size` steps.
    """
    entities, scores = best_entities(session, query, seeds)
    first = tuple(Path((seed,), (), score) for seed, score in zip(entities.tolist(), scores.tolist(), strict=True))
    members = _grown(session, query, Members(first, np.arange(len(first)), query.vectors.zeros(len(first))), size)
    grown = [
        Subgraph(tuple(path for path, own in zip(members.paths, members.seeds.tolist(), strict=True) if own == seed))
        for seed in range(len(first))
    ]
    return max(grown, key=lambda each: (len(each.paths) > 1, each.score), default=None)


def _grown(session: Session, query: Query, members: Members, size: int) -> Members:
    """Return seeds and what joins their subgraphs, one entity each in a step."""
    frontier, n_before = NO_EDGES, 0
    for _ in range(size - 1):
        newest = np.arange(n_before, len(members.paths))
        frontier = _outside(session, frontier.joined(_edges(session, query, members, newest)), members)
        best = _best_edges(session, query, frontier, members)
        if not len(best):
            break
        n_before = len(members.paths)
        members = _with(session, query, members, frontier.taken(best))
    return members


def _outside(session: Session, edges: Edges, members: Members) -> Edges:
    """Return the edges that do not lead to a member of their own subgraph."""
    ids = session.adjacency.entity_ids
    inside = np.sort(members.seeds * len(ids) + members.places(ids))
    return edges.taken(~are_in(members.seeds[edges.members] * len(ids) + edges.nodes, inside))


def _with(session: Session, query: Query, members: Members, joining: Edges) -> Members:
    """Return members and, behind them, the ends of some edges."""
    names, rows = _relations(session, query.vectors)
    paths = []
    for node, type_, backward, member, score in zip(*(each.tolist() for each in joining), strict=True):
        last, entity = members.paths[member], int(session.adjacency.entity_ids[node])
        paths.append(Path((*last.entities, entity), (*last.types, _read(names[type_], backward)), score))
    bases = members.bases[joining.members] + rows[joining.types]
    seeds = np.append(members.seeds, members.seeds[joining.members])
    return Members((*members.paths, *paths), seeds, members.bases.joined(bases))


def _edges(session: Session, query: Query, members: Members, newest: NDArray[np.int64]) -> Edges:
    """Return the edges of some members, scored."""
    ids = session.adjacency.entity_ids
    edges = neighbours(session.adjacency, members.places(ids)[newest], newest)
    for member in np.flatnonzero(np.bincount(edges.members) > HUB).tolist():
        edges = _without_unlike(session, query, edges, member)
    if not len(edges.nodes):
        return edges
    rows, n_types = _relations(session, query.vectors).rows, len(session.adjacency.type_ids)
    ways, which = np.unique(edges.members * n_types + edges.types, return_inverse=True)
    own, types = np.divmod(ways, n_types)
    labels = rows_at(space_of(session, "label"), ids[edges.nodes], query.vectors)
    scores = cosines_of_sums(labels, rows[types] + members.bases[own], which, known(query.vectors))
    return edges._replace(scores=scores)


def _without_unlike(session: Session, query: Query, edges: Edges, member: int) -> Edges:
    """Return edges, those of one member only to the `HUB` labels that are most like the question, and ties."""
    own = np.flatnonzero(edges.members == member)
    ids = session.adjacency.entity_ids[edges.nodes[own]]
    kept = edges.members != member
    kept[own[near_top(scores_of(similarity(session, "label"), query.vectors, ids), HUB)]] = True
    return edges.taken(kept)


def neighbours(adjacency: Adjacency, places: NDArray[np.int64], members: NDArray[np.int64]) -> Edges:
    """Return the edges of members, which stand at some places among the entities, without scores.

    A type that leads to a neighbour both ways is read forward alone; an entity
    is no neighbour of its own.
    """
    n, n_types = len(adjacency.entity_ids), len(adjacency.type_ids)
    forth, back = (_keys(csr, places, n, n_types) for csr in (adjacency.outgoing, adjacency.incoming))
    back = back[~are_in(back, np.sort(forth))]
    ways, nodes = np.divmod(np.concatenate([forth, back]), max(1, n))
    owners, types = np.divmod(ways, max(1, n_types))
    found = Edges(nodes, types, np.arange(len(nodes)) >= len(forth), members[owners], np.zeros(len(nodes), np.float32))
    return found.taken(nodes != places[owners])


def _keys(csr: Csr, places: NDArray[np.int64], n: int, n_types: int) -> NDArray[np.int64]:
    """Return a number for each edge of some entities, ascending by entity: which of them, the type, the neighbour."""
    found, owners = slices(csr, places)
    return (owners * n_types + csr.values[found]) * n + csr.indices[found]


def cosines_of_sums(labels: Vectors, ways: Vectors, which: NDArray[np.int64], vectors: Vectors) -> Scores:
    """Return the highest cosine (n,) of any vector with each of the labels (n,) plus the way at its index `which`.

    No sum is made: its product and its length follow from those of its two parts.
    """
    products = labels.products(vectors) + ways.products(vectors)[which]
    best = products.max(axis=1, initial=-np.inf).astype(np.float64)
    squares = labels.lengths().astype(np.float64) ** 2 + (ways.lengths().astype(np.float64) ** 2)[which]
    squares += 2 * labels.beside(ways, which)
    # What rounding leaves of two opposite vectors is no length.
    lengths = np.sqrt(np.where(squares > SHORTEST, squares, 0))
    return rounded(np.divide(best, lengths, out=np.zeros_like(best), where=lengths > 0).astype(np.float32))


def _best_edges(session: Session, query: Query, frontier: Edges, members: Members) -> NDArray[np.int64]:
    """Return the best edge of each subgraph that has one."""
    seeds, names = members.seeds[frontier.members], _relations(session, query.vectors).names
    return np.array(
        [_best_edge(session, frontier, np.flatnonzero(seeds == each), names) for each in distinct(seeds)], np.int64
    )


def _best_edge(session: Session, frontier: Edges, among: NDArray[np.int64], names: tuple[str, ...]) -> int:
    """Return the edge of some with the highest score; ties by the node's uri, the type as read, the earlier member."""
    scores = frontier.scores[among]
    tied = among[scores == scores.max()]
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
    if have.all():
        return space.rows.at(indices)
    # Behind the rows that there are stands one of zeros, for the others.
    places = np.where(have, np.cumsum(have) - 1, np.count_nonzero(have))
    return space.rows.at(indices[have]).joined(like.zeros(1))[places]
