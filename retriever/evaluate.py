"""Evaluate methods on a question file."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retriever.gold import GoldResolver, unit_of
from retriever.measures import average_precision, f_measure, judge, measures_at, reciprocal_rank
from retriever.questions import Question
from retriever.rankers import Ranker, ranker_of
from retriever.types import Unit
from weft.skb import Skb

DEPTH = 100
"""Rankings are cut here, or at the largest k asked for, for MRR and MAP."""


def evaluate(
    skb: Skb,
    questions: Sequence[Question],
    methods: Sequence[str],
    ks: Sequence[int],
    unit: Unit | None = None,
    advance: Callable[[int], None] = lambda n: None,
) -> dict[str, Any]:
    """Return the measures of each method, averaged over the questions that have gold.

    Questions without gold are `unjudged` and left out; questions with gold and
    no hit count as zero; gold items that resolve to nothing are counted as
    `unresolved` and missed. Where no question has gold, `methods` is empty.
    """
    unit = unit or unit_of(questions, skb)
    resolver = GoldResolver(skb, unit)
    judged = [(question, resolver.gold_set(question)) for question in questions if question.gold]
    report: dict[str, Any] = {
        "questions": len(questions),
        "unjudged": len(questions) - len(judged),
        "unresolved": sum(gold.unresolved for _, gold in judged),
        "unit": unit,
        "methods": {},
    }
    for method in methods:
        # A wrong name is a mistake whatever the questions.
        ranker = ranker_of(method, skb, unit)
        if not judged:
            continue
        rows, seconds = [], []
        for question, gold in judged:
            hits, spent = _timed(ranker, question.question, max(DEPTH, *ks))
            rows.append(_measures(hits, gold, ks))
            seconds.append(spent)
            advance(1)
        report["methods"][method] = _averages(rows, ks) | {"seconds": _percentiles(seconds)}
    return report


def _timed(ranker: Ranker, question: str, k: int) -> tuple[list[int], float]:
    start = time.perf_counter()
    hits = ranker(question, k).ids.tolist()
    return hits, time.perf_counter() - start


def _measures(hits: list[int], gold: Any, ks: Sequence[int]) -> dict[str, float]:
    judged = judge(hits, gold)
    row: dict[str, float] = {}
    for k in ks:
        row |= measures_at(judged, k)
    row["mrr"] = reciprocal_rank(judged)
    row["map"] = average_precision([item >= 0 for item in judged.taken], judged.n_gold)
    return row


def _averages(rows: Sequence[dict[str, float]], ks: Sequence[int]) -> dict[str, float]:
    mean = {name: float(np.mean([row[name] for row in rows])) for name in rows[0]}
    for k in ks:
        for beta in (1, 2, 3):
            mean[f"f{beta}@{k}"] = f_measure(mean[f"precision@{k}"], mean[f"recall@{k}"], beta)
    return {name: round(value, 6) for name, value in mean.items()}


def _percentiles(seconds: Sequence[float]) -> dict[str, float]:
    return {name: round(float(np.percentile(seconds, part)), 6) for name, part in (("p50", 50), ("p95", 95))}
