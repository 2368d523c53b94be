"""Scored links: where pages lead, and how much of what a question asks the sentence of each link covers.

A link's worth is what its sentence says of the question: "directed by X" is the
link to follow when the question asks for the director of what the page is about.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.index.stem_finder import stem_finder, weight_of
from retriever.index.terms import rarities
from retriever.session import Session
from retriever.types import Ids
from weft.arrays.blobs import ranges
from weft.arrays.link_table import LinkTable

# Chunks of a page whose links are read: bounds the work on the longest pages.
MOST_CHUNKS = 60

Weights = NDArray[np.float64]
Indices = NDArray[np.int64]


class ScoredLink(NamedTuple):
    """A link from `chunk` to `entity` over the characters `begin` to `end`, scored for a question.

    `coverage`, 0 to 1, is the share of the open question (its content stems
    outside the mentions, by rarity) that the link's sentence has, `context`
    that of the words right around it; `position` is the link's number on its
    page, from 0; `sentence` is the number of its sentence in the SKB.
    """

    chunk: int
    entity: int
    begin: int
    end: int
    coverage: float
    context: float
    position: int
    sentence: int


class ScoredLinks(NamedTuple):
    """The links (n,) of several starts, such as pages, by start and in reading order.

    `links` are indices into the link table, `chunks` and `entities` are ids,
    `starts` tell to which of the starts each belongs; the rest as in a
    `ScoredLink`.
    """

    links: Indices
    starts: Indices
    chunks: Ids
    entities: Ids
    coverage: Weights
    context: Weights
    positions: Indices


def scored_links(session: Session, starts: Sequence[Ids], asked: Sequence[str]) -> ScoredLinks:
    """Return the links of the chunks of each start, its first ones, scored against the stems `asked`. O(links)."""
    table = session.link_table
    own = [chunks[:MOST_CHUNKS] for chunks in starts]
    chunks = session.chunk_table.indices(np.concatenate([np.empty(0, np.int64), *own]))
    counts = table.starts[chunks + 1] - table.starts[chunks]
    links = ranges(table.starts[chunks], counts)
    of_start = np.repeat(np.repeat(np.arange(len(own)), [len(each) for each in own]), counts)
    weights = rarities(session, asked)
    total = sum(weights.values()) or 1.0
    finder = stem_finder(session, tuple(weights))
    sentences, back = np.unique(table.sentences[links], return_inverse=True)
    return ScoredLinks(
        links,
        of_start,
        session.chunk_table.chunk_ids[np.repeat(chunks, counts)],
        session.adjacency.entity_ids[table.entities[links]],
        weight_of(finder.of_sentences(sentences), weights.values())[back] / total,
        weight_of(finder.of_rows(table.contexts, links), weights.values()) / total,
        np.arange(len(links)) - np.searchsorted(of_start, of_start),
    )


def link_at(table: LinkTable, found: ScoredLinks, index: int) -> ScoredLink:
    """Return one of the links."""
    link = int(found.links[index])
    return ScoredLink(
        int(found.chunks[index]), int(found.entities[index]), int(table.begins[link]), int(table.ends[link]),
        float(found.coverage[index]), float(found.context[index]), int(found.positions[index]),
        int(table.sentences[link]),
    )  # fmt: skip


def best_of(found: ScoredLinks) -> Indices:
    """Return the index of the best link from each start to each entity, by start and entity.

    The best has the greatest coverage and context together, and is the first of those.
    """
    order = np.lexsort((found.positions, -(found.coverage + found.context), found.entities, found.starts))
    starts, entities = found.starts[order], found.entities[order]
    is_first = np.append(True, (starts[1:] != starts[:-1]) | (entities[1:] != entities[:-1]))[: len(order)]
    best: Indices = order[is_first]
    return best
