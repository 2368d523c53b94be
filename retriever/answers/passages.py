"""The passages that an answer is looked for in, and how the question leads to each of them.

The best hits of the method, how the pages begin that the question names, and what `bridges` reads onward.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.answers.asked import CHOICE, Asked
from retriever.answers.text.lexicon.meanings import Vectors, meant, vectors_of
from retriever.answers.text.words import Words, words_in
from retriever.learning.log_odds import probability
from retriever.question.reader import named_entities
from retriever.session import Session
from retriever.types import Ids, Query, Ranking
from weft.rows import Chunk
from weft.text.sentences import Span, sentences, spans

HITS = 8
"""Hits that are read."""

MOST_NAMED = 4
"""Pages that the question names whose beginnings are read too."""

HEAD = 2
"""Chunks with which a page begins: its infobox and its lead."""

LEAST_NAMED = 0.2
INTRODUCED = 0.9
"""The chance of a list or table, as a share of that of the chunk before it, which ends with a colon."""

AROUND, ELSEWHERE = 10, 0.5
"""Words beside a link that say why it is there, and what those count that are farther from it, in its sentence."""


class Link(NamedTuple):
    """Characters of a passage that lead to an entity."""

    start: int
    end: int
    entity: int


class Bridge(NamedTuple):
    """Characters of a passage, a name, that lead to another passage of the same reading, by its index."""

    start: int
    end: int
    target: int


class Passage(NamedTuple):
    """A chunk as it is read; `rank` is that of the hit from 0, `chance` what the method makes of it.

    What was read onward has the next ranks, and a share of the chance of the passage that led there.

    `asked` (n,) has for each word the index of the stem asked for, -1 for the others;
    `in_sentence` (n,) the number of its sentence, which begin and end at `bounds`.
    `means` (n, w) is how alike each word is to each stem asked for, 1 where it tells it; `vectors` (n, d) are theirs.
    `bridges` are the names that led to other passages of the reading (`retriever/answers/bridges`).
    """

    chunk: int
    uri: str
    page: int
    entity: int
    title: str
    text: str
    kind: str
    rank: int
    chance: float
    named: float
    is_lead: bool
    words: Words
    asked: NDArray[np.int64]
    in_sentence: NDArray[np.int64]
    bounds: tuple[tuple[int, int], ...]
    links: tuple[Link, ...]
    heading: str
    means: Vectors
    vectors: Vectors
    bridges: tuple[Bridge, ...] = ()

    def sentence_at(self, start: int) -> tuple[int, int]:
        """Return the bounds of the sentence that a character is of, the first one's where it is of none."""
        return next(((begin, end) for begin, end in self.bounds if begin <= start < end), self.bounds[0])


def row_start(text: str, start: int) -> int:
    """Return where a row of a table begins whose first cell may be empty: " | Heron | Old Bess"."""
    return start - 1 if start and text.startswith("| ", start) else start


def read_passages(session: Session, query: Query, found: Ranking, asked: Asked) -> list[Passage]:
    """Return the passages of a question, the hits first."""
    named = _named_weights(query)
    extra = _beginnings(session, query, named, found.ids[:HITS])
    if asked.is_polar or asked.defines or CHOICE.search(asked.text):
        extra = np.concatenate([extra, _heads(session, query, named, (*found.ids[:HITS].tolist(), *extra.tolist()))])
    ids = np.concatenate([found.ids[:HITS], extra]).astype(np.int64)
    chances = np.zeros(len(ids))
    chances[: min(HITS, len(found.ids))] = probability(found.scores[:HITS])
    introduced = _introduced(session, query, dict(zip(ids.tolist(), chances.tolist(), strict=True)))
    ids = np.concatenate([ids, np.array([*introduced], np.int64)])
    return passages_of(session, query, asked, ids, np.concatenate([chances, [*introduced.values()]]))


def passages_of(
    session: Session, query: Query, asked: Asked, ids: Ids, chances: NDArray[np.float64]
) -> list[Passage]:
    """Return chunks (n,) as they are read for a question, ranked in their order; `chances` (n,) are those of hits."""
    if not len(ids):
        return []
    named = _named_weights(query)
    chunks = session.skb.chunks(ids.tolist())
    titles = {page.id: page.title for page in session.skb.pages(sorted({chunk.page_id for chunk in chunks}))}
    table = session.chunk_table
    rows = table.indices(ids)
    entities = table.entities_of(table.pages[rows]).tolist()
    headings = _headings(session, chunks)
    passages = []
    hits = zip(chunks, rows.tolist(), entities, chances.tolist(), strict=True)
    for rank, (chunk, row, entity, chance) in enumerate(hits):
        words, bounds = words_in(chunk.text), _bounds(session, chunk)
        told = np.array([asked.told.get(stem, -1) for stem in words.stems], np.int64)
        vectors = vectors_of(words.stems)
        passages.append(
            Passage(
                chunk.id, chunk.uri, chunk.page_id, entity, titles[chunk.page_id], chunk.text, chunk.kind, rank, chance,
                named.get(entity, 0.0), bool(table.positions[row] <= 1), words, told, _numbered(words, bounds), bounds,
                _links(session, row), headings.get(chunk.section_id or 0, ""),
                _means(words.stems, vectors, told, asked), vectors,
            )
        )  # fmt: skip
    return passages


def _bounds(session: Session, chunk: Chunk) -> tuple[Span, ...]:
    """Return where the sentences of a chunk begin and end; one without any is one sentence."""
    ends = session.skb.sentence_table.of(chunk.id)
    return tuple(sentences(chunk.text) if ends is None else spans(chunk.text, ends)) or ((0, len(chunk.text)),)


def _numbered(words: Words, bounds: Sequence[Span]) -> NDArray[np.int64]:
    """Return the number of the sentence of each word (n,)."""
    starts = np.array([start for start, _ in bounds], np.int64)
    return np.maximum(0, np.searchsorted(starts, words.starts, side="right") - 1)


def _means(stems: Sequence[str], vectors: Vectors, told: NDArray[np.int64], asked: Asked) -> Vectors:
    means = meant(stems, vectors, asked.open_stems, asked.meanings)
    known = np.flatnonzero(told >= 0)
    means[known, told[known]] = 1.0
    return means


def _headings(session: Session, chunks: Sequence[Chunk]) -> dict[int, str]:
    """Return the heading of each section that a chunk is of."""
    sections = sorted({chunk.section_id for chunk in chunks if chunk.section_id is not None})
    return {section.id: section.title for section in session.skb.sections(sections)}


def _named_weights(query: Query) -> dict[int, float]:
    ids, weights = named_entities(query.question)
    return dict(zip(ids.tolist(), weights.tolist(), strict=True))


def _beginnings(session: Session, query: Query, named: dict[int, float], hits: Ids) -> Ids:
    """Return the first chunks of pages that the question names and no hit is of."""
    table = session.chunk_table
    seen = set(table.pages[table.indices(hits)].tolist())
    likely = [entity for entity, weight in named.items() if weight >= LEAST_NAMED]
    likely.sort(key=lambda each: (-named[each], each))
    found: list[int] = []
    for entity in likely:
        chunks = session.chunks_of_entity(entity)[:1]
        if query.allowed is not None:
            chunks = chunks[np.isin(chunks, query.allowed)]
        if len(chunks) and int(table.pages[table.indices(chunks)][0]) not in seen and len(found) < MOST_NAMED:
            found.append(int(chunks[0]))
    return np.array(found, np.int64)


def _heads(session: Session, query: Query, named: dict[int, float], read: Sequence[int]) -> Ids:
    """Return the first chunks, its infobox among them, of what the question names, but those that are read."""
    likely = sorted((each for each, weight in named.items() if weight >= LEAST_NAMED), key=lambda each: -named[each])
    heads = [session.chunks_of_entity(entity)[:HEAD] for entity in likely[:MOST_NAMED]]
    chunks = np.concatenate([np.zeros(0, np.int64), *heads])
    if query.allowed is not None:
        chunks = chunks[np.isin(chunks, query.allowed)]
    return chunks[~np.isin(chunks, read)].astype(np.int64)


def _introduced(session: Session, query: Query, read: dict[int, float]) -> dict[int, float]:
    """Return the lists and tables that chunks introduce which are read and end with a colon, each with its chance."""
    rows = session.skb.connection.execute(
        "SELECT chunk.id, next.id FROM chunk JOIN chunk AS next ON next.page_id = chunk.page_id"
        " AND next.position = chunk.position + 1 AND next.section_id IS chunk.section_id"
        f" WHERE chunk.id IN ({', '.join('?' * len(read))}) AND substr(chunk.text, -1) IN (':', '：')"
        " AND next.kind IN ('list', 'table') ORDER BY next.id", (*read,),
    )  # fmt: skip
    found = {behind: INTRODUCED * read[own] for own, behind in rows if behind not in read}
    if query.allowed is None or not found:
        return found
    return {chunk: found[chunk] for chunk in found if np.isin(chunk, query.allowed)}


def _links(session: Session, row: int) -> tuple[Link, ...]:
    table = session.link_table
    own = slice(int(table.starts[row]), int(table.starts[row + 1]))
    entities = session.adjacency.entity_ids[table.entities[own]].tolist()
    return tuple(map(Link, table.begins[own].tolist(), table.ends[own].tolist(), entities))


class Ways(NamedTuple):
    """How the passages (p,) are reached from each other.

    `reached` is the greatest weight of a link, or a bridge, from a page that the question
    names or a good hit, `covered` (p, w) the share of each stem asked for that
    stands beside such a link, `back` whether the passage links to a named page.
    """

    reached: NDArray[np.float64]
    from_named: NDArray[np.float64]
    covered: NDArray[np.float64]
    back: NDArray[np.float64]


def ways_between(passages: list[Passage], asked: Asked) -> Ways:
    """Return which passages link to which, and what the words beside the links say of what is asked."""
    n, width = len(passages), len(asked.stems)
    by_entity: dict[int, list[int]] = {}
    for index, passage in enumerate(passages):
        by_entity.setdefault(passage.entity, []).append(index)
    ways = Ways(np.zeros(n), np.zeros(n), np.zeros((n, width)), np.zeros(n))
    for passage in passages:
        for link, targets in leading(passage, by_entity):
            covered = _said_beside(passage, link, width)
            for target in targets:
                ways.back[by_entity[passage.entity]] = np.maximum(
                    ways.back[by_entity[passage.entity]], passages[target].named
                )
                weight = max(passage.named, 0.5 * passage.chance) * (0.2 + float(covered @ asked.weights))
                ways.from_named[target] = max(ways.from_named[target], passage.named)
                if weight > ways.reached[target]:
                    ways.reached[target] = weight
                    ways.covered[target] = covered
    return ways


def leading(passage: Passage, owners: Mapping[int, Sequence[int]]) -> Iterator[tuple[Link | Bridge, Sequence[int]]]:
    """Yield what leads from a passage to others, and to which: `owners` are those of each entity's page."""
    for link in passage.links:
        if link.entity in owners and link.entity != passage.entity:
            yield link, owners[link.entity]
    for bridge in passage.bridges:
        yield bridge, (bridge.target,)


def words_beside(passage: Passage, link: Link | Bridge) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the words (n,) of the sentence of a link, by index, and what each counts for what the link means."""
    first, last = passage.words.span(link.start, link.end)
    if first >= len(passage.in_sentence):
        return np.zeros(0, np.int64), np.zeros(0)
    same = np.flatnonzero(passage.in_sentence == passage.in_sentence[first])
    return same, np.where((same >= first - AROUND) & (same < last + AROUND), 1.0, ELSEWHERE)


def _said_beside(passage: Passage, link: Link | Bridge, width: int) -> NDArray[np.float64]:
    """Return how near each stem asked for is said beside a link (width,)."""
    words, near = words_beside(passage, link)
    covered, asked = np.zeros(width), passage.asked[words]
    np.maximum.at(covered, asked[asked >= 0], near[asked >= 0])
    return covered
