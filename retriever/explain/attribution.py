"""Attribution: what each group of a fusion's columns adds to a score, and in which words an explanation names it.

A group is a signal (bm25, vector, ...) or other features of one kind (named, linked, words, ...).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from retriever.features.matrix import INPUTS, SIGNALS
from retriever.fusion.contributions import contributions
from retriever.fusion.models import FusionModel
from retriever.fusion.two_stage import TwoStage
from retriever.learning.table import Features
from retriever.registry import fused
from retriever.types import Scores

GROUPS = {
    "named": "named distance",
    "linked": "bridge bridge_near linked linked_share linked_first proposed_linked",
    "second_hop": "second_hop",
    "hits": "hit_bridge hit_linked cites_hit linked_from_best bridge_from_best share_from_best cites_best"
    " proposed_from_hits",
    "cites": "cites_named",
    "leads": "leads",
    "words": "cover asked stems stems_asked best_sentence gain rest completes",
    "title": "title_cover title_share title_asked heading",
    "place": "lead position siblings page_best page_of_best in_page_first",
    "shape": "table list infobox length has_number has_year shape",
    "first": "first rank_first",
}
"""The columns of each group of features; those of a signal carry its name."""

ABOUT = {name: how.told for name, how in fused().items()} | {
    "named": "what the question names", "linked": "the links from what the question names",
    "second_hop": "the links two steps from what the question names", "hits": "the links of the best passages",
    "leads": "where its links lead", "cites": "its mentions of what the question names",
    "words": "how much of the question it covers", "title": "its title and heading", "place": "its place on the page",
    "shape": "its kind of text", "other": "other features",
}  # fmt: skip
"""What a group is about, for people."""

OWN = {column: group for group, columns in GROUPS.items() for column in columns.split()}
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
    for name in (column, bare):
        if name in OWN:
            return OWN[name]
    if "in_page" in column:
        return "place"
    return next((name for name in (*SIGNALS, *GROUPS) if bare == name or bare.startswith(f"{name}_")), "other")


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
