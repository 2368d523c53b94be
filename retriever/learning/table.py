"""The table that a fusion learns from: one row a candidate, one column a feature, standardised by the caller."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from weft.errors import WeftError

Features = NDArray[np.float32]
Labels = NDArray[np.bool_]
Rows = NDArray[np.int64]


class UnfitTable(WeftError):
    """A table cannot be learned from; the message says what it lacks."""


class Table(NamedTuple):
    """Features (n, s) named by `columns`, whether each row answers (n,), and its question's key (n,).

    Equal keys are one question, in other tables too: a question that is asked of
    an SKB for two embedders never stands on both sides of a split.
    `weights` (n,) say how much a row counts, None for all alike.
    """

    features: Features
    labels: Labels
    groups: NDArray[np.int64]
    columns: tuple[str, ...]
    weights: NDArray[np.float32] | None = None

    def take(self, rows: Rows) -> Table:
        """Return the rows, in the order given."""
        weights = None if self.weights is None else self.weights[rows]
        return Table(self.features[rows], self.labels[rows], self.groups[rows], self.columns, weights)

    def row_weights(self) -> NDArray[np.float32]:
        """Return the weights (n,), ones where none are given."""
        return np.ones(len(self.labels), np.float32) if self.weights is None else self.weights


def check(table: Table) -> None:
    """Raise UnfitTable unless the arrays fit each other, are finite and hold rows of both kinds."""
    n, s = table.features.shape
    if s != len(table.columns) or n != len(table.labels) or n != len(table.groups):
        raise UnfitTable(
            f"a table of {n} rows and {s} features has {len(table.labels)} labels, {len(table.groups)} questions "
            f"and {len(table.columns)} column names; they must fit"
        )
    finite = np.isfinite(table.features).all(axis=0)
    if not finite.all():
        raise UnfitTable(f"feature {table.columns[int(np.argmin(finite))]} is not finite in some rows")
    if table.labels.all() or not table.labels.any():
        raise UnfitTable(f"{n} rows of training data are all of one kind; a fusion learns from right and wrong ones")


def join(tables: Sequence[Table]) -> Table:
    """Return all rows as one table; raise UnfitTable where columns differ."""
    for table in tables:
        if table.columns != tables[0].columns:
            raise UnfitTable(f"training sets differ: {difference(tables[0].columns, table.columns)}")
    return Table(
        np.concatenate([table.features for table in tables]),
        np.concatenate([table.labels for table in tables]),
        np.concatenate([table.groups for table in tables]),
        tables[0].columns,
        np.concatenate([table.row_weights() for table in tables]),
    )


def difference(expected: Sequence[str], given: Sequence[str]) -> str | None:
    """Say where two lists of columns first differ, None where they do not."""
    for index, (one, other) in enumerate(zip(expected, given, strict=False), 1):
        if one != other:
            return f"column {index} is {one} in one and {other} in the other"
    if len(expected) == len(given):
        return None
    longer = expected if len(expected) > len(given) else given
    return f"column {min(len(expected), len(given)) + 1}, {longer[min(len(expected), len(given))]}, is in one only"
