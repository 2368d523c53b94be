"""Commands that read an SKB as it is: info, show, check, dump."""

from __future__ import annotations

from pathlib import Path

import click

from interfaces.output import json_option, print_json, print_tree, skb_argument, valid_text


@click.command()
@skb_argument
@click.option("--rejects", "only_rejects", is_flag=True, help="List what was not taken as it is, with the reason.")
@json_option
def info(skb: Path, only_rejects: bool, as_json: bool) -> None:
    """Count what an SKB holds: rows of every kind, triples by fate, mentions, rejects, build times."""
    from builder.report import info, rejects
    from weft.skb import Skb

    with Skb(skb) as opened:
        if only_rejects:
            for record in rejects(opened.connection):
                line = f"{record['source']}: {record['place']}: {record['state']}: {record['reason'] or '-'}"
                print_json(record) if as_json else click.echo(line)
            return
        report = info(opened.connection, skb)
    print_json(report) if as_json else print_tree(report)


@click.command(epilog="""\b
Examples:
  weft show kb.skb "Quillon Bridge"
  weft show kb.skb "Quillon Bridge#History##2" """)
@skb_argument
@click.argument("uri", callback=valid_text)
@json_option
def show(skb: Path, uri: str, as_json: bool) -> None:
    """Show a page, section, chunk or entity with its neighbours, both ways."""
    from weft.show import show
    from weft.skb import Skb

    with Skb(skb) as opened:
        found = show(opened, uri)
    print_json(found) if as_json else print_tree(found)


@click.command()
@skb_argument
@json_option
def check(skb: Path, as_json: bool) -> None:
    """Check that an SKB is whole; exit code 1 when something is wrong."""
    from builder.check import problems
    from weft.skb import Skb

    with Skb(skb) as opened:
        found = list(problems(opened.connection))
    if as_json:
        print_json({"ok": not found, "problems": found})
    else:
        for line in found or [f"{skb} is whole"]:
            click.echo(line)
    if found:
        raise SystemExit(1)


@click.command()
@skb_argument
@click.option("--vectors", is_flag=True, help="Dump the vectors too.")
@json_option
def dump(skb: Path, vectors: bool, as_json: bool) -> None:
    """Print every table but meta as JSON Lines, equal for equal knowledge."""
    from builder.dump import dump
    from weft.skb import Skb

    with Skb(skb) as opened:
        for line in dump(opened.connection, vectors=vectors):
            click.echo(line)


COMMANDS = (info, show, check, dump)
