"""Print results for people and for programs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from builder.build import Progress

LONE = re.compile("[\ud800-\udfff]")

skb_argument = click.argument("skb", type=click.Path(path_type=Path))
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object (one a line for streams).")


def valid_text(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
    """Replace what is no UTF-8 in the texts of an argument."""
    if isinstance(value, tuple):
        return tuple(valid_text(context, parameter, each) for each in value)
    return LONE.sub("\ufffd", value) if isinstance(value, str) else value


def print_json(value: Any) -> None:
    """Print one JSON object on one line."""
    click.echo(json.dumps(value, ensure_ascii=False))


def warn(line: str) -> None:
    """Tell the user something on stderr."""
    click.echo(line, err=True)


def print_tree(value: Any, indent: int = 0) -> None:
    """Print nested dictionaries and lists as indented lines."""
    pad = "  " * indent
    if isinstance(value, dict):
        for key, each in value.items():
            if isinstance(each, (dict, list)) and each:
                click.echo(f"{pad}{key}:")
                print_tree(each, indent + 1)
            else:
                click.echo(f"{pad}{key}: {_scalar(each)}")
    elif isinstance(value, list):
        for each in value:
            if isinstance(each, dict):
                click.echo(pad + ", ".join(f"{key} {_scalar(part)}" for key, part in each.items()))
            else:
                click.echo(pad + _scalar(each))


def _scalar(value: Any) -> str:
    if value is None or value == [] or value == {}:
        return "-"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return str(value)


@contextmanager
def progress_bars() -> Iterator[Progress]:
    """Give a build's progress as one bar a stage on stderr, off when that is no terminal."""
    from tqdm import tqdm

    from builder.build import Progress

    bars: list[Any] = []

    def stage(name: str) -> None:
        if bars:
            bars.pop().close()
        bars.append(tqdm(desc=name, unit=" done", disable=None, leave=False))

    def advance(n: int) -> None:
        if bars:
            bars[-1].update(n)

    try:
        yield Progress(stage, advance)
    finally:
        for bar in bars:
            bar.close()
