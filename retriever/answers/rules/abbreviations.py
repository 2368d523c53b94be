"""Abbreviations: what stands behind "stands for" and the like, or before a short form in parentheses.

>>> short_asked("What does ABC stand for?"), short_asked("full form of U.N."), short_asked("Who stood for mayor?")
('ABC', 'U.N.', '')
>>> is_short_for("UN", "United Nations"), is_short_for("BC", "Boat Club of Kell"), is_short_for("Kell", "the town")
(True, True, False)
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from retriever.answers.asked import Asked
from retriever.answers.candidates import Candidate
from retriever.answers.passages import Passage
from retriever.answers.text.likeness import normalised
from retriever.types import Scores

ASKED = re.compile(
    r"\bwhat (?:do|does|did|is|was) (?:\S+ ){0,6}?(?P<short>\S+) (?:stand for|short for"
    r"|an? (?:abbreviation|acronym) (?:for|of))|\b(?:full (?:form|name)|expansion) of (?:the )?(?P<of>\S+)\W*$", re.I,
)  # fmt: skip
STANDS_FOR = re.compile(
    r"\b(?:st(?:ands?|ood|anding) for|(?:abbreviation|acronym|initialism|contraction) (?:for|of)|short for"
    r"|abbreviate[sd]) (?:the )?[\"“‘*_]*\Z", re.I,
)  # fmt: skip
READ = 50
BEHIND = re.compile(r"[\"”’*_]* \((?:(?:abbreviated|or|also|short(?:ened)? to|officially) )*[\"“‘*_]*([^\s()]+)")
"""Characters before a candidate that are read, and a short form in parentheses behind one."""

SMALL = frozenset("of the and for in on to de la".split())


def told_of_abbreviation(asked: Asked, passages: Sequence[Passage], candidates: Sequence[Candidate]) -> Scores:
    """Return 1 for each candidate (n,) of which a text says that the abbreviation asked about stands for it, else 0."""
    short = short_asked(asked.text)
    told = (float(bool(short) and _stands_for(passages[each.passage], each, short)) for each in candidates)
    return np.fromiter(told, np.float32, len(candidates))


def short_asked(question: str) -> str:
    """Return the abbreviation of which a question asks what it stands for, "" where it asks otherwise."""
    found = ASKED.search(question)
    return (found["short"] or found["of"]).strip("\"'“”?") if found else ""


def is_short_for(short: str, text: str) -> bool:
    """Tell whether an abbreviation has the first letters of a text's words, with or without the small ones."""
    words = re.findall(r"[^\W_]+", text)
    letters = "".join(filter(str.isalnum, short)).lower()
    forms = (words, [word for word in words if word not in SMALL])
    return len(letters) > 1 and any("".join(word[0] for word in own).lower().startswith(letters) for own in forms)


def _stands_for(passage: Passage, candidate: Candidate, short: str) -> bool:
    if candidate.end <= candidate.start:
        return False
    begin, end = passage.sentence_at(candidate.start)
    is_named = normalised(short) in normalised(f"{passage.title} {passage.text[begin:end]}")
    if is_named and STANDS_FOR.search(passage.text, max(begin, candidate.start - READ), candidate.start):
        return True
    behind = BEHIND.match(passage.text, candidate.end)
    return behind is not None and normalised(behind[1]) == normalised(short) and is_short_for(short, candidate.text)
