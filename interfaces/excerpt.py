"""The part of a text to show for a question: the one that says most of its words."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from weft.text.normalise import STOP_WORDS
from weft.text.stems import stem

WORD = re.compile(r"[^\W_]+")
MOST_LINES = 10
LEAD = 60
"""Characters before the first word found that are shown too, at most."""


def excerpt(text: str, question: str, width: int = 300) -> str:
    """Return at most `width` characters of a text, an ellipsis where it goes on, with most words of a question.

    Words count once, by their stems; of equal parts the first is taken. O(words found times `width`).

    >>> excerpt("It is old. " * 9 + "The bridge opened in 1207. It is old.", "When was the bridge opened?", 30)
    '…The bridge opened in 1207. It…'
    """
    if len(text) <= width:
        return text
    asked = {stem(word.lower()) for word in WORD.findall(question) if word.lower() not in STOP_WORDS}
    found = [(each.start(), each.end(), stem(each[0].lower())) for each in WORD.finditer(text)]
    said = [each for each in found if each[2] in asked]
    starts, ends = [start for start, _, _ in said], [end for _, end, _ in said]

    def n_said(begin: int) -> int:
        inside = said[bisect_left(starts, begin) : bisect_right(ends, begin + width)]
        return len({word for _, _, word in inside})

    begin = max([0, *(_before(text, start) for start in starts)], key=n_said)
    end = min(len(text), begin + width)
    cut = end if end == len(text) else max(text.rfind(" ", begin, end), begin + width // 2)
    return f"{'…' if begin else ''}{text[begin:cut].rstrip()}{'…' if cut < len(text) else ''}"


def excerpt_lines(text: str, question: str, width: int = 400) -> list[str]:
    """Return lines of a text of several, as code and lists have them, with most words of a question.

    At most MOST_LINES and `width` characters, blank lines left out, an ellipsis where it goes on. One line is cut as
    `excerpt` does. Linear.

    >>> excerpt_lines("Run this:\\n\\n  kell push\\n  kell pull", "How do I push?")
    ['Run this:', '  kell push', '  kell pull']
    """
    lines = [line.rstrip() for line in text.split("\n") if line.strip()]
    if len(lines) < 2:
        return [excerpt(" ".join(text.split()), question)]
    asked = {stem(word.lower()) for word in WORD.findall(question) if word.lower() not in STOP_WORDS}
    said = [asked & {stem(word.lower()) for word in WORD.findall(line)} for line in lines]
    ends = [_last(lines, first, width) for first in range(len(lines))]
    first = max(range(len(lines)), key=lambda each: len(set[str]().union(*said[each : ends[each]])))
    shown = [line if len(line) <= width else f"{line[:width].rstrip()}…" for line in lines[first : ends[first]]]
    return [*(["…"] if first else []), *shown, *(["…"] if ends[first] < len(lines) else [])]


def _last(lines: Sequence[str], first: int, width: int) -> int:
    """Return behind which line to end that begins with the first one: as many as fit, one at least."""
    last, size = first + 1, len(lines[first])
    while last < min(len(lines), first + MOST_LINES) and size + len(lines[last]) <= width:
        size += len(lines[last])
        last += 1
    return last


def _before(text: str, place: int) -> int:
    """Return where to begin so that the word at a place has others before it: with a sentence, else with a word."""
    first = max(0, place - LEAD)
    if first == 0:
        return 0
    sentence = max(text.rfind(mark, first, place) for mark in (". ", "? ", "! "))
    return sentence + 2 if sentence >= 0 else text.find(" ", first, place) + 1 or place
