"""Whole assignments: a node for each symbol such that all triplets hold at once.

What is consistent is enough for patterns that are trees. For cycles, for symbols
that must be different nodes, and to show why a node is an answer, assignments are
looked for by backtracking among the consistent nodes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from retriever.focus.grounding.edges import Link, neighbours
from retriever.focus.grounding.levels import Domain
from retriever.focus.node_types import Places
from retriever.index.csr import are_in

MOST_TRIES = 10_000
"""Nodes that are tried for one answer; then it counts as one that might fit."""


class Search:
    """Looks for assignments that give one symbol a certain node.

    `domains` are the consistent nodes of each symbol, and with `distinct` no two
    symbols are the same node.
    """

    def __init__(
        self, links: Sequence[Link], domains: Sequence[Domain], target: int, *, distinct: bool
    ) -> None:
        self._links = links
        self._domains = domains
        self._distinct = distinct
        self._order = _order(links, len(domains), target)
        self._tries = 0

    @property
    def is_out(self) -> bool:
        """Whether the last search ended before it was done."""
        return self._tries > MOST_TRIES

    def assignment(self, place: int, level: int) -> dict[int, int] | None:
        """Return the node of each symbol for a node of the target, all from a level on; None where there is none.

        Earlier scopes' nodes come first, then those with smaller numbers.
        """
        self._tries = 0
        return self._filled({self._order[0]: place}, level)

    def _filled(self, chosen: Mapping[int, int], level: int) -> dict[int, int] | None:
        if len(chosen) == len(self._order):
            return dict(chosen)
        symbol = self._order[len(chosen)]
        for place in self._fitting(symbol, chosen, level).tolist():
            self._tries += 1
            if self.is_out:
                return None
            if (found := self._filled({**chosen, symbol: place}, level)) is not None:
                return found
        return None

    def _fitting(self, symbol: int, chosen: Mapping[int, int], level: int) -> Places:
        """Return the nodes that fit those that are chosen, the best first."""
        domain = self._domains[symbol].until(level)
        kept = np.ones(len(domain.places), bool)
        for link in self._links:
            if link.subject == symbol and link.object in chosen:
                kept &= self._near(domain.places, link, chosen[link.object], from_subject=False)
            elif link.object == symbol and link.subject in chosen:
                kept &= self._near(domain.places, link, chosen[link.subject], from_subject=True)
        if self._distinct:
            kept &= ~np.isin(domain.places, list(chosen.values()))
        places, levels = domain.places[kept], domain.levels[kept]
        return places[np.argsort(levels, kind="stable")]

    def _near(self, places: Places, link: Link, place: int, *, from_subject: bool) -> NDArray[np.bool_]:
        return are_in(places, neighbours(link, place, from_subject=from_subject))


def is_a_tree(links: Sequence[Link], n_symbols: int) -> bool:
    """Tell whether links join symbols without any cycle; all symbols are joined."""
    return len(links) == n_symbols - 1


def spanning(links: Sequence[Link], n_symbols: int) -> list[Link]:
    """Return links that join the same symbols without any cycle."""
    joined = list(range(n_symbols))
    kept = []
    for link in links:
        before, after = joined[link.subject], joined[link.object]
        if before != after:
            kept.append(link)
            joined = [after if each == before else each for each in joined]
    return kept


def _order(links: Sequence[Link], n_symbols: int, target: int) -> list[int]:
    """Return the symbols such that each but the first is linked with one before it, or with none."""
    order = [target]
    pairs = [pair for link in links for pair in ((link.subject, link.object), (link.object, link.subject))]
    while len(order) < n_symbols:
        near = [end for start, end in pairs if start in order and end not in order]
        order.append(near[0] if near else next(symbol for symbol in range(n_symbols) if symbol not in order))
    return order
