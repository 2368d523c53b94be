"""Many rows of a CSR table at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from weft.adjacency import Csr


def slices(csr: Csr, rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return places in `csr.indices` for all neighbours of the rows, and to which of the rows each belongs."""
    starts = csr.indptr[rows]
    counts = csr.indptr[rows + 1] - starts
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    places = np.arange(total) + np.repeat(starts - (ends - counts), counts)
    return places, np.repeat(np.arange(len(rows)), counts)
