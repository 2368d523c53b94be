"""Building beyond one machine: the options of `weft build` for Apache Spark, and `weft load`."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from interfaces.output import Amount, counted, json_option, print_json, progress_bars, say, warn

if TYPE_CHECKING:
    from builder.request import Request

Command = TypeVar("Command", bound=Callable[..., Any])


def spark_options(command: Command) -> Command:
    """Add --engine and --master to a command."""
    master = click.option("--master", default=None, help="Spark's master, such as local[4] or spark://HOST:7077.")
    engine = click.option("--engine", default="local", show_default=True, type=click.Choice(["local", "spark"]),
                          help="spark writes tables to the folder -o, for weft load.")  # fmt: skip
    return engine(master(command))


def run_spark(request: Request, master: str | None, as_json: bool) -> None:
    """Write the tables of a request with Spark, and say what they hold."""
    from builder.spark.job import build_tables

    start = time.perf_counter()
    with progress_bars() as progress:
        written = build_tables(request, master, progress=progress)
    if as_json:
        print_json(written._asdict())
        return
    say(", ".join(f"{counted(count, 'row')} in {name}" for name, count in written.counts.items()))
    say(f"{written.place}: written in {time.perf_counter() - start:.1f} s; go on with weft load {written.place}")


@click.command(epilog="""\b
Example:
  weft build dump.tar --rdf facts.nt --engine spark --master local[4] -o world.tables
  weft load world.tables -o world.skb""")
@click.argument("tables")
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The SKB to make.")
@click.option("--embedder", default=None, help="Another embedder than the build named.")
@click.option("--vector-dtype", default=None, type=click.Choice(["float32", "float16"]),
              help="How dense vectors are kept; those of tfidf are sparse.")
@click.option("--memory", "memory_mb", type=Amount(1, 1e9), default=1024.0, show_default=True,
              help="Megabytes for key tables; larger ones go to disk.")
@json_option
def load(tables: str, output: Path, as_json: bool, **options: Any) -> None:
    """Make an SKB of the TABLES that weft build --engine spark wrote.

    The result is what a build on one machine makes. A load that was stopped
    goes on where it was; what OUTPUT was before is replaced.
    """
    from builder.spark.load.knowledge_base import load

    start = time.perf_counter()
    with progress_bars() as progress:
        summary = load(tables, output, progress=progress, **options)
    for label in summary.incomplete:
        warn(f"{label}: not read to its end; weft info {output} --rejects says why")
    if as_json:
        print_json(summary._asdict() | {"output": str(output)})
        return
    say(", ".join(f"{count:,} in {name}" for name, count in summary.counts.items()))
    say(f"{output}: {output.stat().st_size / 1e6:,.1f} MB in {time.perf_counter() - start:.1f} s")


COMMANDS = (load,)
