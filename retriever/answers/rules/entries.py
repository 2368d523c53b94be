"""Entries: what a list of definitions or a section tells of an identifier in a question, and what it tells of others.

>>> text = "precision\\n  Digits. 2 by default.\\nfail_under, under\\n  A share. 0 by default."
>>> [text[start:end] for start, end in entries_of(text, "fail_under")]
['fail_under, under\\n  A share. 0 by default.']
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from retriever.answers.asked import Asked
from retriever.answers.candidates import Candidate
from retriever.answers.passages import Passage
from retriever.question.identifiers import begun, identifiers_in, sure_identifiers, written
from retriever.types import Scores
from weft.text.sentences import Span

INLINE = re.compile(r"[^:(\n]{1,120}+(?:\([^()\n]{0,120}\))?: (?=\S)")
"""A term with its definition in the same line."""

OPTIONS, LISTED = re.compile(r"[\s,|=\[\]()]+"), 4
"""What parts the terms of one line, and how many of them are read."""

MENTIONED, TOLD = 1, 2
"""A passage has an identifier somewhere; an entry or a section is of it."""

BESIDE = np.float32(0.4)
"""What speaks against a candidate that is only beside a mention of an identifier, where an entry is of it."""


def of_another_entry(asked: Asked, passages: Sequence[Passage], candidates: Sequence[Candidate]) -> Scores:
    """Return 1 for each candidate (n,) that is told of none of the identifiers asked about, if another one is."""
    identifiers = identifiers_in(asked.text)
    if not identifiers or not candidates:
        return np.zeros(len(candidates), np.float32)
    places = [[_places(passage, each) for each in identifiers] for passage in passages]
    told = np.array([max(_told(own, each.start) for own in places[each.passage]) for each in candidates])
    if not told.any():
        return np.zeros(len(candidates), np.float32)
    beside = BESIDE * (told.max() == TOLD)
    return np.asarray(np.select([told == TOLD, told == MENTIONED], [0, beside], 1), np.float32)


def has_any(asked: Asked, passages: Sequence[Passage]) -> bool:
    """Tell whether any passage has one of a question's identifiers, or the question none that are surely some."""
    identifiers = sure_identifiers(asked.text)
    texts = [f"{each.title}\n{each.heading}\n{each.text}" for each in passages if identifiers]
    return not identifiers or any(written(each).search(text) for each in identifiers for text in texts)


def entries_of(text: str, identifier: str) -> list[Span]:
    """Return the entries of a list of definitions, also of one within another, of which an identifier is a term.

    They end before the next term that is indented no deeper. Where no term stands above its definition, lines count
    that have both. O(lines of the text).
    """
    found: list[Span] = []
    inline: list[Span] = []
    begin, indent, has_body, has_both, at = -1, 0, False, False, 0
    for line in text.splitlines(keepends=True):
        own = len(line) - len(line.lstrip(" "))
        if begin >= 0 and own > indent:
            has_body = True
        elif begin >= 0 and (has_body or has_both or own < indent):
            # Terms one below the other share what is defined behind the last of them.
            found += [(begin, at)] if has_body else []
            begin, has_body = -1, False
        if begin < 0 and _is_term(line.strip(), identifier):
            begin, indent, has_both = at, own, INLINE.match(line) is not None
        if begun(identifier).match(line) and INLINE.match(line):
            inline.append((at, at + len(line)))
        at += len(line)
    return ([*found, (begin, at)] if begin >= 0 and has_body else found) or inline


def _is_term(line: str, identifier: str) -> bool:
    """Tell whether a line begins with an identifier, or has it among the first options that it lists."""
    return begun(identifier).match(line) is not None or identifier in OPTIONS.split(line)[:LISTED]


def _places(passage: Passage, identifier: str) -> tuple[int, list[Span]]:
    """Return how far all of a passage is told of an identifier, and which characters are told of it alone."""
    whole = written(identifier)
    if whole.search(passage.heading) or whole.search(passage.title):
        return TOLD, []
    if passage.kind == "definition":
        entries = entries_of(passage.text, identifier)
        is_one = not entries and begun(identifier).match(passage.text) is not None
        return (TOLD if is_one else 0), entries
    return (MENTIONED if whole.search(passage.text) else 0), []


def _told(places: tuple[int, list[Span]], start: int) -> int:
    everywhere, entries = places
    return TOLD if any(begin <= start < end for begin, end in entries) else everywhere
