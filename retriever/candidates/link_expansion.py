"""Link expansion: where the names and the best hits of a question lead, link by link."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.index.csr import slices
from retriever.index.links import MOST_CHUNKS, ScoredLink, best_of, scored_links
from retriever.question.reader import content_stems, named_entities
from retriever.session import Session
from retriever.types import Ids, Question, Scores
from weft.text.normalise import written_words

MOST_SEEDS, MOST_ONWARD = 12, 5
"""Names whose links are followed, and linked pages whose own links are followed too: chosen by eye."""


class Hop(NamedTuple):
    """How a candidate's page is reached: the weight of its start, the best link, and how many links start there."""

    weight: float
    link: ScoredLink
    n_links: int


class Hops(NamedTuple):
    """The hops to entities from what the question names, two steps on, and from the best text hits.

    `found` are the entities of the hits' own pages with the hits' weights;
    `leading` are all links of named pages, with the weight of the name.
    """

    named: dict[int, float]
    first: dict[int, Hop]
    second: dict[int, Hop]
    hits: dict[int, Hop]
    found: dict[int, float]
    leading: tuple[tuple[float, ScoredLink], ...]


class LinkExpansion:
    """Follows the links of chunks in one session, and computes what that says of candidates."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._scored_links = scored_links(session)

    def hops(self, question: Question, hits: Ids, weights: Scores) -> Hops:
        """Return where the question's names and the best hits lead."""
        ids, sure = named_entities(question)
        named = dict(zip(ids.tolist(), sure.tolist(), strict=True))
        likeliest = sorted(named.items(), key=lambda item: (-item[1], item[0]))[:MOST_SEEDS]
        chunks_of = self._session.chunks_of_entity
        leads = (chunks_of(entity)[:MOST_CHUNKS].tolist() for entity, _ in likeliest)
        self._scored_links.read(self._session, list(chain.from_iterable(leads)))
        by_name = [(weight, self._links(chunks_of(entity), question.asked)) for entity, weight in likeliest]
        first = _reached(by_name)
        onward = sorted(first.items(), key=lambda item: (-worth(item[1]), item[0]))[:MOST_ONWARD]
        second = _reached(
            (worth(hop), self._links(chunks_of(entity), question.asked))
            for entity, hop in onward
            if entity not in named
        )
        leading = tuple((weight, link) for weight, links in by_name for link in links)
        from_hits = self.onward_from(question, hits, weights)
        return Hops(named, first, second, from_hits, self.owners(hits, weights), leading)

    def owners(self, hits: Ids, weights: NDArray[np.floating]) -> dict[int, float]:
        """Return the entities of hits' pages, each with its best hit's weight."""
        chunk_table = self._session.chunk_table
        entities = chunk_table.entities_of(chunk_table.pages[chunk_table.indices(hits)]).tolist()
        owners: dict[int, float] = {}
        for entity, weight in zip(entities, weights.tolist(), strict=False):
            owners[entity] = max(weight, owners.get(entity, 0.0))
        return owners

    def _links(self, chunks: Ids, asked: Sequence[str]) -> list[ScoredLink]:
        return list(self._scored_links.of(self._session, chunks, asked))

    def onward_from(self, question: Question, hits: Ids, weights: NDArray[np.floating]) -> dict[int, Hop]:
        """Return where some hits lead, their sentences weighed against the whole question."""
        content = content_stems(written_words(question.text))
        self._scored_links.read(self._session, hits.tolist())
        found = zip(hits.tolist(), weights.tolist(), strict=True)
        return _reached((weight, self._links(np.array([hit]), content)) for hit, weight in found)

    def followed(
        self, ids: Ids, hops: dict[int, Hop], owners: dict[int, float]
    ) -> tuple[NDArray[np.float32], ...]:
        """Return of each candidate whether, how much asked for, among how few its page is linked; what it cites.

        Each is weighed by the hit that the link comes from or leads to.
        """
        chunk_table = self._session.chunk_table
        indices = chunk_table.indices(ids)
        own = [hops.get(entity) for entity in chunk_table.entities_of(chunk_table.pages[indices]).tolist()]
        return (
            _array(hop.weight if hop else 0.0 for hop in own),
            _array(hop.weight * hop.link.coverage if hop else 0.0 for hop in own),
            _array(hop.weight / hop.n_links**0.5 if hop else 0.0 for hop in own),
            self._greatest(indices, owners),
        )

    def reached(self, entities: Ids, hops: Hops) -> dict[str, NDArray[np.float32]]:
        """Return columns (n,): how each candidate's page, given by its entity (n,), is named or linked."""
        first = [hops.first.get(entity) for entity in entities.tolist()]
        second = [hops.second.get(entity) for entity in entities.tolist()]
        hits = [hops.hits.get(entity) for entity in entities.tolist()]
        return {
            "named": _array(hops.named.get(entity, 0.0) for entity in entities.tolist()),
            "bridge": _array(hop.weight * hop.link.coverage if hop else 0.0 for hop in first),
            "bridge_near": _array(hop.weight * hop.link.context if hop else 0.0 for hop in first),
            "linked": _array(hop.weight if hop else 0.0 for hop in first),
            "linked_share": _array(hop.weight / hop.n_links**0.5 if hop else 0.0 for hop in first),
            "linked_first": _array(hop.weight / (1 + hop.link.position) if hop else 0.0 for hop in first),
            "second_hop": _array(worth(hop) if hop else 0.0 for hop in second),
            "hit_bridge": _array(hop.weight * hop.link.coverage if hop else 0.0 for hop in hits),
            "hit_linked": _array(hop.weight / hop.n_links**0.5 if hop else 0.0 for hop in hits),
        }

    def cited(self, indices: NDArray[np.int64], hops: Hops) -> dict[str, NDArray[np.float32]]:
        """Return columns (n,) in 0 to 1: how much of the question's names, and of the best hits' pages, chunks cite."""
        cited, owners = self._citations(indices)
        named = np.bincount(owners, _weights_of(cited, hops.named), len(indices))
        hit = self._greatest(indices, hops.found)
        return {"cites_named": (np.minimum(2.0, named) / 2).astype(np.float32), "cites_hit": hit}

    def leads(self, hops: Hops, ids: Ids, entities: Ids, rest: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return how well each chunk leads on (n,): what a link's sentence says, and its target of the rest."""
        answers: dict[int, float] = {}
        for entity, share in zip(entities.tolist(), rest.tolist(), strict=True):
            answers[entity] = max(share, answers.get(entity, 0.0))
        best: dict[int, float] = {}
        for weight, link in hops.leading:
            led = weight * (link.coverage + link.context + answers.get(link.entity, 0.0)) / 3
            best[link.chunk] = max(led, best.get(link.chunk, 0.0))
        return _array(best.get(identity, 0.0) for identity in ids.tolist())

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
    """Return how promising a hop is: the weight of its start, how much it is asked for, among how many others."""
    return hop.weight * (0.1 + hop.link.coverage + hop.link.context) / (1.0 + 0.1 * hop.n_links)


def _reached(seeds: Iterable[tuple[float, list[ScoredLink]]]) -> dict[int, Hop]:
    """Return the best hop to each entity that the links of some pages or hits, each with its weight, lead to."""
    reached: dict[int, Hop] = {}
    for weight, links in seeds:
        best = best_of(links)
        for entity, link in best.items():
            hop = Hop(weight, link, len(best))
            if entity not in reached or worth(hop) > worth(reached[entity]):
                reached[entity] = hop
    return reached


def _array(values: Iterable[float]) -> NDArray[np.float32]:
    return np.fromiter(values, np.float32)
