"""Proofs: why a node is an answer, as the nodes of all symbols and the triplets that hold between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from retriever.focus.grounding.edges import Link, walk
from retriever.focus.grounding.join import Search, spanning
from retriever.focus.grounding.levels import Domain
from retriever.focus.grounding.relations import links_of, relation_names
from retriever.focus.grounding.scope import Grounding, Settings
from retriever.focus.pattern import Triplet
from retriever.session import Session


class Edge(NamedTuple):
    """An edge from one node to another, both by id; `backward` where it is read from its object to its subject."""

    start: int
    relation: str
    end: int
    backward: bool


class Held(NamedTuple):
    """A triplet, the ids of the nodes at its ends, whether it holds between them, and by which edges."""

    triplet: Triplet
    subject: int
    object: int
    holds: bool
    edges: tuple[Edge, ...] = ()


class Proof(NamedTuple):
    """The id of an answer, how many candidates of a constant counted when it was found, and what speaks for it.

    `nodes` are the ids for each variable; where triplets form a cycle, some may
    not hold between them.
    """

    answer: int
    scope: int
    nodes: Mapping[str, int]
    held: tuple[Held, ...]


def proofs(session: Session, found: Grounding, settings: Settings, answers: Sequence[int]) -> list[Proof]:
    """Return a proof of each of some answers; nodes of earlier scopes come first, then those with smaller ids."""
    if not len(found.ids):
        return []
    graph, pattern = session.adjacency, found.pattern
    variables = [symbol.variable for symbol in pattern.symbols]
    links = links_of(session, pattern, settings.strict)
    domains = [
        Domain(np.searchsorted(graph.entity_ids, found.domains[name][0]), found.domains[name][1]) for name in variables
    ]
    target = variables.index(pattern.target or "")
    whole = Search(links, domains, target, distinct=settings.distinct)
    tree = Search(spanning(links, len(variables)), domains, target, distinct=False)
    levels = dict(zip(found.ids.tolist(), found.found_at.tolist(), strict=True))
    made = []
    for answer in answers:
        place = int(np.searchsorted(graph.entity_ids, answer))
        chosen = whole.assignment(place, levels[answer]) or tree.assignment(place, levels[answer]) or {target: place}
        nodes = {variables[symbol]: int(graph.entity_ids[node]) for symbol, node in chosen.items()}
        held = _held(session, pattern.triplets, links, chosen)
        made.append(Proof(answer, found.scopes[levels[answer]], nodes, held))
    return made


def _held(
    session: Session, triplets: Sequence[Triplet], links: Sequence[Link], chosen: Mapping[int, int]
) -> tuple[Held, ...]:
    """Return the triplets between nodes that are chosen."""
    ids, names, found = session.adjacency.entity_ids, relation_names(session), []
    for triplet, link in zip(triplets, links, strict=True):
        if link.subject in chosen and link.object in chosen:
            start, end = chosen[link.subject], chosen[link.object]
            taken = walk(session.adjacency, link, start, end)
            edges = tuple(
                Edge(int(ids[each.start]), names[each.relation], int(ids[each.end]), each.backward)
                for each in taken or ()
            )
            found.append(Held(triplet, int(ids[start]), int(ids[end]), taken is not None, edges))
    return tuple(found)
