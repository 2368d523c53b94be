"""Blocks of text: what plain text and Markdown are cut into before they become sections and chunks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

LABELLED = re.compile(r"\W*\w[^:\n]{0,40}:\s+\S")
VERBATIM = "\ufdd6"
"""What a line of a list begins with that is kept as it is, such as code within an item."""


class Block(NamedTuple):
    """A heading, paragraph, list, table, code, definition or caption.

    `lines` are those of a list, definition, table (its cells between tabs) or
    code; anything else has one. `level` is a heading's, 1 the highest. The
    first `header` lines of a table are its header.
    """

    kind: str
    lines: list[str]
    level: int = 0
    header: int = 0

    @property
    def text(self) -> str:
        """The only line of a heading or paragraph."""
        return self.lines[0]


def are_labelled(lines: Sequence[str]) -> bool:
    """Tell whether each of several lines begins with a label, so that they are no running text.

    >>> are_labelled(["Opening hours: 10 to 5", "Telephone: 0551 20 17"]), are_labelled(["Note: the pier", "is shut."])
    (True, False)
    """
    return len(lines) > 1 and all(map(LABELLED.match, lines))


def joined(lines: list[str]) -> str:
    """Join the lines that an author or a program broke; a word broken at its hyphen stays one.

    >>> joined(["A well-", "known pier", "in Ondrel."])
    'A well-known pier in Ondrel.'
    """
    text = ""
    for line in map(str.strip, lines):
        if not line:
            continue
        glued = text[-1:] == "-" and text[-2:-1].isalpha() and line[0].islower()
        text += line if glued or not text else f" {line}"
    return text
