"""Causes: what a sentence says that something comes of, behind "caused by", "due to", "because" and the like."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from retriever.answers.asked import Asked
from retriever.answers.candidates import LOOSE, Candidate
from retriever.answers.passages import Passage
from retriever.answers.rules.identities import said_at
from retriever.types import Scores

PURPOSE = r"\A\W{0,8}what (?:is|was|are|were) [^?]{1,150}(?<!ed)(?<!ing)(?<!known)(?<!famous) for\W{0,8}\Z"
"""What asks what something is for; not what it is used or known for."""

ASKS = re.compile(
    r"\bwhat (?:causes?|caused|brings? about|leads? to|led to)\b|\bwhy\b|\bcauses? of\b|\bhow come\b"
    rf"|\breasons? (?:for|why|that)\b|{PURPOSE}", re.I,
)  # fmt: skip
SUBJECT = "its?|he|his|she|her|they|their|there|no|nobody|nothing|we|you"
SAID = "known|called|named|termed|said|often|usually|sometimes|to|later|still"
"""What a clause that gives a reason begins with behind ", for" and ", as", and what says none: "as it is called"."""

FIRST = re.compile(
    rf"(?:Because(?: of)?|Since|Due to|Owing to|Thanks to|On account of|As(?= (?:{SUBJECT})\b))\s+(?:(?:the|an?)\s+)?",
    re.I,
)
LAST = re.compile(r",\s")
"""How a sentence, or what stands behind a semicolon, begins with a cause, and what ends it."""

SINCE, SINCE_THEN = re.compile(r"since\b", re.I), re.compile(r"\b(?:has|have|had)\b")
"""What gives a time and no reason before such a verb: "Since the fair, trams have run"."""

DENIED = re.compile(r"\b(?:not|less|rather)\b", re.I)
INSTEAD = frozenset(("but to ", "than to ", "but to the ", "than to the "))
CAUSED = re.compile(
    r"\b(?:caused by|due to|(?:the|a) result of|attributed to|ascribed to|blamed on|because(?: of)?|owing to"
    r"|but to|than to|(?:name|title|word|sobriquet|nickname)\b[^.;]{0,40} refers to|explained (?:by(?: [a-z]+ as)?|as)"
    r"|consequence of|thanks to|on account of|on the grounds? that|(?:stem|result)(?:s|ed) from"
    rf"|(?<=, )so that|(?<=, )since(?! \d| then\b)|(?<=, )(?:for|as)"
    rf"(?= (?:{SUBJECT})\b(?! (?:is|was|are|were) (?:{SAID})\b)))\s+(?:(?:the|an?)\s+)?", re.I)  # fmt: skip
PARTS = re.compile(r";\s")
PART_ENDS = re.compile(r"[,;]\s|\)(?=[^(]*$)|[ ][–—-][ ]")
"""What ends the first part of a cause, which is enough."""

NOT = re.compile(r"\b(?:not|less)\b[^.;,]{0,20}\Z", re.I)
"""What stands before a cause that is denied: "not due to pigment but to bubbles"."""

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
    found = {(index, at): said for index, passage in enumerate(passages) for at, said in _causes(asked, passage)}
    for row, each in enumerate(candidates):
        key = each.passage, each.start
        if each.form not in LOOSE or key not in found or PART_ENDS.search(each.text):
            continue
        if found[key] < 0:
            told[row] = found[key]
        elif each.end > candidates[longest.setdefault(key, row)].end:
            longest[key] = row
    for key, row in longest.items():
        told[row] = found[key]
    return told


def _causes(asked: Asked, passage: Passage) -> Iterator[tuple[int, float]]:
    """Yield where causes begin, and how much of what is asked is said before them; -1 for one that is denied."""
    for start, end in passage.bounds if passage.kind not in ("table", "infobox") else ():
        for cause in CAUSED.finditer(passage.text, start, end):
            is_instead = cause[0].lower() in INSTEAD
            if is_instead and DENIED.search(passage.text, start, cause.start()) is None:
                continue
            if not is_instead and NOT.search(passage.text, start, cause.start()):
                yield cause.end(), -1.0
            elif (said := said_at(asked, passage, (start, cause.start()))) >= LEAST_SAID:
                yield cause.end(), said
        yield from _first_causes(asked, passage, start, end)


def _first_causes(asked: Asked, passage: Passage, start: int, end: int) -> Iterator[tuple[int, float]]:
    """Yield the causes with which a sentence, or a part of it between semicolons, begins: "Since it is cold, ..."."""
    cuts = [*PARTS.finditer(passage.text, start, end)]
    begins, ends = (start, *(each.end() for each in cuts)), (*(each.start() for each in cuts), end)
    for begin, last in zip(begins, ends, strict=True):
        first = FIRST.match(passage.text, begin, last)
        stop = LAST.search(passage.text, first.end(), last) if first else None
        if first is None or stop is None:
            continue
        is_time = SINCE.match(first[0]) is not None and SINCE_THEN.search(passage.text, stop.end(), last) is not None
        if not is_time and (said := said_at(asked, passage, (stop.end(), last))) >= LEAST_SAID:
            yield first.end(), said
