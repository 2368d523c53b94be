"""The command that evaluates methods on a question file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interfaces.asking import unit_option
from interfaces.output import json_option, print_json, skb_argument
from weft.errors import WeftError

if TYPE_CHECKING:
    from retriever.types import Unit


@click.command(epilog="""\b
Example:
  weft evaluate kb.skb questions.jsonl -m bm25 -m vector --at 1,5,10""")
@skb_argument
@click.argument("questions", type=click.Path(path_type=Path))
@click.option("-m", "--method", "methods", multiple=True, default=("bm25", "vector"), show_default=True)
@click.option("--at", default="1,2,5", show_default=True, help="The cut-offs k.")
@unit_option
@json_option
def evaluate(skb: Path, questions: Path, methods: tuple[str, ...], at: str, unit: str, as_json: bool) -> None:
    """Score methods on a question file: precision, recall, hit, coverage, nDCG, MAP and MRR."""
    from tqdm import tqdm

    from retriever.evaluate import evaluate
    from retriever.gold import unit_of
    from retriever.questions import read_questions
    from retriever.rankers import ranker_of
    from weft.skb import Skb

    asked = read_questions(questions)
    with Skb(skb) as opened, tqdm(total=len(asked) * len(methods), unit="q", disable=None, leave=False) as bar:
        chosen: Unit = unit_of(asked, opened) if unit == "auto" else unit  # type: ignore[assignment]
        rankers = {method: ranker_of(method, opened, chosen) for method in methods}
        report = evaluate(opened, asked, rankers, _cut_offs(at), chosen, bar.update)
    print_json(report) if as_json else print_report(report, _cut_offs(at))


def _cut_offs(at: str) -> list[int]:
    try:
        ks = sorted({int(part) for part in at.split(",")})
    except ValueError as error:
        raise WeftError(f"--at {at}: must be whole numbers with commas between, such as 1,5,10") from error
    if not ks or ks[0] < 1:
        raise WeftError(f"--at {at}: a cut-off must be at least 1")
    return ks


def print_report(report: dict[str, Any], ks: list[int]) -> None:
    """Print an evaluation for people, one line a method."""
    click.echo(f"{report['questions']:,} questions, {report['unjudged']:,} unjudged, "
               f"{report['unresolved']:,} gold items not in the SKB, unit {report['unit']}")
    if not report["methods"]:
        click.echo("no question has gold, so there is nothing to measure")
        return
    names = [f"recall@{k}" for k in ks] + [f"ndcg@{ks[-1]}", "mrr", "map"]
    click.echo("method".ljust(16) + "".join(name.rjust(12) for name in names) + "p50 ms".rjust(10))
    for method, measured in report["methods"].items():
        cells = "".join(f"{measured[name]:.3f}".rjust(12) for name in names)
        click.echo(method.ljust(16) + cells + f"{measured['seconds']['p50'] * 1000:.1f}".rjust(10))


COMMANDS = (evaluate,)
