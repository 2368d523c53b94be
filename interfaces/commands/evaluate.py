"""The command that evaluates methods on a question file."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interfaces.commands.evaluation_text import print_answers, print_errors, print_report
from interfaces.commands.llm import chat_for, model_options, print_estimate
from interfaces.commands.search import check_fusion, fusion_for, fusion_option, unit_option
from interfaces.output import counted, json_option, print_json, progress_bars, skb_argument, valid_text, warn
from weft.errors import ModelError, WeftError

if TYPE_CHECKING:
    from retriever.datasets.question_files import Question
    from retriever.datasets.trec import Run
    from retriever.evaluation.asking import Refused
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
  weft evaluate kb.skb questions.jsonl --split test
  weft evaluate kb.skb questions.jsonl -m vector -o new --compare old
  weft evaluate kb.skb questions.jsonl --run others.run""")
@skb_argument
@click.argument("questions", type=folder)
@click.option("-m", "--method", "methods", multiple=True,
              help=f"A method; may be given more than once.  [default: {', '.join(METHODS)}; none with --run]")
@click.option("--run", "runs", multiple=True, type=folder, help="A TREC run of others; may be given more than once.")
@click.option("--split", callback=valid_text, help="Only the questions of this split, such as test.")
@click.option("--at", default="1,2,5", show_default=True, help="The cut-offs k.")
@unit_option
@fusion_option
@model_options
@click.option("-o", "--output", type=folder, help="Write a report into this folder: Markdown, plots, TREC, BEIR.")
@click.option("--compare", type=folder, help="The folder of an earlier report, to tell what was won and lost since.")
@click.option("--type", "types", multiple=True, callback=valid_text, help="Rank only pages, or entities, of this type.")
@click.option("--answers", is_flag=True, help="Score the answers that weft ask gives by each method too.")
@click.option("--errors", is_flag=True, help="Tell at which stage each method loses its questions.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0), help="Seed of the bootstrap.")
@json_option
def evaluate(
    skb: Path, questions: Path, methods: tuple[str, ...], runs: tuple[Path, ...], split: str | None,
    at: str, unit: str, fusion: str | None, output: Path | None, compare: Path | None, types: tuple[str, ...],
    answers: bool, errors: bool, seed: int, as_json: bool, dry_run: bool, **model: Any,
) -> None:  # fmt: skip
    """Score methods on a question file: precision, recall, hit, coverage, nDCG, MAP and MRR.

    QUESTIONS is a question file, or a folder in BEIR's layout.
    """
    from interfaces.api.evaluating import judged, read, told_of_lost
    from retriever.context import Context
    from retriever.datasets.gold import check_gold, unit_of
    from retriever.datasets.splits import of_split
    from retriever.evaluation.asking import rank_ahead, without_refused
    from retriever.evaluation.report.compare import check_common, read_earlier
    from retriever.evaluation.report.folder import check_output
    from retriever.question.filters import Filters
    from retriever.session import Session
    from weft.overwriting import check_overwriting
    from weft.skb import Skb

    ks = _cut_offs(at)
    if runs and not methods and (answers or errors):
        raise click.UsageError("--answers and --errors measure methods, and a run is none; name a method with -m")
    earlier = None if compare is None else read_earlier(compare)
    if output is not None:
        check_output(output)
        check_overwriting(output, [skb, questions, *runs])
    filters = Filters(types)
    chat = chat_for(methods, dry_run=dry_run, **model)
    with Skb(skb) as opened, Session(Context(opened), chat) as session:
        asked = read(questions, opened) if split is None else of_split(read(questions, opened), split)
        chosen: Unit = unit_of(asked, opened) if unit == "auto" else unit  # type: ignore[assignment]
        rankers = rankers_of(session, methods or (() if runs else METHODS), chosen, fusion, questions, asked, filters)
        given = _runs(runs, asked, rankers)
        if rankers and not answers:
            check_gold(asked, opened, chosen)
        if earlier is not None:
            check_common(earlier, [*rankers, *given], asked)
        if dry_run:
            _rank_all(rankers, judged(asked), ks[-1])
            if answers:
                _answered(session, methods or METHODS, chosen, fusion, asked, seed, filters)
            print_estimate(chat, as_json)
            return
        refused: dict[str, Refused] = {}
        if chat is not None:
            refused = rank_ahead(session.context, chat, list(rankers), chosen, judged(asked), ks[-1], filters)
            rankers |= {name: without_refused(rankers[name], chosen, each) for name, each in refused.items()}
        lost = _lost(session, methods or METHODS, chosen, fusion, asked, filters, refused) if errors else {}
        told = _answered(session, methods or METHODS, chosen, fusion, asked, seed, filters) if answers else {}
        assessment = _assess(opened, asked, rankers, given, ks, chosen)
        for line in told_of_lost(assessment):
            warn(line)
        for name, each in refused.items():
            _warn_of_refused(name, list(each.values()), "without hits")
        report = _report(opened, assessment, seed, earlier, output, _joined(told, lost))
    if as_json:
        print_json(report)
        return
    print_report(report, ks)
    print_answers(told)
    print_errors(lost)


def _rank_all(rankers: Mapping[str, Rank], questions: Sequence[str], k: int) -> None:
    """Ask every method every question, for what that would ask a model."""
    for question in questions:
        for rank in rankers.values():
            rank(question, k)


def _joined(told: Mapping[str, dict[str, Any]], lost: Mapping[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return what is measured of methods besides their rankings: of their answers, and where they lose questions."""
    stages = {name: {"errors": each} for name, each in lost.items()}
    return {name: {**told.get(name, {}), **stages.get(name, {})} for name in dict.fromkeys([*told, *stages])}


def _report(
    skb: Skb, assessment: Assessment, seed: int, earlier: Mapping[str, Records] | None, output: Path | None,
    besides: Mapping[str, dict[str, Any]],
) -> dict[str, Any]:  # fmt: skip
    """Return the report, and write its folder where one is asked for, a progress bar for each step."""
    from retriever.evaluation.report.folder import full_report, write_report
    from retriever.evaluation.report.summary import add_measures, summarise

    if output is None and earlier is None:
        return add_measures(summarise(assessment, seed), besides)
    has_plots = True
    with progress_bars() as progress:
        report, records = full_report(assessment, seed, earlier, progress.stage)
        report = add_measures(report, besides)
        if output is not None:
            has_plots = write_report(output, skb, assessment, report, records, progress.stage)
    if not has_plots:
        warn("the report has no plots: they need matplotlib (pip install 'weft[plots]')")
    return report


def _runs(paths: Sequence[Path], questions: Sequence[Question], methods: Collection[str]) -> dict[str, Run]:
    from retriever.datasets.trec import read_run

    runs: dict[str, Run] = {}
    for path in paths:
        if path.name in runs:
            raise WeftError(f"{path}: another run has the name {path.name}; rename one of the files")
        if path.name in methods:
            raise WeftError(f"{path.name}: is a method and a run; rename the run's file")
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

    made = [Searcher(session, method, unit, fusion_for(method, fusion), filters) for method in methods]
    searchers = {str(each.method): each for each in made}
    refused: dict[str, list[ModelError]] = {name: [] for name in searchers}
    with tqdm(total=len(judged(questions)) * len(searchers), unit="q", disable=None, leave=False) as bar:
        told = {
            name: evaluate_answers(each, questions, seed, bar.update, refused[name].append)
            for name, each in searchers.items()
        }
    for name, errors in refused.items():
        _warn_of_refused(name, errors, "without an answer")
    return told


def _warn_of_refused(method: str, refused: Sequence[ModelError], how: str) -> None:
    from interfaces.api.evaluating import told_of_refused

    if refused:
        warn(told_of_refused(method, refused, how))


def _lost(
    session: Session, methods: Sequence[str], unit: Unit, fusion: str | None, questions: Sequence[Question],
    filters: Filters, refused: Mapping[str, Refused],
) -> dict[str, dict[str, Any]]:  # fmt: skip
    """Return where each method loses its questions, by the method's name; those that a model refuses are left out."""
    from tqdm import tqdm

    from retriever.evaluation.errors import error_report
    from retriever.searcher import Searcher

    searchers = [Searcher(session, method, unit, fusion_for(method, fusion), filters) for method in methods]
    def asked(method: str) -> list[Question]:
        return [each for each in questions if each.gold and each.question not in refused.get(method, {})]

    n_asked = sum(len(asked(str(each.method))) for each in searchers)
    with tqdm(total=n_asked, unit="q", disable=None, leave=False) as bar:
        return {str(each.method): error_report(each, asked(str(each.method)), bar.update) for each in searchers}


def _assess(
    skb: Skb, questions: Sequence[Question], rankers: dict[str, Rank], runs: dict[str, Run], ks: list[int], unit: Unit
) -> Assessment:
    from tqdm import tqdm

    from retriever.evaluation.outcomes import assess

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


COMMANDS = (evaluate,)
