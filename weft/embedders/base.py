"""What an embedder is: texts to unit vectors.

An embedder is *fixed* when a text's vector depends on the text alone, and
*fitted* when it depends on the corpus; a fitted one keeps its arrays in the SKB.
It is *sparse* when few of a vector's numbers are not zero.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from weft.sparse.sparse_rows import SparseRows

TextStream = Callable[[], Iterable[str]]
"""Gives the corpus's texts from the start, as often as it is called."""


class Embedder(Protocol):
    """What the SKB needs of an embedder."""

    name: str
    fitted: bool
    sparse: bool

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32] | SparseRows:
        """Return unit rows for n texts, (n, d) unless sparse; a text without any known word gives a row of zeros."""

    def fit(self, texts: TextStream) -> None:
        """Learn from the corpus; nothing to do for a fixed embedder."""

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return what a fitted embedder must keep to encode questions later."""

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Take back what `arrays` gave."""


class Fixed:
    """The parts of the protocol that an embedder without corpus does not need."""

    fitted = False
    sparse = False

    def check(self) -> None:
        """Raise WeftError where texts could not be embedded: a library, a model or a key is missing."""

    def fit(self, texts: TextStream) -> None:
        """Do nothing."""

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return nothing."""
        return {}

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Take nothing."""
