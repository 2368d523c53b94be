"""Measures of a ranking against gold items, by the rules of the question files.

A hit takes the first gold item that it finds and nobody has taken; a later hit
on a taken item is neither relevant nor removed. All sums are over gold items.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from retriever.datasets.gold import GoldSet


class Judged(NamedTuple):
    """For each hit the index of the gold item that it takes, or -1; and the number of gold items."""

    taken: tuple[int, ...]
    n_gold: int


def judge(hits: Sequence[int], gold: GoldSet) -> Judged:
    """Walk the hits in rank order and let each take its gold item."""
    free = dict.fromkeys(range(len(gold.items)))
    taken = []
    for hit in hits:
        item = next((each for each in free if hit in gold.items[each]), -1)
        if item >= 0:
            del free[item]
        taken.append(item)
    return Judged(tuple(taken), len(gold.items))


def measures_at(judged: Judged, k: int) -> dict[str, float]:
    """Return precision, recall, capped recall, hit, set coverage, nDCG and average precision at k."""
    relevant = [item >= 0 for item in judged.taken[:k]]
    found = sum(relevant)
    gains = sum(1.0 / math.log2(rank + 2) for rank, is_relevant in enumerate(relevant) if is_relevant)
    ideal = sum(1.0 / math.log2(rank + 2) for rank in range(min(k, judged.n_gold)))
    return {
        f"precision@{k}": found / k,
        f"recall@{k}": found / judged.n_gold,
        f"recall_capped@{k}": found / min(k, judged.n_gold),
        f"hit@{k}": float(found > 0),
        f"set_coverage@{k}": float(found == judged.n_gold),
        f"ndcg@{k}": gains / ideal,
        f"map@{k}": average_precision(relevant, judged.n_gold),
    }


def average_precision(relevant: Sequence[bool], n_gold: int) -> float:
    """Return the mean over gold items of the precision at each one's rank, zero for those not found."""
    found, total = 0, 0.0
    for rank, is_relevant in enumerate(relevant, 1):
        if is_relevant:
            found += 1
            total += found / rank
    return total / n_gold


def reciprocal_rank(judged: Judged) -> float:
    """Return one over the rank of the first relevant hit, or 0."""
    return next((1.0 / rank for rank, item in enumerate(judged.taken, 1) if item >= 0), 0.0)
