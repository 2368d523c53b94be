"""Causes: what a sentence says that something comes of, behind "caused by", "due to", "because" and the like."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from retriever.answers.asked import Asked, flags
from retriever.answers.candidates import NUMBERED, Candidate
from retriever.answers.passages import Passage
from retriever.answers.text.words import stems_in
from retriever.types import Scores
from weft.text.sentences import Span

ASKS = re.compile(
    r"\bwhat (?:causes?|caused|brings? about|leads? to|led to)\b|\bwhy\b|\bcauses? of\b|\bhow come\b", re.I
)
INSTEAD = frozenset(("but to ", "than to ", "but to the ", "than to the "))
CAUSED = re.compile(
    r"\b(?:caused by|due to|(?:the|a) result of|attributed to|ascribed to|blamed on|because(?: of)?|owing to"
    r"|but to|than to|(?:name|title|word|sobriquet|nickname)\b[^.;]{0,40} refers to|explained (?:by [a-z]+ )?as"
    r"|consequence of)\s+(?:(?:the|an?)\s+)?", re.I)  # fmt: skip
PART_ENDS = re.compile(r"[,;]\s|\)(?=[^(]*$)|[ ][–—-][ ]")
"""What ends the first part of a cause, which is enough."""

NOT = re.compile(r"\b(?:not|less)\b[^.;,]{0,20}\Z", re.I)
"""What stands before a cause that is denied: "not due to pigment but to bubbles"."""

LOOSE = frozenset(NUMBERED[form] for form in ("phrase", "clause"))
LEAST_SAID = 0.4
"""What a sentence must say of the question before a cause, by rarity, what stands above it counted."""


def told_of_causes(asked: Asked, passages: Sequence[Passage], candidates: Sequence[Candidate]) -> Scores:
    """Return how much (n,) a sentence says of what is asked, 0 to 1, before it gives each candidate as the cause.

    -1 where it denies that. Of those that begin at one place the longest up to a comma alone counts.
    """
    told = np.zeros(len(candidates), np.float32)
    if not ASKS.search(asked.text):
        return told
    longest: dict[tuple[int, int], int] = {}
    found = {(index, start): (end, said)
             for index, passage in enumerate(passages) for (start, end), said in _causes(asked, passage)}  # fmt: skip
    for row, each in enumerate(candidates):
        key = each.passage, each.start
        if each.form not in LOOSE or key not in found or PART_ENDS.search(each.text):
            continue
        if found[key][1] < 0:
            told[row] = found[key][1]
        elif each.end > candidates[longest.setdefault(key, row)].end:
            longest[key] = row
    for key, row in longest.items():
        told[row] = found[key][1]
    return told


def _causes(asked: Asked, passage: Passage) -> list[tuple[Span, float]]:
    """Return where causes begin and their sentences end, and what is said before them; -1 for one that is denied."""
    found = []
    for start, end in passage.bounds if passage.kind not in ("table", "infobox") else ():
        for cause in CAUSED.finditer(passage.text, start, end):
            if cause[0].lower() not in INSTEAD and NOT.search(passage.text, start, cause.start()):
                found.append(((cause.end(), end), -1.0))
            elif (said := _said(asked, passage, (start, cause.start()))) >= LEAST_SAID:
                found.append(((cause.end(), end), said))
    return found


def _said(asked: Asked, passage: Passage, span: Span) -> float:
    """Return how much of what is asked (0 to 1) some characters of a passage mean, or what stands above them says."""
    means = passage.means[slice(*passage.words.span(*span))].max(0, initial=0)
    return float(np.maximum(means, flags(stems_in(f"{passage.title} {passage.heading}"), asked)) @ asked.every)
