"""A text as the words that answers are looked for among: offsets, stems, and which of them are capitalised or small.

>>> [word for word, *_ in word_spans("Born in 1998, at O'Hara")]
['Born', 'in', '1998', 'at', 'O', 'Hara']
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from weft.text.normalise import STOP_WORDS, words_of
from weft.text.stems import stem

WORD = re.compile(r"[^\W_]+")
PARTS = re.compile(rf"({WORD.pattern})")
LOWER = "".join(chr(code) for code in range(ord("a"), 0x530) if chr(code).islower())
UPPER = "".join(chr(code) for code in range(ord("A"), 0x530) if chr(code).isupper())
"""The small and the capital letters of Latin, Greek and Cyrillic, for a class of a regular expression."""

FUNCTION = STOP_WORDS | frozenset(
    """after again against all also although among an any around because before being below between both but during
    each either every few further here just like made many may might more most much must near neither no nor not
    now off once one only other out over own same such since still through too under until up upon very via well
    whereas whether within without yet together against across along became become began known called named used
    according however later then""".split()
)
"""Words that end a run of words which could be an answer."""


class Words(NamedTuple):
    """Words (n,) of a text: where they begin and end, their stems, and whether each is one of `FUNCTION`."""

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    stems: tuple[str, ...]
    small: tuple[bool, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the indices of the words from the character `start` to before `end`."""
        first = int(np.searchsorted(self.ends, start, side="right"))
        return first, max(first, int(np.searchsorted(self.starts, end)))


def word_spans(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield each word of a text with its offsets."""
    for found in WORD.finditer(text):
        yield found[0], found.start(), found.end()


def words_in(text: str) -> Words:
    """Return the words of a text."""
    # Every second part is a word, the others stand between them.
    parts = PARTS.split(text)
    words, lengths = parts[1::2], np.fromiter(map(len, parts), np.int64, len(parts))
    ends = np.cumsum(lengths)
    small = tuple([word.lower() in FUNCTION for word in words])
    return Words((ends - lengths)[1::2], ends[1::2], tuple(map(stem_of, words)), small)


@lru_cache(maxsize=1 << 14)
def stems_in(text: str) -> tuple[str, ...]:
    """Return the stems of the words of a short text."""
    return tuple(map(stem_of, WORD.findall(text)))


def content_in(text: str) -> frozenset[str]:
    """Return the stems of a text's words but for `FUNCTION`."""
    return frozenset(stem_of(word) for word in WORD.findall(text) if word.lower() not in FUNCTION)


@lru_cache(maxsize=1 << 16)
def stem_of(word: str) -> str:
    """Return the stem of a word as it is written."""
    lower = word.lower()
    if lower.isascii():
        return stem(lower)
    plain = words_of(word)
    return stem(plain[0]) if plain else lower
