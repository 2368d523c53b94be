"""Number the stems of texts, titles and headings for the stem table, in the order in which the texts say them."""

from __future__ import annotations

import re
import sqlite3
from array import array
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from builder.search_arrays.row_batches import BATCH
from builder.search_arrays.text_batches import Batch, Flags, Offsets, Sentences, Words, runs
from builder.search_arrays.vocabulary import Vocabulary
from weft.arrays.blobs import Array
from weft.text.names import uri_text
from weft.text.normalise import words_of

YEAR = re.compile(r"(?<!\w)(?:1[0-9]{3}|20[0-9]{2})\b")

TITLES = "SELECT title FROM page JOIN entity ON entity.page_id = page.id ORDER BY page.id"
HEADINGS = "SELECT title, uri FROM section ORDER BY id"


def text_arrays(batch: Batch, words: Words, sentences: Sentences) -> Iterator[tuple[str, Array]]:
    """Yield the stems of texts, sentence by sentence, and what else is read from them. Linear."""
    yield "chunk.length", batch.ends - batch.starts
    numbers = numbers_in(batch.codes)
    yield "chunk.has_number", _holds(batch, numbers[:, 0])
    yield "chunk.has_year", _holds(batch, years_in(batch.text, numbers))
    yield "text.size", words.stems_before(batch.ends) - words.stems_before(batch.starts)
    yield "text.stem", words.stems
    yield "sentence.size", sentences.counts
    yield "sentence.stems", words.stems_before(sentences.ends) - words.stems_before(sentences.begins)


def name_arrays(connection: sqlite3.Connection, vocabulary: Vocabulary) -> Iterator[tuple[str, Array]]:
    """Yield the stems of titles and headings, each once and sorted, a heading's own before those above. Linear."""
    yield from _distinct("title", ((title, "") for (title,) in connection.execute(TITLES)), vocabulary)
    headings = ((title, uri_text(uri.partition("#")[2])) for title, uri in connection.execute(HEADINGS))
    yield from _distinct("heading", headings, vocabulary)
    own = connection.execute("SELECT title FROM section ORDER BY id")
    yield "heading.own", np.fromiter((len(set(vocabulary.of(words_of(title)).tolist())) for (title,) in own), np.int64)


def numbers_in(codes: NDArray[np.uint32]) -> Offsets:
    """Return where runs of digits begin and end (r, 2) in a text of these code points, the last of which is none."""
    return runs((codes >= ord("0")) & (codes <= ord("9")))


def years_in(text: str, numbers: Offsets) -> Offsets:
    """Return which runs of digits of a text are words from 1000 to 2099, by where they begin (y,)."""
    of_four = numbers[numbers[:, 1] - numbers[:, 0] == 4, 0]
    years: Offsets = of_four[[YEAR.match(text, start) is not None for start in of_four.tolist()]]
    return years


def _holds(batch: Batch, offsets: Offsets) -> Flags:
    """Tell in which texts any of the offsets lies."""
    holds = np.zeros(len(batch.starts), bool)
    holds[np.searchsorted(batch.starts, offsets, "right") - 1] = True
    return holds


def _distinct(name: str, texts: Iterator[tuple[str, str]], vocabulary: Vocabulary) -> Iterator[tuple[str, Array]]:
    """Yield the stems of short texts, and of what stands above each: sorted, each once, first a text's own."""
    stems, sizes = array("i"), array("i")
    for text, above in texts:
        own = set(vocabulary.of(words_of(text)).tolist())
        more = set(vocabulary.of(words_of(above)).tolist()) - own
        stems.extend([*sorted(own), *sorted(more)])
        sizes.append(len(own) + len(more))
        if len(stems) > BATCH:
            yield f"{name}.stem", np.array(stems)
            del stems[:]
    yield f"{name}.size", np.array(sizes)
    yield f"{name}.stem", np.array(stems)
