"""Scope: how many candidates of each constant count, growing until enough nodes fit the pattern.

The scopes are 1, 2, 3, 5, 8, 12, ... candidates, as AF-Retriever's code has them (de Boer et al.). Answers are
kept in the order of their discovery. Several scopes are grounded together, so that growing costs little.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from retriever.focus.grounding.consistency import Network
from retriever.focus.grounding.join import Search, is_a_tree
from retriever.focus.grounding.levels import Domain, Levels, from_the_first, ranked
from retriever.focus.grounding.relations import Strictness as Strictness
from retriever.focus.grounding.relations import links_of
from retriever.focus.node_types import NO_PLACES, Places, node_types
from retriever.focus.pattern import Pattern
from retriever.session import Session
from retriever.types import Ids

SCOPES_AT_ONCE = 4
"""Behind the first, so many more scopes are grounded together each time, the greatest about five times as great."""

MOST_SCOPES = 250


class Settings(NamedTuple):
    """How a pattern is grounded.

    `most` candidates of a constant count at most. The scope grows until `enough`
    nodes fit. `exact` looks for whole assignments where triplets form a cycle,
    `distinct` takes different nodes for different symbols. With `overwriting` the
    last scope alone counts, in no order of discovery.
    """

    most: int = 100
    enough: int = 20
    strict: Strictness = Strictness()
    exact: bool = False
    distinct: bool = False
    overwriting: bool = False


class Grounding(NamedTuple):
    """The nodes that fit a pattern.

    `ids` (n,) are the answers, by the scope that found them, then by id, and
    `found_at` (n,) the place of that scope in `scopes` (how many candidates of a constant counted); `domains` are for
    each variable ids among which assignments are found, and from which scope on. `unproved`
    counts answers that might fit, since looking for an assignment took too long.
    """

    pattern: Pattern
    scopes: tuple[int, ...]
    ids: Ids
    found_at: Levels
    domains: Mapping[str, tuple[Ids, Levels]]
    unproved: int = 0


Candidates = Mapping[str, Ids | None]
"""For each variable the ids that it may be: of a constant the best first, of others all; None where only types tell."""


def scopes_up_to(most: int) -> list[int]:
    """Return how many candidates count, each time half as many more.

    >>> scopes_up_to(100)
    [1, 2, 3, 5, 8, 12, 18, 27, 41, 62, 93]
    """
    found = [1]
    while (following := int(1.5 * found[-1] + 0.5)) <= most and len(found) < MOST_SCOPES:
        found.append(following)
    return found


def ground(session: Session, pattern: Pattern, candidates: Candidates, settings: Settings) -> Grounding:
    """Return the nodes that fit a pattern's target by what is linked with it; none without a target.

    O(edges of the nodes that are reached), whatever their degree.
    """
    pattern = pattern.connected
    scopes = scopes_up_to(settings.most)
    if not pattern.symbols:
        return Grounding(pattern, tuple(scopes), NO_PLACES, np.empty(0, np.uint8), {})
    problem = _Problem(session, pattern, candidates, settings)
    first = 1
    while True:
        found = problem.grounded(scopes[:first])
        if len(found.ids) >= settings.enough or first == len(scopes) or scopes[first - 1] >= problem.most_candidates:
            return _cut(found, settings)
        first = min(first + SCOPES_AT_ONCE, len(scopes))


class _Problem:
    """A pattern as positions and links in the graph's arrays."""

    def __init__(self, session: Session, pattern: Pattern, candidates: Candidates, settings: Settings) -> None:
        self._graph = session.adjacency
        self._pattern = pattern
        self._settings = settings
        self._types = node_types(session)
        self._variables = [symbol.variable for symbol in pattern.symbols]
        self._target = self._variables.index(pattern.target or "")
        self._links = links_of(session, pattern, settings.strict)
        self._places = [self._given(candidates.get(variable)) for variable in self._variables]
        self._is_ranked = [
            symbol.constant is not None and (symbol.variable != pattern.target or not pattern.triplets)
            for symbol in pattern.symbols
        ]
        self.most_candidates = max(
            (len(given) for given, is_ranked in zip(self._places, self._is_ranked, strict=True)
             if is_ranked and given is not None),
            default=0,
        )  # fmt: skip

    def grounded(self, scopes: Sequence[int]) -> Grounding:
        """Return what fits at some scopes."""
        given = [self._domain(symbol, scopes) for symbol in range(len(self._variables))]
        network = Network(self._graph, self._links, given, self._of_type)
        is_tree = is_a_tree(self._links, len(self._variables))
        domains = network.made_consistent_towards(self._target) if is_tree else network.made_consistent()
        answers, unproved = domains[self._target], 0
        if self._settings.distinct or (self._settings.exact and not is_tree):
            answers, unproved = self._proved(domains, len(scopes))
        order = np.argsort(answers.levels, kind="stable")
        ids = self._graph.entity_ids
        kept = {name: (ids[each.places], each.levels) for name, each in zip(self._variables, domains, strict=True)}
        places = answers.places[order]
        return Grounding(self._pattern, tuple(scopes), ids[places], answers.levels[order], kept, unproved)

    def _given(self, ids: Ids | None) -> Places | None:
        """Return where candidates stand in the graph; those that are not there are left out."""
        if ids is None:
            return None
        places = np.minimum(np.searchsorted(self._graph.entity_ids, ids), max(0, len(self._graph.entity_ids) - 1))
        return places[self._graph.entity_ids[places] == ids] if len(ids) and len(self._graph.entity_ids) else NO_PLACES

    def _domain(self, symbol: int, scopes: Sequence[int]) -> Domain | None:
        places = self._places[symbol]
        if places is None:
            return None
        return ranked(places, np.array(scopes)) if self._is_ranked[symbol] else from_the_first(np.unique(places))

    def _of_type(self, symbol: int) -> Places | None:
        kind = self._pattern.symbols[symbol].type
        return self._types.of(kind) if kind is not None and self._settings.strict.nodes else None

    def _proved(self, domains: Sequence[Domain], n_levels: int) -> tuple[Domain, int]:
        """Return the target's nodes that have a whole assignment, from the scope on at which they do."""
        search = Search(self._links, domains, self._target, distinct=self._settings.distinct)
        answers, found, unproved = domains[self._target], {}, 0
        for level in range(n_levels):
            for place in answers.until(level).places.tolist():
                if place not in found and (search.assignment(place, level) is not None or search.is_out):
                    found[place] = level
                    unproved += search.is_out
            if len(found) >= self._settings.enough:
                break
        places = np.array(sorted(found), np.int64)
        return Domain(places, np.array([found[place] for place in places.tolist()], np.uint8)), unproved


def _cut(found: Grounding, settings: Settings) -> Grounding:
    """Return the answers up to the first scope that has enough of them."""
    counts = np.cumsum(np.bincount(found.found_at, minlength=len(found.scopes)))
    enough = np.flatnonzero(counts >= settings.enough)
    last = int(enough[0]) if len(enough) else len(found.scopes) - 1
    kept = found.found_at <= last
    ids, found_at = found.ids[kept], found.found_at[kept]
    domains = {name: (own[levels <= last], levels[levels <= last]) for name, (own, levels) in found.domains.items()}
    if settings.overwriting:
        ids, found_at = np.sort(ids), np.full(len(ids), last, np.uint8)
    return found._replace(scopes=found.scopes[: last + 1], ids=ids, found_at=found_at, domains=domains)
