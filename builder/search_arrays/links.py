"""The links and mentions of chunks as arrays: where each leads, its sentence, and the stems of the words around it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from builder.search_arrays.link_targets import LinkTargets
from builder.search_arrays.text_batches import Batch, Offsets, Sentences, Words
from builder.search_arrays.vocabulary import Vocabulary
from weft.arrays.blobs import Array, ranges, starts_of
from weft.text.normalise import words_of

NEAR = 60
"""Characters before a link, and half as many behind it, that are its context: chosen by eye."""

# Where links and mentions of some chunks stand, and what they name, in reading order.
SPOTS = """
SELECT chunk_id, start, "end", target FROM link WHERE chunk_id BETWEEN ?1 AND ?2 UNION ALL
SELECT chunk_id, start, "end", target FROM mention WHERE chunk_id BETWEEN ?1 AND ?2 ORDER BY 1, 2
"""


class Links(NamedTuple):
    """Links (l,) of a batch: the text of each, the place of the entity that it leads to, and where it stands."""

    texts: Offsets
    entities: Offsets
    starts: Offsets
    ends: Offsets


def links_in(connection: sqlite3.Connection, batch: Batch, targets: LinkTargets) -> Links:
    """Return the links of a batch in reading order."""
    spots = connection.execute(SPOTS, (int(batch.ids[0]), int(batch.ids[-1]))).fetchall()
    chunks, starts, ends, names = zip(*spots, strict=True) if spots else ((), (), (), ())
    texts = np.searchsorted(batch.ids, np.array(chunks, np.int64))
    entities = targets.entities(batch.first + texts, names)
    links = Links(texts, entities, *(batch.starts[texts] + np.array(each, np.int64) for each in (starts, ends)))
    return Links(*(each[entities >= 0] for each in links))


def link_arrays(
    batch: Batch, words: Words, sentences: Sentences, links: Links, vocabulary: Vocabulary
) -> Iterator[tuple[str, Array]]:
    """Yield the links of a batch of texts, by chunk and in reading order. Linear in the links and the texts."""
    before = np.searchsorted(sentences.firsts, links.starts, "right") - 1 - starts_of(sentences.counts)[links.texts]
    yield "link.size", np.bincount(links.texts, minlength=len(batch.ids))
    yield "link.entity", links.entities
    yield "link.start", links.starts - batch.starts[links.texts]
    yield "link.end", links.ends - batch.starts[links.texts]
    yield "link.sentence", np.maximum(before, 0)
    sizes, stems = _contexts(batch, words, links, vocabulary)
    yield "context.size", sizes
    yield "context.stem", stems


def _contexts(batch: Batch, words: Words, links: Links, vocabulary: Vocabulary) -> tuple[Offsets, Offsets]:
    """Return the stems of the words before and behind each link, each once and sorted, and how many there are."""
    if not len(words.starts):
        return np.zeros(len(links.starts), np.int64), np.empty(0, np.int64)
    starts = np.maximum(links.starts - NEAR, batch.starts[links.texts])
    ends = np.minimum(links.ends + NEAR // 2, batch.ends[links.texts])
    sides = ((starts, links.starts), (links.ends, ends))
    cut = [part for side in sides for part in _cut_words(words, *side)]
    parts = _Parts(*map(np.concatenate, zip(*cut, strict=True)))
    found = [_stems_of(batch, words, parts, vocabulary), *(_whole_words(words, *side) for side in sides)]
    keys = np.sort(np.concatenate([owners << 32 | stems for owners, stems in found]))
    keys = keys[np.append(True, keys[1:] > keys[:-1])[: len(keys)]]
    return np.bincount(keys >> 32, minlength=len(starts)), keys & 0xFFFFFFFF


def _whole_words(words: Words, firsts: Offsets, lasts: Offsets) -> tuple[Offsets, NDArray[np.int32]]:
    """Return the stems of the words that stand whole from `firsts` to `lasts` (l,), and in which of these spans."""
    begins = words.stems_before(firsts)
    counts = np.maximum(words.firsts[np.searchsorted(words.ends, lasts, "right")] - begins, 0)
    return np.repeat(np.arange(len(firsts)), counts), words.stems[ranges(begins, counts)]


class _Parts(NamedTuple):
    """Parts of words (p,) that a span cuts: of which span, where they stand, and of which word."""

    spans: Offsets
    starts: Offsets
    ends: Offsets
    words: Offsets


def _cut_words(words: Words, firsts: Offsets, lasts: Offsets) -> tuple[_Parts, _Parts]:
    """Return what spans from `firsts` to `lasts` (l,) hold of the words that begin before them, or end behind them."""
    first, last = (np.maximum(np.searchsorted(words.starts, edge) - 1, 0) for edge in (firsts, lasts))
    at = np.flatnonzero((words.starts[first] < firsts) & (words.ends[first] > firsts) & (firsts < lasts))
    begins = words.starts[last]
    end = np.flatnonzero((begins >= firsts) & (begins < lasts) & (words.ends[last] > lasts))
    return (
        _Parts(at, firsts[at], np.minimum(words.ends[first[at]], lasts[at]), first[at]),
        _Parts(end, begins[end], lasts[end], last[end]),
    )


def _stems_of(batch: Batch, words: Words, parts: _Parts, vocabulary: Vocabulary) -> tuple[Offsets, NDArray[np.int32]]:
    """Return the stems of parts of words, and of which span each is."""
    is_piece = words.is_piece[parts.words]
    plain = np.flatnonzero(~is_piece)
    spans, stems = [parts.spans[plain]], [vocabulary.of_spans(words.plain, parts.starts[plain], parts.ends[plain])]
    for index in np.flatnonzero(is_piece):
        stems.append(vocabulary.of(words_of(batch.text[parts.starts[index] : parts.ends[index]])))
        spans.append(np.full(len(stems[-1]), parts.spans[index]))
    return np.concatenate(spans), np.concatenate(stems)
