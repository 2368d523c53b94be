"""The folder of a report: figures for programs and people, and files that other tools score.

report.json, report.md, per_question.jsonl, trec/qrels, trec/run.METHOD,
beir/{corpus,queries}.jsonl, beir/qrels/test.tsv, plots/*.png. It is there
complete or not at all: written beside its path and renamed at the end.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from retriever.datasets.trec import qrels_lines, run_lines
from retriever.evaluation.beir import write_beir
from retriever.evaluation.outcomes import Assessment
from retriever.evaluation.report.compare import Records, against
from retriever.evaluation.report.curves import recall_over_k
from retriever.evaluation.report.importances import importances
from retriever.evaluation.report.markdown import markdown
from retriever.evaluation.report.plots import can_plot, write_plots
from retriever.evaluation.report.records import records_of
from retriever.evaluation.report.summary import of_rankings, summarise
from weft.output_file import replacing_folder, wrapped_errors
from weft.overwriting import check_folder
from weft.skb import Skb

NAMES = {"report.json", "report.md", "per_question.jsonl", "trec", "beir", "plots"}


Tell = Callable[[str], object]
"""Is called with the name of each step of a report as it begins."""


def say_nothing(step: str) -> None:
    """Do nothing with the name of a step."""


def check_output(path: Path) -> None:
    """Raise WeftError where a report cannot be written, or would take something else away."""
    check_folder(path, NAMES, "a report")


def full_report(
    assessment: Assessment, seed: int = 0, earlier: Mapping[str, Records] | None = None, tell: Tell = say_nothing
) -> tuple[dict[str, Any], dict[str, Records]]:
    """Return the report with all that its folder tells, and the records of the questions by method."""
    tell("figures")
    report = summarise(assessment, seed)
    records: dict[str, Records] = {name: list(records_of(assessment, name)) for name in assessment.outcomes}
    if report["methods"]:
        each = assessment.outcomes.items()
        report["recall_over_k"] = {name: recall_over_k(assessment.cases, found) for name, found in each}
        report["importances"] = {}
        for name, found in each:
            tell(f"importances of {name}")
            if by_feature := importances(assessment.cases, found, seed):
                report["importances"][name] = by_feature
    if earlier is not None and report["methods"]:
        report["compare"] = against(earlier, records, seed)
    return report, records


def write_report(
    path: Path, skb: Skb, assessment: Assessment, report: dict[str, Any], records: dict[str, Records],
    tell: Tell = say_nothing,
) -> bool:  # fmt: skip
    """Write a report's folder, in place of an earlier one; tell whether it has plots, which need matplotlib."""
    check_output(path)
    with wrapped_errors(path), replacing_folder(path) as folder:
        _write_files(folder, skb, assessment, report, records, tell)
    return can_plot()


def _write_files(
    folder: Path, skb: Skb, assessment: Assessment, report: dict[str, Any], records: dict[str, Records], tell: Tell
) -> None:
    tell("report.json")
    (folder / "report.json").write_text(_json(report, indent=1) + "\n", encoding="utf-8")
    with (folder / "per_question.jsonl").open("w", encoding="utf-8", newline="") as lines:
        lines.writelines(_json(record) + "\n" for each in records.values() for record in each)
    tell("trec")
    _write_trec(folder / "trec", assessment)
    tell("beir")
    write_beir(skb, folder / "beir", assessment.cases, assessment.unit)
    plots: Sequence[str] = write_plots(of_rankings(report), folder / "plots", tell) if can_plot() else ()
    (folder / "report.md").write_text(markdown(report, records, plots), encoding="utf-8")


def _write_trec(folder: Path, assessment: Assessment) -> None:
    folder.mkdir()
    judged = ((case.question.id, len(case.gold.items)) for case in assessment.cases)
    with (folder / "qrels").open("w", encoding="utf-8", newline="") as qrels:
        qrels.writelines(qrels_lines(judged))
    for method, outcomes in assessment.outcomes.items():
        with (folder / f"run.{quote(method, safe='=,()+')}").open("w", encoding="utf-8", newline="") as run:
            for case, found in zip(assessment.cases, outcomes, strict=True):
                names, taken = found.names[: assessment.depth], found.taken[: assessment.depth]
                run.writelines(run_lines(case.question.id, names, taken, method))


def _json(value: Any, indent: int | None = None) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent)
