"""Sentences of short texts, by one regular expression.

A question is split here. The builder finds the sentences of chunks with more care and stores where they end
(`weft.arrays.sentence_table`); a chunk of a file without stored ends is split here as well.

>>> text = "It is old. Who built it?"
>>> [text[start:end] for start, end in sentences(text)]
['It is old.', 'Who built it?']
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import TypeAlias

Span: TypeAlias = tuple[int, int]
"""Offsets of the first character and behind the last."""

UNSPACED_STOPS = "。！？｡។။"
"""Full stops of scripts that write no blanks behind them."""

END = re.compile(
    rf"[\s{UNSPACED_STOPS}](?:(?<=[{UNSPACED_STOPS}])|(?<=[.!?;]\s)\s*(?=[\"'(\[]?[A-Z0-9])|(?<=\n)\n*)"
)
"""Blanks behind a full stop and before a capital, or line ends, and the full stops of scripts without blanks.

One class of characters comes first, so that letters are skipped.
"""


def sentences(text: str) -> list[Span]:
    """Return the spans of a text's sentences, without blanks around them; none for a blank text. Linear."""
    return spans(text, [*(match.end() for match in END.finditer(text)), len(text)])


def spans(text: str, ends: Iterable[int]) -> list[Span]:
    """Return the spans between ends, ascending, without blanks around them; blank ones are left out."""
    found = []
    for start, end in pairwise((0, *ends)):
        if part := text[start:end].strip():
            first = text.index(part[0], start)
            found.append((first, first + len(part)))
    return found
