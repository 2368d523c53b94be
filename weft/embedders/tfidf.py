"""The default embedder: TF-IDF as sparse rows, without any download.

A row holds the words of its text by their hashes, and cosines are exact. A
text's row follows from its words and their document frequencies alone: the
order of the documents and the number of threads change nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weft.arrays.blobs import starts_of
from weft.arrays.vectors import text_hashes
from weft.embedders.base import TextStream
from weft.sparse.hash_places import HashPlaces
from weft.sparse.sparse_rows import SparseRows
from weft.sparse.vocabulary import NO_SHORT, NOWHERE, Vocabulary, WordCounts, counted, places_of
from weft.text.flat_words import FlatWords, flat_words

MOST_WORDS = 1_000_000
"""The place of a long word, about 150 bytes with the word, is kept for at most this many words."""

BATCH = 8192
"""Texts whose words are counted at a time."""

Numbers = NDArray[np.int64]


class Tfidf:
    """Word TF-IDF, logarithmic counts."""

    name = "tfidf"
    fitted = True
    sparse = True

    def __init__(self) -> None:
        self._long: dict[bytes, int] = {}
        self._set(np.empty(0, np.int64), np.empty(0, np.int32), 0)

    def fit(self, texts: TextStream) -> None:
        """Count in how many texts each word occurs; two texts of the same words count twice."""
        counts, n_texts = WordCounts(), 0
        for batch in _batches(texts()):
            n_texts += len(batch)
            counts.add(flat_words(batch))
        vocabulary = counts.vocabulary()
        order = np.argsort(vocabulary.hashes, kind="stable")
        self._set(vocabulary.hashes[order], vocabulary.frequencies[order], n_texts)
        self._keep(vocabulary, order)

    def _keep(self, vocabulary: Vocabulary, order: Numbers) -> None:
        """Keep the places of short words, and of those long ones that come first and are met again."""
        places = np.empty(len(order), np.int64)
        places[order] = np.arange(len(order))
        n_short = len(vocabulary.short.letters)
        self._short, self._of_short = vocabulary.short, places[:n_short]
        again = np.flatnonzero(vocabulary.frequencies[n_short:] > 1)[:MOST_WORDS].tolist()
        self._long = {vocabulary.long[each]: int(places[n_short + each]) for each in again}

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the hashes of the words, their document frequencies, and the number of texts."""
        return {
            "tfidf_words": self._words,
            "tfidf_frequencies": self._frequencies,
            "tfidf_texts": np.array([self._n_texts], np.int64),
        }

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Take back what `arrays` gave."""
        if arrays:
            self._set(arrays["tfidf_words"], arrays["tfidf_frequencies"], int(arrays["tfidf_texts"][0]))

    def _set(self, words: Numbers, frequencies: NDArray[np.int32], n_texts: int) -> None:
        self._words, self._frequencies, self._n_texts = words, frequencies, n_texts
        self._hashes = HashPlaces(words)
        self._short, self._of_short = NO_SHORT, np.empty(0, np.int64)
        self._long = {}

    def encode(self, texts: Sequence[str]) -> SparseRows:
        """Return unit rows (n,); time and memory grow with the number of words of all texts."""
        flat = flat_words(texts)
        places, hashes = self._found(flat)
        is_known = not len(hashes)
        # The words of the corpus are in the order of their hashes, as those of a row have to be.
        kinds, numbers = (self._words, places) if is_known else np.unique(hashes, return_inverse=True)
        rows, numbers, counts = counted(flat.owners, numbers)
        frequencies = self._frequencies[numbers] if is_known else self._frequencies_of(kinds)[numbers]
        weights = (1.0 + np.log(counts)) * self._idf(frequencies)
        # Summed in the order of the hashes, whatever batch a text stands in.
        squares = np.bincount(rows, weights * weights, len(texts))
        starts = starts_of(np.bincount(rows, minlength=len(texts)))
        return SparseRows(starts, kinds[numbers], (weights / np.sqrt(squares)[rows]).astype(np.float32))

    def _found(self, flat: FlatWords) -> tuple[Numbers, Numbers]:
        """Return the place (n,) of each word in the corpus and, where one is `NOWHERE`, the hash (n,) of each."""
        places = np.full(len(flat.starts), NOWHERE)
        if len(self._words):
            short = np.flatnonzero(flat.are_short)
            at = self._short.places(flat.letters(short))
            places[short] = np.where(at == NOWHERE, NOWHERE, self._of_short[at]) if len(self._of_short) else NOWHERE
            long = np.flatnonzero(places == NOWHERE)
            words = flat.utf8(long)
            places[long] = np.fromiter(map(self._long.get, words, repeat(NOWHERE)), np.int64, len(words))
        missing = np.flatnonzero(places == NOWHERE)
        if not len(missing):
            return places, missing
        own = text_hashes(flat.utf8(missing))
        places[missing] = places_of(self._hashes, own)
        if (places != NOWHERE).all():
            return places, missing[:0]
        hashes = self._words[places] if len(self._words) else np.empty(len(places), np.int64)
        hashes[missing] = own
        return places, hashes

    def _frequencies_of(self, hashes: Numbers) -> NDArray[np.int32]:
        """Return in how many texts the words of hashes occur."""
        places = places_of(self._hashes, hashes)
        found = np.zeros(len(hashes), np.int32)
        found[places != NOWHERE] = self._frequencies[places[places != NOWHERE]]
        return found

    def _idf(self, frequencies: NDArray[np.int32]) -> NDArray[np.float64]:
        """Return the weight of each word; one that the corpus does not have weighs as much as the rarest."""
        idf: NDArray[np.float64] = np.log((1 + self._n_texts) / (1.0 + frequencies)) + 1.0
        return idf


def _batches(texts: Iterable[str]) -> Iterator[list[str]]:
    stream = iter(texts)
    while batch := list(islice(stream, BATCH)):
        yield batch
