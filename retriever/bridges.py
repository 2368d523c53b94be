"""Bridges: where pages lead that a question names or that fit it, and how well the way there is asked for.

A link's worth is what its sentence says of the question: "directed by X" is the
way on when the question asks for the director of what the page is about.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from retriever.context import Context
from retriever.texts import SENTENCE_END, Texts
from retriever.types import Ids
from weft.names import name_key, uri_part
from weft.stems import stems_of

MOST_CHUNKS = 60
NEAR = 60


class Bridge(NamedTuple):
    """A way from `chunk` to `entity` over the words `anchor`.

    `asked` is the share of the open question that the link's sentence speaks
    of, `near` that of the words right around it; `place` is the link's number
    on its page, from 0; `sentence` are the stems of its sentence.
    """

    chunk: int
    entity: int
    anchor: str
    asked: float
    near: float
    place: int
    sentence: frozenset[str]


class Bridges:
    """Finds the links of chunks and weighs their sentences against what a question asks."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._texts = context.part("texts", Texts)
        self._links = lru_cache(maxsize=20_000)(self._read_links)

    def of(self, chunks: Ids, asked: Sequence[str]) -> Iterator[Bridge]:
        """Yield the bridges of chunks of one page, in reading order."""
        weights = self._texts.weights(asked)
        total = sum(weights.values()) or 1.0
        place = 0
        for chunk in chunks[:MOST_CHUNKS].tolist():
            for entity, anchor, sentence, near in self._links(chunk):
                said, around = _share(weights, sentence) / total, _share(weights, near) / total
                yield Bridge(chunk, entity, anchor, said, around, place, sentence)
                place += 1

    def _read_links(self, chunk: int) -> list[tuple[int, str, frozenset[str], frozenset[str]]]:
        """Return a chunk's links: entity, anchor, the stems of the sentence and of the words around the anchor."""
        skb = self._context.skb
        rows = skb.connection.execute(
            'SELECT start, "end", target FROM link WHERE chunk_id = ?1 UNION ALL'
            ' SELECT start, "end", target FROM mention WHERE chunk_id = ?1 ORDER BY 1',
            (chunk,),
        ).fetchall()
        if not rows:
            return []
        (text,) = self._texts.of([chunk])
        words = text.chunk.text
        borders = np.array([0, *(found.end() for found in SENTENCE_END.finditer(words)), len(words)])
        entities = self._targets(chunk, [target for _, _, target in rows])
        found = []
        for (start, end, _), entity in zip(rows, entities, strict=True):
            if entity:
                place = int(np.searchsorted(borders, start, side="right")) - 1
                sentence = words[borders[place] : borders[min(place + 1, len(borders) - 1)]]
                near = words[max(0, start - NEAR) : start] + " " + words[end : end + NEAR // 2]
                found.append((entity, words[start:end], frozenset(stems_of(sentence)), frozenset(stems_of(near))))
        return found

    def _targets(self, chunk: int, titles: Sequence[str]) -> list[int]:
        """Return the entity that each link of a chunk leads to, 0 where that is the page itself."""
        skb = self._context.skb
        cited = [citation.entity_id for citation in skb.citations([chunk])]
        by_uri = {entity.uri: entity.id for entity in skb.entities(cited)}
        unknown = [title for title in titles if uri_part(title) not in by_uri]
        means: dict[str, int] = {}
        if unknown:
            known = set(cited)
            for key, rows in skb.meanings([name_key(title) for title in dict.fromkeys(unknown)]).items():
                means[key] = next((entity for entity, _, _ in rows if entity in known), 0)
        return [by_uri.get(uri_part(title)) or means.get(name_key(title), 0) for title in titles]


def _share(weights: dict[str, float], stems: frozenset[str]) -> float:
    return sum(weight for stem, weight in weights.items() if stem in stems)


def best_of(bridges: Iterable[Bridge]) -> dict[int, Bridge]:
    """Return each entity's best bridge: the most asked for, then the nearest, then the first."""
    best: dict[int, Bridge] = {}
    for bridge in bridges:
        known = best.get(bridge.entity)
        if known is None or (bridge.asked + bridge.near, -bridge.place) > (known.asked + known.near, -known.place):
            best[bridge.entity] = bridge
    return best


def grouped(chunks: Ids, pages: Ids) -> dict[int, list[int]]:
    """Return chunks by their page, in the order given."""
    groups: dict[int, list[int]] = defaultdict(list)
    for chunk, page in zip(chunks.tolist(), pages.tolist(), strict=True):
        groups[page].append(chunk)
    return groups
