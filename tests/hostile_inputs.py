"""The table of hostile inputs: what can be repeated or nested in every format that Weft reads."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tests import hostile_data, hostile_markup, hostile_packed
from tests.hostile_readers import PAGE, built


class Hostile(NamedTuple):
    """A construct that is repeated `size` times, then four times as often, and how that file is read."""

    name: str
    file: str
    size: int
    make: Callable[[int], bytes]
    read: Callable[[Path], list[str]] = built
    memory_mb: float = 64.0


HOSTILE = tuple(Hostile(*row) for row in (*hostile_markup.ROWS, *hostile_data.ROWS, *hostile_packed.ROWS))
PENDING = {
    "markdown: blanks behind a heading": "the Markdown parser is about to be replaced",
    "markdown: blanks behind emphasis": "the Markdown parser is about to be replaced",
    "front matter: nested TOML arrays": "tomllib raises RecursionError",
    "front matter: a TOML key of many parts": "tomllib copies the key for every part of it",
    "front matter: a huge number in TOML": "tomllib raises a plain ValueError",
    "rdf: dots": "the end of a statement is looked for from every dot",
    "records: a target full of fragments": "a target is joined anew for every fragment",
    "natural questions: headings that are not closed": "the end of a heading is looked for from every start",
    "fusion: a shape of many dimensions": "the product of the shape is written out",
    "tar: a size that no disk has": "tarfile reads on to where a member should end",
    "tar: long names after each other": "tarfile calls itself for every header",
    "tar: PAX headers after each other": "tarfile calls itself for every header",
    "tar: global PAX headers": "tarfile calls itself for every header",
    "tar: a PAX record of many digits": "tarfile's pattern tries every digit as a start",
    "xml: text without tags": "expat reads an unfinished token anew with every piece",
    "xml: packed text without tags": "expat reads an unfinished token anew with every piece",
    "xml: a tag that is not closed": "expat reads an unfinished token anew with every piece",
    "xml: an attribute without end": "expat reads an unfinished token anew with every piece",
    "xml: a comment that is not closed": "expat reads an unfinished token anew with every piece",
}
"""Why an input is not bounded yet."""


def warm_up() -> None:
    """Import what reading needs, by reading something."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "lamp.html"
        path.write_text(PAGE)
        built(path)
