"""Rows of a dense vector space with a byte for each number: estimates of all cosines from a quarter of the memory.

What is read decides how long a comparison with all rows takes. The estimates
are off by a bound at most, so the rows that may be among the nearest are known
from them, and those alone are compared exactly.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.protocols import Pass

BLOCK = 512
"""Rows that are coded at a time, few enough for the processor's cache."""

MOST = 127
"""The largest whole number of a byte with a sign."""

ROUNDING = 1e-6
"""What sums of single precision may be off besides."""

Matrix = NDArray[np.float32]


class ByteCodes(NamedTuple):
    """Whole numbers (n, d), the width (n,) of a step of each row, and by how much a row and its code differ at most."""

    codes: NDArray[np.int8]
    steps: NDArray[np.float32]
    error: float

    def estimate(self, vector: NDArray[np.float32]) -> Pass:
        """Return each row's cosine with a vector (d,) of unit length, and by how much they are off at most.

        By Cauchy and Schwarz: what is lost of the vector times a row of length 1, and what is lost of the row times
        the vector's code, which is no longer than 1 and what was lost.
        """
        import numkong

        own = codes_of(vector[np.newaxis])
        products = np.asarray(numkong.cdist(own.codes, self.codes, "dot"))[0]
        scores = products.astype(np.float32) * (self.steps * own.steps[0])
        return Pass(scores, (), own.error + self.error * (1 + own.error) + ROUNDING)


def are_at_hand() -> bool:
    """Tell whether the library that multiplies bytes is installed."""
    return find_spec("numkong") is not None


def codes_of(rows: Matrix) -> ByteCodes:
    """Return the codes of rows (n, d) of unit length; a byte a number, O(n d)."""
    codes = np.empty(rows.shape, np.int8)
    steps = np.empty(len(rows), np.float32)
    error = 0.0
    for part in _blocks(len(rows)):
        own = rows[part]
        steps[part] = np.maximum(np.abs(own).max(axis=1), np.finfo(np.float32).tiny * MOST) / MOST
        width = steps[part, np.newaxis]
        codes[part] = whole = np.rint(own / width)
        lost = own - whole * width
        error = max(error, float(np.einsum("ij,ij->i", lost, lost).max()) ** 0.5)
    return ByteCodes(codes, steps, error)


def _blocks(n: int) -> Iterable[slice]:
    return (slice(start, start + BLOCK) for start in range(0, n, BLOCK))
