"""Words that a text may say in place of what is asked: "height" for "tall", "spouse" for "wife".

`related.tsv` has a word of questions a line, behind it words of texts, by their stems.

>>> sorted(set(told_for("tall")) & {"height", "high", "weight"})
['height', 'high']
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from retriever.answers.text.words import stem_of

FILE = Path(__file__).parent / "related.tsv"


def told_for(stem: str) -> tuple[str, ...]:
    """Return the stems that a text may say for a stem of a question, without itself."""
    return _known().get(stem, ())


@cache
def _known() -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for line in FILE.read_text(encoding="utf-8").splitlines():
        asked, *told = map(stem_of, line.split("\t"))
        found.setdefault(asked, {}).update(dict.fromkeys(each for each in told if each != asked))
    return {asked: tuple(told) for asked, told in found.items()}
