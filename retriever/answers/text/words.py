"""A text as the words that answers are looked for among: offsets, stems, and which of them are capitalised or small.

>>> [word for word, *_ in word_spans("Born in 1998, at O'Hara")]
['Born', 'in', '1998', 'at', 'O', 'Hara']
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from weft.text.normalise import STOP_WORDS, words_of
from weft.text.stems import stem

Spans: TypeAlias = NDArray[np.int64]
"""The first word and that behind the last of each run (n, 2)."""

WORD = re.compile(r"[^\W_]+")
LOWER = "".join(chr(code) for code in range(ord("a"), 0x530) if chr(code).islower())
"""The small letters of Latin, Greek and Cyrillic, for a class of a regular expression."""

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

    def spans(self, starts: Sequence[int], ends: Sequence[int]) -> Spans:
        """Return what `span` does for many runs (n, 2); one character at least is taken of each."""
        begun = np.asarray(starts, np.int64)
        first = np.searchsorted(self.ends, begun, side="right")
        last = np.searchsorted(self.starts, np.maximum(np.asarray(ends, np.int64), begun + 1))
        return np.column_stack([first, np.maximum(first, last)])


def word_spans(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield each word of a text with its offsets."""
    for found in WORD.finditer(text):
        yield found[0], found.start(), found.end()


def words_in(text: str) -> Words:
    """Return the words of a text."""
    words = WORD.findall(text)
    starts = np.array([found.start() for found in WORD.finditer(text)], np.int64)
    ends = starts + np.fromiter(map(len, words), np.int64, len(words))
    small = tuple([word.lower() in FUNCTION for word in words])
    return Words(starts, ends, tuple(map(stem_of, words)), small)


@lru_cache(maxsize=1 << 14)
def stems_in(text: str) -> tuple[str, ...]:
    """Return the stems of the words of a short text."""
    return tuple(map(stem_of, WORD.findall(text)))


@lru_cache(maxsize=1 << 16)
def stem_of(word: str) -> str:
    """Return the stem of a word as it is written."""
    lower = word.lower()
    if lower.isascii():
        return stem(lower)
    plain = words_of(word)
    return stem(plain[0]) if plain else lower
