"""The report of an evaluation as one JSON object, in the shape that every consumer reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from retriever.evaluation.intervals import LEVEL, RESAMPLES, Sampled, interval, sample
from retriever.evaluation.misses import count_fates
from retriever.evaluation.outcomes import Assessment, Outcome
from retriever.evaluation.paired import compare
from retriever.evaluation.tables import Columns, averages, columns_of, named, rows_of, table


def summarise(assessment: Assessment, seed: int = 0) -> dict[str, Any]:
    """Return the measures of each method with their intervals, by question type, and every paired difference.

    Where no question has gold, `methods` and `paired` are empty.
    """
    cases = assessment.cases
    report: dict[str, Any] = {
        "questions": len(assessment.questions),
        "unjudged": len(assessment.questions) - len(cases),
        "unresolved": sum(case.gold.unresolved for case in cases),
        "unresolved_questions": sum(case.gold.is_lost for case in cases),
        "unit": assessment.unit,
        "methods": {},
        "paired": {},
    }
    if not cases or not assessment.outcomes:
        return report
    rows = {method: rows_of(assessment, outcomes) for method, outcomes in assessment.outcomes.items()}
    columns = columns_of(list(next(iter(rows.values()))[0]))
    sampled = {method: sample(table(each, columns.names), columns, seed) for method, each in rows.items()}
    for method, each in sampled.items():
        report["methods"][method] = _method(assessment, method, each, columns)
    for first, second in combinations(sampled, 2):
        report["paired"][f"{first} - {second}"] = compare(sampled[first], sampled[second], columns, seed)
    report["types"] = _types(assessment, sampled, columns)
    return report | {"resampling": {"questions": len(cases), "resamples": RESAMPLES, "level": LEVEL, "seed": seed}}


def add_measures(report: dict[str, Any], besides: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """Return a report with what else is measured of some methods, of their answers for example."""
    methods: dict[str, dict[str, Any]] = dict(report["methods"])
    for name, measured in besides.items():
        own = methods.get(name, {})
        ci = own.get("ci", {}) | measured.get("ci", {})
        methods[name] = own | measured | ({"ci": ci} if ci else {})
    return report | {"methods": methods}


def of_rankings(report: dict[str, Any]) -> dict[str, Any]:
    """Return a report without the methods of which no ranking is measured, since no question has gold."""
    return report | {"methods": {name: own for name, own in report["methods"].items() if "gold" in own}}


def _method(assessment: Assessment, method: str, sampled: Sampled, columns: Columns) -> dict[str, Any]:
    low, high = interval(sampled.resampled)
    ends = zip(columns.averaged, low.tolist(), high.tolist(), strict=True)
    outcomes = assessment.outcomes[method]
    return {
        **named(sampled.means, columns),
        "ci": {name: [round(below, 6), round(above, 6)] for name, below, above in ends},
        "gold": count_fates(assessment.cases, outcomes, max(assessment.ks)),
    } | _seconds(outcomes)


def _seconds(outcomes: Sequence[Outcome]) -> dict[str, dict[str, float]]:
    seconds = [each.seconds for each in outcomes if each.seconds is not None]
    if not seconds:
        return {}
    parts = (("p50", 50), ("p95", 95))
    return {"seconds": {name: round(float(np.percentile(seconds, part)), 6) for name, part in parts}}


def _types(assessment: Assessment, sampled: dict[str, Sampled], columns: Columns) -> dict[str, Any]:
    """Average over the questions of each type, where the file tells types."""
    types = [case.question.type for case in assessment.cases]
    by_type = {}
    for kind in sorted({each for each in types if each is not None}):
        indices = [index for index, each in enumerate(types) if each == kind]
        methods = {
            method: named(averages(each.values[indices].mean(0), columns), columns) for method, each in sampled.items()
        }
        by_type[kind] = {"questions": len(indices), "methods": methods}
    return by_type
