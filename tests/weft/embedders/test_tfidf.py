"""The default embedder: a text's vector does not depend on the texts that it is encoded with."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

import weft.embedders.tfidf
import weft.sparse.vocabulary
from weft.arrays.vectors import text_hash
from weft.embedders.tfidf import Tfidf
from weft.sparse.sparse_rows import concatenated
from weft.text.normalise import words_of

TEXTS = [
    "The Quillon Bridge carries the salt road over the Veldra.", "Orrin Tasker designed the burner of the light.",
    "", "A toll, a toll, a toll!", "the the the", "Nobody met these words: glasswort tremor", "Sill limestone " * 40,
    "Ünder the Órra 1290", "It was built in 1207.", "Tasker",
]  # fmt: skip


@pytest.fixture
def embedder() -> Tfidf:
    """Give one that is fitted on most of the texts."""
    fitted = Tfidf()
    fitted.fit(lambda: iter(TEXTS[:-3]))
    return fitted


def test_a_text_has_the_vector_that_it_has_among_many(embedder: Tfidf) -> None:
    together = embedder.encode(TEXTS)
    assert together.n == len(TEXTS)
    alone = concatenated([embedder.encode([text]) for text in TEXTS])
    assert [each.tobytes() for each in alone] == [each.tobytes() for each in together]
    assert embedder.encode([]).n == 0


def test_words_weigh_as_said_and_rows_have_length_1(embedder: Tfidf) -> None:
    rows = embedder.encode(["A toll, a bridge; unmet!", ""])
    idf = {word: math.log(8 / (1 + n)) + 1 for word, n in (("a", 1), ("toll", 1), ("bridge", 1), ("unmet", 0))}
    weights = {word: idf[word] * (1 + math.log(2 if word == "a" else 1)) for word in idf}
    length = math.sqrt(sum(each**2 for each in weights.values()))
    found = dict(zip(rows.words.tolist(), rows.weights.tolist(), strict=True))
    assert found == pytest.approx({text_hash(word): each / length for word, each in weights.items()}, rel=1e-6)
    assert rows.sizes.tolist() == [4, 0] and rows.words.tolist() == sorted(rows.words.tolist())


@pytest.mark.parametrize("most", [0, 2])
def test_words_beyond_those_whose_hashes_are_kept_weigh_the_same(
    embedder: Tfidf, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(weft.embedders.tfidf, "MOST_WORDS", most)
    bounded = Tfidf()
    bounded.fit(lambda: iter(TEXTS[:-3]))
    assert [each.tobytes() for each in bounded.encode(TEXTS)] == [each.tobytes() for each in embedder.encode(TEXTS)]
    assert {name: each.tolist() for name, each in bounded.arrays().items()} == {
        name: each.tolist() for name, each in embedder.arrays().items()
    }


def test_a_fitted_one_is_restored_from_its_arrays(embedder: Tfidf) -> None:
    other = Tfidf()
    other.restore(embedder.arrays())
    one, two = embedder.encode(TEXTS), other.encode(TEXTS)
    np.testing.assert_array_equal(one.weights, two.weights)


def _by_dictionary(corpus: list[str], texts: list[str]) -> list[dict[int, float]]:
    """Return the rows of texts as they are defined, word by word."""
    frequencies = Counter(word for text in corpus for word in set(words_of(text)))
    rows = []
    for text in texts:
        idf = {word: math.log((1 + len(corpus)) / (1 + frequencies[word])) + 1 for word in words_of(text)}
        weights = {text_hash(word): (1 + math.log(n)) * idf[word] for word, n in Counter(words_of(text)).items()}
        length = math.sqrt(sum(each**2 for each in weights.values()))
        rows.append({word: weight / length for word, weight in weights.items()})
    return rows


@pytest.mark.parametrize("collide", [False, True])
@pytest.mark.parametrize("batch", [1, 7, 8192])
def test_rows_are_those_of_counting_word_by_word(monkeypatch: pytest.MonkeyPatch, collide: bool, batch: int) -> None:
    draw = np.random.default_rng(batch)
    words = ["toll", "Órra", "salt", "lighthousekeepers1290", "東京", "a", "quillonbridgeroad", *map(str, range(40))]
    corpus, texts = ([" ".join(draw.choice(words, n)) for n in draw.integers(0, 30, 60)] for _ in range(2))
    monkeypatch.setattr(weft.embedders.tfidf, "BATCH", batch)
    if collide:
        monkeypatch.setattr(weft.sparse.vocabulary, "keys_of", lambda letters: (letters[:, 0] % 5).astype(np.int64))
    embedder = Tfidf()
    embedder.fit(lambda: iter(corpus))
    restored = Tfidf()
    restored.restore(embedder.arrays())
    for asked in (corpus, [*texts, "unmet words " + texts[0]]):
        rows = embedder.encode(asked)
        for number, expected in enumerate(_by_dictionary(corpus, asked)):
            own = slice(*rows.starts[number : number + 2].tolist())
            found = dict(zip(rows.words[own].tolist(), rows.weights[own].tolist(), strict=True))
            assert found == pytest.approx(expected, rel=1e-6)
            assert rows.words[own].tolist() == sorted(expected)
        assert [each.tobytes() for each in restored.encode(asked)] == [each.tobytes() for each in rows]
