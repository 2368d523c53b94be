"""The default embedder: TF-IDF through a random-sign projection, without any download.

Every word has a row of 512 signs that is a hash of the word, so a text's vector
follows from its words and their document frequencies alone: the order of the
documents and the number of threads change nothing. (Sparse random projections
keep inner products: Achlioptas 2003, "Database-friendly random projections".)
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from itertools import islice, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weft.arrays.vectors import unit_rows
from weft.embedders.base import TextStream
from weft.text.normalise import words_of

# Of the random-sign projection, which errs by about 1/sqrt(512) in a cosine; rows encoded at a time.
DIMENSIONS = 512
BATCH = 2048
FEW = 8
"""Texts, as of a question, that are encoded without a sparse matrix; the sums are the same."""

MOST_WORDS = 400_000
"""A word's key, weight and packed signs, about 200 bytes, are kept for at most this many words."""


class _Vocabulary(dict[str, int]):
    """Words by number, in the order in which they were met; keys and packed signs lie beside them."""

    def __init__(self) -> None:
        super().__init__()
        self.keys_met: list[int] = []
        self.signs = bytearray()

    def __missing__(self, word: str) -> int:
        key, signs = _hash(word)
        self[word] = number = len(self.keys_met)
        self.keys_met.append(key)
        self.signs += signs
        return number


class ProjectedTfidf:
    """Word TF-IDF, logarithmic counts, projected to 512 dimensions."""

    name = "tfidf"
    fitted = True

    def __init__(self) -> None:
        self._keys = np.empty(0, np.int64)
        self._frequencies = np.empty(0, np.int32)
        self._n_texts = 0
        self._words = _Vocabulary()

    def fit(self, texts: TextStream) -> None:
        """Count in how many texts each word occurs; two texts of the same words count twice."""
        counts: Counter[str] = Counter()
        n_texts = 0
        for text in texts():
            n_texts += 1
            counts.update(set(words_of(text)))
        keys = np.fromiter((_hash(word)[0] for word in counts), np.int64, len(counts))
        frequencies = np.fromiter(counts.values(), np.int32, len(counts))
        order = np.argsort(keys, kind="stable")
        self._set(keys[order], frequencies[order], n_texts)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the hashes of the words, their document frequencies, and the number of texts."""
        return {
            "tfidf_words": self._keys,
            "tfidf_frequencies": self._frequencies,
            "tfidf_texts": np.array([self._n_texts], np.int64),
        }

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Take back what `arrays` gave."""
        if arrays:
            self._set(arrays["tfidf_words"], arrays["tfidf_frequencies"], int(arrays["tfidf_texts"][0]))

    def _set(self, keys: NDArray[np.int64], frequencies: NDArray[np.int32], n_texts: int) -> None:
        self._keys, self._frequencies, self._n_texts = keys, frequencies, n_texts

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit rows (n, 512); time grows with the number of distinct words of the texts."""
        blocks = [self._encode(batch) for batch in _batches(texts)]
        return np.concatenate(blocks) if blocks else np.empty((0, DIMENSIONS), np.float32)

    def _encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if len(self._words) > MOST_WORDS:
            self._words = _Vocabulary()
        number = self._words.__getitem__
        words, counts, lengths = array("q"), array("q"), array("q")
        for text in texts:
            counted = Counter(words_of(text))
            words.extend(map(number, counted))
            counts.extend(counted.values())
            lengths.append(len(counted))
        used, columns = np.unique(np.frombuffer(words, np.int64), return_inverse=True)
        if not len(used):
            return np.zeros((len(texts), DIMENSIONS), np.float32)
        keys = np.array([self._words.keys_met[each] for each in used.tolist()], np.int64)
        rows = np.repeat(np.arange(len(texts)), np.frombuffer(lengths, np.int64))
        # One order of summing, whatever batch a text stands in and whatever came before.
        order = np.lexsort((keys[columns], rows))
        values = (1.0 + np.log(np.frombuffer(counts, np.int64))) * self._idf(keys)[columns]
        starts = np.concatenate([[0], np.cumsum(np.frombuffer(lengths, np.int64))])
        return unit_rows(_product(values[order].astype(np.float32), columns[order], starts, self._signs(used)))

    def _idf(self, keys: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the weight of each word; one that the corpus does not have weighs as much as the rarest."""
        frequencies = np.zeros(len(keys))
        if len(self._keys):
            indices = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
            frequencies = np.where(self._keys[indices] == keys, self._frequencies[indices], 0).astype(np.float64)
        idf: NDArray[np.float64] = np.log((1 + self._n_texts) / (1.0 + frequencies)) + 1.0
        return idf

    def _signs(self, used: NDArray[np.int64]) -> NDArray[np.float32]:
        packed = np.frombuffer(self._words.signs, np.uint8).reshape(-1, DIMENSIONS // 8)[used]
        signs = np.unpackbits(packed, axis=1).astype(np.float32)
        signs *= 2.0
        signs -= 1.0
        return signs


def _product(
    weights: NDArray[np.float32], columns: NDArray[np.int64], starts: NDArray[np.int64], signs: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return the sums (n, 512) of the weighed signs of each text's words, one word after the other."""
    if len(starts) <= FEW:
        rows = np.zeros((len(starts) - 1, DIMENSIONS), np.float32)
        for row, (start, end) in enumerate(pairwise(starts.tolist())):
            for index in range(start, end):
                rows[row] += weights[index] * signs[columns[index]]
        return rows
    # Importing it takes longer than a search of a small SKB.
    from scipy.sparse import csr_matrix

    table = csr_matrix((weights, columns, starts), shape=(len(starts) - 1, len(signs)))
    return np.asarray(table @ signs, np.float32)


def _hash(word: str) -> tuple[int, bytes]:
    """Return a word's key and its packed signs."""
    signs = blake2b(word.encode(), digest_size=DIMENSIONS // 8).digest()
    return int.from_bytes(signs[:8], "little", signed=True), signs


def _batches(texts: Sequence[str]) -> Iterable[Sequence[str]]:
    stream = iter(texts)
    while batch := list(islice(stream, BATCH)):
        yield batch
