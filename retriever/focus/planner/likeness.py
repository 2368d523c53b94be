"""How like the words of a question are to the words of relations and types, by letters and by the SKB's embedder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.context import Cache
from retriever.encodings import Vectors
from retriever.focus.planner.steps import schema_of
from retriever.session import Session
from weft.text.names import relation_words
from weft.text.normalise import STOP_WORDS, words_of
from weft.text.stems import stem

LETTERS = 4
"""Letters that two words have in common, below which they are not alike by letters."""

LEAST, MOST = 0.4, 0.7
"""The cosine of two words from which on they are alike at all, and wholly."""

APART = 0.2
"""By how much a word is liker to one label than to any other where it surely means that one."""

MOST_WORDS = 1 << 14


class Labels(NamedTuple):
    """The words of relations (or of types), and their embeddings."""

    words: tuple[tuple[str, ...], ...]
    vectors: Vectors


class Likeness(NamedTuple):
    """How like each word of a question is to each relation (w, r) and to each type (w, t), 0 to 1."""

    relations: NDArray[np.float64]
    types: NDArray[np.float64]


def likeness_of(session: Session, words: Sequence[str]) -> Likeness:
    """Return how like words are to the SKB's relations and types; what is known of a word is kept for all sessions."""
    labels = session.part("labels of relations and types", _labels)
    known: Cache[str, NDArray[np.float64]] = session.part("likeness of words", lambda own: Cache(MOST_WORDS))
    found = known.of(words, lambda missing: zip(missing, _rows(session, missing, labels), strict=True))
    width = len(labels[0].words)
    rows = np.array([found[word] for word in words]).reshape(len(words), width + len(labels[1].words))
    return Likeness(rows[:, :width], rows[:, width:])


def _labels(session: Session) -> tuple[Labels, Labels]:
    schema = schema_of(session)
    return _labelled(session, schema.predicates), _labelled(session, schema.types)


def _labelled(session: Session, names: Sequence[str]) -> Labels:
    texts = [relation_words(name) for name in names]
    return Labels(tuple(_content(text) for text in texts), session.encode(texts or [""])[: len(texts)])


def _content(text: str) -> tuple[str, ...]:
    words = tuple(words_of(text))
    return tuple(word for word in words if word not in STOP_WORDS) or words


def _rows(session: Session, words: Sequence[str], labels: tuple[Labels, Labels]) -> NDArray[np.float64]:
    vectors = session.encode(list(words))
    relations, types = labels
    return np.hstack([_compared(words, vectors, relations, by_spelling), _compared(words, vectors, types, by_stem)])


def _compared(
    words: Sequence[str], vectors: Vectors, labels: Labels, spelt: Callable[[str, tuple[str, ...]], float]
) -> NDArray[np.float64]:
    if not labels.words:
        return np.zeros((len(words), 0))
    by_letters = np.array([[spelt(word, each) for each in labels.words] for word in words])
    cosines = labels.vectors.products(vectors).astype(np.float64).reshape(len(labels.words), len(words)).T
    says = np.array([[word not in STOP_WORDS] for word in words])
    found: NDArray[np.float64] = np.maximum(by_letters, by_meaning(cosines)) * says
    return found


def by_meaning(cosines: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how surely each word means each label, given their cosines (w, r): it must be near, and nearest by far."""
    highest = np.sort(cosines, axis=1)
    second = highest[:, -2:-1] if cosines.shape[1] > 1 else np.zeros((len(cosines), 1))
    rival = np.where(cosines == highest[:, -1:], second, highest[:, -1:])
    near = np.clip((cosines - LEAST) / (MOST - LEAST), 0, 1)
    return near * np.clip((cosines - rival) / APART, 0, 1)


@lru_cache(maxsize=1 << 16)
def by_spelling(word: str, label: tuple[str, ...]) -> float:
    """Return 1 where a word is a form of one of a label's, else the share of its longest run of letters in one.

    >>> by_spelling("writer", ("written",)), by_spelling("screenwriter", ("written",)), by_spelling("film", ("genre",))
    (1.0, 0.571..., 0.0)
    """
    if word in STOP_WORDS:
        return 0.0
    return max((_alike(word, each) for each in label), default=0.0)


def by_stem(word: str, label: tuple[str, ...]) -> float:
    """Return the share of a label that a word is, if it is a form of one of its words: types differ by little.

    >>> by_stem("films", ("film",)), by_stem("cells", ("cell", "line")), by_stem("theology", ("geology",))
    (1.0, 0.5, 0.0)
    """
    return 1 / len(label) if stem(word) in map(stem, label) else 0.0


def _alike(word: str, other: str) -> float:
    if stem(word) == stem(other):
        return 1.0
    run = _longest_run(word, other)
    return run / max(len(other), LETTERS + 1) if run >= LETTERS else 0.0


def _longest_run(one: str, two: str) -> int:
    best = 0
    before = [0] * (len(two) + 1)
    for letter in one:
        row = [0]
        for place, other in enumerate(two):
            row.append(before[place] + 1 if letter == other else 0)
        best = max(best, *row)
        before = row
    return best
