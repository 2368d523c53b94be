"""Arc consistency: the symbols of a pattern keep the nodes that have a fitting neighbour for each of their triplets.

Where triplets form a cycle, more nodes than those of whole assignments may stay (AC-3, Mackworth 1977). In a tree
one pass towards the target is enough for its nodes to be exact, and for assignments to be found from there without
going back (directional consistency, Dechter and Pearl 1988). All scopes are done at once: a node's level is the first
scope at which it is consistent.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

import numpy as np

from retriever.focus.grounding.edges import Link, degrees, loops, reached, supported
from retriever.focus.grounding.levels import NEVER, Domain, from_the_first
from retriever.focus.node_types import Places
from weft.arrays.adjacency import Adjacency

MOST_REVISIONS = 2_000
"""Patterns with long cycles may go on; stopped early, they keep more nodes than are consistent."""

Arc = tuple[int, bool]
"""A link's number, and whether its object is revised by its subject."""


class Network:
    """The symbols and links of a pattern over a graph, while they are made consistent.

    `domains` are the nodes of each symbol, None where only its type is known,
    which `of_type` returns (None: any node); they are replaced by what is consistent.
    """

    def __init__(
        self,
        graph: Adjacency,
        links: Sequence[Link],
        domains: Sequence[Domain | None],
        of_type: Callable[[int], Places | None],
    ) -> None:
        self.graph = graph
        self.links = links
        self.domains = list(domains)
        self._of_type = of_type
        self._queue: deque[Arc] = deque()

    def made_consistent_towards(self, target: int) -> list[Domain]:
        """Return the nodes of each symbol of a tree that are consistent with those further from the target.

        Those of the target are consistent with all. O(edges of the nodes that are reached): each triplet is read
        once, or twice where nothing beyond it is known but types.
        """
        self._gather(target, None)
        return [self._known(symbol) for symbol in range(len(self.domains))]

    def _gather(self, symbol: int, parent: int | None) -> None:
        """Make a symbol consistent with all beyond it: first with what is known, then with what only has types."""
        beyond = [
            (link, link.object if link.subject == symbol else link.subject)
            for link in self.links
            if symbol in (link.subject, link.object) and parent not in (link.subject, link.object)
        ]
        known = [(link, other) for link, other in beyond if self._is_bounded(other, symbol)]
        for _, other in known:
            self._gather(other, symbol)
        for link, other in sorted(known, key=lambda each: len(self._known(each[1]).places)):
            self.domains[symbol] = self._fitting(link, other, symbol, link.object == symbol)
        for link, other in beyond:
            if (link, other) not in known:
                self.domains[symbol] = self._known(symbol)
                self.domains[other] = self._fitting(link, symbol, other, link.object == other)
                self._gather(other, symbol)
                self.domains[symbol] = self._fitting(link, other, symbol, link.object == symbol)

    def _is_bounded(self, symbol: int, parent: int) -> bool:
        """Tell whether a symbol, or one beyond it, has candidates."""
        if self.domains[symbol] is not None:
            return True
        ends = [(link.subject, link.object) for link in self.links if symbol in (link.subject, link.object)]
        others = [end for pair in ends for end in pair if end not in (symbol, parent)]
        return any(self._is_bounded(other, symbol) for other in others)

    def made_consistent(self) -> list[Domain]:
        """Return the nodes of each symbol that are consistent; O(edges of the nodes that are reached) a revision."""
        for symbol, domain in enumerate(self.domains):
            if domain is not None:
                self._changed(symbol, None)
        n_revisions = 0
        while (arc := self._next()) is not None and n_revisions < MOST_REVISIONS:
            n_revisions += 1
            self._revise(*arc)
            if any(domain is not None and not len(domain.places) for domain in self.domains):
                return [from_the_first(np.empty(0, np.int64))] * len(self.domains)
        return [self._known(symbol) for symbol in range(len(self.domains))]

    def _next(self) -> Arc | None:
        """Return the next arc to revise; where none is left, the symbol with the fewest nodes of a type begins."""
        if not self._queue:
            unknown = [symbol for symbol, domain in enumerate(self.domains) if domain is None]
            if not unknown:
                return None
            fewest = min(unknown, key=lambda symbol: len(self._all_of(symbol)))
            self.domains[fewest] = from_the_first(self._all_of(fewest))
            self._changed(fewest, None)
            return self._next()
        return self._queue.popleft()

    def _changed(self, symbol: int, by: int | None) -> None:
        """Let a symbol's loops and neighbours be revised, but for the link by which it changed."""
        for number, link in enumerate(self.links):
            if number == by or symbol not in (link.subject, link.object):
                continue
            arc = (number, symbol == link.subject)
            if arc not in self._queue:
                self._queue.append(arc)

    def _revise(self, number: int, to_object: bool) -> None:
        link = self.links[number]
        source, target = (link.subject, link.object) if to_object else (link.object, link.subject)
        before = self.domains[target]
        after = self._looped(link) if source == target else self._fitting(link, source, target, to_object)
        self.domains[target] = after
        if before is None:
            self._changed(target, None)
        elif len(after.places) != len(before.places) or not np.array_equal(after.levels, before.levels):
            self._changed(target, number)

    def _looped(self, link: Link) -> Domain:
        """Return the nodes of a symbol that an edge leads back to; a walk that leads back is not looked for."""
        domain = self._known(link.subject)
        if not link.is_edge:
            return domain
        kept = loops(self.graph, link, domain.places)
        return Domain(domain.places[kept], domain.levels[kept])

    def _fitting(self, link: Link, source: int, target: int, to_object: bool) -> Domain:
        """Return the target's nodes that fit a node of the source, from the scope on at which both are there."""
        given, known = self._known(source), self.domains[target]
        if known is None:
            levels = reached(self.graph, link, given, from_subject=to_object)
            places = self._of_type(target)
            if places is None:
                places = np.flatnonzero(levels != NEVER)
            return _kept(places, levels[places])
        ahead, back = link.tables(from_subject=to_object), link.tables(from_subject=not to_object)
        if link.is_edge and degrees(back, known.places) < degrees(ahead, given.places):
            dense = given.dense(len(self.graph.entity_ids))
            own = supported(link, known.places, dense, from_subject=to_object)
        else:
            own = reached(self.graph, link, given, from_subject=to_object)[known.places]
        return _kept(known.places, np.maximum(own, known.levels))

    def _known(self, symbol: int) -> Domain:
        domain = self.domains[symbol]
        return from_the_first(self._all_of(symbol)) if domain is None else domain

    def _all_of(self, symbol: int) -> Places:
        places = self._of_type(symbol)
        return np.arange(len(self.graph.entity_ids)) if places is None else places


def _kept(places: Places, levels: np.ndarray[tuple[int], np.dtype[np.uint8]]) -> Domain:
    kept = levels != NEVER
    return Domain(places[kept], levels[kept])
