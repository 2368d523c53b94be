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


def warm_up() -> None:
    """Import what reading needs, by reading something."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "lamp.html"
        path.write_text(PAGE)
        built(path)
