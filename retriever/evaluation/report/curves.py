"""Recall over k: how much of the gold the first k hits hold, down to the whole pool."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from retriever.evaluation.outcomes import Case, Outcome

# Cut-offs of the curve of recall, denser where rankings differ; the last is the largest pool.
STEPS = (1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 75, 100, 150, 200, 300, 400)


def recall_over_k(cases: Sequence[Case], outcomes: Sequence[Outcome]) -> dict[str, float]:
    """Return mean recall at each of `STEPS`, by k as a string."""
    recall = np.zeros(len(STEPS))
    for case, found in zip(cases, outcomes, strict=True):
        ranks = np.flatnonzero(np.array(found.taken, np.int64) >= 0) + 1
        recall += np.searchsorted(ranks, STEPS, side="right") / len(case.gold.items)
    return {str(k): round(float(value), 6) for k, value in zip(STEPS, recall / len(cases), strict=True)}
