"""The table of hostile inputs: what can be repeated or nested in every format that Weft reads."""

from __future__ import annotations

import gc
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tests import hostile_data, hostile_markup, hostile_packed
from tests.hostile_readers import PAGE, built, built_as, built_facts


class Hostile(NamedTuple):
    """A construct that is repeated `size` times, then four times as often, and how that file is read."""

    name: str
    file: str
    size: int
    make: Callable[[int], bytes]
    read: Callable[[Path], list[str]] = built
    memory_mb: float = 64.0


HOSTILE = tuple(Hostile(*row) for row in (*hostile_markup.ROWS, *hostile_data.ROWS, *hostile_packed.ROWS))

WARM: dict[str, tuple[str, Callable[[Path], list[str]]]] = {
    "html.html": (PAGE + "<h2>Use</h2><p>It glows. It hangs.</p>" * 100, built),
    "deep.html": (f"{PAGE}{'<div>' * 1000}It hangs.", built),
    "markdown.md": ("---\na: b\n---\n# A\n\n|a|b|\n|-|-|\n|a|b|\n", built),
    "toml.md": ("+++\na = 1\n+++\n# A\n\nText.\n", built),
    "text.txt": ("A\n=\n\nText.\n", built),
    "rst.rst": ("A\n=\n\n:a:`b`\n", built),
    "dump.xml": (f"{hostile_packed.OPENED}{hostile_packed.ARTICLE}</mediawiki>", built_as("wikitext")),
    "turtle.ttl": (f"{hostile_data.S} {hostile_data.P} 1 .\n", built_facts),
    "triples.nt": (f"wrong\n{hostile_data.S} {hostile_data.P} {hostile_data.S} .\n", built_facts),
}
"""A little of every format whose reader imports something of its own."""


def warm_up() -> None:
    """Import what reading needs, by reading a little of every format; its full stops need a tokenizer."""
    with tempfile.TemporaryDirectory() as folder:
        for name, (text, read) in WARM.items():
            path = Path(folder) / name.partition(".")[0] / name
            path.parent.mkdir()
            path.write_text(text)
            read(path)
    gc.collect()
    gc.freeze()
