"""Contrasts: candidates that are told of something else: another page, another part of a sentence, the opposite."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from retriever.answers.asked import Asked
from retriever.answers.candidates import NUMBERED, Candidate
from retriever.answers.passages import LEAST_NAMED, Passage
from retriever.answers.text.measures import measures_of
from retriever.answers.text.words import stems_in
from retriever.types import Scores

LEAST_LEFT = 0.4
"""What a row of an infobox of another page leaves unsaid of a question at least, by rarity."""

PARTS = re.compile(r"[,;](?=\s)| and (?=[^,;]*\d)")
GREATEST = re.compile(
    r"\b(?:great|larg|high|long|bigg|deep|heavi|tall|fast|wid|thick|hott|warm|strong)est\b|\bmaximum\b", re.I
)
LEAST = re.compile(
    r"\b(?:small|low|short|shallow|light|slow|narrow|thinn|cold|cool|weak)est\b|\b(?:least|minimum)\b", re.I
)


def of_another_page(asked: Asked, passages: Sequence[Passage], candidates: Sequence[Candidate]) -> Scores:
    """Return 1 for each candidate (n,) of an infobox of what a question does not name, and much of it is unsaid."""
    found = np.zeros(len(candidates), np.float32)
    for row, each in enumerate(candidates):
        passage = passages[each.passage]
        titled = {*stems_in(passage.title)}
        if passage.kind == "infobox" and passage.named < LEAST_NAMED and titled.isdisjoint(asked.tokens):
            means = passage.means[slice(*passage.words.span(*passage.sentence_at(each.start)))].max(0, initial=0)
            found[row] = (1 - means) @ asked.every >= LEAST_LEFT
    return found


def of_another_part(asked: Asked, passages: Sequence[Passage], candidates: Sequence[Candidate]) -> Scores:
    """Return 1 for each number (n,) that is told of something else than the question asks, in one part of a sentence.

    "Wheat has 46 percent, maize 21 percent": where one part alone says a word asked for, all other numbers of the same
    unit are of others.
    """
    found = np.zeros(len(candidates), np.float32)
    numbers = [row for row, each in enumerate(candidates) if each.form == NUMBERED["number"]]
    sentences: dict[tuple[int, int], list[int]] = {}
    for row in numbers if asked.kind == "number" else ():
        sentences.setdefault(_sentence_of(passages, candidates[row]), []).append(row)
    for (index, start), rows in sentences.items():
        passage = passages[index]
        end = passage.sentence_at(start)[1]
        cuts = [start, *(each.start() for each in PARTS.finditer(passage.text, start, end)), end]
        parts = [int(np.searchsorted(cuts, candidates[row].start, side="right")) for row in rows]
        units = [measures_of(candidates[row].text) for row in rows]
        for unit in {*units} - {frozenset()}:
            own = {part for part, each in zip(parts, units, strict=True) if each == unit}
            said = {part: _asked_in(passage, (cuts[part - 1], cuts[part])) for part in own}
            telling = [part for part in own if said[part] - set[int]().union(*(said[each] for each in own - {part}))]
            for row, part, each in zip(rows, parts, units, strict=True) if len(telling) == 1 else ():
                found[row] = found[row] or (each == unit and part != telling[0])
    return found


def _asked_in(passage: Passage, span: tuple[int, int]) -> set[int]:
    """Return which of the stems asked for some characters of a passage say."""
    return {*passage.asked[slice(*passage.words.span(*span))].tolist()} - {-1}


def opposite(asked: Asked, passages: Sequence[Passage], candidates: Sequence[Candidate]) -> Scores:
    """Return 1 for each candidate (n,) behind a superlative opposite to that asked for, if its sentence has both."""
    found, text = np.zeros(len(candidates), np.float32), asked.text
    asks = [pattern.search(text) is not None for pattern in (GREATEST, LEAST)]
    if asks[0] == asks[1]:
        return found
    own, other = (GREATEST, LEAST) if asks[0] else (LEAST, GREATEST)
    for index, passage in enumerate(passages):
        for start, end in passage.bounds:
            wrong = [each.start() for each in other.finditer(passage.text, start, end)]
            right = [each.start() for each in own.finditer(passage.text, start, end)] if wrong else []
            for row, each in enumerate(candidates) if right else ():
                if each.passage == index and start <= each.start < end:
                    last = [max((at for at in places if at < each.start), default=-1) for places in (right, wrong)]
                    found[row] = last[1] > last[0]
    return found


def _sentence_of(passages: Sequence[Passage], candidate: Candidate) -> tuple[int, int]:
    """Return the passage of a candidate, and where its sentence begins there."""
    return candidate.passage, passages[candidate.passage].sentence_at(candidate.start)[0]
