"""Tables of measures: a row a question, a column a measure; and their averages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.evaluation.measures import Judged, average_precision, measures_at, reciprocal_rank
from retriever.evaluation.outcomes import Assessment, Case, Outcome

Floats = NDArray[np.float64]

BETAS = (1, 2, 3)
"""The weights of recall over precision in the F-measures."""


class Columns(NamedTuple):
    """The measures of a table: those that a single question has, `names`; and the cut-offs that F-measures have."""

    names: tuple[str, ...]
    ks: tuple[int, ...]

    @property
    def averaged(self) -> tuple[str, ...]:
        """The names of what `averages` returns."""
        return (*self.names, *(f"f{beta}@{k}" for k in self.ks for beta in BETAS))


def measures_of(outcome: Outcome, n_gold: int, ks: Sequence[int], depth: int) -> dict[str, float]:
    """Return the measures of one ranking; `pool_recall` looks at all of it, MRR and MAP down to `depth`."""
    judged = Judged(outcome.taken[:depth], n_gold)
    row: dict[str, float] = {}
    for k in ks:
        row |= measures_at(judged, k)
    row["mrr"] = reciprocal_rank(judged)
    row["map"] = average_precision([item >= 0 for item in judged.taken], n_gold)
    row["pool_recall"] = sum(item >= 0 for item in outcome.taken) / n_gold
    return row


def rows_of(assessment: Assessment, outcomes: Sequence[Outcome]) -> list[dict[str, float]]:
    """Return the measures of a method for each judged question."""
    pairs: zip[tuple[Case, Outcome]] = zip(assessment.cases, outcomes, strict=True)
    return [measures_of(found, len(case.gold.items), assessment.ks, assessment.depth) for case, found in pairs]


def table(rows: Sequence[dict[str, float]], names: Sequence[str]) -> Floats:
    """Return the named measures of each row as an array (n, m)."""
    return np.array([[row[name] for name in names] for row in rows], np.float64).reshape(len(rows), len(names))


def columns_of(names: Sequence[str]) -> Columns:
    """Return the columns of measures by their names; the cut-offs are those of precision and recall."""
    ks = [int(name.removeprefix("precision@")) for name in names if name.startswith("precision@")]
    return Columns(tuple(names), tuple(k for k in ks if f"recall@{k}" in names))


def averages(means: Floats, columns: Columns) -> Floats:
    """Return means (..., m) with the F-measures of mean precision and mean recall beside them.

    F-beta is (1 + beta^2) P R / (beta^2 P + R), of the averages, not averaged
    itself, as the thesis computes it (section 3.6).
    """
    parts = [means]
    for k in columns.ks:
        precision = means[..., columns.names.index(f"precision@{k}")]
        recall = means[..., columns.names.index(f"recall@{k}")]
        for beta in BETAS:
            below = beta * beta * precision + recall
            above = (1 + beta * beta) * precision * recall
            parts.append(np.divide(above, below, out=np.zeros_like(below), where=below > 0)[..., None])
    return np.concatenate(parts, axis=-1)


def named(values: Floats, columns: Columns) -> dict[str, float]:
    """Return averages (m,) by name, rounded to six digits."""
    return {name: round(float(value), 6) for name, value in zip(columns.averaged, values, strict=True)}
