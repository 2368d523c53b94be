"""Proofs: why a node is an answer, as the nodes of all symbols and the triplets that hold between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from retriever.focus.grounding.edges import Link, neighbours
from retriever.focus.grounding.join import Search, spanning
from retriever.focus.grounding.levels import Domain
from retriever.focus.grounding.scope import Grounding, Settings, links_of, relation_names
from retriever.focus.pattern import Triplet
from retriever.index.csr import are_in
from retriever.session import Session
from weft.arrays.adjacency import Adjacency


class Held(NamedTuple):
    """A triplet, the ids of the nodes at its ends, and whether it holds between them."""

    triplet: Triplet
    subject: int
    object: int
    holds: bool


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
    graph, pattern = session.adjacency, found.pattern
    variables = [symbol.variable for symbol in pattern.symbols]
    links = links_of(relation_names(session), pattern, settings.strict)
    domains = [
        Domain(np.searchsorted(graph.entity_ids, found.domains[name][0]), found.domains[name][1]) for name in variables
    ]
    target = variables.index(pattern.target or "")
    whole = Search(graph, links, domains, target, distinct=settings.distinct)
    tree = Search(graph, spanning(links, len(variables)), domains, target, distinct=False)
    levels = dict(zip(found.ids.tolist(), found.found_at.tolist(), strict=True))
    made = []
    for answer in answers:
        place = int(np.searchsorted(graph.entity_ids, answer))
        chosen = whole.assignment(place, levels[answer]) or tree.assignment(place, levels[answer]) or {target: place}
        nodes = {variables[symbol]: int(graph.entity_ids[node]) for symbol, node in chosen.items()}
        held = _held(graph, pattern.triplets, links, chosen)
        made.append(Proof(answer, found.scopes[levels[answer]], nodes, held))
    return made


def _held(
    graph: Adjacency, triplets: Sequence[Triplet], links: Sequence[Link], chosen: Mapping[int, int]
) -> tuple[Held, ...]:
    """Return the triplets between nodes that are chosen."""
    found = []
    for triplet, link in zip(triplets, links, strict=True):
        if link.subject in chosen and link.object in chosen:
            ends = np.array([chosen[link.subject], chosen[link.object]])
            subject, object_ = graph.entity_ids[ends].tolist()
            holds = bool(are_in(ends[1:], neighbours(graph, link, int(ends[0]), from_subject=True))[0])
            found.append(Held(triplet, subject, object_, holds))
    return tuple(found)
