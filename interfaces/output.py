"""Print results for people and for programs."""

from __future__ import annotations

import math
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interfaces.printable import json_line, printable, printable_json
from weft.text.normalise import LONE_SURROGATE

if TYPE_CHECKING:
    from builder.request import Progress

LANGUAGE_TAG = re.compile("[a-z]{2,8}(?:-[a-z0-9]{1,8})*")
SIZE = (80, 24)
"""What a terminal that does not tell its size is taken to have."""

skb_argument = click.argument("skb", type=click.Path(path_type=Path))
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object (one a line for streams).")


class Amount(click.FloatRange):
    """A number in a range, but no infinity and nothing that is no number."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number."""
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value!r} is not a finite number.", param, ctx)
        return number


def valid_text(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
    """Replace what is no UTF-8 in the texts of an argument."""
    if isinstance(value, tuple):
        return tuple(valid_text(context, parameter, each) for each in value)
    return LONE_SURROGATE.sub("\ufffd", value) if isinstance(value, str) else value


def one_text(context: click.Context, parameter: click.Parameter, value: Any) -> str:
    """Join the words of a text that was given without quotation marks."""
    return " ".join(valid_text(context, parameter, value))


question_argument = click.argument("question", nargs=-1, required=True, callback=one_text)


def say(line: str = "", *, err: bool = False) -> None:
    """Print one line of text; whatever would control a terminal is shown instead."""
    click.echo(printable(line), err=err)


def warn(line: str) -> None:
    """Tell the user something on stderr."""
    say(line, err=True)


def language_tags(context: click.Context, parameter: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    """Return the language tags that an option names, parted by commas or given several times, in lower case."""
    tags = [tag.strip().lower() for each in value for tag in each.split(",")]
    for tag in tags:
        if not LANGUAGE_TAG.fullmatch(tag):
            raise click.BadParameter(f"{tag!r} is no language tag; name one such as en, de or pt-BR")
    return tuple(dict.fromkeys(tags))


def print_json(value: Any, *, err: bool = False) -> None:
    """Print one JSON object on one line."""
    click.echo(json_line(value), err=err)


def print_json_line(line: str) -> None:
    """Print a line that is JSON already."""
    click.echo(printable_json(line))


def counted(n: int, singular: str, plural: str | None = None) -> str:
    """Return a number with what it counts: `1 page`, `2,000 pages`."""
    return f"{n:,} {singular if n == 1 else plural or singular + 's'}"


@contextmanager
def progress_bars() -> Iterator[Progress]:
    """Give a build's progress as one bar a stage on stderr, off when that is no terminal."""
    from tqdm import tqdm

    from builder.request import Progress

    bars: list[Any] = []
    columns, lines = _terminal_size()

    def stage(name: str) -> None:
        if bars:
            bars.pop().close()
        desc = printable(name)
        bars.append(tqdm(desc=desc, unit=" done", disable=None, leave=False, ncols=columns - 1, nrows=lines))

    def advance(n: int) -> None:
        if bars:
            bars[-1].update(n)

    try:
        yield Progress(stage, advance)
    finally:
        for bar in bars:
            bar.close()


def _terminal_size() -> tuple[int, int]:
    """Return the columns and lines of stderr's terminal; one without a size, on which tqdm shows nothing, gets some."""
    try:
        size = os.get_terminal_size(sys.stderr.fileno())
    except OSError:
        return SIZE
    return size.columns or SIZE[0], size.lines or SIZE[1]
