"""The links and mentions of chunks as arrays: where each leads, its sentence, and the stems of the words around it."""

from __future__ import annotations

import sqlite3
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from builder.search_arrays.row_batches import column
from builder.search_arrays.token_ids import BATCH, Vocabulary, sentence_spans, texts_and_ends
from weft.arrays.blobs import Array
from weft.text.names import name_key, uri_part
from weft.text.normalise import BLANKED, words_of

# Characters before a link, and half as many behind it, that are its context: chosen by eye.
NEAR = 60
# Names asked for at once.
KEYS = 900

# Where links and mentions of some chunks stand, and what they name, in reading order.
SPOTS = """
SELECT chunk_id, start, "end", target FROM link WHERE chunk_id BETWEEN ?1 AND ?2 UNION ALL
SELECT chunk_id, start, "end", target FROM mention WHERE chunk_id BETWEEN ?1 AND ?2 ORDER BY 1, 2
"""
CITED = "SELECT chunk_id, uri, entity_id FROM cites JOIN entity ON entity.id = entity_id WHERE chunk_id BETWEEN ? AND ?"
MEANINGS = "SELECT name_key, entity_id FROM alias WHERE name_key IN ({}) ORDER BY weight DESC, entity_id"

Spot = tuple[int, int, int, str]


class _Targets(NamedTuple):
    """The entity that a target means in a chunk, none where that is the chunk's own page."""

    uris: Mapping[str, str]
    by_uri: Mapping[tuple[int, str], int]
    by_name: Mapping[str, Sequence[int]]
    cited: Mapping[int, set[int]]

    def entity(self, chunk: int, target: str) -> int:
        """Return the entity that the chunk cites under this uri, else the likeliest of those of this name; 0: none."""
        if found := self.by_uri.get((chunk, self.uris[target])):
            return found
        return next((each for each in self.by_name.get(target, ()) if each in self.cited.get(chunk, ())), 0)


def link_arrays(connection: sqlite3.Connection, vocabulary: Vocabulary) -> Iterator[tuple[str, Array]]:
    """Yield the links of all chunks, by chunk and in reading order. Linear in the links."""
    chunks = column(connection, "SELECT id FROM chunk ORDER BY id")
    entities = column(connection, "SELECT id FROM entity ORDER BY id")
    for number, (texts, ends) in enumerate(texts_and_ends(connection)):
        ids = chunks[number * BATCH : (number + 1) * BATCH]
        spots = connection.execute(SPOTS, (int(ids[0]), int(ids[-1]))).fetchall()
        targets = _targets(connection, spots)
        sizes = np.zeros(len(ids), np.int32)
        table, context, in_context = array("q"), array("i"), array("i")
        for chunk, own in groupby(spots, itemgetter(0)):
            index = int(np.searchsorted(ids, chunk))
            text = texts[index]
            # Folding keeps the offsets of ASCII; doing it once a text is quicker than once a link.
            folded = text.casefold().translate(BLANKED) if text.isascii() else None
            firsts = [start for start, _ in sentence_spans(text, ends[index])]
            for _, start, end, target in own:
                if entity := targets.entity(chunk, target):
                    said = sorted(set(vocabulary.of(_words_around(text, folded, start, end))))
                    context.extend(said)
                    in_context.append(len(said))
                    table.extend((entity, start, end, max(0, bisect_right(firsts, start) - 1)))
                    sizes[index] += 1
        columns = np.array(table, np.int64).reshape(-1, 4).T
        yield "link.size", sizes
        yield "link.entity", np.searchsorted(entities, columns[0])
        yield from zip(("link.start", "link.end", "link.sentence"), columns[1:], strict=True)
        yield "context.size", np.array(in_context)
        yield "context.stem", np.array(context)


def _words_around(text: str, folded: str | None, start: int, end: int) -> list[str]:
    """Return the words before and behind a link, of a text that may be folded already."""
    plain = text if folded is None else folded
    around = f"{plain[max(0, start - NEAR) : start]} {plain[end : end + NEAR // 2]}"
    return words_of(around) if folded is None else around.split()


def _targets(connection: sqlite3.Connection, spots: Sequence[Spot]) -> _Targets:
    """Return what the targets of some links mean; the links are in the order of their chunks."""
    by_uri: dict[tuple[int, str], int] = {}
    cited: dict[int, set[int]] = {}
    for chunk, uri, entity in connection.execute(CITED, (spots[0][0], spots[-1][0])) if spots else ():
        by_uri[chunk, uri] = entity
        cited.setdefault(chunk, set()).add(entity)
    uris = {target: uri_part(target) for _, _, _, target in spots}
    unknown = sorted({target for chunk, _, _, target in spots if (chunk, uris[target]) not in by_uri})
    keys = {target: name_key(target) for target in unknown}
    meanings: dict[str, list[int]] = {}
    wanted = sorted(set(keys.values()))
    for start in range(0, len(wanted), KEYS):
        some = wanted[start : start + KEYS]
        for key, entity in connection.execute(MEANINGS.format(",".join("?" * len(some))), some):
            meanings.setdefault(key, []).append(entity)
    return _Targets(uris, by_uri, {target: meanings[key] for target, key in keys.items() if key in meanings}, cited)
