"""Which reasons a hit shows: those that add most to its score, with evidence, and those that take most away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from retriever.explain.attribution import ABOUT
from retriever.protocols import Signal
from retriever.session import Session
from retriever.types import Attribution, Evidence, Query, Unit

# The most reasons for and against a hit, and pieces of evidence for one: few enough to read.
MOST_FOR, MOST_AGAINST, MOST_EVIDENCE = 6, 2, 2
NO_GROUPS: Mapping[str, tuple[Evidence, ...]] = MappingProxyType({})
LEAST_SHARE = 0.04
"""Reasons that add less than this share of what all together add are left out."""


def strongest(
    session: Session, unit: Unit, signals: Sequence[tuple[Signal, Query]], hit: int, added: Mapping[str, float],
    groups: Mapping[str, tuple[Evidence, ...]] = NO_GROUPS,
) -> tuple[Attribution, ...]:  # fmt: skip
    """Return the reasons to show of a hit, given what each signal or group adds, and the evidence of the groups.

    Each signal stands with the query as it saw it. Where none has evidence, the
    one that adds most stands alone.
    """
    makers = {signal.name: (signal, query) for signal, query in signals}
    least = LEAST_SHARE * sum(map(abs, added.values()))
    ordered = sorted(added.items(), key=lambda item: (-item[1], item[0]))
    kept = []
    for name, value in ordered:
        evidence = groups.get(name, ())
        if name in makers and value > least:
            signal, query = makers[name]
            evidence = signal.evidence(session, query, hit)
        if value > least and evidence:
            kept.append(Attribution(name, value, evidence[:MOST_EVIDENCE]))
    against = [Attribution(name, value, ()) for name, value in reversed(ordered) if value < -least and name in ABOUT]
    if not kept and ordered and ordered[0][0] in ABOUT:
        name, value = ordered[0]
        (uri,) = session.uris(unit, [hit])
        kept = [Attribution(name, value, (Evidence(name, "score", uri, ABOUT[name], value),))]
    return (*_once(kept)[:MOST_FOR], *against[:MOST_AGAINST])


def _once(reasons: Sequence[Attribution]) -> list[Attribution]:
    """Return the reasons without the links that an earlier one shows."""
    seen: set[tuple[str, str]] = set()
    kept = []
    for reason in reasons:
        new = tuple(each for each in reason.evidence if (each.uri, each.text) not in seen or each.kind != "link")
        seen.update((each.uri, each.text) for each in new)
        if new:
            kept.append(reason._replace(evidence=new))
    return kept
