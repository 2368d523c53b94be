"""Either: which of two words that a question offers a page says of the same thing: "Is it glossy or matt?"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from retriever.answers.asked import Asked, flags
from retriever.answers.candidates import NUMBERED, Candidate
from retriever.answers.choices.comparatives import compared_by
from retriever.answers.columns.sentences import said_in
from retriever.answers.passages import Passage
from retriever.answers.ranker import Ranked, single_candidate
from retriever.answers.text.words import UPPER, stems_in

OFFERED = (
    r"(?:(?:an?|at|by|for|from|in|of|on|the|to|with)\s+)*"
    rf"((?-i:[{UPPER}][\w'-]*(?:\s+[{UPPER}][\w'-]*)+)|[^\W_][\w'-]*)"
)
"""A name of several words, or a word."""

OFFERS = re.compile(
    r"(?:^\W*|[-–—:,;.]\s+)(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|must|may|should)\b[^?]*?\s"
    rf"{OFFERED}\s*,?\s+or\s+{OFFERED}(?:\s+[\w'-]+){{0,2}}\W*$", re.I
)  # fmt: skip
AMOUNTS = re.compile(r"\b(?:more|less|fewer|better|worse|first|earlier|later|sooner|longer)\b", re.I)
LEAST = 0.6
"""The share, by rarity, of the other words of a question that a sentence says which surely answers it."""


class Said(NamedTuple):
    """How much of what is asked a sentence says beside one of two words, and where that word stands."""

    worth: float
    candidate: Candidate


def offered_in(text: str) -> tuple[str, ...]:
    """Return the two words or names that a question offers, nothing where it offers none or compares amounts.

    >>> offered_in("Is it glossy or matt?"), offered_in("Is it open?"), offered_in("Which is older, A or B?")
    (('glossy', 'matt'), (), ())
    """
    offers = OFFERS.search(text)
    return () if offers is None or compared_by(text)[0] or AMOUNTS.search(text) else offers.groups()


def either(asked: Asked, passages: Sequence[Passage]) -> Said | None:
    """Return that of two words or names which the sentence that says most of the rest has, where it has one alone."""
    offered = {text: frozenset(stems_in(text)) for text in offered_in(asked.text)}
    if len({*offered.values()}) < 2:
        return None
    found = [each for index, passage in enumerate(passages) for each in _said(asked, passage, index, offered)]
    return max(found, key=lambda each: each.worth, default=None)


def as_offered(found: Ranked) -> Ranked:
    """Return a reading whose answer is one of the two that its question offers, unless it is yes or no.

    Where it is neither, that of the two which a sentence says some of the rest with, hardly for sure, or none.
    """
    asked, passages = found.reading.asked, found.reading.passages
    offered = offered_in(asked.text)
    answer = {*stems_in(found.candidate.text)}
    if not offered or answer & {"yes", "no"} or any(answer >= {*stems_in(each)} for each in offered):
        return found
    said = either(asked, passages)
    return single_candidate(found.reading, said.candidate, said.worth) if said else found._replace(chance=0.0)


def _said(asked: Asked, passage: Passage, index: int, offered: Mapping[str, frozenset[str]]) -> Iterator[Said]:
    """Yield for each sentence of a passage that has one of two words what it says; its title counts as said."""
    either_one = frozenset().union(*offered.values())
    others = np.where([stem in either_one for stem in asked.stems], 0.0, asked.every)
    worth = np.maximum(said_in(asked, passage), flags(stems_in(passage.title), asked)) @ others
    for number, (start, end) in enumerate(passage.bounds):
        first, last = passage.words.span(start, end)
        stems = passage.words.stems[first:last]
        held = [text for text, own in offered.items() if own.issubset(stems)]
        if len(held) == 1 and others.any():
            at = first + next(place for place, stem in enumerate(stems) if stem in offered[held[0]])
            span = int(passage.words.starts[at]), int(passage.words.ends[at])
            told = Candidate(held[0], held[0].lower(), index, *span, NUMBERED["choice"], 0)
            yield Said(float(worth[number] / others.sum()), told)
