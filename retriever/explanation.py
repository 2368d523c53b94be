"""Explanations: what each reason adds to a hit's score, and the evidence behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from retriever.explain.attribution import ABOUT
from retriever.searcher import Searcher
from retriever.types import Attribution, Evidence, Ranking, Step


def explain(searcher: Searcher, question: str, found: Ranking) -> list[tuple[Attribution, ...]]:
    """Return each hit's reasons, those that add most first.

    In a fusion a reason adds the score less what it would be with the reason's
    columns at their mean over the candidates; these work together, so the sum
    need not be the score. A signal that ranks alone adds all of it.
    """
    timer = searcher.session.trace.timer()
    explained = searcher.ranker.reasons(searcher.session, searcher.query(question), found)
    step = Step("explain", timer.seconds(), detail={"hits": len(explained)})
    searcher.session.trace.add(step)
    return explained


def why(reasons: Sequence[Attribution], uri: str) -> list[dict[str, Any]]:
    """Return the reasons of the hit with a uri as rows, one for each piece of evidence, for JSON.

    A row has `steps` where its evidence is a path.
    """
    rows = []
    for name, contribution, evidence in reasons:
        for each in evidence or (Evidence(name, "against", uri, ABOUT[name], 0.0),):
            row = each._asdict() | {"signal": name, "contribution": round(contribution, 4)}
            if not row.pop("steps"):
                rows.append(row | {"score": float(f"{each.score:.6g}")})
            else:
                rows.append(row | {"score": float(f"{each.score:.6g}"), "steps": list(each.steps)})
    return rows
