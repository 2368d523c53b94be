"""Networks that never score a row lower for a greater value in one of some columns.

Every hidden unit has a direction, half of them up and half of them down. A
weight between two units has the sign of the product of their directions, one
from a rising column that of its unit, one from any other column is free; the
output goes up. Units that go up bend a column's effect upwards and those that
go down bend it downwards, so that both shapes can be learned (Runje and
Shankaranarayana 2023, "Constrained Monotonic Neural Networks", mix convex and
concave units to the same end).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Signs = NDArray[np.int8]


def signs_of(columns: Sequence[str], rising: Collection[str], hidden: Sequence[int]) -> list[Signs]:
    """Return the sign that each weight must have, (in, out) a layer: 1, -1, or 0 where it is free.

    All are free where no column is rising.
    """
    widths = (len(columns), *hidden, 1)
    if not set(columns) & set(rising):
        return [np.zeros(shape, np.int8) for shape in pairwise(widths)]
    directions = [np.array([name in rising for name in columns], np.int8)]
    directions += [np.where(np.arange(width) % 2, -1, 1).astype(np.int8) for width in hidden]
    directions.append(np.ones(1, np.int8))
    return [np.outer(one, other) for one, other in pairwise(directions)]


def fold_signs(weights: Sequence[NDArray[Any]], signs: Sequence[Signs]) -> None:
    """Turn weights of the wrong sign round, in place, as a network begins: half of them would start at 0 otherwise."""
    for weight, sign in zip(weights, signs, strict=True):
        np.copyto(weight, np.abs(weight) * sign, where=sign != 0)


def project(weights: Sequence[NDArray[Any]], signs: Sequence[Signs]) -> None:
    """Set weights of the wrong sign to 0, in place: the nearest network that is monotone."""
    for weight, sign in zip(weights, signs, strict=True):
        weight[weight * sign < 0] = 0.0
