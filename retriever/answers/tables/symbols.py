"""What a symbol stands for, as other passages tell it: "oxygen" for "O".

>>> spelled_out("O", ["8 | oxygen | O | 466,000"]), spelled_out("Si", ["as silicon (Si) is", "14 | iron | Fe"])
('oxygen', 'silicon')
>>> spelled_out("O", ["Group O | O | Rh"]), spelled_out("Orse", ["the harbour (Orse)"])
('O', 'Orse')
"""

from __future__ import annotations

import re
from collections.abc import Iterable

SYMBOL = re.compile(r"[A-Z][a-z]?")
NAME = r"([^\W\d_]{3,}(?: [^\W\d_]{3,})?)"


def spelled_out(text: str, passages: Iterable[str]) -> str:
    """Return the name that stands in the cell before a symbol of at most two letters, or before it in parentheses.

    The symbol itself where nothing tells it or several names do. Linear.
    """
    if SYMBOL.fullmatch(text) is None:
        return text
    cell = re.compile(rf"(?:^|\| ){NAME} \| {text}(?= \||$)", re.M)
    beside = re.compile(rf"\b([^\W\d_]{{3,}}) \({text}\)")
    names = {found[1] for own in passages for each in (cell, beside) for found in each.finditer(own)}
    # At the beginning of a sentence any word has a capital.
    return max(names) if len({*map(str.lower, names)}) == 1 else text
