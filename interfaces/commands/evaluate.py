"""The command that evaluates methods on a question file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interfaces.commands.llm import chat_for, model_options, print_estimate
from interfaces.commands.search import check_fusion, fusion_for, fusion_option, unit_option
from interfaces.output import counted, json_option, print_json, progress_bars, say, skb_argument, valid_text, warn
from weft.errors import WeftError

if TYPE_CHECKING:
    from retriever.datasets.question_files import Question
    from retriever.datasets.trec import Run
    from retriever.evaluation.outcomes import Assessment, Rank
    from retriever.evaluation.report.compare import Records
    from retriever.question.filters import Filters
    from retriever.session import Session
    from retriever.types import Unit
    from weft.skb import Skb

METHODS = ("hybrid", "vector", "bm25")

folder = click.Path(path_type=Path)


@click.command(epilog="""\b
Examples:
  weft evaluate kb.skb questions.jsonl --at 1,5,10
  weft evaluate kb.skb questions.jsonl -m vector -o new --compare old
  weft evaluate kb.skb questions.jsonl --run others.run""")
@skb_argument
@click.argument("questions", type=folder)
@click.option("-m", "--method", "methods", multiple=True,
              help=f"A method; may be given more than once.  [default: {', '.join(METHODS)}; none with --run]")
@click.option("--run", "runs", multiple=True, type=folder, help="A TREC run of others; may be given more than once.")
@click.option("--at", default="1,2,5", show_default=True, help="The cut-offs k.")
@unit_option
@fusion_option
@model_options
@click.option("-o", "--output", type=folder, help="Write a report into this folder: Markdown, plots, TREC, BEIR.")
@click.option("--compare", type=folder, help="The folder of an earlier report, to tell what was won and lost since.")
@click.option("--type", "types", multiple=True, callback=valid_text, help="Rank only pages, or entities, of this type.")
@click.option("--answers", is_flag=True, help="Score the answers that weft ask gives by each method too.")
@click.option("--errors", is_flag=True, help="Tell where focused retrieval loses its questions.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0), help="Of resampling.")
@json_option
def evaluate(
    skb: Path, questions: Path, methods: tuple[str, ...], runs: tuple[Path, ...], at: str, unit: str,
    fusion: str | None, output: Path | None, compare: Path | None, types: tuple[str, ...], answers: bool, errors: bool,
    seed: int, as_json: bool, dry_run: bool, **model: Any,
) -> None:  # fmt: skip
    """Score methods on a question file: precision, recall, hit, coverage, nDCG, MAP and MRR.

    QUESTIONS is a question file, or a folder in BEIR's layout.
    """
    from interfaces.api.evaluating import judged, read
    from retriever.context import Context
    from retriever.datasets.gold import unit_of
    from retriever.evaluation.ahead import ask_ahead
    from retriever.evaluation.report.compare import read_earlier
    from retriever.evaluation.report.folder import check_output
    from retriever.question.filters import Filters
    from retriever.session import Session
    from weft.overwriting import check_overwriting
    from weft.skb import Skb

    ks = _cut_offs(at)
    earlier = None if compare is None else read_earlier(compare)
    if output is not None:
        check_output(output)
        check_overwriting(output, [skb, questions, *runs])
    filters = Filters(types)
    chat = chat_for(methods, dry_run=dry_run, **model)
    with Skb(skb) as opened, Session(Context(opened), chat) as session:
        asked = read(questions, opened)
        chosen: Unit = unit_of(asked, opened) if unit == "auto" else unit  # type: ignore[assignment]
        rankers = rankers_of(session, methods or (() if runs else METHODS), chosen, fusion, questions, asked, filters)
        if dry_run:
            for question in judged(asked):
                for rank in rankers.values():
                    rank(question, ks[-1])
            if answers:
                _answered(session, methods or METHODS, chosen, fusion, asked, seed, filters)
            print_estimate(chat, as_json)
            return
        if chat is not None:
            ask_ahead(session.context, chat, list(rankers), chosen, judged(asked), ks[-1], filters)
        lost = _lost(session, methods or METHODS, chosen, asked, filters) if errors else {}
        told = _answered(session, methods or METHODS, chosen, fusion, asked, seed, filters) if answers else {}
        assessment = _assess(opened, asked, rankers, _runs(runs, asked), ks, chosen)
        report = _report(opened, assessment, seed, earlier, output)
        for name, measured in told.items():
            own = report["methods"].setdefault(name, {})
            own |= measured | {"ci": own.get("ci", {}) | measured["ci"]}
        for name, stages in lost.items():
            report["methods"].setdefault(name, {})["errors"] = stages
    if as_json:
        print_json(report)
        return
    print_report(report, ks)
    print_answers(told)
    print_errors(lost)


def _report(
    skb: Skb, assessment: Assessment, seed: int, earlier: Mapping[str, Records] | None, output: Path | None
) -> dict[str, Any]:
    """Return the report, and write its folder where one is asked for, a progress bar for each step."""
    from retriever.evaluation.report.folder import full_report, write_report
    from retriever.evaluation.report.summary import summarise

    if output is None and earlier is None:
        return summarise(assessment, seed)
    has_plots = True
    with progress_bars() as progress:
        report, records = full_report(assessment, seed, earlier, progress.stage)
        if output is not None:
            has_plots = write_report(output, skb, assessment, report, records, progress.stage)
    if not has_plots:
        warn("the report has no plots: they need matplotlib (pip install 'weft[plots]')")
    return report


def _runs(paths: Sequence[Path], questions: Sequence[Question]) -> dict[str, Run]:
    from retriever.datasets.trec import read_run

    runs: dict[str, Run] = {}
    for path in paths:
        if path.name in runs:
            raise WeftError(f"{path}: another run has the name {path.name}; rename one of the files")
        runs[path.name] = read_run(path, [question.id for question in questions])
    return runs


def rankers_of(
    session: Session, methods: Sequence[str], unit: Unit, fusion: str | None, path: Path, questions: Sequence[Question],
    filters: Filters,
) -> dict[str, Rank]:  # fmt: skip
    """Return what ranks by each method, by the method's name; warn of what a fusion leaves out or knows already."""
    from interfaces.api.evaluating import warnings_of
    from retriever.searcher import Searcher

    check_fusion(methods, unit, fusion)
    searchers = [Searcher(session, method, unit, fusion_for(method, fusion), filters) for method in methods]
    for line in warnings_of(searchers, path, questions):
        warn(line)
    return {str(searcher.method): searcher.rank_anew for searcher in searchers}


def _answered(
    session: Session, methods: Sequence[str], unit: Unit, fusion: str | None, questions: Sequence[Question], seed: int,
    filters: Filters,
) -> dict[str, dict[str, Any]]:  # fmt: skip
    """Return the measures of the answers by each method, by the method's name."""
    from tqdm import tqdm

    from retriever.evaluation.answers import evaluate_answers, judged
    from retriever.searcher import Searcher

    searchers = [Searcher(session, method, unit, fusion_for(method, fusion), filters) for method in methods]
    with tqdm(total=len(judged(questions)) * len(searchers), unit="q", disable=None, leave=False) as bar:
        return {str(each.method): evaluate_answers(each, questions, seed, bar.update) for each in searchers}


def _lost(
    session: Session, methods: Sequence[str], unit: Unit, questions: Sequence[Question], filters: Filters
) -> dict[str, dict[str, Any]]:
    """Return where each method loses its questions, by the method's name."""
    from tqdm import tqdm

    from retriever.evaluation.errors import error_report
    from retriever.searcher import Searcher

    searchers = [Searcher(session, method, unit, None, filters) for method in methods]
    n_judged = sum(bool(question.gold) for question in questions)
    with tqdm(total=n_judged * len(searchers), unit="q", disable=None, leave=False) as bar:
        return {str(each.method): error_report(each, questions, bar.update) for each in searchers}


def print_errors(lost: dict[str, dict[str, Any]]) -> None:
    """Print where each method loses its questions, a line for each stage."""
    for method, report in lost.items():
        say(f"{method}: {counted(report['questions'], 'question')}")
        for name, stage in report.items():
            if name != "questions":
                also = f", of these {stage['lost_and_ranked']:,} ranked all the same" if stage["lost"] else ""
                say(f"  {name.ljust(10)}{stage['reached']:>8,}    lost {stage['lost']:,}{also}")


def print_answers(answers: dict[str, dict[str, Any]]) -> None:
    """Print the measures of answers for people, a line for each method."""
    if not answers:
        return
    names = [name for name in next(iter(answers.values())) if name != "ci"]
    width = max(16, *(len(method) + 2 for method in answers))
    say("answers by".ljust(width) + "".join(name.rjust(22) for name in names))
    for method, measured in answers.items():
        say(method.ljust(width) + "".join(f"{measured[name]:.3f}".rjust(22) for name in names))


def _assess(
    skb: Skb, questions: Sequence[Question], rankers: dict[str, Rank], runs: dict[str, Run], ks: list[int], unit: Unit
) -> Assessment:
    from tqdm import tqdm

    from retriever.evaluation.outcomes import assess

    for name in sorted(set(rankers) & set(runs)):
        raise WeftError(f"{name}: is a method and a run; rename the run's file")
    n_judged = sum(bool(question.gold) for question in questions)
    with tqdm(total=n_judged * len(rankers), unit="q", disable=None, leave=False) as bar:
        assessment = assess(skb, questions, rankers, ks, unit, runs, bar.update)
    for name in runs:
        if doubts := _doubts(assessment, name):
            warn(f"{name}: {doubts}")
    return assessment


def _doubts(assessment: Assessment, run: str) -> str:
    """Tell what of a run counts for nothing: questions that it does not rank, documents that are not in the SKB."""
    outcomes = assessment.outcomes[run]
    n_empty = sum(not found.names for found in outcomes)
    n_unknown = sum(found.n_unknown for found in outcomes)
    asked = counted(len(outcomes), "question")
    doubts = [f"no hits for {n_empty:,} of {asked}, which counts as zero"] if n_empty else []
    return "; ".join([*doubts, *([f"{counted(n_unknown, 'hit')} not in the SKB"] if n_unknown else [])])


def _cut_offs(at: str) -> list[int]:
    try:
        ks = sorted({int(part) for part in at.split(",")})
    except ValueError as error:
        raise WeftError(f"--at {at}: must be whole numbers with commas between, such as 1,5,10") from error
    if not ks or ks[0] < 1:
        raise WeftError(f"--at {at}: a cut-off must be at least 1")
    return ks


def print_report(report: dict[str, Any], ks: list[int]) -> None:
    """Print an evaluation for people, a line for each method and for each pair of methods."""
    say(f"{counted(report['questions'], 'question')}, {report['unjudged']:,} unjudged, "
        f"{counted(report['unresolved'], 'gold item')} not in the SKB, unit {report['unit']}")
    if not report["methods"]:
        say("no question has gold, so there is nothing to measure")
        return
    names = [f"recall@{k}" for k in ks] + [f"ndcg@{ks[-1]}", "mrr", "map"]
    width = max(16, *(len(method) + 2 for method in report["methods"]))
    say("method".ljust(width) + "".join(name.rjust(12) for name in names) + "p50 ms".rjust(10))
    for method, measured in report["methods"].items():
        cells = "".join(f"{measured[name]:.3f}".rjust(12) for name in names)
        seconds = f"{measured['seconds']['p50'] * 1000:.1f}" if "seconds" in measured else "-"
        say(method.ljust(width) + cells + seconds.rjust(10))
    name = f"recall@{ks[-1]}"
    for pair, entry in report["paired"].items():
        say(f"{pair}: {name} {_difference(entry[name])}")
    for method, own in report.get("compare", {}).items():
        say(f"{method} against the earlier report, {counted(own['questions'], 'question')}: {len(own['won']):,} won,"
            f" {len(own['lost']):,} lost, {own['by']} {_difference(own['measures'][own['by']])}")


def _difference(entry: dict[str, float]) -> str:
    return f"{entry['difference']:+.3f} [{entry['low']:+.3f}, {entry['high']:+.3f}], p {entry['p']:.4f}"


COMMANDS = (evaluate,)
