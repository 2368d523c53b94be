"""One ranking of two strands: nodes that the relations of a question lead to, and nodes that are like it.

Of the first `k` places the relations get a share alpha, nodes that they lead to
beyond it stand behind the k-th, and whatever one strand lacks the other fills.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.types import Ids, Ranking, Scores

COLUMNS = ("relations", "similar")


class Strand(NamedTuple):
    """Nodes from best to worst, each once, with scores (n,) of 0 and more, and the groups (n,) that they came in."""

    ids: Ids
    scores: Scores
    groups: NDArray[np.int32]


def merged(grounded: Strand, similar: Strand, k: int, alpha: float) -> Ranking:
    """Return all nodes of both strands, each once; the first k are those of the first round(alpha k) by relations.

    Scores fall along the ranking: 3 and more for those, 2 for the similar ones up to
    k, 1 for the others by relations, 0 for the rest. O(n log n).
    """
    n_first = round(alpha * k)
    first = grounded.ids[:n_first]
    others = similar.ids[~np.isin(similar.ids, first)]
    filling = others[: max(0, k - len(first))]
    behind = grounded.ids[n_first:][~np.isin(grounded.ids[n_first:], filling)]
    rest = others[len(filling) :][~np.isin(others[len(filling) :], behind)]
    if len(first) + len(filling) < k:
        filling, behind, rest = np.concatenate([filling, behind]), behind[:0], rest
    ids = np.concatenate([first, filling, behind, rest])
    places = np.repeat([3, 2, 1, 0], [len(first), len(filling), len(behind), len(rest)])
    features = np.column_stack([_of(grounded, ids), _of(similar, ids)]).astype(np.float32)
    own = np.where(places % 2, features[:, 0], features[:, 1])
    scores = np.minimum.accumulate(places + own / (1 + own)) if len(ids) else own
    return Ranking("entity", ids, scores.astype(np.float32), features, COLUMNS, (3 - places).astype(np.int32))


def _of(strand: Strand, ids: Ids) -> Scores:
    """Return the strand's score (n,) of each id, 0 for those that it does not have."""
    order = np.argsort(strand.ids)
    known = strand.ids[order]
    if not len(known):
        return np.zeros(len(ids), np.float32)
    places = np.minimum(np.searchsorted(known, ids), len(known) - 1)
    return np.where(known[places] == ids, strand.scores[order][places], 0).astype(np.float32)
