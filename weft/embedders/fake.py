"""A public fake, for tests whose vectors are written by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from weft.arrays.vectors import unit_rows
from weft.embedders.base import Fixed


class Lengths(Fixed):
    """A public fake: words of 1 to 16 letters are counted, so that expected vectors can be written by hand."""

    name = "lengths"

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return unit rows (n, 16): component i counts the blank-separated words of i + 1 letters."""
        rows = np.zeros((len(texts), 16), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.split():
                row[min(len(word), 16) - 1] += 1
        return unit_rows(rows)
