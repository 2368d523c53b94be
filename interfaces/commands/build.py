"""Commands that write: build, remove."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from builder.readers.formats import FORMATS
from interfaces.commands.spark import run_spark, spark_options
from interfaces.output import (
    Amount,
    counted,
    json_option,
    language_tags,
    print_json,
    progress_bars,
    say,
    skb_argument,
    valid_text,
    warn,
)
from weft.errors import UnreadableSource, WeftError

if TYPE_CHECKING:
    from builder.request import Request, Summary

# A page of Wikipedia is named as wikipedia:TITLE, so an option could say nothing of it.
CHOICES = ["auto", *(name for name, form in FORMATS.items() if form.is_path)]
MOST_UNREAD = 5
"""Files that could not be read and are named."""
ABOUT_FORMATS = "\n".join(f"  {name:<13}{form.about}" for name, form in FORMATS.items())


@click.command(epilog=f"""\b
Formats:
{ABOUT_FORMATS}

\b
Examples:
  weft build pages/ -o kb.skb
  weft build dump.tar.gz jsonl:notes.txt --rdf types.nt.gz --rdf relations.ttl.bz2 -o kb.skb
  weft build new.jsonl --add -o kb.skb""")
@click.argument("sources", nargs=-1, required=True)
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The SKB to make or update.")
@click.option("--format", "form", default="auto", show_default=True,
              type=click.Choice(CHOICES), help="Format of sources that do not name one.")
@click.option("--rdf", multiple=True, help="A fact file: N-Triples, N-Quads or Turtle, plain, .gz or .bz2.")
@click.option("--triples", multiple=True, help="A fact file of JSON Lines: subject, predicate, object, title.")
@click.option("--sparql", multiple=True, help="An endpoint that is asked about every page and link target.")
@click.option("--resource-prefix", default=None, help="How the endpoint's resources begin (default: DBpedia's).")
@click.option("--embedder", default=None, help="tfidf (default), lsa, minilm, onnx:DIR or openai:MODEL.")
@click.option("--node-documents", is_flag=True, default=None,
              help="Embed every entity's document too: name, attributes, text, without and with its relations.")
@click.option("--vector-dtype", default=None, type=click.Choice(["float32", "float16"]),
              help="How dense vectors are kept; those of tfidf are sparse.")
@click.option("--lang", "languages", multiple=True, callback=language_tags,
              help="Languages of literals and labels to take: de, or de,en-GB (default: en).")
@click.option("--all-relations", is_flag=True, default=None, help="Keep relations that no page co-mentions too.")
@click.option("--workers", type=click.IntRange(1), default=None, help="Processes that parse (default: all cores).")
@click.option("--document-seconds", type=Amount(0, 1e6), default=60.0, show_default=True,
              help="CPU time that one document may take; 0: no limit.")
@click.option("--max-page-mb", type=Amount(0, 1e6, min_open=True), default=20.0, show_default=True,
              help="Larger pages, and longer records of JSON Lines, are rejected.")
@click.option("--memory", "memory_mb", type=Amount(1, 1e9), default=1024.0, show_default=True,
              help="Megabytes for key tables; larger ones go to disk.")
@click.option("--limit", type=click.IntRange(1), default=None, help="Read at most so many documents; removes nothing.")
@click.option("--spacy", "spacy_model", default=None, help="A spaCy pipeline whose named entities plain text mentions.")
@click.option("--add", is_flag=True, help="Keep what is in the SKB and add to it.")
@click.option("--dry-run", is_flag=True,
              help="Say what would be read, passed over and removed, and do nothing. Documents to be removed are told"
                   " where their file or source is gone; what is gone from within a file shows when it is read.")
@spark_options
@json_option
def build(
    output: Path, dry_run: bool, engine: str, master: str | None, as_json: bool, **options: Any
) -> None:
    """Build or update an SKB from SOURCES: files, folders and archives, each with its FORMAT: before it if need be.

    SOURCES are the whole content: the documents of sources that are not named any
    more are removed, unless --add is given. A build that was stopped goes on where
    it was.
    """
    from builder.build import build
    from builder.plan import plan

    if master is not None and engine != "spark":
        raise WeftError("--master goes with --engine spark")
    request = _request(output, options)
    if dry_run:
        print_json(plan(request)) if as_json else _print_plan(plan(request))
        return
    if engine == "spark":
        run_spark(request, master, as_json)
        return
    removes = output.exists() and not request.keeps_others
    start = time.perf_counter()
    with _rejects_told(), progress_bars() as progress:
        summary = build(request, progress)
    _warn_of(summary, request, removes)
    if as_json:
        print_json(summary._asdict() | {"output": str(output)})
    else:
        _print_summary(summary, time.perf_counter() - start)
    if summary.failure:
        raise click.ClickException(f"{summary.failure}; {output} keeps what it held of other documents")


@contextmanager
def _rejects_told() -> Iterator[None]:
    """Name what was rejected where several documents were and no file is there that could be asked."""
    from weft.http.addresses import without_secrets

    try:
        yield
    except UnreadableSource as error:
        for line in error.rejects if len(error.rejects) > 1 else ():
            warn(f"rejected {without_secrets(line)}")
        raise


def _request(output: Path, options: dict[str, Any]) -> Request:
    from builder.build import settings_for
    from builder.request import Request

    settings = settings_for(
        output if options["add"] else None,
        languages=options["languages"] or None, all_relations=options["all_relations"],
        embedder=options["embedder"], vector_dtype=options["vector_dtype"],
        node_documents=options["node_documents"],
    )  # fmt: skip
    return Request(
        options["sources"], output, options["rdf"], options["triples"], options["form"], settings,
        options["add"], options["limit"], options["workers"], options["max_page_mb"],
        spacy_model=options["spacy_model"], sparql=options["sparql"], resource_prefix=options["resource_prefix"],
        memory_mb=options["memory_mb"], document_seconds=options["document_seconds"],
    )  # fmt: skip


def _warn_of(summary: Summary, request: Request, removes: bool) -> None:
    documents = summary.documents
    listing = f"weft info {request.output} --rejects"
    for note in summary.notes:
        warn(note)
    if summary.removed:
        warn(f"removed {counted(summary.removed, 'document')} no longer in the sources")
    if summary.facts_removed:
        warn(f"removed {counted(summary.facts_removed, 'fact file')} no longer named")
    if summary.unread:
        warn(f"{_unread(summary.unread)}; {listing} says why")
    kept = f", so nothing of it{' but files that are gone' * bool(summary.removed)} was removed" if removes else ""
    for label in summary.incomplete if removes else summary.broken_off:
        warn(f"{label}: not read to its end{kept}; {listing} says why")
    if documents.get("rejected"):
        warn(f"rejected {counted(documents['rejected'], 'document')}; {listing} says why")
    for kind, count in (summary.left_out or {}).items():
        if count:
            warn(f"{kind}: {count:,}; {listing} lists them")
    if summary.facts_retained:
        warn("fact files not named again: their facts were joined only among what was already there")


def _unread(places: Sequence[str]) -> str:
    """Return in one line what could not be read; places of folders end with `/`."""
    kinds = ("file or folder", "files or folders") if any(each.endswith("/") for each in places) else ("file",)
    shown = ", ".join([*places[:MOST_UNREAD], *["..."] * (len(places) > MOST_UNREAD)])
    return f"{counted(len(places), *kinds)} could not be read: {shown}"


def _print_summary(summary: Summary, seconds: float) -> None:
    if not summary.changed:
        say(f"{summary.output} is up to date ({seconds:.1f} s)")
        return
    read = summary.documents.get("read", 0)
    reading = summary.seconds.get("reading", 0.0)
    rate = f", {read / reading:,.0f} a second" if read and reading else ""
    documents = summary.documents.items()
    each = ", ".join(counted(count, name.removesuffix("s"), name) for name, count in documents if count)
    say(f"documents: {each or 'none'}{rate}")
    say(summary_of(summary.counts))
    say(f"{summary.output}: {summary.output.stat().st_size / 1e6:,.1f} MB in {seconds:.1f} s")


_COUNTED = {
    "page": ("page",), "section": ("section",), "chunk": ("chunk",), "entity": ("entity", "entities"),
    "cites": ("citation",), "relation": ("relation",), "attribute": ("attribute",),
}  # fmt: skip


def summary_of(counts: dict[str, int]) -> str:
    """Return in one line what an SKB holds."""
    return ", ".join(counted(counts[name], *names) for name, names in _COUNTED.items())


def _planned(source: dict[str, Any]) -> Iterator[str]:
    """Yield the lines that tell what would be read of a source, and what would not."""
    label = source["label"]
    if "files" not in source:
        yield f"would read {label} as {source['format']}"
        return
    size = f"{counted(source['files'], 'file')}, {source['bytes'] / 1e6:,.1f} MB"
    yield f"would read {label} as {source['format']} ({size})"
    if source["too_large"]:
        yield f"would reject {counted(source['too_large'], 'file')} of {label}, larger than --max-page-mb"
    if source["unlisted"]:
        yield f"could not list {counted(source['unlisted'], 'folder')} of {label}"
    if source["ignored"]:
        kinds = ", ".join(f"{kind} {n:,}" for kind, n in source["ignored"].items())
        yield f"would pass over files of {label}: {kinds}"


def _print_plan(plan: dict[str, Any]) -> None:
    for source in plan["sources"]:
        for line in _planned(source):
            say(line)
    for file in plan["facts"]:
        say(f"would read facts from {file['label']} ({file['kind']}, {file['bytes'] / 1e6:,.1f} MB)")
    for source in plan["removed_sources"]:
        documents = counted(source["documents"], "document")
        say(f"would remove {documents} of {source['label']}, which is not named; --add keeps what is there")
    for source in plan["removed_documents"]:
        more = ", ..." * (source["documents"] > len(source["places"]))
        documents = counted(source["documents"], "document")
        say(f"would remove {documents} of {source['label']}, no longer there: {', '.join(source['places'])}{more}")
    for label in plan["facts_removed"]:
        say(f"would remove the facts of {label}, which is not named; --add keeps what is there")
    say(f"would {'update' if plan['exists'] else 'make'} {plan['output']}")


@click.command(epilog="""\b
Example:
  weft remove kb.skb "Quillon Bridge" "1187" """)
@skb_argument
@click.argument("titles", nargs=-1, required=True, callback=valid_text)
@json_option
def remove(skb: Path, titles: tuple[str, ...], as_json: bool) -> None:
    """Take the pages of these TITLES out of an SKB, with everything that only they state."""
    from builder.build import remove

    with progress_bars() as progress:
        summary = remove(skb, titles, progress)
    for note in summary.notes:
        warn(note)
    if as_json:
        print_json(summary._asdict() | {"output": str(skb)})
    else:
        say(f"{counted(summary.removed, 'page')} removed, {summary.counts['page']:,} left")


COMMANDS = (build, remove)
