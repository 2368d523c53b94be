"""Link expansion: where the names and the best hits of a question lead, link by link."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.index.csr import slices
from retriever.index.links import ScoredLink, ScoredLinks, best_of, link_at, scored_links
from retriever.question.reader import content_stems, named_entities
from retriever.session import Session
from retriever.types import Ids, Question, Scores
from weft.arrays.link_table import LinkTable
from weft.text.normalise import written_words

MOST_SEEDS, MOST_ONWARD = 12, 5
"""Names whose links are followed, and linked pages whose own links are followed too: chosen by eye."""

Weights = NDArray[np.float64]
Column = NDArray[np.float32]


class Hop(NamedTuple):
    """How a candidate's page is reached: the weight of its start, the best link, and how many links start there."""

    weight: float
    link: ScoredLink
    n_links: int


class Reached(Mapping[int, Hop]):
    """The best hop to each entity that the links of some starts lead to, as arrays (n,) by entity.

    `entities` are sorted, `weights` those of the starts, `worth` how promising
    the hops are; a hop itself is made when it is asked for.
    """

    def __init__(self, table: LinkTable, links: ScoredLinks, weights: Weights) -> None:
        """Take the links of starts of these weights; of hops of equal worth the earlier start's is the best."""
        self._table, self._links = table, links
        best = best_of(links)
        starts = links.starts[best]
        n_links = np.bincount(starts, minlength=len(weights))[starts]
        worth = _worth(weights[starts], links.coverage[best], links.context[best], n_links)
        order = np.lexsort((starts, -worth, links.entities[best]))
        self.entities, kept = np.unique(links.entities[best][order], return_index=True)
        self._best = best[order[kept]]
        self.weights = weights[starts[order[kept]]]
        self.worth = worth[order[kept]]
        self.n_links = n_links[order[kept]]

    @property
    def coverage(self) -> Weights:
        """How much of what is asked the sentences of the links cover."""
        return self._links.coverage[self._best]

    @property
    def context(self) -> Weights:
        """How much of it stands right around the links."""
        return self._links.context[self._best]

    @property
    def positions(self) -> NDArray[np.int64]:
        """The numbers of the links on their pages."""
        return self._links.positions[self._best]

    @property
    def sentences(self) -> NDArray[np.int64]:
        """The sentences of the links."""
        return self._table.sentences[self._links.links[self._best]]

    def at(self, entities: Ids) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
        """Tell which entities are reached (n,), and of these the indices into the arrays (m,)."""
        indices = np.minimum(np.searchsorted(self.entities, entities), max(0, len(self.entities) - 1))
        is_reached = self.entities[indices] == entities if len(self.entities) else np.zeros(len(entities), bool)
        return is_reached, indices[is_reached]

    def best_first(self) -> Ids:
        """Return the entities, the most promising first, then by id."""
        return self.entities[np.lexsort((self.entities, -self.worth))]

    def __getitem__(self, entity: int) -> Hop:
        is_reached, indices = self.at(np.array([entity]))
        if not is_reached[0]:
            raise KeyError(entity)
        index = int(indices[0])
        link = link_at(self._table, self._links, int(self._best[index]))
        return Hop(float(self.weights[index]), link, int(self.n_links[index]))

    def __iter__(self) -> Iterator[int]:
        return iter(self.entities.tolist())

    def __len__(self) -> int:
        return len(self.entities)


class Hops(NamedTuple):
    """The hops to entities from what the question names, two steps on, and from the best text hits.

    `found` are the entities of the hits' own pages with the hits' weights;
    `leading` are all links of named pages, `leading_weights` (n,) the weights
    of the names.
    """

    named: dict[int, float]
    first: Reached
    second: Reached
    hits: Reached
    found: dict[int, float]
    leading: ScoredLinks
    leading_weights: Weights


class LinkExpansion:
    """Follows the links of chunks in one session, and computes what that says of candidates."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def hops(self, question: Question, hits: Ids, weights_of_hits: Scores) -> Hops:
        """Return where the question's names and the best hits lead."""
        ids, sure = named_entities(question)
        named = dict(zip(ids.tolist(), sure.tolist(), strict=True))
        likeliest = sorted(named.items(), key=lambda item: (-item[1], item[0]))[:MOST_SEEDS]
        weights = np.array([weight for _, weight in likeliest], np.float64)
        leading = self._links([entity for entity, _ in likeliest], question.asked)
        first = self._reached(leading, weights)
        onward = [entity for entity in first.best_first()[:MOST_ONWARD].tolist() if entity not in named]
        worth = np.array([first.worth[np.searchsorted(first.entities, entity)] for entity in onward], np.float64)
        second = self._reached(self._links(onward, question.asked), worth)
        from_hits = self.onward_from(question, hits, weights_of_hits)
        owners = self.owners(hits, weights_of_hits)
        return Hops(named, first, second, from_hits, owners, leading, weights[leading.starts])

    def nowhere(self) -> Hops:
        """Return the hops of a question that leads nowhere."""
        links = self._links([], ())
        reached = self._reached(links, np.empty(0))
        return Hops({}, reached, reached, reached, {}, links, np.empty(0))

    def owners(self, hits: Ids, weights: NDArray[np.floating]) -> dict[int, float]:
        """Return the entities of hits' pages, each with its best hit's weight."""
        chunk_table = self._session.chunk_table
        entities = chunk_table.entities_of(chunk_table.pages[chunk_table.indices(hits)]).tolist()
        owners: dict[int, float] = {}
        for entity, weight in zip(entities, weights.tolist(), strict=False):
            owners[entity] = max(weight, owners.get(entity, 0.0))
        return owners

    def _links(self, entities: Sequence[int], asked: Sequence[str]) -> ScoredLinks:
        """Return the links of entities' own pages."""
        return scored_links(self._session, list(map(self._session.chunks_of_entity, entities)), asked)

    def _reached(self, links: ScoredLinks, weights: NDArray[np.floating]) -> Reached:
        return Reached(self._session.link_table, links, weights.astype(np.float64))

    def onward_from(self, question: Question, hits: Ids, weights: NDArray[np.floating]) -> Reached:
        """Return where some hits lead, their sentences weighed against the whole question."""
        content = content_stems(written_words(question.text))
        return self._reached(scored_links(self._session, list(hits.reshape(-1, 1)), content), weights)

    def followed(self, ids: Ids, hops: Reached, owners: dict[int, float]) -> dict[str, Column]:
        """Return columns (n,): whether, how much asked for, among how few a candidate's page is linked; what it cites.

        Each is weighed by the hit that the link comes from or leads to.
        """
        chunk_table = self._session.chunk_table
        indices = chunk_table.indices(ids)
        at = hops.at(chunk_table.entities_of(chunk_table.pages[indices]))
        return {
            "linked_from_best": _spread(at, hops.weights),
            "bridge_from_best": _spread(at, hops.weights * hops.coverage),
            "share_from_best": _spread(at, hops.weights / np.sqrt(hops.n_links)),
            "cites_best": self._greatest(indices, owners),
        }

    def reached(self, entities: Ids, hops: Hops) -> dict[str, Column]:
        """Return columns (n,): how each candidate's page, given by its entity (n,), is named or linked."""
        first, second, hits = hops.first, hops.second, hops.hits
        at_first, at_second, at_hits = first.at(entities), second.at(entities), hits.at(entities)
        return {
            "named": _weights_of(entities, hops.named).astype(np.float32),
            "bridge": _spread(at_first, first.weights * first.coverage),
            "bridge_near": _spread(at_first, first.weights * first.context),
            "linked": _spread(at_first, first.weights),
            "linked_share": _spread(at_first, first.weights / np.sqrt(first.n_links)),
            "linked_first": _spread(at_first, first.weights / (1 + first.positions)),
            "second_hop": _spread(at_second, second.worth),
            "hit_bridge": _spread(at_hits, hits.weights * hits.coverage),
            "hit_linked": _spread(at_hits, hits.weights / np.sqrt(hits.n_links)),
        }

    def cited(self, indices: NDArray[np.int64], hops: Hops) -> dict[str, NDArray[np.float32]]:
        """Return columns (n,) in 0 to 1: how much of the question's names, and of the best hits' pages, chunks cite."""
        cited, owners = self._citations(indices)
        named = np.bincount(owners, _weights_of(cited, hops.named), len(indices))
        hit = self._greatest(indices, hops.found)
        return {"cites_named": (np.minimum(2.0, named) / 2).astype(np.float32), "cites_hit": hit}

    def leads(self, hops: Hops, ids: Ids, entities: Ids, rest: NDArray[np.float32]) -> Column:
        """Return how well each chunk leads on (n,): what a link's sentence says, and its target of the rest."""
        links = hops.leading
        own, back = np.unique(entities, return_inverse=True)
        greatest = np.zeros(len(own) + 1)
        np.maximum.at(greatest, back, rest)
        indices = np.minimum(np.searchsorted(own, links.entities), max(0, len(own) - 1))
        answers = np.where(own[indices] == links.entities, greatest[indices], 0.0) if len(own) else links.coverage
        led = hops.leading_weights * (links.coverage + links.context + answers) / 3
        best = np.zeros(len(ids))
        at = np.minimum(np.searchsorted(ids, links.chunks), max(0, len(ids) - 1))
        known = ids[at] == links.chunks if len(ids) else np.zeros(len(at), bool)
        np.maximum.at(best, at[known], led[known])
        return best.astype(np.float32)

    def _citations(self, indices: NDArray[np.int64]) -> tuple[Ids, NDArray[np.int64]]:
        """Return the entities that chunks cite, chunk by chunk, and the number of the chunk of each."""
        adjacency = self._session.adjacency
        where, owners = slices(adjacency.cites, indices)
        return adjacency.entity_ids[adjacency.cites.indices[where]], owners

    def _greatest(self, indices: NDArray[np.int64], weights: Mapping[int, float]) -> NDArray[np.float32]:
        """Return the greatest weight of the entities that each chunk cites, 0 where none has one."""
        cited, owners = self._citations(indices)
        found = np.zeros(len(indices))
        np.maximum.at(found, owners, _weights_of(cited, weights))
        return found.astype(np.float32)


def _weights_of(entities: Ids, weights: Mapping[int, float]) -> NDArray[np.float64]:
    """Return the weight of each entity, 0 for one that has none."""
    known = np.array(sorted(weights), np.int64)
    if not len(known):
        return np.zeros(len(entities))
    values = np.array([weights[entity] for entity in known.tolist()], np.float64)
    indices = np.minimum(np.searchsorted(known, entities), len(known) - 1)
    return np.where(known[indices] == entities, values[indices], 0.0)


def worth(hop: Hop) -> float:
    """Return how promising a hop is."""
    return float(_worth(hop.weight, hop.link.coverage, hop.link.context, hop.n_links))


def _worth(weights: Any, coverage: Any, context: Any, n_links: Any) -> Any:
    """Return how promising hops are: the weight of the start, how much it is asked for, among how many others."""
    return weights * (0.1 + coverage + context) / (1.0 + 0.1 * n_links)


def _spread(at: tuple[NDArray[np.bool_], NDArray[np.int64]], values: Weights) -> Column:
    """Return the values of what is reached, 0 for the rest."""
    is_reached, indices = at
    column = np.zeros(len(is_reached), np.float32)
    column[is_reached] = values[indices]
    return column
