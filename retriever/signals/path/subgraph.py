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
from retriever.index.csr import are_in, distinct
from retriever.index.vectors import near_top, scores_of, similarity
from retriever.session import Session
from retriever.signals.entity import best_entities
from retriever.signals.path.edge_scores import edge_scores, relations
from retriever.signals.path.edges import NO_EDGES, Edges, neighbours
from retriever.types import Ids, Query

HUB = 1000
"""Of an entity with more edges, those to the most similar labels are looked at; not so in the thesis."""


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
    names, rows = relations(session, query.vectors)
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
    rows, n_types = relations(session, query.vectors).rows, len(session.adjacency.type_ids)
    keys = edges.members * n_types + edges.types
    # Few of them are distinct, so they are marked and not sorted.
    is_way = np.zeros((int(newest[-1]) + 1) * n_types, bool)
    is_way[keys] = True
    which = (np.cumsum(is_way) - 1)[keys]
    own, types = np.divmod(np.flatnonzero(is_way), n_types)
    return edges._replace(scores=edge_scores(session, query, ids[edges.nodes], rows[types] + members.bases[own], which))


def _without_unlike(session: Session, query: Query, edges: Edges, member: int) -> Edges:
    """Return edges, those of one member only to the `HUB` labels that are most like the question, and ties."""
    own = np.flatnonzero(edges.members == member)
    ids = session.adjacency.entity_ids[edges.nodes[own]]
    kept = edges.members != member
    kept[own[near_top(scores_of(similarity(session, "label"), query.vectors, ids), HUB)]] = True
    return edges.taken(kept)


def _best_edges(session: Session, query: Query, frontier: Edges, members: Members) -> NDArray[np.int64]:
    """Return the best edge of each subgraph that has one."""
    seeds, names = members.seeds[frontier.members], relations(session, query.vectors).names
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
