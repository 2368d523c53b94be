"""Vectors of either kind as matrices, for tests that compute in a plainer way what a search should find."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from retriever.encodings import SparseVectors, Vectors, dense
from retriever.index.vectors import space_of
from retriever.session import Session
from retriever.types import Ids


def matrices(*vectors: Vectors) -> list[NDArray[np.float32]]:
    """Return vectors of one kind as matrices of the same width: sparse ones have a column a word."""
    sparse = [each.rows for each in vectors if isinstance(each, SparseVectors)]
    if not sparse:
        return [dense(each) for each in vectors]
    assert len(sparse) == len(vectors)
    words = np.unique(np.concatenate([each.words for each in sparse]))
    found = [np.zeros((each.n, len(words)), np.float32) for each in sparse]
    for matrix, rows in zip(found, sparse, strict=True):
        matrix[rows.numbers, np.searchsorted(words, rows.words)] = rows.weights
    return found


def space_vectors(session: Session, name: str) -> tuple[Ids, Vectors]:
    """Return a space's ids and its rows as vectors."""
    space = space_of(session, name)
    return space.ids, space.rows.at(np.arange(len(space.ids)))
