"""Explanations: what each reason adds to a hit's score, and the evidence behind it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from retriever.context import Context
from retriever.explain.attribution import ABOUT, attributions
from retriever.fusion.contributions import contributions
from retriever.rankers.entity_hybrid import COLUMNS, EntityHybrid
from retriever.rankers.hybrid import Hybrid
from retriever.rankers.single_signal import NaiveHybrid, SignalRanker
from retriever.searcher import Searcher
from retriever.signals.mentioned import mention_of
from retriever.types import Evidence, Query, Ranking, Signal, Step

# The most reasons for and against a hit, and pieces of evidence for one: few enough to read.
MOST_FOR, MOST_AGAINST, MOST_EVIDENCE = 6, 2, 2
LEAST_SHARE = 0.04
"""Reasons that add less than this share of what all together add are left out."""


class Attribution(NamedTuple):
    """What a signal or group of features adds to a score (below 0: takes away), and the evidence behind it."""

    name: str
    contribution: float
    evidence: tuple[Evidence, ...]


def explain(searcher: Searcher, question: str, found: Ranking) -> list[tuple[Attribution, ...]]:
    """Return each hit's reasons, those that add most first.

    In a fusion a reason adds the score less what it would be with the reason's
    columns at their mean over the candidates; these work together, so the sum
    need not be the score. A signal that ranks alone adds all of it.
    """
    timer = searcher.context.trace.timer()
    query = searcher.query(question)
    explained = _attributions(searcher, query, found)
    step = Step("explain", timer.seconds(), detail={"hits": len(explained)})
    searcher.context.trace.add(step)
    return explained


def _attributions(searcher: Searcher, query: Query, found: Ranking) -> list[tuple[Attribution, ...]]:
    ranker, hits = searcher.ranker, found.ids.tolist()
    if isinstance(ranker, Hybrid):
        return _of_fusion(ranker, query, hits)
    if isinstance(ranker, EntityHybrid):
        return _of_entities(ranker, query, found)
    if isinstance(ranker, NaiveHybrid):
        signals: tuple[Signal, ...] = (ranker.path, ranker.vector)
        parts = found.features * np.array([2, 1], np.float32)
    elif isinstance(ranker, SignalRanker):
        signals, parts = (ranker.signal,), found.scores[:, None]
    else:
        return [() for _ in hits]
    names = [signal.name for signal in signals]
    added = [dict(zip(names, row, strict=True)) for row in parts.tolist()]
    return [_strongest(searcher.context, query, signals, hit, own, {}) for hit, own in zip(hits, added, strict=True)]


def _of_fusion(hybrid: Hybrid, query: Query, hits: Sequence[int]) -> list[tuple[Attribution, ...]]:
    if not hits:
        return []
    candidates, features, _ = hybrid.scored(query)
    rows = np.searchsorted(candidates.pool.ids, hits).tolist()
    added = attributions(hybrid.fusion.model, features, hybrid.fusion.head.columns, rows)
    groups = hybrid.evidence(query)
    signals, context = hybrid.features.signals, hybrid.context
    return [_strongest(context, query, signals, hit, own, groups.of(hit)) for hit, own in zip(hits, added, strict=True)]


def _of_entities(ranker: EntityHybrid, query: Query, found: Ranking) -> list[tuple[Attribution, ...]]:
    ids, features = ranker.table(query)
    added = contributions(ranker.model, features, np.searchsorted(ids, found.ids).tolist())
    result = []
    for hit, row in zip(found.ids.tolist(), added.tolist(), strict=True):
        (entity,) = ranker.context.skb.entities([hit])
        mention = mention_of(query, np.array([hit]))
        named = Evidence("named", "entity", entity.uri, entity.name, 1.0, mention)
        own = dict(zip(COLUMNS, row, strict=True))
        if mention is None:
            own.pop("named")
        result.append(_strongest(ranker.context, query, ranker.signals, hit, own, {"named": (named,)}))
    return result


def _strongest(
    context: Context, query: Query, signals: Sequence[Signal], hit: int, added: Mapping[str, float],
    groups: Mapping[str, tuple[Evidence, ...]],
) -> tuple[Attribution, ...]:  # fmt: skip
    """Return the reasons to show: those that add most, then those that take most away.

    Where none has evidence, the one that adds most stands alone.
    """
    makers = {signal.name: signal for signal in signals}
    least = LEAST_SHARE * sum(map(abs, added.values()))
    ordered = sorted(added.items(), key=lambda item: (-item[1], item[0]))
    kept = []
    for name, value in ordered:
        evidence = makers[name].evidence(query, hit) if name in makers and value > least else groups.get(name, ())
        if value > least and evidence:
            kept.append(Attribution(name, value, evidence[:MOST_EVIDENCE]))
    against = [Attribution(name, value, ()) for name, value in reversed(ordered) if value < -least and name in ABOUT]
    if not kept and ordered and ordered[0][0] in ABOUT:
        name, value = ordered[0]
        (uri,) = context.uris(query.unit, [hit])
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


def why(reasons: Sequence[Attribution], uri: str) -> list[dict[str, Any]]:
    """Return the reasons of the hit with a uri as rows, one for each piece of evidence, for JSON."""
    rows = []
    for name, contribution, evidence in reasons:
        for each in evidence or (Evidence(name, "against", uri, ABOUT[name], 0.0),):
            row = each._asdict() | {"signal": name, "contribution": round(contribution, 4)}
            rows.append(row | {"score": float(f"{each.score:.6g}")})
    return rows
