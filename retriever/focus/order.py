"""The order of answers by relations: by the group that found them, then by likeness to the question, then by uri."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from retriever.encodings import Vectors
from retriever.index.ties import in_order
from retriever.index.vectors import Similarity, best, scores_of
from retriever.session import Session
from retriever.types import Ids

ORDERED = 1_000
"""So many answers are ordered by likeness; of a larger group the others stand behind these in the order of import."""


def by_likeness(
    session: Session, space: Similarity, vectors: Vectors, ids: Ids, groups: NDArray[np.integer]
) -> NDArray[np.int64]:
    """Return the indices of answers, those of lower groups first; ids rise within each group.

    O(n), and the likeness of the first `ORDERED` and their group alone.
    """
    order = np.argsort(groups, kind="stable")
    borders = np.append(np.flatnonzero(np.diff(groups[order])) + 1, len(order))
    n_whole = int(borders[borders <= ORDERED].max(initial=0))
    end = int(borders[np.searchsorted(borders, n_whole, side="right")]) if n_whole < len(order) else n_whole
    whole, cut, rest = order[:n_whole], order[n_whole:end], order[end:]
    like = scores_of(space, vectors, ids[whole])
    whole = whole[in_order(session, "entity", ids[whole], -groups[whole].astype(np.float32), like)]
    near, near_like = best(space, vectors, ORDERED - n_whole, ids[cut])
    likest = np.searchsorted(ids[cut], near[in_order(session, "entity", near, near_like)][: ORDERED - n_whole])
    return np.concatenate([whole, cut[likest], np.delete(cut, likest), rest])
