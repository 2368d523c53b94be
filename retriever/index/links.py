"""Scored links: where a page leads, and how much of what a question asks the sentence of each link covers.

A link's worth is what its sentence says of the question: "directed by X" is the
link to follow when the question asks for the director of what the page is about.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from retriever.context import Cache
from retriever.index.terms import Text, texts
from retriever.session import Session
from retriever.types import Ids
from weft.skb import Skb
from weft.text.names import name_key, uri_part
from weft.text.stems import stems_of

# Chunks of a page whose links are read: bounds the work on the longest pages.
MOST_CHUNKS = 60
# Chunks whose links are kept in memory between questions.
MOST_KEPT = 20_000
# Characters before a link, and half as many behind it, that are its context: chosen by eye.
NEAR = 60
# Where links and mentions stand in the given chunks, and what they name, in reading order.
SPOTS = """
SELECT chunk_id, start, "end", target FROM link WHERE chunk_id IN (SELECT value FROM json_each(?1)) UNION ALL
SELECT chunk_id, start, "end", target FROM mention WHERE chunk_id IN (SELECT value FROM json_each(?1)) ORDER BY 1, 2
"""


class ScoredLink(NamedTuple):
    """A link from `chunk` to `entity` over the words `anchor`, scored for a question.

    `coverage`, 0 to 1, is the share of the open question (its content stems
    outside the mentions, by rarity) that the link's sentence has, `context`
    that of the words right around it; `position` is the link's number on its
    page, from 0; `sentence` are the stems of its sentence.
    """

    chunk: int
    entity: int
    anchor: str
    coverage: float
    context: float
    position: int
    sentence: frozenset[str]


class Link(NamedTuple):
    """A link of a chunk to `entity`: its anchor, the stems of its sentence and of the words around it."""

    entity: int
    anchor: str
    sentence: frozenset[str]
    context: frozenset[str]


class ScoredLinks:
    """Finds the links of chunks and weighs their sentences against what a question asks; sessions share it."""

    def __init__(self) -> None:
        self._links: Cache[int, tuple[Link, ...]] = Cache(MOST_KEPT)

    def of(self, session: Session, chunks: Ids, asked: Sequence[str]) -> Iterator[ScoredLink]:
        """Yield the links of chunks of one page, scored against the stems `asked`, in reading order."""
        weights = texts(session).weights(session, asked)
        total = sum(weights.values()) or 1.0
        position = 0
        read = chunks[:MOST_CHUNKS].tolist()
        known = self.read(session, read)
        for chunk in read:
            for entity, anchor, sentence, around in known[chunk]:
                coverage, context = _share(weights, sentence) / total, _share(weights, around) / total
                yield ScoredLink(chunk, entity, anchor, coverage, context, position, sentence)
                position += 1

    def read(self, session: Session, chunks: Sequence[int]) -> dict[int, tuple[Link, ...]]:
        """Return the links of chunks; those that are not known are read all at once."""
        return self._links.of(chunks, lambda missing: _read(session, missing))


def scored_links(session: Session) -> ScoredLinks:
    """Return the links of the SKB."""
    return session.part("links", lambda own: ScoredLinks())


def _read(session: Session, chunks: Sequence[int]) -> Iterator[tuple[int, tuple[Link, ...]]]:
    spots: dict[int, list[tuple[int, int, str]]] = {chunk: [] for chunk in chunks}
    for chunk, start, end, target in session.skb.connection.execute(SPOTS, (json.dumps(chunks),)):
        spots[chunk].append((start, end, target))
    linking = [chunk for chunk in chunks if spots[chunk]]
    entities = _entities(session.skb, linking, spots)
    yield from ((chunk, ()) for chunk in chunks)
    for text in texts(session).of(session, linking):
        yield text.chunk.id, tuple(_links(text, spots[text.chunk.id], entities))


def _entities(
    skb: Skb, chunks: Sequence[int], spots: Mapping[int, list[tuple[int, int, str]]]
) -> dict[tuple[int, str], int]:
    """Return the entity that a target leads to from a chunk, none where that is the chunk's own page."""
    cited: dict[int, set[int]] = {chunk: set() for chunk in chunks}
    for citation in skb.citations(chunks):
        cited[citation.chunk_id].add(citation.entity_id)
    by_uri = {entity.uri: entity.id for entity in skb.entities(sorted(set().union(*cited.values())))}
    wanted = {(chunk, target) for chunk in chunks for _, _, target in spots[chunk]}
    found = {(chunk, target): by_uri[uri_part(target)] for chunk, target in wanted
             if by_uri.get(uri_part(target)) in cited[chunk]}  # fmt: skip
    unknown = sorted(wanted - found.keys())
    means = skb.meanings(list(dict.fromkeys(name_key(target) for _, target in unknown)))
    for chunk, target in unknown:
        meant = (entity for entity, _, _ in means.get(name_key(target), ()) if entity in cited[chunk])
        if entity := next(meant, 0):
            found[chunk, target] = entity
    return found


def _links(
    text: Text, spots: Sequence[tuple[int, int, str]], entities: Mapping[tuple[int, str], int]
) -> Iterator[Link]:
    words = text.chunk.text
    firsts = [start for start, _ in text.spans]
    for start, end, target in spots:
        if entity := entities.get((text.chunk.id, target)):
            around = words[max(0, start - NEAR) : start] + " " + words[end : end + NEAR // 2]
            sentence = text.sentences[max(0, bisect_right(firsts, start) - 1)]
            yield Link(entity, words[start:end], sentence, frozenset(stems_of(around)))


def _share(weights: dict[str, float], stems: frozenset[str]) -> float:
    if stems.isdisjoint(weights):  # most are, and this takes a quarter of the time
        return 0.0
    return sum(weight for stem, weight in weights.items() if stem in stems)


def best_of(links: Iterable[ScoredLink]) -> dict[int, ScoredLink]:
    """Return each entity's best link: the greatest coverage and context together, then the first."""
    best: dict[int, ScoredLink] = {}
    for link in links:
        known = best.get(link.entity)
        if known is None or _order(link) > _order(known):
            best[link.entity] = link
    return best


def _order(link: ScoredLink) -> tuple[float, int]:
    return link.coverage + link.context, -link.position
