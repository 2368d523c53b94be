"""The default embedder: TF-IDF through a random-sign projection, without any download.

Every word has a row of 512 signs that is a hash of the word, so a text's vector
follows from its words and their document frequencies alone: the order of the
documents and the number of threads change nothing. (Sparse random projections
keep inner products: Achlioptas 2003, "Database-friendly random projections".)
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weft.embedders import TextStream
from weft.text import words_of
from weft.vectors import unit_rows

DIMENSIONS = 512
BATCH = 2048
KEPT_SIGNS = 200_000
"""Sign rows are kept packed, 64 bytes each, for at most this many words."""


class ProjectedTfidf:
    """Word TF-IDF, logarithmic counts, projected to 512 dimensions."""

    name = "tfidf"
    fitted = True

    def __init__(self) -> None:
        self._idf: dict[int, float] = {}
        self._unseen = 1.0
        self._keys = np.empty(0, np.int64)
        self._frequencies = np.empty(0, np.int32)
        self._n_texts = 0
        self._hashes: dict[str, tuple[int, bytes]] = {}

    def fit(self, texts: TextStream) -> None:
        """Count in how many texts each word occurs; two texts of the same words count twice."""
        counts: dict[str, int] = {}
        n_texts = 0
        for text in texts():
            n_texts += 1
            for word in set(words_of(text)):
                counts[word] = counts.get(word, 0) + 1
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
        self._unseen = math.log(1 + n_texts) + 1.0
        idf = np.log((1 + n_texts) / (1.0 + frequencies)) + 1.0
        self._idf = dict(zip(keys.tolist(), idf.tolist(), strict=True))

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit rows (n, 512); time grows with the number of distinct words of the texts."""
        blocks = [self._encode(batch) for batch in _batches(texts)]
        return np.concatenate(blocks) if blocks else np.empty((0, DIMENSIONS), np.float32)

    def _encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        from scipy.sparse import csr_matrix

        columns: dict[str, int] = {}
        indices, values, starts = array("i"), array("d"), array("q", [0])
        idf: list[float] = []
        for text in texts:
            counts: dict[str, int] = {}
            for word in words_of(text):
                counts[word] = counts.get(word, 0) + 1
            # One order of summing, whatever batch a text stands in.
            for word in sorted(counts):
                column = columns.setdefault(word, len(columns))
                if column == len(idf):
                    idf.append(self._weight(word))
                indices.append(column)
                values.append((1.0 + math.log(counts[word])) * idf[column])
            starts.append(len(indices))
        if not columns:
            return np.zeros((len(texts), DIMENSIONS), np.float32)
        weights = csr_matrix(
            (np.frombuffer(values, np.float64).astype(np.float32), np.frombuffer(indices, np.int32),
             np.frombuffer(starts, np.int64)),
            shape=(len(texts), len(columns)),
        )  # fmt: skip
        return unit_rows(np.asarray(weights @ self._signs(columns), np.float32))

    def _weight(self, word: str) -> float:
        return self._idf.get(self._word(word)[0], self._unseen)

    def _signs(self, words: Iterable[str]) -> NDArray[np.float32]:
        packed = np.frombuffer(b"".join(self._word(word)[1] for word in words), np.uint8)
        bits = np.unpackbits(packed.reshape(-1, DIMENSIONS // 8), axis=1)
        return bits.astype(np.float32) * 2.0 - 1.0

    def _word(self, word: str) -> tuple[int, bytes]:
        known = self._hashes.get(word)
        if known is None:
            if len(self._hashes) >= KEPT_SIGNS:
                self._hashes.clear()
            known = self._hashes[word] = _hash(word)
        return known


def _hash(word: str) -> tuple[int, bytes]:
    """Return a word's key and its packed signs."""
    signs = blake2b(word.encode(), digest_size=DIMENSIONS // 8).digest()
    return int.from_bytes(signs[:8], "little", signed=True), signs


def _batches(texts: Sequence[str]) -> Iterable[Sequence[str]]:
    stream = iter(texts)
    while batch := list(islice(stream, BATCH)):
        yield batch
