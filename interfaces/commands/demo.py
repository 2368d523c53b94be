"""`weft demo`: the main job on the fixtures, build, look, search, evaluate."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interfaces.commands.build import summary_of
from interfaces.commands.evaluate import METHODS
from interfaces.commands.evaluation_text import print_report
from interfaces.commands.search import print_hits, search_once
from interfaces.output import json_option, print_json, progress_bars, say, warn

if TYPE_CHECKING:
    from retriever.datasets.question_files import Question

CUT_OFFS = [1, 2, 5]


@click.command()
@click.option("-o", "--output", default=None, type=click.Path(path_type=Path), help="Keep the SKB in a new file.")
@json_option
def demo(output: Path | None, as_json: bool) -> None:
    """Build from the invented world of the fixtures, search and evaluate: the main job in one command."""
    from builder.build import build
    from builder.request import Request
    from retriever.datasets.question_files import read_questions
    from weft.overwriting import check_overwriting
    from weft.package_data import shipped

    if output is not None:
        check_overwriting(output)
    start = time.perf_counter()
    fixtures = shipped("fixtures")
    with tempfile.TemporaryDirectory() as folder:
        path = output or Path(folder) / "demo.skb"
        with progress_bars() as progress:
            request = Request((str(fixtures / "encyclopedia"),), path, rdf=(str(fixtures / "facts.nt"),))
            summary = build(request, progress)
        answer, report = _ask(path, fixtures / "questions.jsonl", read_questions(fixtures / "questions.jsonl"))
    seconds = time.perf_counter() - start
    if as_json:
        print_json({"counts": summary.counts, "search": answer, "evaluation": report, "seconds": round(seconds, 3)})
    else:
        _print(summary.counts, answer, report, seconds)


def _ask(path: Path, file: Path, questions: list[Question]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a search with one of the questions, and the evaluation of the methods on all of them."""
    from interfaces.api.evaluating import seen_before
    from retriever.context import Context
    from retriever.evaluation.run import evaluate
    from retriever.searcher import Searcher
    from retriever.session import Session
    from weft.skb import Skb

    with Skb(path) as skb, Session(Context(skb)) as session:
        asked = next(each.question for each in questions if each.type == "multi")
        searchers = [Searcher(session, method, "chunk", os.environ.get("WEFT_FUSION")) for method in METHODS]
        answer = search_once(searchers[0], asked, 3)
        methods = {str(searcher.method): searcher.rank_anew for searcher in searchers}
        report = evaluate(skb, questions, methods, CUT_OFFS, "chunk")
        for line in seen_before(searchers, file, questions):
            warn(line)
    return answer, report


def _print(counts: dict[str, int], answer: dict[str, Any], report: dict[str, Any], seconds: float) -> None:
    say(f"built from fixtures: {summary_of(counts)}")
    say()
    say(f"Q: {answer['question']}")
    print_hits(answer)
    say()
    print_report(report, CUT_OFFS)
    say()
    say(f"done in {seconds:.1f} s")


COMMANDS = (demo,)
