"""Clues: what a question says of every candidate beyond the signals' scores.

Who is named, who is linked from whom and with which words, which of the
question's words a candidate covers, and what kind of text it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.bridges import Bridge, Bridges, best_of
from retriever.context import Context
from retriever.question import content_stems, named_entities
from retriever.signals.slices import slices
from retriever.texts import Text, Texts
from retriever.types import Ids, Query, Scores
from weft.text import WORD

COLUMNS = (
    "named", "cites_named", "bridge", "bridge_near", "linked", "linked_share", "linked_first", "second_hop",
    "hit_bridge", "hit_linked", "cites_hit", "cover", "asked", "title_cover", "title_share", "title_asked",
    "heading", "stems", "stems_asked", "in_page", "in_page_share", "page_best", "siblings",
    "best_sentence", "gain", "lead", "table", "list", "infobox", "length", "position", "has_number", "has_year",
    "shape", "n_named", "n_words",
)  # fmt: skip
RAW = frozenset(
    """named cites_named bridge bridge_near linked linked_share linked_first second_hop hit_bridge hit_linked
    cites_hit cover asked title_cover title_share title_asked heading in_page in_page_share best_sentence gain
    lead table list infobox has_number has_year shape n_named n_words""".split()
)
"""Columns between 0 and 1 that mean the same in every question."""

MOST_SEEDS = 12
MOST_ONWARD = 5


class Way(NamedTuple):
    """How a candidate's page is reached: the weight of where from, the best link, and how many links stand there."""

    weight: float
    bridge: Bridge
    n_links: int


class Ways(NamedTuple):
    """The ways to entities from what the question names, two steps on, and from the best text hits."""

    named: dict[int, float]
    first: dict[int, Way]
    second: dict[int, Way]
    hits: dict[int, Way]


class Clues:
    """Computes the clues of one SKB's chunks."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._texts = context.part("texts", Texts)
        self._bridges = context.part("bridges", Bridges)

    def ways(self, query: Query, hits: Ids, weights: Scores) -> Ways:
        """Return where the question's names and the best hits lead."""
        ids, sure = named_entities(query)
        named = dict(zip(ids.tolist(), sure.tolist(), strict=True))
        likeliest = sorted(named.items(), key=lambda item: (-item[1], item[0]))[:MOST_SEEDS]
        first = self._onward([(self._chunks_of(entity), weight) for entity, weight in likeliest], query.asked)
        onward = sorted(first.items(), key=lambda item: (-worth(item[1]), item[0]))[:MOST_ONWARD]
        seeds = [(self._chunks_of(entity), worth(way)) for entity, way in onward if entity not in named]
        second = self._onward(seeds, query.asked)
        return Ways(named, first, second, self.onward_from(query, hits, weights))

    def _onward(self, seeds: Sequence[tuple[Ids, float]], asked: Sequence[str]) -> dict[int, Way]:
        reached: dict[int, Way] = {}
        for chunks, weight in seeds:
            bridges = list(self._bridges.of(chunks, asked))
            best = best_of(bridges)
            for entity, bridge in best.items():
                way = Way(weight, bridge, len(best))
                if entity not in reached or worth(way) > worth(reached[entity]):
                    reached[entity] = way
        return reached

    def _chunks_of(self, entity: int) -> Ids:
        return self._context.chunks_of_entity(entity)

    def onward_from(self, query: Query, hits: Ids, weights: NDArray[np.floating]) -> dict[int, Way]:
        """Return where some hits lead, their sentences weighed against the whole question."""
        found = [(np.array([hit]), weight) for hit, weight in zip(hits.tolist(), weights.tolist(), strict=True)]
        return self._onward(found, content_stems(WORD.findall(query.text)))

    def followed(self, ids: Ids, ways: dict[int, Way]) -> tuple[NDArray[np.float32], ...]:
        """Return of each candidate whether, how much asked for, among how few its page is linked; what it cites.

        Each is weighed by where the link comes from.
        """
        layout = self._context.layout
        places = layout.places(ids)
        own = [ways.get(entity) for entity in layout.entities_of(layout.pages[places]).tolist()]
        return (
            _array(way.weight if way else 0.0 for way in own),
            _array(way.weight * way.bridge.asked if way else 0.0 for way in own),
            _array(way.weight / way.n_links**0.5 if way else 0.0 for way in own),
            self._greatest(places, {entity: way.weight for entity, way in ways.items()}),
        )

    def completing(
        self, query: Query, ids: Ids, best: NDArray[np.int64], chance: NDArray[np.floating]
    ) -> NDArray[np.float64]:
        """Return the most of the question that each candidate says and one of the best does not, as a share."""
        layout = self._context.layout
        content = content_stems(WORD.findall(query.text))
        weights = np.array([self._texts.rarity(stem) for stem in content])
        titles = self._texts.titles(layout.pages[layout.places(ids)].tolist())
        rows = zip(self._texts.of(ids.tolist()), titles, strict=True)
        said = np.array([[stem in row.counts or stem in title for stem in content] for row, (_, title) in rows], bool)
        said = said.reshape(len(ids), len(content))
        gain = np.zeros(len(ids))
        for place in best.tolist():
            unmet = ~said[place]
            gain = np.maximum(gain, chance[place] * (said[:, unmet] @ weights[unmet]))
        return gain / (weights.sum() or 1.0)

    def of(self, query: Query, ids: Ids, ways: Ways) -> NDArray[np.float32]:
        """Return the clues (n, len(COLUMNS)) of candidate chunks."""
        layout = self._context.layout
        places = layout.places(ids)
        pages = layout.pages[places]
        table = dict.fromkeys(COLUMNS, np.zeros(len(ids), np.float32))
        table |= self._reached(layout.entities_of(pages), ways)
        table |= self._cited(places, pages, ways)
        table |= self._words(query, ids, pages, ways)
        table |= self._beside(table["stems"] + table["stems_asked"], pages)
        kinds = np.array([*layout.kind_names, ""])[layout.kinds[places]]
        table |= {kind: (kinds == kind).astype(np.float32) for kind in ("table", "list", "infobox")}
        table["lead"] = (layout.sections[places] == 0).astype(np.float32)
        table["length"] = np.log1p(layout.lengths[places]).astype(np.float32)
        table["position"] = np.log1p(layout.positions[places]).astype(np.float32)
        table["n_named"] = np.full(len(ids), min(4, len(query.mentions)) / 4, np.float32)
        table["n_words"] = np.full(len(ids), min(30, len(query.text.split())) / 30, np.float32)
        return np.column_stack([table[column] for column in COLUMNS]).astype(np.float32)

    def _reached(self, entities: Ids, ways: Ways) -> dict[str, NDArray[np.float32]]:
        first = [ways.first.get(entity) for entity in entities.tolist()]
        second = [ways.second.get(entity) for entity in entities.tolist()]
        hits = [ways.hits.get(entity) for entity in entities.tolist()]
        return {
            "named": _array(ways.named.get(entity, 0.0) for entity in entities.tolist()),
            "bridge": _array(way.weight * way.bridge.asked if way else 0.0 for way in first),
            "bridge_near": _array(way.weight * way.bridge.near if way else 0.0 for way in first),
            "linked": _array(way.weight if way else 0.0 for way in first),
            "linked_share": _array(way.weight / way.n_links**0.5 if way else 0.0 for way in first),
            "linked_first": _array(way.weight / (1 + way.bridge.place) if way else 0.0 for way in first),
            "second_hop": _array(worth(way) if way else 0.0 for way in second),
            "hit_bridge": _array(way.weight * way.bridge.asked if way else 0.0 for way in hits),
            "hit_linked": _array(way.weight / way.n_links**0.5 if way else 0.0 for way in hits),
        }

    def _cited(self, places: NDArray[np.int64], pages: Ids, ways: Ways) -> dict[str, NDArray[np.float32]]:
        """Return how much of what the question names, and of the best hits' pages, a chunk cites."""
        cited, owners = self._citations(places)
        named = np.bincount(owners, [ways.named.get(entity, 0.0) for entity in cited], len(places))
        hit = self._greatest(places, {entity: way.weight for entity, way in ways.hits.items()})
        return {"cites_named": (np.minimum(2.0, named) / 2).astype(np.float32), "cites_hit": hit}

    def _citations(self, places: NDArray[np.int64]) -> tuple[list[int], NDArray[np.int64]]:
        """Return the entities that chunks cite, chunk by chunk, and the number of the chunk of each."""
        adjacency = self._context.adjacency
        where, owners = slices(adjacency.cites, places)
        return adjacency.entity_ids[adjacency.cites.indices[where]].tolist(), owners

    def _greatest(self, places: NDArray[np.int64], weights: Mapping[int, float]) -> NDArray[np.float32]:
        """Return the greatest weight of the entities that each chunk cites, 0 where none has one."""
        cited, owners = self._citations(places)
        found = np.zeros(len(places))
        np.maximum.at(found, owners, [weights.get(entity, 0.0) for entity in cited])
        return found.astype(np.float32)

    def _beside(self, scores: NDArray[np.float32], pages: Ids) -> dict[str, NDArray[np.float32]]:
        """Return how a chunk stands among the candidates of its page: its rank, its share of the best, the best."""
        _, own = np.unique(pages, return_inverse=True)
        best = np.zeros(own.max(initial=-1) + 1, np.float32)
        np.maximum.at(best, own, scores)
        order = np.lexsort((-scores, own))
        first = np.searchsorted(own[order], np.arange(len(best)))
        ranks = np.empty(len(own))
        ranks[order] = np.arange(len(own)) - first[own[order]]
        return {
            "in_page": (1 / (1 + ranks)).astype(np.float32),
            "in_page_share": (scores / np.maximum(1e-6, best[own])).astype(np.float32),
            "page_best": best[own],
            "siblings": np.log1p(np.bincount(own)[own]).astype(np.float32),
        }

    def _words(self, query: Query, ids: Ids, pages: Ids, ways: Ways) -> dict[str, NDArray[np.float32]]:
        layout = self._context.layout
        rows = self._texts.of(ids.tolist())
        titles = [stems for _, stems in self._texts.titles(pages.tolist())]
        headings = self._texts.headings(layout.sections[layout.places(ids)].tolist())
        content = content_stems(WORD.findall(query.text))
        weights = np.array([self._texts.rarity(stem) for stem in content], np.float32)
        total = float(weights.sum()) or 1.0
        open_ = np.isin(content, query.asked)
        total_open = float(weights[open_].sum()) or 1.0
        in_text = np.array([[row.counts.get(stem, 0) for stem in content] for row in rows], np.float32)
        in_text = in_text.reshape(len(rows), len(content))
        in_title, in_heading = (
            np.array([[stem in each for stem in content] for each in sets], np.float32).reshape(in_text.shape)
            for sets in (titles, headings)
        )
        lengths = np.array([row.length for row in rows], np.float32)
        has = np.minimum(in_text, 1)
        own = np.array([ways.named.get(entity, 0.0) for entity in layout.entities_of(pages).tolist()]) >= 0.5
        unmet = open_ & (has[own].max(0, initial=0) == 0)
        fitting = in_text / (in_text + 1.2 * (0.4 + 0.6 * lengths / max(1.0, float(lengths.mean())))[:, None])
        sentences = [_best_sentence(row, title, content, weights) for row, title in zip(rows, titles, strict=True)]
        found = {
            "cover": np.maximum(has, in_title) @ weights / total,
            "asked": has[:, open_] @ weights[open_] / total_open,
            "title_cover": in_title @ weights / total,
            "title_share": in_title.sum(1) / np.array([max(1, len(title)) for title in titles]),
            "title_asked": in_title[:, open_] @ weights[open_] / total_open,
            "heading": in_heading @ weights / total,
            "stems": fitting @ weights,
            "stems_asked": fitting[:, open_] @ weights[open_],
            "best_sentence": np.array(sentences) / total,
            "gain": has[:, unmet] @ weights[unmet] / total_open,
            "has_number": np.array([row.has_number for row in rows]),
            "has_year": np.array([row.has_year for row in rows]),
        }
        shape = {"time": "has_year", "number": "has_number"}.get(query.target_type or "")
        if shape:
            found["shape"] = found[shape]
        return {name: column.astype(np.float32) for name, column in found.items()}


def _best_sentence(row: Text, title: frozenset[str], content: Sequence[str], weights: Scores) -> float:
    """Return the most that one sentence and the title say together of the question."""
    held = [each for each in zip(content, weights.tolist(), strict=True) if each[0] in row.counts or each[0] in title]
    if not held:
        return 0.0
    said = (sum(weight for stem, weight in held if stem in each or stem in title) for each in row.sentences)
    return float(max(said))


def worth(way: Way) -> float:
    """Return how promising a way is: where from, how much asked for, among how many others."""
    return way.weight * (0.1 + way.bridge.asked + way.bridge.near) / (1.0 + 0.1 * way.n_links)


def _array(values: object) -> NDArray[np.float32]:
    return np.array(list(values), np.float32)  # type: ignore[call-overload]
