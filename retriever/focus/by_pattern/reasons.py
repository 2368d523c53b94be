"""Why a node fits a pattern, told: the way from a name to it, and the triplets that hold."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

from retriever.focus.grounding.proof import Held, Proof
from retriever.focus.pattern import Pattern
from retriever.session import Session
from retriever.types import Evidence
from weft.text.names import relation_words


def told_proof(session: Session, pattern: Pattern, proof: Proof, score: float) -> tuple[Evidence, ...]:
    """Return the triplets of a proof, and the name of the first constant that leads to its answer."""
    ids = sorted({proof.answer, *proof.nodes.values()})
    entities = session.skb.entities(ids)
    uris = {node: entity.uri for node, entity in zip(ids, entities, strict=True)}
    names = {node: entity.name for node, entity in zip(ids, entities, strict=True)}
    holding = [each for each in proof.held if each.holds]
    text = "; ".join(f"{names[each.subject]} – {_relation(each)} → {names[each.object]}" for each in holding)
    scope = f"candidate {proof.scope}" if proof.scope > 1 else "first candidate"
    mention, steps = _way(pattern, proof, uris)
    kind = "path" if len(steps) > 1 else "pattern"
    told = f"{text or names[proof.answer]} ({scope})"
    return (Evidence("pattern", kind, uris[proof.answer], told, score, mention, steps if kind == "path" else ()),)


def _relation(held: Held) -> str:
    words = " or ".join(map(relation_words, held.triplet.predicates)) or "any relation"
    hops = held.triplet.least, held.triplet.most
    return words if hops == (1, 1) else f"{words}, {hops[0]} to {hops[1]} times"


def _way(pattern: Pattern, proof: Proof, uris: Mapping[int, str]) -> tuple[str | None, tuple[str, ...]]:
    """Return the constant that is the fewest triplets away, and the uris and relations from it to the answer."""
    constants = {each.variable: each.constant for each in pattern.symbols if each.constant is not None}
    start = pattern.target or ""
    ways: dict[str, tuple[str, ...]] = {start: (uris[proof.answer],)}
    queue = deque([start])
    while queue:
        variable = queue.popleft()
        if variable in constants:
            return constants[variable], ways[variable]
        for held in proof.held:
            ends = held.triplet.subject, held.triplet.object
            if held.holds and variable in ends:
                other = ends[1] if ends[0] == variable else ends[0]
                if other not in ways:
                    forward = other == ends[0]
                    words = _relation(held) if forward else f"is {_relation(held)} of"
                    ways[other] = (uris[proof.nodes[other]], words, *ways[variable])
                    queue.append(other)
    return None, ()
