"""Commands that read an SKB as it is: info, show, check, dump."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interfaces.output import counted, json_option, print_json, print_json_line, say, skb_argument, valid_text, warn
from interfaces.trees import print_tree

if TYPE_CHECKING:
    from weft.skb import Skb

SHORT = 120
"""Characters of a chunk's text in the list of a page's chunks."""


@click.command()
@skb_argument
@click.option("--rejects", "only_rejects", is_flag=True,
              help="List what was not taken as it is, with the reason: documents, files, fields, facts.")
@click.option("--pages", "only_pages", is_flag=True, help="List the uris of all pages.")
@json_option
def info(skb: Path, only_rejects: bool, only_pages: bool, as_json: bool) -> None:
    """Count what an SKB holds: rows of every kind, what became of lines of facts, mentions, rejects, build times."""
    from builder.info import info
    from weft.skb import Skb

    if only_rejects and only_pages:
        raise click.UsageError("--rejects and --pages are two lists; name one")
    with Skb(skb) as opened:
        if only_rejects:
            _print_rejects(opened, as_json)
        elif only_pages:
            _print_pages(opened, as_json)
        else:
            report = info(opened.connection, skb)
            print_json(report) if as_json else print_report(report)


def _print_rejects(skb: Skb, as_json: bool) -> None:
    from builder.info import rejects

    found = rejects(skb.connection)
    for record in found:
        line = f"{_where(record['source'], record['place'])}: {record['state']}: {record['reason'] or '-'}"
        print_json(record) if as_json else say(line)
    if not found:
        warn("no rejects: every input was taken as it is")


def _where(source: str, place: str) -> str:
    """Return a source and a place in it; the name of a source that is one file stands once.

    >>> _where("old/a.nt", "a.nt line 7"), _where("docs", "b/c.html")
    ('old/a.nt line 7', 'docs: b/c.html')
    """
    file = source.rpartition("/")[2]
    is_file = place == file or place.startswith(f"{file} line ")
    return f"{source}{place.removeprefix(file)}" if is_file else f"{source}: {place}"


def _print_pages(skb: Skb, as_json: bool) -> None:
    from builder.info import pages

    for page in pages(skb.connection):
        print_json(page) if as_json else say(page["uri"])


def print_report(report: dict[str, Any]) -> None:
    """Print what an SKB holds for people: a line for each fact file and each often mentioned entity."""
    files = {each["label"]: _of_file(each) for each in report["facts"]}
    often = {each["uri"]: counted(each["chunks"], "chunk") for each in report["most cited entities"]}
    ignored = {f"{each['source']}: {each['kind']}": each["files"] for each in report["build"].get("ignored", [])}
    shown = {"facts": files, "most cited entities": often, "rejects": report["rejects"] or "none"}
    print_tree(report | shown | {"build": report["build"] | {"ignored": ignored}})


def _of_file(file: dict[str, Any]) -> dict[str, Any]:
    """Return what is told of a fact file: its fates beneath, most frequent first."""
    fates = sorted(file["fates"].items(), key=lambda row: (-row[1], row[0]))
    rest = {key: value for key, value in file.items() if key not in ("label", "fates")}
    return rest | dict(fates)


@click.command(epilog="""\b
Examples:
  weft show kb.skb "Quillon Bridge"
  weft show kb.skb "Quillon Bridge##1"
  weft show kb.skb "Quillon Bridge" --document""")
@skb_argument
@click.argument("uri", callback=valid_text)
@click.option("--document", "only_document", is_flag=True,
              help="Show an entity as the one text that build --node-documents embeds.")
@json_option
def show(skb: Path, uri: str, only_document: bool, as_json: bool) -> None:
    """Show a page, section, chunk or entity with its neighbours, both ways."""
    from weft.show import show, show_document
    from weft.skb import Skb

    with Skb(skb) as opened:
        found = (show_document if only_document else show)(opened, uri)
    if as_json:
        print_json(found)
    elif only_document:
        _print_document(found)
    else:
        print_tree(_with_short_texts(found))


def _print_document(found: dict[str, Any]) -> None:
    for line in found["document+relations"].split("\n"):
        say(line)
    if found["is_cut"]:
        warn("attributes or text are cut: the document has as many words as are embedded")
    if found["neighbours_left_out"]:
        warn(f"left out {counted(found['neighbours_left_out'], 'neighbour')}")


def _with_short_texts(found: dict[str, Any]) -> dict[str, Any]:
    """Return what is shown with the beginnings of its chunks, a line each; a chunk itself keeps its text."""
    if "chunks" not in found:
        return found
    lines = {chunk["uri"]: f"{chunk['kind']}: {_short(chunk['text'])}" for chunk in found["chunks"]}
    return found | {"chunks": lines}


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SHORT else line[: SHORT - 1] + "…"


@click.command()
@skb_argument
@json_option
def check(skb: Path, as_json: bool) -> None:
    """Check that an SKB is whole; exit code 1 when something is wrong."""
    from builder.check import problems
    from weft.skb import Skb

    with Skb(skb) as opened:
        found = list(problems(opened.connection, skb))
    if as_json:
        print_json({"ok": not found, "problems": found})
    else:
        for line in found or [f"{skb} is whole"]:
            say(line)
    if found:
        raise SystemExit(1)


@click.command()
@skb_argument
@click.option("--vectors", is_flag=True, help="Dump the vectors too.")
@json_option
def dump(skb: Path, vectors: bool, as_json: bool) -> None:
    """Print every table except meta as JSON Lines, equal for equal knowledge."""
    from builder.dump import dump
    from weft.skb import Skb

    with Skb(skb) as opened:
        for line in dump(opened.connection, vectors=vectors):
            print_json_line(line)


COMMANDS = (info, show, check, dump)
