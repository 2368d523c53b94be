"""Joint coverage: how much of a question two candidates say together, one of which links to the other's page.

"When was the school founded that published the Herald" is said by two passages: that of the Herald says "published"
beside a link to the school, and that of the school "founded". Neither says much of it alone.
"""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from retriever.features.lexical import LexicalFeatures, weighed
from retriever.features.meaning import MeaningFeatures
from retriever.index.stem_finder import stem_finder
from retriever.session import Session
from weft.arrays.blobs import ranges

Matrix = NDArray[np.float32]
Indices = NDArray[np.int64]

MOST_PAIRS = 1 << 16
"""Pairs that are compared: where pages link to each other more than that, the links that say most of the question."""

MOST_CELLS = 1 << 20
"""Pairs times stems of a question that are compared at once."""


class Links(NamedTuple):
    """Links (m,) of candidates to pages of candidates, each sentence's link to a page once.

    `sources` are rows of candidates, `entities` those of the pages, `sentences` numbers in the SKB, `rows` the
    sentences' rows among those of the candidates.
    """

    sources: Indices
    entities: Indices
    sentences: Indices
    rows: Indices

    def only(self, kept: Indices) -> Links:
        """Return some of them."""
        return Links(*(each[kept] for each in self))


class JointCoverage(NamedTuple):
    """Pairs (p,) of candidates, a source with a link to the page of a target, and what they say together.

    `near` is the share of the question, by rarity, that the source's title, the link's sentence, and the target with
    what stands above it say or nearly say; `gained` how much more of it source and target say than either of them.
    """

    sources: NDArray[np.int32]
    targets: NDArray[np.int32]
    near: Matrix
    gained: Matrix

    @classmethod
    def of(cls, session: Session, lexical: LexicalFeatures, meaning: MeaningFeatures) -> Self:
        """Compare all pairs of a question's candidates. O(links + pairs x stems)."""
        links = _links(session, lexical)
        said = stem_finder(session, lexical.stems).of_sentences(links.sentences).astype(np.float32)
        led = np.maximum(lexical.titled[links.sources], said)
        kept = _most(links, weighed(led, lexical.weights), lexical.entities)
        links, said, led = links.only(kept), said[kept], led[kept]
        pairs = _pairs(links, lexical.entities)
        covered, greater = _together(led, np.maximum(lexical.said, lexical.titled), pairs, lexical)
        led_near = np.maximum(np.maximum(meaning.sentences[links.rows], said), meaning.titled[links.sources])
        near, _ = _together(led_near, meaning.whole, pairs, lexical)
        sources = links.sources[pairs.links].astype(np.int32)
        return cls(sources, pairs.targets.astype(np.int32), near, covered - greater)

    def weighted(self, chance: NDArray[np.floating]) -> dict[str, Matrix]:
        """Return columns (n,) weighted by the other candidate's chance (n,) of a first ranking."""
        n, of_source, of_target = len(chance), chance[self.sources], chance[self.targets]
        return {
            "joint_from_best": _greatest(n, self.targets, of_source * self.near),
            "gain_from_best": _greatest(n, self.targets, of_source * self.gained),
            "joint_to_best": _greatest(n, self.sources, of_target * self.near),
            "gain_to_best": _greatest(n, self.sources, of_target * self.gained),
        }


class Pairs(NamedTuple):
    """Pairs (p,) of a link, by its index, and a candidate of the page that it leads to."""

    links: Indices
    targets: Indices


def _links(session: Session, lexical: LexicalFeatures) -> Links:
    """Return the links between the candidates' pages."""
    table, sentences, chunks = session.link_table, session.stem_table.sentences, lexical.chunks
    counts = table.starts[chunks + 1] - table.starts[chunks]
    links = ranges(table.starts[chunks], counts)
    sources = np.repeat(np.arange(len(chunks)), counts)
    entities = session.adjacency.entity_ids[table.entities[links]]
    kept = np.flatnonzero(np.isin(entities, lexical.entities) & (entities != lexical.entities[sources]))
    each = np.column_stack([sources[kept], entities[kept], table.sentences[links[kept]]])
    sources, entities, numbers = np.unique(each, axis=0).T
    firsts = sentences[chunks]
    before = np.cumsum(sentences[chunks + 1] - firsts) - (sentences[chunks + 1] - firsts)
    return Links(sources, entities, numbers, before[sources] + numbers - firsts[sources])


def _most(links: Links, worth: Matrix, entities: Indices) -> Indices:
    """Return which links are followed, in their order: the worthiest whose pairs are no more than `MOST_PAIRS`."""
    ordered = np.sort(entities)
    n_pairs = np.searchsorted(ordered, links.entities, side="right") - np.searchsorted(ordered, links.entities)
    best = np.argsort(-worth, kind="stable")
    return np.sort(best[np.cumsum(n_pairs[best]) <= MOST_PAIRS])


def _pairs(links: Links, entities: Indices) -> Pairs:
    """Return the pairs of links and what they lead to."""
    order = np.argsort(entities, kind="stable")
    ordered = entities[order]
    first = np.searchsorted(ordered, links.entities)
    counts = np.searchsorted(ordered, links.entities, side="right") - first
    return Pairs(np.repeat(np.arange(len(first)), counts), order[ranges(first, counts)])


def _together(led: Matrix, own: Matrix, pairs: Pairs, lexical: LexicalFeatures) -> tuple[Matrix, Matrix]:
    """Return the share of the question that links and targets of pairs (p,) say together, and the greater of each."""
    weights, total = lexical.weights, np.float32(lexical.total)
    step = max(1, MOST_CELLS // max(1, led.shape[1]))
    blocks = (slice(start, start + step) for start in range(0, max(1, len(pairs.links)), step))
    both = np.concatenate(
        [weighed(np.maximum(led[pairs.links[rows]], own[pairs.targets[rows]]), weights) for rows in blocks]
    )
    greater = np.maximum(weighed(led, weights)[pairs.links], weighed(own, weights)[pairs.targets])
    return np.asarray(both / total, np.float32), np.asarray(greater / total, np.float32)


def _greatest(n: int, rows: NDArray[np.integer], values: NDArray[np.floating]) -> Matrix:
    """Return the greatest value of each of n rows, 0 where there is none."""
    found = np.zeros(n, np.float32)
    np.maximum.at(found, rows, values.astype(np.float32))
    return found
