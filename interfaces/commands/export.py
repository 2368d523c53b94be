"""The command that hands an SKB on to other programs: export."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interfaces.output import counted, json_option, print_json, progress_bars, say, skb_argument, warn
from weft.errors import WeftError

if TYPE_CHECKING:
    from builder.export.beir import JudgedQuestion
    from builder.export.output import Export
    from builder.request import Progress
    from weft.skb import Skb

FORMATS = ("ntriples", "nquads", "graphml", "neo4j", "parquet", "beir")
SINGULAR = {"entities": "entity", "aliases": "alias", "cites": "cites"}
"""What one thing is called where that is not its plural without the s."""


@click.command(epilog="""\b
Examples:
  weft export kb.skb --to nquads -o kb.nq.gz
  weft export kb.skb --to neo4j -o kb-neo4j
  weft export kb.skb --to beir --questions questions.jsonl -o kb-beir""")
@skb_argument
@click.option("--to", "form", required=True, type=click.Choice(FORMATS), help="The format.")
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path),
              help="The file (.gz: compressed), or the folder of neo4j, parquet and beir.")
@click.option("--questions", type=click.Path(path_type=Path), help="A question file to put beside the corpus of beir.")
@click.option("--force", is_flag=True, help="Replace an output that exists.")
@json_option
def export(skb: Path, form: str, output: Path, questions: Path | None, force: bool, as_json: bool) -> None:
    """Write an SKB in a format of other programs: RDF, GraphML, Neo4j's CSV, Parquet, BEIR."""
    from weft.overwriting import check_overwriting
    from weft.skb import Skb

    if questions is not None and form != "beir":
        raise WeftError(f"--questions goes with --to beir, not with --to {form}")
    start = time.perf_counter()
    check_overwriting(output, [skb] if questions is None else [skb, questions])
    with Skb(skb) as opened, progress_bars() as progress:
        done = _export(opened, form, output, questions, force, progress)
    if as_json:
        print_json(_report(done, time.perf_counter() - start))
    else:
        _print_summary(done, time.perf_counter() - start)


def _export(
    skb: Skb, form: str, output: Path, questions: Path | None, force: bool, progress: Progress
) -> Export:
    connection = skb.connection
    if form == "beir":
        from builder.export.beir import export_beir

        judged = None if questions is None else _judged(skb, questions)
        return export_beir(connection, output, judged, force=force, progress=progress)
    if form == "graphml":
        from builder.export.graphml import export_graphml

        return export_graphml(connection, output, force=force, progress=progress)
    if form == "neo4j":
        from builder.export.neo4j import export_neo4j

        return export_neo4j(connection, output, force=force, progress=progress)
    if form == "parquet":
        from builder.export.parquet import export_parquet

        return export_parquet(connection, output, force=force, progress=progress)
    from builder.export.ntriples import export_rdf

    return export_rdf(connection, output, quads=form == "nquads", force=force, progress=progress)


def _judged(skb: Skb, questions: Path) -> Iterator[JudgedQuestion]:
    """Yield each question with the chunks that find one of its gold items."""
    from builder.export.beir import JudgedQuestion
    from retriever.datasets.gold import GoldResolver
    from retriever.datasets.question_files import read_questions

    asked = read_questions(questions)
    resolver = GoldResolver(skb, "chunk")
    for question in asked:
        gold = resolver.gold_set(question)
        uris = skb.uris("chunk", sorted(frozenset[int]().union(*gold.items)))
        yield JudgedQuestion(question.id, question.question, tuple(sorted(uris)), gold.unresolved)


def _report(done: Export, seconds: float) -> dict[str, Any]:
    report = {"format": done.format, "output": str(done.path), "counts": done.counts, "seconds": round(seconds, 3)}
    return report | ({"import": _import_command(done)} if done.format == "neo4j" else {})


def _print_summary(done: Export, seconds: float) -> None:
    counts = [(name, n) for name, n in done.counts.items() if n]
    each = ", ".join(counted(n, SINGULAR.get(name, name.removesuffix("s")), name) for name, n in counts)
    warn(f"{done.path}: {each or 'nothing'} in {seconds:.1f} s")
    if done.format == "neo4j":
        for line in _import_command(done).split("\n"):
            say(line)


def _import_command(done: Export) -> str:
    from builder.export.neo4j import import_command

    return import_command(done)


COMMANDS = (export,)
