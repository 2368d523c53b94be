"""An approximate index of a vector space, made only where it is asked for: `vector(ann=yes)`.

Exact search reads every row; that is the default at any size. An index of
coarse cells reads the cells nearest to the question instead and may miss rows,
the more the less the space clusters: `benchmarks/search_speed.py` tells how
many. Whatever it finds is scored exactly. (Faiss, inverted file with 8 bits a
dimension: Johnson, Douze, Jegou 2019, "Billion-scale similarity search".)
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from retriever.index.dense.rows import Matrix
from weft.errors import WeftError

# benchmarks/search_speed.py measures what these give: recall of the 50 nearest, and time.
ROWS_A_CELL = 500
SHARE = 16
"""One in so many cells is searched, at least `LEAST`."""

LEAST = 8
DEPTH = 4
"""Rows fetched for each that is wanted, since their coarse order is not the true one."""

LEARNED = 60
"""Rows of a cell from which cells are learned."""


class Approximate:
    """An index of rows (n, d) of unit length; 1 byte a dimension beside them, and made in O(n^1.5)."""

    def __init__(self, rows: Matrix) -> None:
        """Learn the cells from a sample and enter all rows; raise WeftError without faiss."""
        self.n = len(rows)
        if not self.n:
            return
        faiss = faiss_of()
        n_cells = max(1, min(int(2 * self.n**0.5), self.n // ROWS_A_CELL))
        width = rows.shape[1]
        kind = faiss.ScalarQuantizer.QT_8bit
        self._cells = faiss.IndexFlatIP(width)
        self._index = faiss.IndexIVFScalarQuantizer(self._cells, width, n_cells, kind, faiss.METRIC_INNER_PRODUCT)
        sample = np.random.default_rng(0).permutation(self.n)[: LEARNED * n_cells]
        self._index.train(rows[np.sort(sample)])
        for start in range(0, self.n, 65_536):
            self._index.add(rows[start : start + 65_536])
        self._index.nprobe = min(n_cells, max(LEAST, n_cells // SHARE))

    def nearest(self, vectors: Matrix, k: int) -> NDArray[np.int64]:
        """Return the indices, sorted, of rows that may be the k nearest to any of the vectors."""
        if not self.n or not len(vectors):
            return np.empty(0, np.int64)
        _, found = self._index.search(vectors, min(self.n, DEPTH * k))
        indices: NDArray[np.int64] = np.unique(found[found >= 0]).astype(np.int64)
        return indices


def faiss_of() -> Any:
    """Return the library; raise WeftError where it is not installed."""
    try:
        import faiss
    except ImportError as error:
        raise WeftError("ann=yes needs faiss: pip install 'weft[ann]', or leave it out to search exactly") from error
    return faiss
