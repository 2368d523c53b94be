"""Texts within a budget of tokens: where a text is cut, and how two share what room there is."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable

from weft.text.normalise import words_of

Count = Callable[[str], int]
"""The number of a text's tokens; it must not fall when the text grows."""

BLANKS = re.compile(r"\s+")


def count_words(text: str) -> int:
    """Return the number of a text's words, as search counts them."""
    return len(words_of(text))


def cut_text(text: str, room: int, count: Count = count_words) -> str:
    """Return the longest beginning of a text that has at most `room` tokens, up to a blank where it has one.

    Calls `count` for O(log n) beginnings.

    >>> cut_text("One two. Three four.", 3)
    'One two. Three'
    """
    if count(text) <= room:
        return text
    ends = [found.start() for found in BLANKS.finditer(text)]
    n_blanks = bisect_right(ends, room, key=lambda end: count(text[:end]))
    if n_blanks:
        return text[: ends[n_blanks - 1]]
    # Not even the first word, or a script without blanks.
    n_letters = bisect_right(range(1, len(text) + 1), room, key=lambda end: count(text[:end]))
    return text[:n_letters] if room > 0 else ""


def shared(room: int, first: int, second: int) -> tuple[int, int]:
    """Return how much of a room each of two gets that want so much: at least half, and what the other leaves.

    >>> shared(10, 3, 20), shared(10, 20, 20)
    ((3, 7), (5, 5))
    """
    own = min(first, max(room // 2, room - second))
    return own, min(second, room - own)
