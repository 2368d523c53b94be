"""Lives: what the page about somebody says right behind "born in", "died at", "is a" and the like.

>>> text = "Ada Orr (Leith, 3 May 1870 – Kell, 1931) studied at Wren College. Born in Old Leith, she died in Kell."
>>> [text[start:][:9] for start in places_in(text, "Where was she born?")]
['Leith, 3 ', 'Old Leith']
>>> [text[start:][:4] for start in places_in(text, "Where did she die?")]
['Kell', 'Kell']
>>> [text[start:][:12] for start in places_in(text, "Where did she study?")]
['Wren College']
>>> row = "Born | Ada Mary Orr 3 May 1870, Leith"
>>> [row[start:] for start in places_in(row, "Where was she born?")]
['Leith']
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from retriever.answers.asked import Asked
from retriever.answers.candidates import Candidate
from retriever.answers.passages import LEAST_NAMED, Passage

PART = r"([^()]{0,80}\d{3,4}[^()]{0,80}?)"
LIFE = re.compile(rf"\({PART}\s[–—-]\s{PART}\)")
"""What a page begins with about somebody: what is told of a birth, a dash, what is told of a death."""

ROWS = {
    1: re.compile(r"^(?:Born|Birth ?place|Place of birth)\s*\|(?:[^\n]*\d)?([^\n\d]*)$", re.I | re.M),
    2: re.compile(r"^(?:Died|Death ?place|Place of death)\s*\|(?:[^\n]*\d)?([^\n\d]*)$", re.I | re.M),
}
"""What rows tell behind the date of a birth and of a death."""

LARGE = re.compile(r"\b(?!(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\w*\b)[A-Z]\w+")
BEHIND = r"[^.;\n()]{0,60}?\b(?:in|at|near|from|of)\s+(?:the\s+)?(?-i:(?=[A-Z]))"
EVENTS = tuple(
    (re.compile(rf"\b(?:{asks})\b", re.I), re.compile(rf"\b(?:{told})\b{BEHIND}", re.I), half)
    for asks, told, half in (
        ("born|birth|birthplace", "born", 1), ("die|died|death", "died", 2),
        ("buried|burial|grave", "buried|interred", 0),
        ("study|studied|graduate|graduated|educated|attend|attended", "studied|graduated|educated|degree", 0),
    )
)  # fmt: skip

NATION = re.compile(r"\b(?:nationality|citizenship|(?:country|nation)\b.*\bfrom)\b", re.I)
IS_A = re.compile(r"\b(?:is|was) (?:an?|the) (?:[a-z][\w-]* ){0,2}(?=[A-Z])")
"""What a page begins with about somebody from a country: "is a retired Scottish painter"."""


def told_of_lives(asked: Asked, passages: Sequence[Passage], candidates: Sequence[Candidate]) -> NDArray[np.bool_]:
    """Return which candidates (n,) the pages that a question names tell as the place of what it asks of a life."""
    if asked.kind not in ("place", "country"):
        return np.zeros(len(candidates), np.bool_)
    told = [{*_told(passage, asked.text)} if passage.named >= LEAST_NAMED else set() for passage in passages]
    return np.array([each.start in told[each.passage] and each.end > each.start for each in candidates], np.bool_)


def _told(passage: Passage, question: str) -> Iterator[int]:
    yield from places_in(passage.text, question)
    if passage.is_lead:
        yield from nation_in(passage.text, question)


def places_in(text: str, question: str) -> Iterator[int]:
    """Yield where the places begin that a text tells of what a question asks of a life."""
    for asks, pattern, half in EVENTS:
        if asks.search(question):
            if half and (life := LIFE.search(text)):
                yield from (each.start() for each in LARGE.finditer(text, *life.span(half)))
            if half and (row := ROWS[half].search(text)):
                yield from (each.start() for each in LARGE.finditer(text, *row.span(1)))
            yield from (each.end() for each in pattern.finditer(text))


def nation_in(text: str, question: str) -> Iterator[int]:
    """Yield where the adjective of a country begins by which a page introduces whoever is asked about.

    >>> list(nation_in("Ada is a Scottish painter.", "What nationality is Ada?"))
    [9]
    """
    if NATION.search(question) and (told := IS_A.search(text)):
        yield told.end()
