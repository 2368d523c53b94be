"""How alike the meanings of two words are, by the word vectors that ship; a word without a vector is alike to nothing.

>>> height, colour = alike(vectors_of(("tall", "tall")), vectors_of(("height", "colour")))[0].tolist()
>>> height > 0.5 > colour
True
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from weft.arrays.vectors import unit_rows
from weft.embedders.word_vectors import word_vectors

LEAST, MOST = 0.3, 0.8
"""Cosines of words that have nothing to do with each other, and of those that say the same."""

UNLIKE_SAME = 0.9
"""What a word that means the same counts beside the word itself."""

Vectors = NDArray[np.float32]


def vectors_of(stems: Sequence[str]) -> Vectors:
    """Return the unit vectors (n, d) of stems; zeros for those that are not known."""
    table = word_vectors()
    return unit_rows(table.rows[table.find(stem.encode() for stem in stems)])


def alike(some: Vectors, others: Vectors) -> Vectors:
    """Return how alike words (n, d) and others (m, d) are, (n, m): 0 to `UNLIKE_SAME`."""
    shares = (some @ others.T - np.float32(LEAST)) / np.float32(MOST - LEAST)
    return np.asarray(np.clip(shares, 0, UNLIKE_SAME), np.float32)
