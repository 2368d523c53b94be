"""The stems of texts, titles and headings as numbers, in the order in which the texts say them."""

from __future__ import annotations

import re
import sqlite3
from array import array
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from builder.search_arrays.chunk_places import lines
from weft.arrays.blobs import Array
from weft.arrays.sentence_table import load_sentence_table
from weft.text.names import uri_text
from weft.text.normalise import words_of
from weft.text.sentences import spans
from weft.text.stems import stem

# 1000 to 2099 as a word of its own. The digit comes first: looking behind before every character is slow.
YEAR = re.compile(r"[12](?<!\w[12])(?:(?<=1)[0-9]{3}|(?<=2)0[0-9]{2})\b")
DIGIT = re.compile(r"[0-9]")

BATCH = 4096
"""Texts whose stems are in memory at once."""

MOST_WORDS = 1_000_000
"""Words whose stems are known without another look."""

TITLES = "SELECT title FROM page JOIN entity ON entity.page_id = page.id ORDER BY page.id"
HEADINGS = "SELECT uri FROM section ORDER BY id"


class Vocabulary:
    """Numbers stems in the order in which they are met."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._by_word = _Words(self._numbers)

    def of(self, words: Sequence[str]) -> Iterator[int]:
        """Return the numbers of words' stems, in their order."""
        if len(self._by_word) > MOST_WORDS:
            self._by_word.clear()
        return map(self._by_word.__getitem__, words)

    def arrays(self) -> Iterator[tuple[str, Array]]:
        """Yield the stems in the order of their UTF-8, and the number of each."""
        stems = sorted(self._numbers)
        yield "stem.text", lines(stems)
        yield "stem.number", np.fromiter(map(self._numbers.__getitem__, stems), np.int32, len(stems))


class _Words(dict[str, int]):
    """The numbers of words' stems, each found once."""

    def __init__(self, numbers: dict[str, int]) -> None:
        super().__init__()
        self.numbers = numbers

    def __missing__(self, word: str) -> int:
        self[word] = number = self.numbers.setdefault(stem(word), len(self.numbers))
        return number


def token_arrays(connection: sqlite3.Connection, vocabulary: Vocabulary) -> Iterator[tuple[str, Array]]:
    """Yield the stems of chunks, sentence by sentence, and those of titles and headings, each once. Linear."""
    for texts, ends in texts_and_ends(connection):
        yield from _of_texts(texts, ends, vocabulary)
    yield from _distinct("title", (title for (title,) in connection.execute(TITLES)), vocabulary)
    headings = (uri_text(uri.partition("#")[2]) for (uri,) in connection.execute(HEADINGS))
    yield from _distinct("heading", headings, vocabulary)


def _of_texts(
    texts: Sequence[str], ends: Sequence[NDArray[np.int32]], vocabulary: Vocabulary
) -> Iterator[tuple[str, Array]]:
    stems, sizes, sentences, in_sentence = array("i"), [], [], []
    for text, own in zip(texts, ends, strict=True):
        before, found = len(stems), sentence_spans(text, own)
        for start, end in found:
            words = words_of(text[start:end])
            stems.extend(vocabulary.of(words))
            in_sentence.append(len(words))
        sizes.append(len(stems) - before)
        sentences.append(len(found))
    yield "text.size", np.array(sizes)
    yield "text.stem", np.frombuffer(stems, np.intc)
    yield "sentence.size", np.array(sentences)
    yield "sentence.stems", np.array(in_sentence)
    yield "chunk.has_number", np.array(list(map(has_number, texts)))
    yield "chunk.has_year", np.array(list(map(has_year, texts)))


def has_number(text: str) -> bool:
    """Tell whether a text has a digit."""
    return DIGIT.search(text) is not None


def has_year(text: str) -> bool:
    """Tell whether a text has a word from 1000 to 2099."""
    return has_number(text) and YEAR.search(text) is not None


def texts_and_ends(connection: sqlite3.Connection) -> Iterator[tuple[list[str], list[NDArray[np.int32]]]]:
    """Yield the texts of all chunks by id, and where their sentences end, a batch at a time."""
    table = load_sentence_table(connection)
    cursor = connection.execute("SELECT text FROM chunk ORDER BY id")
    first = 0
    while rows := cursor.fetchmany(BATCH):
        starts = table.starts[first : first + len(rows) + 1].tolist()
        ends = [table.ends[start:end] for start, end in pairwise(starts)]
        yield [text for (text,) in rows], ends
        first += len(rows)


def sentence_spans(text: str, ends: NDArray[np.int32]) -> list[tuple[int, int]]:
    """Return the spans of a text's sentences, the whole of a blank one."""
    return spans(text, ends.tolist()) or [(0, len(text))]


def _distinct(name: str, texts: Iterator[str], vocabulary: Vocabulary) -> Iterator[tuple[str, Array]]:
    """Yield the stems of short texts, those of one sorted and once."""
    stems, sizes = array("i"), array("i")
    for text in texts:
        own = sorted(set(vocabulary.of(words_of(text))))
        stems.extend(own)
        sizes.append(len(own))
        if len(stems) > BATCH * 64:
            yield f"{name}.stem", np.array(stems)
            del stems[:]
    yield f"{name}.size", np.array(sizes)
    yield f"{name}.stem", np.array(stems)
