"""Populations: how many people live somewhere, as a row, "inhabitants" behind a number or "population" before one says.

>>> text = "In 1872 it lost nineteen people. It has 2,340 inhabitants today; the population was 3,100 in 1850."
>>> [text[start:][:5] for start in told_in(text)]
['2,340', '3,100']
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from retriever.answers.asked import Asked
from retriever.answers.candidates import Candidate
from retriever.answers.passages import LEAST_NAMED, Passage
from retriever.answers.text.words import stems_in

LONGEST = 300
"""Characters of a question that may ask for a population."""

ASKS = re.compile(
    r"\bhow many (?:people|persons) (?:live|lives|lived|reside|inhabit)\b"
    r"|\bhow many (?:inhabitants|residents|souls|villagers|islanders)\b|\bpopulation (?:of|in)\b|\bpopulation\W*$"
    r"|\bhow (?:large|big) (?:is|was) the population\b", re.I,
)  # fmt: skip
NUMBER = r"\d[\d.,]{0,20}(?<=\d)"
ABOUT = r"(?:(?:about|around|some|roughly|nearly|over|almost|only|just|barely) ){0,2}"
COUNTING = rf"(?:ha(?:s|ve|d)|home to|of|by|count(?:s|ed|ing)|number(?:s|ed|ing)) {ABOUT}"
SETTLEMENT = "village|town|city|hamlet|settlement|island|community|parish|municipality|borough|place"
LIVE = "live|lives|lived|living|reside"
PROSE = re.compile(
    rf"\b[Pp]opulation\b(?! density)(?:(?!\b(?:growth|density)\b)[^.;|\d]){{0,40}}(?P<n>{NUMBER})"
    r"(?!st\b|nd\b|rd\b|th\b|\s?%)"
)
TOLD = (
    re.compile(rf"(?P<n>{NUMBER}) (?:[a-z-]+ ){{0,2}}(?:inhabitants|souls|villagers|islanders)\b"),
    re.compile(rf"{COUNTING}(?P<n>{NUMBER}) (?:[a-z-]+ ){{0,2}}(?:residents|citizens)\b"),
    re.compile(rf"\b(?:{SETTLEMENT}) (?:of|with) {ABOUT}(?P<n>{NUMBER}) (?:people|persons|residents)\b"),
    re.compile(rf"(?P<n>{NUMBER}) (?:people|persons) (?:who )?(?:[a-z]+ )?(?:{LIVE})\b"),
    PROSE,
    re.compile(rf"^(?:total )?(?:population|inhabitants)\b(?! density)[^|\n]{{0,30}}\|\s*(?P<n>{NUMBER})", re.I | re.M),
)
LABEL = re.compile(r"(?:total )?(?:population|inhabitants)\b(?! density)", re.I)
CELL = re.compile(r" \| ")
YEAR = re.compile(r"[12]\d{3}")


def population_asked(asked: Asked) -> bool:
    """Tell whether a question asks how many people live somewhere."""
    return asked.kind == "number" and len(asked.text) <= LONGEST and ASKS.search(asked.text) is not None


def told_in(text: str) -> Iterator[int]:
    """Yield where the numbers begin that a text tells of a population; behind that word none that may be a year."""
    told = ((pattern, each) for pattern in TOLD for each in pattern.finditer(text))
    sure = (each for pattern, each in told if pattern is not PROSE or not YEAR.fullmatch(each["n"]))
    yield from sorted({each.start("n") for each in sure})


def told_of_populations(
    asked: Asked, passages: Sequence[Passage], candidates: Sequence[Candidate]
) -> NDArray[np.bool_]:
    """Return which candidates (n,) the page of a place that a question names, or a sentence with it, tells."""
    told: list[set[int]] = [set() for _ in passages]
    for index, passage in enumerate(passages) if population_asked(asked) else ():
        told[index] = {*_in_table(asked, passage)}
        for start in told_in(passage.text):
            if passage.named >= LEAST_NAMED or _is_named(asked, passage.text[slice(*passage.sentence_at(start))]):
                told[index].add(start)
    return np.array([each.start in told[each.passage] and each.end > each.start for each in candidates], np.bool_)


def says_population(passage: Passage, candidate: Candidate) -> bool:
    """Tell whether a passage says of a candidate, whatever is asked, that it is a population, or is a table of some."""
    start, end = passage.sentence_at(0)
    is_table = passage.kind == "table" and any(LABEL.match(each) for each in CELL.split(passage.text[start:end]))
    return is_table or candidate.start in {*told_in(passage.text)}


def _in_table(asked: Asked, passage: Passage) -> Iterator[int]:
    """Yield where the populations begin of the rows of a table whose first cell a question names.

    Of several columns that is the one with a year that is asked for, else the first.
    """
    head, *rows = [passage.text[start:end] for start, end in passage.bounds] if passage.kind == "table" else [""]
    labels = CELL.split(head)
    columns = [number for number, each in enumerate(labels) if LABEL.match(each)]
    dated = (number for number in columns if not asked.tokens.isdisjoint(YEAR.findall(labels[number])))
    column = next(dated, columns[0] if columns else 0)
    for row, (start, _) in zip(rows, passage.bounds[1:], strict=True) if column else ():
        ends = [each.end() for each in CELL.finditer(row)]
        if len(ends) >= column and {*stems_in(CELL.split(row)[0])} <= asked.tokens:
            yield start + ends[column - 1]


def _is_named(asked: Asked, text: str) -> bool:
    """Tell whether a sentence has all words with a capital of a question."""
    return bool(asked.capitals) and {*asked.capitals} <= {*stems_in(text)}
