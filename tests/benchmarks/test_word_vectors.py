"""Training word vectors: sums of what is fitted point where the embeddings do, and embeddings are computed once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from sklearn.decomposition import PCA

from benchmarks import word_vectors
from benchmarks.word_vector_texts import mixed
from benchmarks.word_vectors import Words, cosine, counted, embedded, fitted

STEMS = [f"w{letter}" for letter in "abcdefghijklmnopqrstuvwxyz"]


def test_what_is_fitted_adds_up_to_the_embeddings() -> None:
    random = np.random.default_rng(0)
    hidden = random.normal(size=(len(STEMS), 16)).astype(np.float32)
    texts = [" ".join(random.choice(STEMS, 5, replace=False)) for _ in range(2000)]
    counts = counted(texts, STEMS)
    embeddings = np.asarray(counts @ hidden, np.float32)
    embeddings /= np.linalg.norm(embeddings, axis=1, keepdims=True)
    noisy = hidden + random.normal(size=hidden.shape).astype(np.float32)
    words = Words(STEMS, np.ones(len(STEMS)), noisy / np.linalg.norm(noisy, axis=1, keepdims=True))
    components = PCA(16, svd_solver="covariance_eigh").fit(embeddings[:1800])
    held_out = counts[1800:], components.transform(embeddings[1800:]), embeddings[1800:] - components.mean_
    prior = (words.vectors - words.vectors.mean(0)) @ components.components_.T
    vectors = fitted(words, counts[:1800], embeddings[:1800], components)
    assert cosine(vectors, *held_out) > 0.95 > 0.9 > cosine(prior, *held_out)


class Teacher:
    """Embeds a text as its length, and counts what it is asked for."""

    asked: ClassVar[list[str]] = []

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        self.asked.extend(texts)
        return np.array([[len(text), 1.0] for text in texts], np.float32)


def test_embeddings_are_computed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_vectors, "MiniLm", Teacher)
    first = embedded(["a", "bcd", "a"], tmp_path / "kept.npz")
    second = embedded(["bcd", "efghé", "a"], tmp_path / "kept.npz")
    assert first[:, 0].tolist() == [1, 3, 1] and second[:, 0].tolist() == [3, 5, 1]
    assert Teacher.asked == ["a", "bcd", "efghé"]


def test_the_same_texts_are_chosen_again() -> None:
    found = {"wordnet-base": ["g1", "g2", "g3"], "dict-gcide": ["d1", "d2"], "manpages": ["m1", "m2", "m3"]}
    chosen = list(mixed(found, 2, 1, 2))
    assert sorted(each[0] for each in chosen) == ["d", "g", "g", "m", "m"] and chosen == list(mixed(found, 2, 1, 2))
