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


class Labels(NamedTuple):
    """The squares of the lengths of all labels (n + 1,), and whether they share a word with a relation type.

    Last stands a label without any word, for entities that have none.
    """

    squares: NDArray[np.float64]
    are_typed: NDArray[np.bool_]


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
    keys = edges.members * n_types + edges.types
    # Few of them are distinct, so they are marked and not sorted.
    is_way = np.zeros((int(newest[-1]) + 1) * n_types, bool)
    is_way[keys] = True
    which = (np.cumsum(is_way) - 1)[keys]
    own, types = np.divmod(np.flatnonzero(is_way), n_types)
    return edges._replace(scores=_scores(session, query, ids[edges.nodes], rows[types] + members.bases[own], which))


def _scores(session: Session, query: Query, ids: Ids, ways: Vectors, which: NDArray[np.int64]) -> Scores:
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
    forth, back = (_read_from(csr, places) for csr in (adjacency.outgoing, adjacency.incoming))
    n, n_types = len(adjacency.entity_ids), len(adjacency.type_ids)
    keys, back_keys = ((each.members * n_types + each.types) * n + each.nodes for each in (forth, back))
    back = back.taken(~are_in(back_keys, np.sort(keys)))
    found = forth.joined(back._replace(backward=~back.backward))
    found = found.taken(found.nodes != places[found.members])
    return found._replace(members=members[found.members])


def _read_from(csr: Csr, places: NDArray[np.int64]) -> Edges:
    """Return edges of a table as read forward, without scores; their members are indices of `places`."""
    found, owners = slices(csr, places)
    nodes, types = csr.indices[found].astype(np.int64), csr.values[found].astype(np.int64)
    return Edges(nodes, types, np.zeros(len(nodes), bool), owners, np.zeros(len(nodes), np.float32))


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


def _labels(session: Session, like: Vectors) -> Labels:
    """Return what scores need of all labels, which are sparse."""
    return session.part("label lengths", lambda own: _read_labels(own, like))


def _read_labels(session: Session, like: Vectors) -> Labels:
    space = space_of(session, "label")
    rows = space.rows.at(np.arange(len(space.ids)))
    are_typed = rows.meet(_relations(session, like).rows)
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
