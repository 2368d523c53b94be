"""The main job on the fixtures: build, look, search, evaluate."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from typing import Any

from builder.build import build
from builder.request import Request
from interfaces.asking import print_hits, search_once
from interfaces.building import summary_of
from interfaces.evaluating import METHODS, print_report, warn_of_seen
from interfaces.output import print_json, progress_bars, say
from retriever.context import Context
from retriever.evaluate import evaluate
from retriever.questions import read_questions
from retriever.search import Searcher
from weft.shipped import shipped
from weft.skb import Skb

CUT_OFFS = [1, 2, 5]


def run_demo(output: Path | None, as_json: bool) -> None:
    """Build the fixtures' SKB, search it with one of their questions, and evaluate on all of them."""
    start = time.perf_counter()
    fixtures = shipped("fixtures")
    questions = read_questions(fixtures / "questions.jsonl")
    with tempfile.TemporaryDirectory() as folder:
        path = output or Path(folder) / "demo.skb"
        with progress_bars() as progress:
            request = Request((str(fixtures / "encyclopedia"),), path, rdf=(str(fixtures / "facts.nt"),))
            summary = build(request, progress)
        with Skb(path) as skb:
            asked = next(each.question for each in questions if each.type == "multi")
            searchers = [Searcher(Context(skb), method, "chunk", os.environ.get("WEFT_FUSION")) for method in METHODS]
            answer = search_once(searchers[0], asked, 3)
            methods = {str(searcher.method): searcher.rank for searcher in searchers}
            report = evaluate(skb, questions, methods, CUT_OFFS, "chunk")
            warn_of_seen(searchers, fixtures / "questions.jsonl", questions)
    seconds = time.perf_counter() - start
    if as_json:
        print_json({"counts": summary.counts, "search": answer, "evaluation": report, "seconds": round(seconds, 3)})
    else:
        _print(summary.counts, answer, report, seconds)


def _print(counts: dict[str, int], answer: dict[str, Any], report: dict[str, Any], seconds: float) -> None:
    say(f"built from fixtures: {summary_of(counts)}")
    say()
    say(f"Q: {answer['question']}")
    print_hits(answer)
    say()
    print_report(report, CUT_OFFS)
    say()
    say(f"done in {seconds:.1f} s")
