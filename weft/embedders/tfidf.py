"""The default embedder: TF-IDF as sparse rows, without any download.

A row holds the words of its text by their hashes, and cosines are exact. A
text's row follows from its words and their document frequencies alone: the
order of the documents and the number of threads change nothing.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weft.arrays.blobs import starts_of
from weft.arrays.vectors import text_hash
from weft.embedders.base import TextStream
from weft.sparse.hash_places import HashPlaces
from weft.sparse.sparse_rows import SparseRows
from weft.text.normalise import words_of

MOST_WORDS = 1_000_000
"""A word's hash, about 150 bytes with the word, is kept for at most this many words."""


class _Hashes(dict[str, int]):
    """Hashes by word: those that come first are kept, among which the frequent ones are."""

    def __missing__(self, word: str) -> int:
        found = text_hash(word)
        if len(self) < MOST_WORDS:
            self[word] = found
        return found


class Tfidf:
    """Word TF-IDF, logarithmic counts."""

    name = "tfidf"
    fitted = True
    sparse = True

    def __init__(self) -> None:
        self._set(np.empty(0, np.int64), np.empty(0, np.int32), 0)
        self._hashes = _Hashes()

    def fit(self, texts: TextStream) -> None:
        """Count in how many texts each word occurs; two texts of the same words count twice."""
        counts: Counter[str] = Counter()
        n_texts = 0
        for text in texts():
            n_texts += 1
            counts.update(set(words_of(text)))
        # Those of one text are not kept: most are not met again, and there are more of them than of all others.
        hash_of = self._hashes.__getitem__
        hashes = (hash_of(word) if count > 1 else text_hash(word) for word, count in counts.items())
        words = np.fromiter(hashes, np.int64, len(counts))
        frequencies = np.fromiter(counts.values(), np.int32, len(counts))
        order = np.argsort(words, kind="stable")
        self._set(words[order], frequencies[order], n_texts)

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

    def _set(self, words: NDArray[np.int64], frequencies: NDArray[np.int32], n_texts: int) -> None:
        self._words, self._frequencies, self._n_texts = words, frequencies, n_texts
        self._places = HashPlaces(words)

    def encode(self, texts: Sequence[str]) -> SparseRows:
        """Return unit rows (n,); time and memory grow with the number of distinct words of each text."""
        hash_of = self._hashes.__getitem__
        found, counted, lengths = array("q"), array("q"), array("q")
        for text in texts:
            counts = Counter(words_of(text))
            found.extend(map(hash_of, counts))
            counted.extend(counts.values())
            lengths.append(len(counts))
        sizes, words = np.frombuffer(lengths, np.int64), np.frombuffer(found, np.int64)
        numbers = np.repeat(np.arange(len(sizes)), sizes)
        order = np.lexsort((words, numbers))
        weights = (1.0 + np.log(np.frombuffer(counted, np.int64))) * self._idf(words)
        # Summed in the order of the hashes, whatever batch a text stands in.
        words, weights = words[order], weights[order]
        squares = np.bincount(numbers, weights * weights, len(sizes))
        return SparseRows(starts_of(sizes), words, (weights / np.sqrt(squares)[numbers]).astype(np.float32))

    def _idf(self, words: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the weight of each word; one that the corpus does not have weighs as much as the rarest."""
        frequencies = np.zeros(len(words))
        if len(self._words):
            indices = np.minimum(self._places.of(words), len(self._words) - 1)
            frequencies = np.where(self._words[indices] == words, self._frequencies[indices], 0).astype(np.float64)
        idf: NDArray[np.float64] = np.log((1 + self._n_texts) / (1.0 + frequencies)) + 1.0
        return idf
