"""Attribution: what each group of a fusion's columns adds to a score, and in which words an explanation names it.

A group is a signal (bm25, vector, ...) or other features of one kind (named, linked, words, ...).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from retriever.explain.contributions import contributions
from retriever.features.columns import DECLARED, GROUPS
from retriever.features.matrix import INPUTS, SIGNALS
from retriever.fusion.models import FusionModel
from retriever.fusion.two_stage import TwoStage
from retriever.learning.table import Features
from retriever.registry import fused
from retriever.types import Scores

ABOUT = {name: how.told for name, how in fused().items()} | GROUPS
"""What a signal or another group is about, for people."""

GROUP_OF = {column.name: column.group for column in DECLARED} | {"from_hits": "hits", "verbatim": "verbatim"}
"""The group of a column that is no signal's, and of a proposer that has no column."""

# A first pass's log-odds this near to their mean say nothing of the share that the second lets through;
# no share is taken for more than STEEPEST, since networks are no straight lines.
LEAST_SPREAD = 0.1
STEEPEST = 3.0


def group_of(column: str) -> str:
    """Return the group that a column belongs to.

    >>> group_of("rank_bm25"), group_of("vector_asked"), group_of("bridge_near")
    ('bm25', 'vector', 'linked')
    """
    bare = column.removeprefix("rank_").removeprefix("proposed_")
    return GROUP_OF.get(column) or GROUP_OF.get(bare) or (bare if bare in SIGNALS else "other")


def attributions(
    model: FusionModel, features: Features, columns: Sequence[str], rows: Sequence[int]
) -> list[dict[str, float]]:
    """Return what each group adds to the score of some rows; `features` (n, s) are all rows of one question.

    A first pass's ranking is no group of its own: what its columns added to
    its log-odds counts by the share of these that the second pass lets through.
    """
    own = contributions(model, features, rows)
    if not isinstance(model, TwoStage):
        return _by_group(own, columns)
    first = features[:, : len(INPUTS)]
    log_odds = model.first.score(first)
    at = [index for index, column in enumerate(columns) if group_of(column) == "first"]
    through = _let_through(own[:, at].sum(1), log_odds, rows)
    own[:, at] = 0
    own[:, : len(INPUTS)] += through[:, None] * contributions(model.first, first, rows)
    return _by_group(own, columns)


def _let_through(added: NDArray[np.float32], log_odds: Scores, rows: Sequence[int]) -> NDArray[np.float32]:
    """Return how much of a first pass's log-odds, above their mean, each row's score has of them."""
    above = (log_odds - log_odds.mean())[np.asarray(rows, np.int64)]
    far = np.abs(above) > LEAST_SPREAD
    share: NDArray[np.float32] = np.divide(added, above, where=far, out=np.zeros_like(above))
    return share.clip(0, STEEPEST)


def _by_group(table: NDArray[np.float32], columns: Sequence[str]) -> list[dict[str, float]]:
    names = [group_of(column) for column in columns]
    found = []
    for row in table.tolist():
        sums = dict.fromkeys(names, 0.0)
        for name, value in zip(names, row, strict=True):
            sums[name] += value
        sums.pop("first", None)
        found.append(sums)
    return found
