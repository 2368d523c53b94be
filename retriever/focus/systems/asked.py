"""Steps 1 to 5 with a language model: what is asked for, a pattern, its candidates, and the nodes that fit it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from retriever.focus.by_pattern.labels import labels_of
from retriever.focus.by_pattern.queries import ANY_TYPE
from retriever.focus.cypher.parser import parse
from retriever.focus.cypher.reference import parse_reference
from retriever.focus.grounding.proof import Proof, proofs
from retriever.focus.grounding.scope import Grounding, ground
from retriever.focus.merge import Strand
from retriever.focus.order import by_likeness
from retriever.focus.pattern import Pattern
from retriever.focus.schema import Reading, in_words_of, read_schema
from retriever.focus.symbols import Candidates, find_candidates
from retriever.focus.systems.renamed import with_long_names
from retriever.focus.systems.settings import STEPS, Settings
from retriever.focus.target_type import candidate_types, type_in_reply
from retriever.focus.triplets import parse_triplets
from retriever.index.vectors import similarity
from retriever.prompts.focus import candidates as choosing
from retriever.prompts.focus import cypher, target_type, triplets
from retriever.prompts.template import Prompt
from retriever.session import Session
from retriever.signals.vector import entity_space
from retriever.types import Ids, Query, Step


class Asked(NamedTuple):
    """Answers that fit a pattern, in groups, the type that is asked for, and the grounding behind them, if any."""

    strand: Strand
    kind: str | None
    found: Grounding | None

    def proofs(self, session: Session, settings: Settings, answers: Sequence[int]) -> list[Proof]:
        """Return why some answers fit."""
        return [] if self.found is None else proofs(session, self.found, settings.grounding, answers)


NOTHING = Strand(np.empty(0, np.int64), np.empty(0, np.float32), np.empty(0, np.int32))


def asked_for(session: Session, query: Query, settings: Settings) -> str | None:
    """Return the type of node that a question asks for: the only one there is, else as the model replies (step 1)."""
    kinds = candidate_types(read_schema(session), settings.hidden)
    if len(kinds.names) < 2:
        return kinds.names[0] if kinds.names else None
    reply = _reply(session, settings, target_type.PROMPT, types=_types(session, settings), question=query.question.text)
    return type_in_reply(reply, kinds)


def by_cypher(session: Session, query: Query, settings: Settings, kind: str | None) -> Pattern:
    """Return the pattern of the query that the model writes (steps 2 and 3)."""
    reply = _reply(
        session, settings, cypher.PROMPT, types=_types(session, settings), relations=_relations(session, settings),
        attributes=labels_of(session).attributes, question=query.question.text,
        target=f"The nodes that are asked for are of the type {kind}." if kind else ANY_TYPE,
    )  # fmt: skip
    if settings.dialect == "reference":
        return in_words_of(parse_reference(reply), read_schema(session), Reading(settings.renamed, exact=True))
    return in_words_of(parse(reply), read_schema(session), Reading(settings.renamed))


def by_triplets(session: Session, query: Query, settings: Settings) -> Pattern:
    """Return the pattern of the triplets that the model writes."""
    reply = _reply(
        session, settings, triplets.PROMPT, types=_types(session, settings), relations=_relations(session, settings),
        question=query.question.text,
    )  # fmt: skip
    return in_words_of(parse_triplets(reply), read_schema(session), Reading(settings.renamed))


def _types(session: Session, settings: Settings) -> str:
    """Return the lines about the types that are not concealed, with names of nodes where these are asked for."""
    kinds, labels = candidate_types(read_schema(session), settings.hidden), labels_of(session)
    return labels.of_types(kinds) if settings.names else "\n".join(name for name in labels.types if name in kinds.names)


def _relations(session: Session, settings: Settings) -> str:
    """Return the lines about relations, but those that join a concealed type."""
    lines = labels_of(session).relations.split("\n")
    shown = [line for line in lines if {*line.rpartition(": ")[2].split(" -> ")}.isdisjoint(settings.hidden)]
    return "\n".join(with_long_names(shown, settings.renamed))


def grounded(session: Session, query: Query, settings: Settings, pattern: Pattern) -> tuple[Strand, Grounding | None]:
    """Return the nodes that fit a pattern, in groups by scope, by similarity within one (steps 4 to 6)."""
    timer = session.trace.timer()
    if pattern.target is None or not pattern.connected.triplets:
        _tell(session, timer.seconds(), pattern, {"nodes": 0, "named": 0, "candidates": []})
        return NOTHING, None
    candidates = find_candidates(session, pattern, settings.lookup(session))
    if settings.cull and session.chat is not None:
        candidates = candidates._replace(ids=_culled(session, query, settings, pattern, candidates))
    found = ground(session, pattern, candidates.ids, settings.grounding)
    strand = _strand(session, query, settings, found)
    codes = [each.code for each in candidates.warnings]
    n_named = sum(count > 0 for count in candidates.n_named.values())
    _tell(session, timer.seconds(), pattern, {"nodes": len(strand.ids), "named": n_named, "candidates": codes})
    return strand, found


def _culled(
    session: Session, query: Query, settings: Settings, pattern: Pattern, candidates: Candidates
) -> dict[str, Ids | None]:
    """Return the candidates that the model takes for what each name means, of the first ones; all where it takes none.

    Those behind the first, which it is not shown, are left out.
    """
    ids = dict(candidates.ids)
    for variable in candidates.n_named:
        shown = ids[variable]
        if shown is None or len(shown) < 2:
            continue
        shown = shown[: settings.cull]
        nodes = session.skb.entities(shown.tolist())
        lines = [f"[{n}] {node.name} ({node.type or 'of no type'})" for n, node in enumerate(nodes, 1)]
        reply = _reply(
            session, settings, choosing.PROMPT, question=query.question.text,
            name=pattern.symbol(variable).constant or "", nodes="\n".join(lines),
        )  # fmt: skip
        chosen = sorted(choosing.read_reply(reply, len(nodes)))
        ids[variable] = shown[np.array(chosen, np.int64)] if chosen else ids[variable]
    return ids


def _strand(session: Session, query: Query, settings: Settings, found: Grounding) -> Strand:
    kept = np.ones(len(found.ids), bool) if query.allowed is None else np.isin(found.ids, query.allowed)
    ids, levels = found.ids[kept], found.found_at[kept].astype(np.int32)
    space = similarity(session, entity_space(session, settings.rel6))
    order = by_likeness(session, space, query.vectors, ids, levels)
    return Strand(ids[order], (1 / (1 + levels[order])).astype(np.float32), levels[order])


def _tell(session: Session, seconds: float, pattern: Pattern, found: Mapping[str, object]) -> None:
    warnings = tuple(f"{each.code}: {each.detail}"[:200] for each in pattern.warnings)
    triplets_told = [f"{each.subject} {'|'.join(each.predicates) or '*'} {each.object}" for each in pattern.triplets]
    n_connected = len(pattern.connected.triplets)
    detail = {"triplets": triplets_told, "connected": n_connected, "target": pattern.target, **found}
    session.trace.add(Step("grounding", seconds, warnings=warnings, detail=detail))


def _reply(session: Session, settings: Settings, prompt: Prompt, **values: str) -> str:
    """Return the model's reply, empty where a dry run has none."""
    timer = session.trace.timer()
    step = prompt.step if prompt.step in STEPS else "cypher"
    options = settings.options_of(step)
    given = session.complete(prompt.messages(**values), options)
    detail = {"prompt": prompt.version, "replies": [given.text], **({"model": options.model} if options.model else {})}
    counts = 1, int(given.cached), given.tokens_in, given.tokens_out
    session.trace.add(Step(prompt.step, timer.seconds(), *counts, None, (), detail))
    return given.text
