"""How alike the meanings of two words are, by vectors of the stems of common English words.

`meanings.npz` has unit vectors of 8-bit numbers, made by `python -m benchmarks.meanings` from all-MiniLM-L6-v2
(Apache License 2.0). A word that is not among them is alike to nothing.

>>> height, colour = alike(vectors_of(("tall", "tall")), vectors_of(("height", "colour")))[0].tolist()
>>> height > 0.5 > colour
True
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

FILE = Path(__file__).parent / "meanings.npz"
LEAST, MOST = 0.3, 0.8
"""Cosines of words that have nothing to do with each other, and of those that say the same."""

UNLIKE_SAME = 0.9
"""What a word that means the same counts beside the word itself."""

Vectors = NDArray[np.float32]


def vectors_of(stems: Sequence[str]) -> Vectors:
    """Return the vectors (n, d) of stems; zeros for those that are not known."""
    rows, vectors = _known()
    return vectors[[rows.get(stem, 0) for stem in stems]]


def alike(some: Vectors, others: Vectors) -> Vectors:
    """Return how alike words (n, d) and others (m, d) are, (n, m): 0 to `UNLIKE_SAME`."""
    shares = (some @ others.T - np.float32(LEAST)) / np.float32(MOST - LEAST)
    return np.asarray(np.clip(shares, 0, UNLIKE_SAME), np.float32)


@cache
def _known() -> tuple[dict[str, int], Vectors]:
    """Return the row of each stem and the rows, of which the first is zeros."""
    with np.load(FILE) as file:
        stems, rows = bytes(file["stems"]).decode("ascii").split("\n"), file["vectors"]
    vectors = np.vstack([np.zeros((1, rows.shape[1]), np.int8), rows]).astype(np.float32)
    vectors /= np.maximum(1e-9, np.linalg.norm(vectors, axis=1, keepdims=True))
    return {stem: index for index, stem in enumerate(stems, 1)}, vectors
