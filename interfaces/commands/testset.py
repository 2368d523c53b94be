"""Test sets: make one from an SKB, and review it."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.core import ParameterSource

from interfaces.commands.llm import chat_for, model_options, print_estimate, without_model_or
from interfaces.output import counted, json_option, print_json, say, skb_argument, warn
from weft.errors import WeftError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from retriever.session import Session
    from retriever.testsets.card import Settings
    from retriever.testsets.review import Decisions
    from weft.chat.base import Chat

PATTERNS = ("bridge", "intersection", "comparison", "single")
DEFAULT = "bridge,intersection,comparison"


@click.group(epilog="""\b
Examples:
  weft testset make kb.skb -n 100 -o set.jsonl --json
  weft testset review set.jsonl -o reviewed.jsonl
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
  weft testset make kb.skb -n 100 -o set.jsonl --llm openai:gpt-4o-mini --dry-run
  weft evaluate kb.skb set.jsonl -m hybrid -m bm25""")
@skb_argument
@click.option("-n", "wanted", default=100, show_default=True, type=click.IntRange(1), help="How many questions.")
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path),
              help="The question file to write; its data card, in Markdown, has the same name with .md.")
@click.option("--patterns", default=DEFAULT, show_default=True, callback=pattern_names,
              help=f"Kinds of questions, of {', '.join(PATTERNS)}.")
@click.option("--evidence", default="said", show_default=True, type=click.Choice(["said", "cited"]),
              help="What makes a chunk evidence of a relation: that it says it, or merely cites both ends.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0),
              help="The same SKB, patterns and seed give the same set.")
@click.option("--split", help="Deal the questions out to parts, as in train=0.8,test=0.2.")
@click.option("--folder", type=click.Path(path_type=Path), help="Write BEIR's layout and TREC judgements there too.")
@click.option("--least-score", type=click.IntRange(1, 10), help="With --llm: the least score of the model as a judge,"
              " from 1 to 10.  [default: 7]")
@model_options
@json_option
def make(
    skb: Path, wanted: int, output: Path, patterns: tuple[str, ...], evidence: str, seed: int,
    split: str | None, folder: Path | None, least_score: int | None, as_json: bool, dry_run: bool, **model: Any,
) -> None:  # fmt: skip
    """Make a question file from an SKB, with the evidence of every question, each verified by rule.

    A bridge question asks what one chunk says of something that another one describes; an intersection
    what two facts are true of together; a comparison which of two has more of something; a single one what
    one chunk says. On an SKB without text the evidence is facts, and nodes are found. No language model is asked,
    unless one is named: with --llm it writes bridge questions (over facts it phrases their paths), answers them
    from less, and judges them.
    """
    from retriever.context import Context
    from retriever.datasets.splits import parse_parts
    from retriever.session import Session
    from retriever.testsets.outputs import check_outputs
    from weft.skb import Skb

    start = time.perf_counter()
    check_outputs(skb, output, folder)
    parts = parse_parts(split) if split else None
    chat = chat_for([], dry_run=dry_run, **model)
    if chat is None and least_score is not None:
        raise click.UsageError("--least-score is for a language model; name one with --llm")
    if chat is not None:
        _check_model_writes(patterns, evidence)
    least = None if chat is None else least_score or 7
    with Skb(skb) as opened, Session(Context(opened)) as session:
        if chat is None:
            lines = _made(session, wanted, patterns, seed, only_said=evidence == "said")
        else:
            lines = _judged(session, chat, wanted, seed, least)
        if dry_run:
            print_estimate(chat, as_json)
            return
        used = patterns if chat is None else ("bridge",)
        settings = _settings(skb, wanted, used, seed, chat.name if chat else "grammar", least, evidence)
        summary = _written(session, lines, output, parts, folder, settings)
    summary["seconds"] = round(time.perf_counter() - start, 3)
    print_json(summary) if as_json else _print(summary)


def _check_model_writes(patterns: tuple[str, ...], evidence: str) -> None:
    """Raise UsageError for an option that asks for what no language model writes."""
    named = click.get_current_context().get_parameter_source("patterns") is not ParameterSource.DEFAULT
    for option, is_wrong in ("--patterns", named and patterns != ("bridge",)), ("--evidence", evidence != "said"):
        if is_wrong:
            raise click.UsageError(f"a language model writes bridge questions alone; {without_model_or(option)}")


@testset.command(epilog="""\b
Examples:
  weft testset review set.jsonl -o reviewed.jsonl
  weft testset review set.jsonl --to-csv set.csv
  weft testset review set.jsonl --from-csv set.csv -o reviewed.jsonl""")
@click.argument("path", metavar="SET", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write what was kept into this question file.")
@click.option("--to-csv", type=click.Path(path_type=Path), help="Write a table to decide in; ask nothing here.")
@click.option("--from-csv", type=click.Path(path_type=Path), help="Take the decisions of such a table.")
@json_option
def review(path: Path, output: Path | None, to_csv: Path | None, from_csv: Path | None, as_json: bool) -> None:
    """Look at a set one question at a time, with its evidence, and keep, drop or edit each.

    Every decision is written at once into a file beside the set, SET.review: a review that was stopped goes on
    where it was.
    """
    from retriever.datasets.question_files import KIND
    from retriever.testsets.records import line_of, read_records
    from retriever.testsets.review import TABLE, Decisions, read_csv, reviewed, write_csv
    from weft.output_file import replacing, wrapped_errors
    from weft.overwriting import check_file

    records = read_records(path)
    decisions = Decisions(path)
    for each, kind in ((output, KIND), (to_csv, TABLE)):
        if each is not None:
            check_file(each, kind, [path, decisions.path, *([from_csv] if from_csv else [])])
    if to_csv is not None:
        with wrapped_errors(to_csv), replacing(to_csv) as file:
            write_csv(file, records, decisions)
    elif from_csv is not None:
        for decision in read_csv(from_csv, records):
            decisions.add(decision)
    else:
        _ask(records, decisions)
    kept = reviewed(records, decisions)
    if output is not None:
        with wrapped_errors(output), replacing(output) as file:
            file.writelines(map(line_of, kept))
    counts = {"questions": len(records), "decided": len(decisions.of(records)), "kept": len(kept)}
    print_json(counts) if as_json else say(
        f"{counted(len(records), 'question')}, {counts['decided']:,} decided, {counts['kept']:,} kept"
    )


def _ask(records: list[dict[str, Any]], decisions: Decisions) -> None:
    """Ask for every question that nothing was decided of."""
    from retriever.testsets.review import Decision, answers_of, told, with_first

    waiting = [record for record in records if record["id"] not in decisions.of(records)]
    for number, record in enumerate(waiting, 1):
        say()
        say(f"[{number} of {len(waiting)}]")
        for line in told(record):
            say(line)
        choice = click.prompt("keep, drop, edit, later or quit", type=click.Choice(list("kdelq")), err=True)
        if choice == "q":
            return
        question, answers = record["question"], answers_of(record)
        if choice == "e":
            question = click.prompt("question", default=question, err=True)
            answers = with_first(click.prompt("answer", default=next(iter(answers), ""), err=True), answers)
        if choice != "l":
            decisions.add(Decision(record["id"], "drop" if choice == "d" else "keep", question, answers))


class Lines(NamedTuple):
    """The lines of a set, how many drafts there were by pattern, why some were rejected, and of how many facts.

    `facts` is None where a language model wrote.
    """

    records: list[dict[str, Any]]
    proposed: Counter[str]
    rejected: Counter[tuple[str, str]]
    facts: int | None = None


def _made(session: Session, wanted: int, patterns: tuple[str, ...], seed: int, *, only_said: bool) -> Lines:
    """Make a set with bars on stderr."""
    from tqdm import tqdm

    from retriever.testsets.make import make as make_set
    from retriever.testsets.records import numbered

    with tqdm(total=session.skb.count("chunk"), desc="reading", unit=" chunks", disable=None, leave=False) as reading, \
            tqdm(total=wanted, desc="questions", disable=None, leave=False) as found:
        made = make_set(session, wanted, patterns, seed, only_said=only_said, read=reading.update,
                        advance=found.update)  # fmt: skip
    return Lines(list(numbered(made.evidence, made.drafts)), made.proposed, made.rejected,
                 len(made.evidence.store.every()))


def _judged(session: Session, chat: Chat, wanted: int, seed: int, least: int | None) -> Lines:
    """Let a language model write and judge a set, with a bar on stderr."""
    from tqdm import tqdm

    from retriever.synthesis.facts.stored import has_evidence
    from retriever.testsets.judged import make_judged
    from retriever.testsets.judged_facts import make_judged_facts
    from retriever.testsets.judging import DRAWN, LEAST_SCORE, UNASKED

    making = make_judged if has_evidence(session) else make_judged_facts
    with tqdm(total=wanted * DRAWN, desc="writing", disable=None, leave=False) as bar:
        made = Lines(*making(session, chat, wanted, seed, least or LEAST_SCORE, bar.update))
    failed = Counter({reason: n for (_, reason), n in made.rejected.items() if reason.startswith(UNASKED)})
    for reason, _ in failed.most_common(1):
        warn(f"{counted(failed.total(), 'draft')} left out without a verdict; {reason}")
    return made


def _settings(
    skb: Path, wanted: int, patterns: tuple[str, ...], seed: int, writer: str, least: int | None, evidence: str
) -> Settings:
    from retriever.testsets.card import Settings, hash_of

    return Settings(skb.name, hash_of(skb), seed, patterns, wanted, writer, least, evidence)


def _written(
    session: Session, made: Lines, output: Path, parts: dict[str, float] | None, folder: Path | None,
    settings: Settings,
) -> dict[str, Any]:  # fmt: skip
    """Write a set, its card and its folder, and return what is in it; raise WeftError for an empty one."""
    from retriever.datasets.question_files import read_questions
    from retriever.datasets.splits import split_of
    from retriever.testsets.card import card, summary_of
    from retriever.testsets.folder import write_folder
    from retriever.testsets.outputs import card_of
    from retriever.testsets.records import line_of
    from weft.output_file import replacing, wrapped_errors

    records = made.records
    if not records:
        raise WeftError(_why_none(made, session, settings.patterns))
    if parts is not None:
        for record, part in zip(records, split_of(records, parts), strict=True):
            record["split"] = part
    summary = summary_of(records, made.proposed, made.rejected, settings)
    beside = card_of(output)
    with wrapped_errors(output), replacing(output) as file:
        file.writelines(map(line_of, records))
    with wrapped_errors(beside), replacing(beside) as file:
        file.write(card(summary, records, output.stem).encode())
    if folder is not None:
        with wrapped_errors(folder):
            write_folder(session.skb, folder, read_questions(output))
    return summary | {"output": str(output), "card": str(beside)}


def _why_none(made: Lines, session: Session, patterns: Sequence[str]) -> str:
    """Tell why nothing could be made, by counts, and what else could be asked for."""
    from retriever.synthesis.facts.stored import has_evidence
    from retriever.testsets.card import why_no_draft, why_none_passed

    if sum(made.proposed.values()):
        why = why_none_passed(made.proposed, made.rejected)
    elif made.facts is None:
        return "no question can be made: there was nothing to show a language model"
    else:
        texts = counted(session.skb.count("chunk"), "chunk") if has_evidence(session) else "the SKB"
        why = why_no_draft(patterns, f"{texts} gave {counted(made.facts, 'fact')}", has_facts=made.facts > 0)
    return why if "single" in patterns or not made.facts else f"{why}; --patterns single asks for one fact alone"


def _print(summary: dict[str, Any]) -> None:
    from retriever.testsets.card import why_fewer

    patterns = ", ".join(f"{name} {n:,}" for name, n in summary["patterns"].items())
    say(f"{summary['output']}: {counted(summary['questions'], 'question')} ({patterns})"
        f" in {summary['seconds']:.1f} s; {summary['card']} is the data card")
    wanted = summary["settings"]["wanted"]
    if summary["questions"] < wanted:
        warn(f"{wanted - summary['questions']:,} fewer than asked for: {why_fewer(summary)}")
    for pattern, n in summary["proposed"].items():
        rejected = sum(summary["rejected"].get(pattern, {}).values())
        say(f"{pattern}: {counted(n, 'draft')}, {rejected:,} rejected")


COMMANDS = (testset,)
"""What the command line has of this module."""
