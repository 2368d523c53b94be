"""Latent semantic analysis: TF-IDF and a truncated SVD (Deerwester et al. 1990), fitted on the corpus."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weft.arrays.vectors import unit_rows
from weft.embedders.base import TextStream
from weft.text.normalise import words_of

# Dimensions make 1 kB a chunk in the file; beyond MOST_WORDS the rarest words are left out.
DIMENSIONS = 256
MOST_WORDS = 200_000


class Lsa:
    """TF-IDF, logarithmic counts, reduced by a truncated SVD with one seed."""

    name = "lsa"
    fitted = True
    sparse = False

    def __init__(self) -> None:
        self._vectorizer: Any = None
        self._components = np.empty((0, 0), np.float32)

    def fit(self, texts: TextStream) -> None:
        """Fit on the texts in the order given; memory grows with the corpus's distinct (text, word) pairs."""
        from sklearn.decomposition import TruncatedSVD

        self._vectorizer = self._new_vectorizer(None)
        weights = self._vectorizer.fit_transform(texts())
        rank = max(1, min(DIMENSIONS, min(weights.shape) - 1))
        svd = TruncatedSVD(rank, random_state=0).fit(weights)
        self._components = np.ascontiguousarray(svd.components_.T, np.float32)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return words (UTF-8, joined by line ends), inverse document frequencies and components (words, d)."""
        if self._vectorizer is None:
            return {}
        words = "\n".join(self._vectorizer.get_feature_names_out())
        return {
            "lsa_words": np.frombuffer(words.encode(), np.uint8),
            "lsa_idf": np.asarray(self._vectorizer.idf_, np.float64),
            "lsa_components": self._components,
        }

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Take back what `arrays` gave."""
        if arrays:
            words = arrays["lsa_words"].tobytes().decode().split("\n")
            self._vectorizer = self._new_vectorizer({word: index for index, word in enumerate(words)})
            self._vectorizer.idf_ = arrays["lsa_idf"]
            self._components = np.ascontiguousarray(arrays["lsa_components"])

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit rows (n, 256), fewer columns for a tiny corpus."""
        weights = self._vectorizer.transform(texts)
        return unit_rows(np.asarray(weights @ self._components, np.float32))

    @staticmethod
    def _new_vectorizer(vocabulary: dict[str, int] | None) -> Any:
        from sklearn.feature_extraction.text import TfidfVectorizer

        return TfidfVectorizer(
            analyzer=words_of, sublinear_tf=True, vocabulary=vocabulary,
            max_features=None if vocabulary else MOST_WORDS, dtype=np.float32,
        )  # fmt: skip
