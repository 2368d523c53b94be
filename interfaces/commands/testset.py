"""Test sets: make one from an SKB, and review it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interfaces.output import counted, json_option, print_json, say, skb_argument, warn
from weft.errors import WeftError

if TYPE_CHECKING:
    from retriever.session import Session
    from retriever.testsets.make import Made

PATTERNS = ("bridge", "intersection", "comparison", "single")
DEFAULT = "bridge,intersection,comparison"


@click.group(epilog="""\b
Examples:
  weft testset make kb.skb -n 100 -o set.jsonl
  weft evaluate kb.skb set.jsonl -m hybrid -m bm25""")
def testset() -> None:
    """Make a test set of multi-hop questions from an SKB, and review it."""


def pattern_names(context: click.Context, parameter: click.Parameter, value: str) -> tuple[str, ...]:
    """Return the patterns that an option names, parted by commas."""
    names = tuple(dict.fromkeys(name.strip() for name in value.split(",") if name.strip()))
    for name in names or ("",):
        if name not in PATTERNS:
            raise click.BadParameter(f"{name!r} is no pattern; choose of {', '.join(PATTERNS)}")
    return names


@testset.command(epilog="""\b
Examples:
  weft testset make kb.skb -n 100 -o set.jsonl
  weft testset make kb.skb -n 500 -o set.jsonl --patterns bridge,single --seed 7
  weft testset make kb.skb -n 1000 -o set.jsonl --split train=0.8,test=0.2 --folder set-beir
  weft evaluate kb.skb set.jsonl -m hybrid -m bm25""")
@skb_argument
@click.option("-n", "wanted", default=100, show_default=True, type=click.IntRange(1), help="How many questions.")
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path),
              help="The question file to write; its data card, in Markdown, has the same name with .md.")
@click.option("--patterns", default=DEFAULT, show_default=True, callback=pattern_names,
              help=f"Kinds of questions, of {', '.join(PATTERNS)}.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0),
              help="The same SKB, patterns and seed give the same set.")
@click.option("--split", help="Deal the questions out to parts, as in train=0.8,test=0.2.")
@click.option("--folder", type=click.Path(path_type=Path), help="Write BEIR's layout and TREC judgements there too.")
@json_option
def make(
    skb: Path, wanted: int, output: Path, patterns: tuple[str, ...], seed: int, split: str | None,
    folder: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Make a question file from an SKB, with the evidence of every question, each verified by rule.

    A bridge question asks what one chunk says of something that another one describes; an intersection
    what two facts are true of together; a comparison which of two has more of something; a single one what
    one chunk says. On an SKB without text the evidence is facts, and nodes are found. No language model is asked.
    """
    from retriever.context import Context
    from retriever.datasets.splits import parse_parts
    from retriever.session import Session
    from weft.overwriting import check_overwriting
    from weft.skb import Skb

    start = time.perf_counter()
    _check_outputs(skb, output, folder)
    check_overwriting(output.with_suffix(".md"), [skb])
    parts = parse_parts(split) if split else None
    with Skb(skb) as opened, Session(Context(opened)) as session:
        made = _made(session, wanted, patterns, seed)
        summary = _written(session, made, output, parts, folder, _settings(skb, wanted, patterns, seed))
    summary["seconds"] = round(time.perf_counter() - start, 3)
    print_json(summary) if as_json else _print(summary)


def _check_outputs(skb: Path, output: Path, folder: Path | None) -> None:
    from weft.overwriting import check_overwriting

    if output.is_dir() or not output.absolute().parent.is_dir():
        raise WeftError(f"{output}: names no file that can be written; it is a folder, or its folder is missing")
    if output.suffix == ".md":
        raise WeftError(f"{output}: .md is the data card's name; call the set something like set.jsonl")
    for each in (output, *([folder] if folder else [])):
        check_overwriting(each, [skb])


def _made(session: Session, wanted: int, patterns: tuple[str, ...], seed: int) -> Made:
    """Make a set with bars on stderr."""
    from tqdm import tqdm

    from retriever.testsets.make import make as make_set

    with tqdm(total=session.skb.count("chunk"), desc="reading", unit=" chunks", disable=None, leave=False) as reading, \
            tqdm(total=wanted, desc="questions", disable=None, leave=False) as found:
        return make_set(session, wanted, patterns, seed, read=reading.update, advance=found.update)


def _settings(skb: Path, wanted: int, patterns: tuple[str, ...], seed: int) -> Any:
    from retriever.testsets.card import Settings, hash_of

    return Settings(skb.name, hash_of(skb), seed, patterns, wanted, "grammar")


def _written(
    session: Session, made: Made, output: Path, parts: dict[str, float] | None, folder: Path | None, settings: Any
) -> dict[str, Any]:
    """Write a set, its card and its folder, and return what is in it; raise WeftError for an empty one."""
    from retriever.datasets.question_files import read_questions
    from retriever.datasets.splits import split_of
    from retriever.testsets.card import card, summary_of
    from retriever.testsets.folder import write_folder
    from retriever.testsets.records import line_of, numbered
    from weft.output_file import replacing, wrapped_errors

    records = list(numbered(made.evidence, made.drafts))
    if not records:
        raise WeftError(_why_none(made))
    if parts is not None:
        for record, part in zip(records, split_of(records, parts), strict=True):
            record["split"] = part
    summary = summary_of(records, made.proposed, made.rejected, settings)
    beside = output.with_suffix(".md")
    with wrapped_errors(output), replacing(output) as file:
        file.writelines(map(line_of, records))
    with wrapped_errors(beside), replacing(beside) as file:
        file.write(card(summary, records, output.stem).encode())
    if folder is not None:
        with wrapped_errors(folder):
            write_folder(session.skb, folder, read_questions(output))
    return summary | {"output": str(output), "card": str(beside)}


def _why_none(made: Made) -> str:
    proposed = sum(made.proposed.values())
    if not proposed:
        return ("no question can be made: two chunks or facts that speak of one thing are needed, or for comparisons"
                " two things with one attribute; --patterns single asks for one chunk alone")
    (_, reason), n = made.rejected.most_common(1)[0] if made.rejected else (("", "?"), 0)
    return f"none of {counted(proposed, 'draft')} passed verification; {n:,} of them: {reason}"


def _print(summary: dict[str, Any]) -> None:
    patterns = ", ".join(f"{name} {n:,}" for name, n in summary["patterns"].items())
    say(f"{summary['output']}: {counted(summary['questions'], 'question')} ({patterns})"
        f" in {summary['seconds']:.1f} s; {summary['card']} is the data card")
    wanted = summary["settings"]["wanted"]
    if summary["questions"] < wanted:
        warn(f"{wanted - summary['questions']:,} fewer than asked for: all drafts were looked at; the card says why"
             " each was rejected")
    for pattern, n in summary["proposed"].items():
        rejected = sum(summary["rejected"].get(pattern, {}).values())
        say(f"{pattern}: {counted(n, 'draft')}, {rejected:,} rejected")


COMMANDS = (testset,)
"""What the command line has of this module."""
