"""The labels of reStructuredText that `:ref:` roles name, with the headings that they stand above.

>>> dict(labels_in(".. _light:\\n.. _`Old Lamp`:\\n\\nThe *lamp*\\n========\\n\\n.. _wick:\\n\\nIt burns."))
{'old lamp': 'The lamp', 'light': 'The lamp'}
"""

from __future__ import annotations

import os
import re
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from builder.readers.text.names import RST_SUFFIXES, label_name

REF = re.compile(r":ref:`(?:[^`<>]*<)?([^`<>]+)>?`")
"""A role that names a label, perhaps behind what it shows: `the lamp <light>`."""

LABEL = re.compile(r"^\.\. _(`[^`\n]+`|[^`:\n][^:\n]*):[ \t]*$", re.M)
BETWEEN = re.compile(r"(?:[ \t]*\n|\.\. index::[^\n]*\n(?:[ \t]+[^\n]*\n|[ \t]*\n)*+)*+")
"""What may stand between a label and its heading."""

HEADING = re.compile(r"(?:[^\n]{1,1000}\n?){1,3}")
TABLE = "CREATE TABLE IF NOT EXISTS label (name TEXT PRIMARY KEY, place TEXT, heading TEXT) WITHOUT ROWID"


class Labelled(NamedTuple):
    """The place of the file that has a label, and the heading below it."""

    place: str
    heading: str


def labels_in(text: str) -> Iterator[tuple[str, str]]:
    """Yield the labels of a text above headings, with these, the last one first. Linear."""
    from builder.readers.text.rst.document import heading_title

    following, heading = -1, ""
    for label in reversed([*LABEL.finditer(text)]):
        between = BETWEEN.match(text, min(len(text), label.end() + 1))
        begin = between.end() if between else label.end()
        if begin != following:
            lines = HEADING.match(text, begin)
            heading = heading_title(lines[0]) if lines else ""
        following = label.start()
        if heading:
            yield label_name(label[1]), heading


def write_labels(shelf: sqlite3.Connection, files: Iterable[tuple[str, bytes]]) -> bool:
    """Write the labels of the files (place, path) that are reStructuredText; of several of a name the first stays.

    Return that they are written.
    """
    shelf.execute(TABLE)
    for place, path in files:
        if not place.lower().endswith(RST_SUFFIXES):
            continue
        try:
            text = Path(os.fsdecode(path)).read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        rows = ((name, place, heading) for name, heading in labels_in(text))
        shelf.executemany("INSERT OR IGNORE INTO label VALUES (?, ?, ?)", rows)
    return True


def labelled(shelf: sqlite3.Connection, name: str) -> Labelled | None:
    """Return the file and the heading of a label."""
    row = shelf.execute("SELECT place, heading FROM label WHERE name = ?", (name,)).fetchone()
    return None if row is None else Labelled(*row)
