"""Evaluate methods on a question file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from retriever.datasets.gold import unit_of
from retriever.datasets.question_files import Question
from retriever.datasets.trec import Run
from retriever.evaluation.outcomes import Rank, assess
from retriever.evaluation.report.summary import summarise
from retriever.types import Unit
from weft.skb import Skb


def evaluate(
    skb: Skb,
    questions: Sequence[Question],
    methods: Mapping[str, Rank],
    ks: Sequence[int],
    unit: Unit | None = None,
    advance: Callable[[int], None] = lambda n: None,
    *,
    runs: Mapping[str, Run] | None = None,
    seed: int = 0,
) -> dict[str, Any]:
    """Return the measures of each method, averaged over the questions that have gold, with 95% intervals.

    Questions without gold are `unjudged` and left out; questions with gold and
    no hit count as zero; gold items that resolve to nothing are counted as
    `unresolved` and missed. `runs` are rankings that others made. Where no
    question has gold, `methods` is empty.
    """
    return summarise(assess(skb, questions, methods, ks, unit or unit_of(questions, skb), runs, advance), seed)
