"""Feature importances: which columns of a method's features tell gold from the rest of its pool.

By a random forest's mean decrease in impurity, as the thesis does it (section
3.5), and by permutation on questions that the forest has not seen: how much of
the area under the ROC curve is lost when one column is shuffled (Breiman,
"Random forests", 2001).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.evaluation.outcomes import Case, Outcome

# Bounds the time of the forest.
MOST_ROWS = 20_000
# Fewer gold hits make no figure; the share of questions held out for the permutation.
FEWEST_GOLD = 20
HELD_OUT = 0.25


class Observations(NamedTuple):
    """Hits as rows: features (n, s), whether they find gold (n,), and which question they belong to (n,)."""

    features: NDArray[np.float32]
    is_gold: NDArray[np.bool_]
    question: NDArray[np.int64]


def importances(cases: Sequence[Case], outcomes: Sequence[Outcome], seed: int) -> dict[str, dict[str, float]]:
    """Return for each feature column its `forest` and `permutation` importance, the highest first.

    Empty where a method has fewer than two columns, or too few gold hits to
    tell anything on both sides of the split by questions.
    """
    columns = next((each.columns for each in outcomes if len(each.ids)), ())
    if len(columns) < 2:
        return {}
    random = np.random.default_rng([seed, 3])
    seen, held_out = _split(_balanced(_observations(cases, outcomes), random), random)
    if min(seen.is_gold.sum(), held_out.is_gold.sum()) < FEWEST_GOLD // 2 or held_out.is_gold.all():
        return {}
    by_forest, by_shuffling = _fitted(seen, held_out, seed)
    found = {
        name: {"forest": round(float(forest), 6), "permutation": round(float(lost), 6)}
        for name, forest, lost in zip(columns, by_forest, by_shuffling, strict=True)
    }
    return dict(sorted(found.items(), key=lambda each: (-each[1]["forest"], each[0])))


def _observations(cases: Sequence[Case], outcomes: Sequence[Outcome]) -> Observations:
    rows = [each.features for each in outcomes if len(each.ids)]
    is_gold = [
        np.isin(found.ids, sorted(frozenset[int]().union(*case.gold.items)))
        for case, found in zip(cases, outcomes, strict=True)
    ]
    question = np.repeat(np.arange(len(outcomes)), [len(each.ids) for each in outcomes])
    return Observations(np.nan_to_num(np.concatenate(rows)), np.concatenate(is_gold), question)


def _balanced(all_rows: Observations, random: np.random.Generator) -> Observations:
    """Take as many others as there are gold hits, at random."""
    gold, other = np.flatnonzero(all_rows.is_gold), np.flatnonzero(~all_rows.is_gold)
    n = min(len(gold), len(other), MOST_ROWS // 2)
    taken = np.sort(np.concatenate([random.choice(gold, n, replace=False), random.choice(other, n, replace=False)]))
    return _rows(all_rows, taken)


def _split(rows: Observations, random: np.random.Generator) -> tuple[Observations, Observations]:
    """Hold out a part of the questions."""
    questions = np.unique(rows.question)
    n_held = int(len(questions) * HELD_OUT)
    is_held = np.isin(rows.question, random.permutation(questions)[:n_held])
    return _rows(rows, np.flatnonzero(~is_held)), _rows(rows, np.flatnonzero(is_held))


def _rows(rows: Observations, indices: NDArray[np.int64]) -> Observations:
    return Observations(rows.features[indices], rows.is_gold[indices], rows.question[indices])


def _fitted(seen: Observations, held_out: Observations, seed: int) -> tuple[Any, Any]:
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.inspection import permutation_importance

    forest = RandomForestClassifier(n_estimators=100, min_samples_leaf=3, random_state=seed)
    forest.fit(seen.features, seen.is_gold)
    shuffled = permutation_importance(
        forest, held_out.features, held_out.is_gold, scoring="roc_auc", n_repeats=10, random_state=seed
    )
    return forest.feature_importances_, shuffled.importances_mean
