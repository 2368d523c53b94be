"""Explanations: what each reason adds to a hit's score, and the evidence behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from retriever.explain.attribution import ABOUT
from retriever.searcher import Searcher
from retriever.types import Attribution, Evidence, Ranking, Step

REST = "the rest: what is not shown, what reasons do together, and where scores begin"
LEAST_REST = 0.002
"""A rest of no more than this share of the score is due to rounding."""


def explain(searcher: Searcher, question: str, found: Ranking) -> list[tuple[Attribution, ...]]:
    """Return each hit's reasons, those that add most first.

    In a fusion a reason adds the score less what it would be with the reason's
    columns at their mean over the candidates; these work together, so the sum
    need not be the score (`why` tells the rest). A signal that ranks alone adds all of it.
    """
    timer = searcher.session.trace.timer()
    explained = searcher.ranker.reasons(searcher.session, searcher.query(question), found)
    step = Step("explain", timer.seconds(), detail={"hits": len(explained)})
    searcher.session.trace.add(step)
    return explained


def why(reasons: Sequence[Attribution], uri: str, score: float | None = None) -> list[dict[str, Any]]:
    """Return the reasons of the hit with a uri as rows, one for each piece of evidence, for JSON.

    A row has `steps` where its evidence is a path. With the hit's `score` the last row is what the reasons leave of
    it, if anything: the contributions of all reasons add up to the score then.
    """
    rows: list[dict[str, Any]] = []
    left = 0.0 if score is None else score - sum(each.contribution for each in reasons)
    if score is not None and reasons and abs(left) > LEAST_REST * abs(score):
        reasons = (*reasons, Attribution("rest", left, (Evidence("rest", "rest", uri, REST, 0.0),)))
    for name, contribution, evidence in reasons:
        for each in evidence or (Evidence(name, "against", uri, ABOUT[name], 0.0),):
            row = each._asdict() | {"signal": name, "contribution": round(contribution, 4)}
            if not row.pop("steps"):
                rows.append(row | {"score": float(f"{each.score:.6g}")})
            else:
                rows.append(row | {"score": float(f"{each.score:.6g}"), "steps": list(each.steps)})
    return rows
