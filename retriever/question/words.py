"""The words of a question, with their offsets, and the runs of them that may be names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from weft.text.names import name_key
from weft.text.normalise import WORD
from weft.text.pairs import KATAKANA, MARKS, SIGNS, is_unspaced

LONGEST, LONGEST_UNSPACED = 14, 40
"""The most words of a name, and the most letters of one in a script without blanks."""

# A letter of a script without blanks with its marks (half-width voicing too), or a word of another script.
LETTER_OR_WORD = re.compile(f"[{SIGNS}][{MARKS}\uff9e\uff9f]*|[^\\W_{SIGNS}]+")
IN_KATAKANA = re.compile(f"[{KATAKANA}]")


class Word(NamedTuple):
    """A word of a question, or a letter of a script without blanks: its offsets, itself, its name key."""

    start: int
    end: int
    text: str
    key: str


def question_words(question: str) -> list[Word]:
    """Return the words of a question, in their order."""
    pattern = LETTER_OR_WORD if is_unspaced(question) else WORD
    found = pattern.finditer(question)
    return [Word(each.start(), each.end(), each[0], name_key(each[0])) for each in found]


def spans_by_key(words: Sequence[Word]) -> dict[str, list[tuple[int, int]]]:
    """Return where each name key could stand: from one word to before another. O(words)."""
    spans: dict[str, list[tuple[int, int]]] = {}
    for first, last, key in _spans(words):
        spans.setdefault(key, []).append((first, last))
    return spans


def _spans(words: Sequence[Word]) -> Iterator[tuple[int, int, str]]:
    """Yield runs of words that may be names, with their keys; a single letter of a longer run is none."""
    letters = [is_unspaced(word.text) for word in words]
    touching = [*(touches(words, index) for index in range(len(words))), False]
    border = _borders(words, touching)
    for first in range(len(words)):
        if not border[first]:
            continue
        key = ""
        for last in range(first + 1, min(len(words), first + LONGEST_UNSPACED) + 1):
            if last - first > LONGEST and not letters[last - 1]:
                break
            word = words[last - 1]
            key = key + word.key if last - 1 == first or touching[last - 1] else f"{key} {word.key}"
            whole = last - first > 1 or not letters[first] or not (touching[first] or touching[last])
            if whole and border[last]:
                yield first, last, key


def _borders(words: Sequence[Word], touching: Sequence[bool]) -> list[bool]:
    """Tell before which words, 0 to n, a name can begin or end: not within a run of Katakana, as of foreign names."""
    kana = [False, *(IN_KATAKANA.match(word.text) is not None for word in words), False]
    return [not (touching[index] and kana[index] and kana[index + 1]) for index in range(len(words) + 1)]


def touches(words: Sequence[Word], index: int) -> bool:
    """Tell whether the word at an index begins right where the one before it ends."""
    return 0 < index < len(words) and words[index - 1].end == words[index].start
