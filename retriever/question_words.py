"""The words of a question, with their places, and the runs of them that may be names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from weft.names import name_key
from weft.pairs import KATAKANA, MARKS, SIGNS, is_unspaced
from weft.text import WORD

LONGEST, LONGEST_UNSPACED = 14, 40
"""The most words of a name, and the most letters of one in a script without blanks."""

LETTER_OR_WORD = re.compile(f"[{SIGNS}][{MARKS}\uff9e\uff9f]*|[^\\W_{SIGNS}]+")
IN_KATAKANA = re.compile(f"[{KATAKANA}]")


class Word(NamedTuple):
    """A word of a question, or a letter of a script without blanks: its place, itself, its name key."""

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
    """Return where each name key could be spelt: from one word to before another. O(words)."""
    spans: dict[str, list[tuple[int, int]]] = {}
    for first, last, key in _spans(words):
        spans.setdefault(key, []).append((first, last))
    return spans


def _spans(words: Sequence[Word]) -> Iterator[tuple[int, int, str]]:
    for first in range(len(words)):
        key = ""
        for last in range(first + 1, min(len(words), first + LONGEST_UNSPACED) + 1):
            word = words[last - 1]
            if last - first > LONGEST and not is_unspaced(word.text):
                break
            apart = last - 1 > first and words[last - 2].end < word.start
            key = f"{key} {word.key}" if apart else key + word.key
            if _is_whole(words, first, last):
                yield first, last, key


def _is_whole(words: Sequence[Word], first: int, last: int) -> bool:
    """Tell whether a run of words can be a name, by what it touches.

    A single letter of a script without blanks is one only by itself, and a word
    in Katakana, which foreign names are written in, ends where they do.
    """
    before, after = touches(words, first), touches(words, last)
    if last - first == 1 and (before or after) and is_unspaced(words[first].text):
        return False
    return not (
        (before and _in_katakana(words, first - 1) and _in_katakana(words, first))
        or (after and _in_katakana(words, last - 1) and _in_katakana(words, last))
    )


def touches(words: Sequence[Word], place: int) -> bool:
    """Tell whether the word at a place begins right where the one before it ends."""
    return 0 < place < len(words) and words[place - 1].end == words[place].start


def _in_katakana(words: Sequence[Word], place: int) -> bool:
    return IN_KATAKANA.match(words[place].text) is not None
