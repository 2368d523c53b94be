"""The command that makes and splits question files."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interfaces.output import Amount, json_option, print_json, say, warn
from interfaces.printable import json_line

if TYPE_CHECKING:
    from builder.documents.records import Reject
    from builder.readers.ignored import Ignored
    from builder.readers.json_lines import Line
    from builder.readers.source import Cut, Source

SHOWN = 10
"""How many lines that are left out are named, before they are only counted."""


@click.command(
    epilog="""\b
Examples:
  weft questions nq:nq-dev-all.jsonl.gz -o questions.jsonl --min-annotators 2
  weft questions nq:nq-dev-all.jsonl.gz --short -o short.jsonl
  weft questions questions.jsonl --split train=0.7,dev=0.15,test=0.15 -o split.jsonl"""
)
@click.argument("source")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The file to write (default: stdout).")
@click.option(
    "--min-annotators",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Long answers it takes for gold; Natural Questions' own rule is 2 of 5.",
)
@click.option("--split", help="Deal the questions out to parts, as in train=0.7,dev=0.15,test=0.15.")
@click.option(
    "--group",
    type=click.Choice(["title", "path"]),
    default="title",
    show_default=True,
    help="What questions of one part may share with none of another.",
)
@click.option("--max-page-mb", type=Amount(0, 1e6, min_open=True), default=20.0, show_default=True,
              help="Larger pages are left out.")
@click.option("--short", is_flag=True, help="Only questions with a short answer other than yes and no.")
@json_option
def questions(
    source: str, output: Path | None, min_annotators: int, split: str | None, group: str, max_page_mb: float,
    short: bool, as_json: bool,
) -> None:  # fmt: skip
    """Write a question file from SOURCE, Natural Questions or a question file, and count what is in it."""
    from retriever.datasets.question_files import KIND
    from retriever.datasets.splits import parse_parts, split_of
    from weft.overwriting import check_file

    if output is not None:
        check_file(output, KIND, [_source_of(source).path])
    parts = parse_parts(split) if split else None
    records = [each for each in _records(source, min_annotators, max_page_mb) if not short or _has_short(each)]
    if parts is not None:
        for record, part in zip(records, split_of(records, parts, group), strict=True):
            record["split"] = part
    _write(records, output)
    _print_counts(_counts(records), as_json, to_stderr=output is None)


def _has_short(record: dict[str, Any]) -> bool:
    return any(answer.strip(" .").casefold() not in ("yes", "no") for answer in record.get("answers", ()))


def _source_of(source: str) -> Source:
    from builder.readers.source import sources_of

    (named,) = sources_of([source])
    return named


def _records(source: str, min_annotators: int, max_page_mb: float) -> Iterator[dict[str, Any]]:
    from retriever.datasets.question_files import completed, read_questions

    named = _source_of(source)
    if named.format == "nq":
        yield from _from_natural_questions(named.path, min_annotators, int(max_page_mb * 1e6))
        return
    asked = read_questions(named.path)
    with named.path.open(encoding="utf-8-sig") as file:
        lines = (json.loads(line) for line in file if line.strip())
        yield from (completed(record, question) for record, question in zip(lines, asked, strict=True))


def _from_natural_questions(path: Path, min_annotators: int, max_page: int) -> Iterator[dict[str, Any]]:
    from builder.readers.json_lines import Line, lines_of
    from builder.readers.natural_questions import max_line_of
    from weft.errors import WeftError

    seen: set[str] = set()
    left_out = 0
    for entry in lines_of(path, max_line_of(max_page)):
        question = _question(entry, min_annotators) if isinstance(entry, Line) else None
        if question is not None and question["id"] not in seen:
            seen.add(question["id"])
            yield question
            continue
        left_out += 1
        if left_out <= SHOWN:
            warn(f"{entry.place}: {_why(entry, question)}")
    if left_out > SHOWN:
        warn(f"{path}: {left_out:,} lines are left out; the first {SHOWN} of them are shown")
    if not seen:
        raise WeftError(
            f"{path}: no line is a question of Natural Questions (example_id, question_text, document_html or "
            "document_tokens, annotations); a question file of another form is given without nq:"
        )


def _why(entry: Line | Reject | Cut | Ignored, question: dict[str, Any] | None) -> str:
    from builder.readers.ignored import Ignored
    from builder.readers.json_lines import Line

    if isinstance(entry, Ignored):
        return "no JSON Lines by its name"
    if not isinstance(entry, Line):
        return entry.reason
    return "no question; left out" if question is None else "its id was used before; left out"


def _question(line: Any, min_annotators: int) -> dict[str, Any] | None:
    """Return a line's question, its spans read as the page's extraction reads them."""
    from functools import cache

    from builder.documents.records import Reject
    from builder.readers.natural_questions import record_page
    from builder.readers.nq_records import field, span_html, span_kind, span_text
    from retriever.datasets.natural_questions import Rendering, Span, question_of

    page = record_page(line)
    if isinstance(page, Reject):
        return None
    text = line.data.decode("utf-8", "replace")
    record = {key: field(text, key) for key in ("example_id", "question_text", "annotations")}
    has_bytes = page.has_links
    source = page.html.encode("utf-8", "replace") if has_bytes else field(text, "document_text").split(" ")

    @cache
    def fragment(span: Span) -> str:
        return span_html(source, span.start, span.end)

    rendering = Rendering(
        cache(lambda span: span_text(fragment(span))),
        lambda span: span_kind(fragment(span)),
        "byte" if has_bytes else "token",
    )
    return question_of(record, page.title, rendering, min_annotators)


def _write(records: list[dict[str, Any]], output: Path | None) -> None:
    if output is None:
        for record in records:
            print_json(record)
        return
    from weft.output_file import replacing, wrapped_errors

    with wrapped_errors(output), replacing(output) as file:
        file.writelines((json_line(record) + "\n").encode() for record in records)


def _counts(records: list[dict[str, Any]]) -> dict[str, Any]:
    gold = [record["gold"] for record in records]
    return {
        "questions": len(records),
        "unjudged": sum(not items for items in gold),
        "gold": sum(map(len, gold)),
        "titles": len({item.get("title", item.get("uri")) for items in gold for item in items}),
        "types": dict(Counter(record["type"] for record in records if record.get("type")).most_common()),
        "splits": dict(sorted(Counter(record["split"] for record in records if record.get("split")).items())),
    }


def _print_counts(counts: dict[str, Any], as_json: bool, *, to_stderr: bool) -> None:
    if as_json and not to_stderr:
        print_json(counts)
        return
    for name, value in counts.items():
        if isinstance(value, dict):
            each = ", ".join(f"{key} {count:,}" for key, count in value.items())
        else:
            each = f"{value:,}"
        say(f"{name}: {each or '-'}", err=to_stderr)


COMMANDS = (questions,)
