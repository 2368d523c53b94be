"""Where a method loses its questions, stage by stage, each after those before it.

What is counted stands in the trace and in the ranking's column `relations`, so that no method is asked for more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from retriever.datasets.gold import GoldResolver
from retriever.datasets.question_files import Question
from retriever.evaluation.outcomes import POOL
from retriever.searcher import Searcher
from retriever.types import Ranking, Step

DEPTH = 20
COLUMN = "relations"
MEANT = ("plan", "grounding")
"""The steps that tell what a question was taken for: by the planner, and by a pattern."""


class Stage(NamedTuple):
    """How many questions reach a stage, how many that reached all before do not, and of these how many are `ranked`."""

    reached: int
    lost: int
    lost_and_ranked: int


def error_report(
    searcher: Searcher, questions: Sequence[Question], advance: Callable[[int], Any] = lambda n: None
) -> dict[str, Any]:
    """Return how many questions with gold there are, and for each stage that they reach a `Stage` as a dict.

    - `in SKB`: something of the gold is in the SKB;
    - `in pool`: a gold unit is among all that the method returns;
    - `ranked`, `first`: a gold unit is among the first `DEPTH` hits, and is the first.

    Of a method that finds nodes by relations, the first two are these instead:

    - `linked`: a node has a name that is in the question, or in the query that a language model wrote;
    - `parsed`: a path, or a pattern with triplets that are linked with its target, is taken for what the
      question means; with a language model this comes first;
    - `grounded`: some node fits it;
    - `in scope`: a gold node is among those that fit.
    """
    resolver = GoldResolver(searcher.session.skb, searcher.unit)
    judged = [question for question in questions if question.gold]
    rows = []
    for question in judged:
        gold = {each for item in resolver.gold_set(question).items for each in item}
        rows.append(_reached(searcher, question.question, gold))
        advance(1)
    return {"questions": len(judged), **{name: stage._asdict() for name, stage in _stages(rows).items()}}


def _reached(searcher: Searcher, question: str, gold: Iterable[int]) -> dict[str, bool]:
    """Return which stages a question reaches, whatever it does at others."""
    found = searcher.rank_anew(question, DEPTH)
    steps = {step.name: step for step in searcher.session.trace.steps if step.name in ("question", *MEANT)}
    meant = next((steps[name] for name in MEANT if name in steps), None)
    is_gold = np.isin(found.ids, list(gold))
    if COLUMN not in found.columns or meant is None:
        pool = searcher.rank(question, POOL)
        before = {"in SKB": bool(gold), "in pool": bool(np.isin(pool.ids, list(gold)).any())}
    else:
        fitting = int(meant.detail["nodes"])
        before = _meant(steps, meant) | {
            "grounded": fitting > 0,
            "in scope": fitting > 0 and _in_scope(searcher.rank(question, DEPTH + fitting), gold),
        }
    return before | {"ranked": bool(is_gold.any()), "first": bool(is_gold[:1].any())}


def _meant(steps: Mapping[str, Step], meant: Step) -> dict[str, bool]:
    """Return whether a name of a question is a node's, and whether it is taken to mean anything, in their order."""
    if meant.name == "plan":
        return {"linked": bool(steps["question"].detail["mentions"]), "parsed": bool(meant.detail["paths"])}
    return {"parsed": meant.detail["connected"] > 0, "linked": meant.detail["named"] > 0}


def _in_scope(found: Ranking, gold: Iterable[int]) -> bool:
    by_relations = found.features[:, found.columns.index(COLUMN)] > 0
    return bool(np.isin(found.ids[by_relations], list(gold)).any())


def _stages(rows: Sequence[Mapping[str, bool]]) -> dict[str, Stage]:
    ranked = np.array([row["ranked"] for row in rows], np.bool_)
    all_before = np.ones(len(rows), np.bool_)
    stages = {}
    for name in rows[0] if rows else ():
        reached = np.array([row[name] for row in rows], np.bool_)
        lost = all_before & ~reached
        all_before &= reached
        stages[name] = Stage(int(all_before.sum()), int(lost.sum()), int((lost & ranked).sum()))
    return stages
