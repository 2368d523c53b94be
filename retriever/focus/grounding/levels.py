"""Nodes with levels: the number of the first scope at which each counts.

Sets of nodes that grow with the scope are kept as one array, each node with the
first scope that has it. What holds of the sets at every scope is then computed
once: a union is a minimum of levels, an intersection a maximum.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from retriever.focus.node_types import Places

Levels = NDArray[np.uint8]
NEVER = 255
"""The level of a node that is at no scope."""


class Domain(NamedTuple):
    """Sorted nodes `places` (n,), each from the scope `levels` (n,) on."""

    places: Places
    levels: Levels

    def dense(self, n: int) -> Levels:
        """Return the level of each of n nodes."""
        found = np.full(n, NEVER, np.uint8)
        found[self.places] = self.levels
        return found

    def until(self, level: int) -> Domain:
        """Return the nodes that count at a level, or before it."""
        kept = self.levels <= level
        return Domain(self.places[kept], self.levels[kept])


def of_dense(levels: Levels) -> Domain:
    """Return the nodes that are at any scope."""
    places = np.flatnonzero(levels != NEVER)
    return Domain(places, levels[places])


def from_the_first(places: Places) -> Domain:
    """Return sorted nodes that count at every scope."""
    return Domain(places, np.zeros(len(places), np.uint8))


def ranked(places: Places, scopes: Places) -> Domain:
    """Return nodes in the order of a ranking, each from the first of some scopes on that reaches its rank.

    `scopes` (m,) are how many of the first count, rising; what is behind the last is left out.
    """
    places = places[: scopes[-1]]
    levels = np.searchsorted(scopes, np.arange(1, len(places) + 1)).astype(np.uint8)
    order = np.argsort(places, kind="stable")
    return Domain(places[order], levels[order])
