"""Enumerations in order: "From longest to shortest they are: Sill, Orse and Dray" tells which is the longest."""

from __future__ import annotations

import re
from collections.abc import Sequence

from retriever.answers.asked import CHOICE, Asked
from retriever.answers.candidates import NUMBERED, Candidate
from retriever.answers.choices.comparatives import rows_asked
from retriever.answers.passages import Passage
from retriever.answers.tables.whole import ASKING, Found, above
from retriever.answers.text.lexicon.adjectives import GRADED, SCALES, stems
from retriever.answers.text.likeness import normalised
from retriever.answers.text.lists import parts_of
from retriever.answers.text.words import content_in, stem_of, stems_in

END = rf"(?:{GRADED})est"
ASKED = re.compile(rf"\b{END}\b", re.I)
ORDERED = re.compile(
    rf"\bfrom (?:the )?(?P<first>{END})\b[^.:;\n]{{0,30}}? to (?:the )?(?P<last>{END})\b[^.:;\n]{{0,80}}:\s+"
    r"(?P<items>[^.:;\n]{3,400})", re.I,
)  # fmt: skip
EVERYWHERE = frozenset(map(stem_of, "earth world planet globe size area land mass".split()))
"""What a question may say besides: "the largest continent of the world by land mass"."""

FEWEST, LONGEST = 3, 60
"""Parts of an enumeration at least, and their characters at most."""


def in_order(asked: Asked, passages: Sequence[Passage]) -> Found | None:
    """Return what stands at the place asked for in an enumeration of such things from one end to the other, or None.

    Every other word that is asked must stand in its sentence or above, or say no more than that all are meant.
    """
    most = ASKED.search(asked.text)
    if most is None or asked.is_polar or CHOICE.search(asked.text):
        return None
    which, said = rows_asked(asked.text, most.start())
    wanted = content_in(asked.text) - {*stems_in(said + most[0])} - ASKING - EVERYWHERE
    for index, passage in enumerate(passages) if wanted else ():
        for found in ORDERED.finditer(passage.text):
            start, end = passage.sentence_at(found.start())
            if not wanted <= above(passage) | {*stems_in(passage.text[start:end])}:
                continue
            parts = _from_end(most[0], found)[which]
            if parts:
                text = ", ".join(parts)
                span = found.span("items")
                start = passage.text.find(text, *span)
                span = (start, start + len(text)) if start >= 0 else span
                return Found(Candidate(text, normalised(text), index, *span, NUMBERED["name"], 0), passages)
    return None


def _from_end(asked: str, found: re.Match[str]) -> list[str]:
    """Return the parts of an enumeration, those first that have the most of what is asked; none of another scale."""
    parts = [part.strip(" .") for part in parts_of(found["items"])]
    ends = [_end(found[each]) for each in ("first", "last")]
    if len(parts) < FEWEST or max(map(len, parts)) > LONGEST or _end(asked) not in ends or ends[0] == ends[1]:
        return []
    return parts if _end(asked) == ends[0] else parts[::-1]


def _end(word: str) -> tuple[str, bool]:
    """Return the scale of a superlative, and whether it says that there is most: "biggest" is as "largest"."""
    own = word.lower().removesuffix("est")
    scale = next((each.greater for each in SCALES if own in f"{each.greater} {each.lesser}".split()), own)
    return scale, own in stems(lesser=False).split("|")
