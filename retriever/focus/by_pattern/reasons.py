"""Why a node fits a pattern, told: the way from a name to it, and the edges by which its triplets hold."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

from retriever.focus.grounding.proof import Edge, Held, Proof
from retriever.focus.pattern import Pattern
from retriever.session import Session
from retriever.types import Evidence
from weft.rows import Entity
from weft.text.names import relation_words


def told_proof(session: Session, pattern: Pattern, proof: Proof, score: float) -> tuple[Evidence, ...]:
    """Return the edges of a proof, and the way from the nearest constant to its answer."""
    holding = [each for each in proof.held if each.holds]
    edges = [edge for each in holding for edge in each.edges]
    ids = sorted({proof.answer, *proof.nodes.values(), *(edge.start for edge in edges), *(edge.end for edge in edges)})
    entities = dict(zip(ids, session.skb.entities(ids), strict=True))
    answer = entities[proof.answer]
    text = "; ".join(_told(each.edges, entities) for each in holding if each.edges) or answer.name
    scope = f"candidate {proof.scope}" if proof.scope > 1 else "first candidate"
    mention, way = _way(pattern, holding)
    steps = (*chain.from_iterable((entities[each.start].uri, _words(each)) for each in way), answer.uri)
    kind = "path" if way else "pattern"
    return (Evidence("pattern", kind, answer.uri, f"{text} ({scope})", score, mention, steps if way else ()),)


def _told(edges: Sequence[Edge], entities: Mapping[int, Entity]) -> str:
    """Return a walk in words."""
    parts = (f"{entities[each.start].name} – {_words(each)} → " for each in edges)
    return "".join(parts) + entities[edges[-1].end].name


def _words(edge: Edge) -> str:
    words = relation_words(edge.relation)
    return f"is {words} of" if edge.backward else words


def _way(pattern: Pattern, holding: Iterable[Held]) -> tuple[str | None, tuple[Edge, ...]]:
    """Return the constant that is the fewest triplets away, and the edges from it to the answer."""
    constants = {each.variable: each.constant for each in pattern.symbols if each.constant is not None}
    target = pattern.target or ""
    ways: dict[str, tuple[Edge, ...]] = {target: ()}
    queue = deque([target])
    held = list(holding)
    while queue:
        variable = queue.popleft()
        if variable in constants:
            return constants[variable], ways[variable]
        for each in held:
            subject, object_ = each.triplet.subject, each.triplet.object
            for near, other, edges in ((object_, subject, each.edges), (subject, object_, _reversed(each.edges))):
                if near == variable and other not in ways:
                    ways[other] = (*edges, *ways[variable])
                    queue.append(other)
    return None, ()


def _reversed(edges: Sequence[Edge]) -> tuple[Edge, ...]:
    return tuple(Edge(each.end, each.relation, each.start, not each.backward) for each in reversed(edges))
