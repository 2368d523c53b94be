"""Numbers of stems: a word is stemmed once, however often texts say it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from builder.search_arrays.chunk_places import lines
from weft.arrays.blobs import Array
from weft.text.stems import stem

Offsets = NDArray[np.int64]

MOST_WORDS = 1_000_000
"""Words that are known at once: 12 bytes each in the arrays."""

LONGEST, BASE = 12, 37
"""Words of so many small letters and digits are numbers below 2^64 in this base: 36 characters, and none."""
WORTH = np.array([BASE**power for power in range(LONGEST)], np.uint64)
DIGITS = np.zeros(128, np.uint8)
DIGITS[[ord(each) for each in "0123456789abcdefghijklmnopqrstuvwxyz"]] = np.arange(1, BASE)


class PlainText(NamedTuple):
    """A text (c,) of small letters, digits and blanks of ASCII, and its `digits` (c + `LONGEST`,) in base `BASE`."""

    text: str
    digits: NDArray[np.uint8]


class Vocabulary:
    """Numbers stems from 0, in an order that depends on the texts alone."""

    def __init__(self, most_words: int = MOST_WORDS) -> None:
        """Keep at most about so many words whose stems are known without another look."""
        self._most_words = most_words
        self._numbers: dict[str, int] = {}
        self._by_word = _Words(self._numbers)
        self._keys = np.empty(0, np.uint64)
        self._by_key = np.empty(0, np.int32)

    def of(self, words: Sequence[str]) -> NDArray[np.int32]:
        """Return the numbers of words' stems, in their order."""
        if len(self._by_word) > self._most_words:
            self._by_word.clear()
        return np.fromiter(map(self._by_word.__getitem__, words), np.int32, len(words))

    def of_spans(self, text: PlainText, starts: Offsets, ends: Offsets) -> NDArray[np.int32]:
        """Return the numbers of the stems of words (w,) within a text.

        Words are looked up as numbers: a fifth of the time of strings, of which
        each is made anew and found where no cache holds it.
        """
        stems = np.empty(len(starts), np.int32)
        is_long = ends - starts > LONGEST
        stems[is_long] = self.of(_cut(text.text, starts[is_long], ends[is_long]))
        short = np.flatnonzero(~is_long)
        keys, back = np.unique(_keys(text.digits, starts[short], ends[short]), return_inverse=True)
        some = np.empty(len(keys), np.int64)
        some[back] = short
        self._learn(keys, text.text, starts[some], ends[some])
        stems[short] = self._by_key[np.searchsorted(self._keys, keys)][back]
        return stems

    def arrays(self) -> Iterator[tuple[str, Array]]:
        """Yield the stems in the order of their UTF-8, and the number of each."""
        stems = sorted(self._numbers)
        yield "stem.text", lines(stems)
        yield "stem.number", np.fromiter(map(self._numbers.__getitem__, stems), np.int32, len(stems))

    def _learn(self, keys: NDArray[np.uint64], text: str, starts: Offsets, ends: Offsets) -> None:
        """Look up the stems of the words that are not known, by ascending key."""
        if len(self._keys) > self._most_words:
            self._keys, self._by_key = self._keys[:0], self._by_key[:0]
        at = np.searchsorted(self._keys, keys)
        new = np.append(self._keys, np.uint64(0))[at] != keys
        numbers = [_number(self._numbers, word) for word in _cut(text, starts[new], ends[new])]
        self._keys = np.insert(self._keys, at[new], keys[new])
        self._by_key = np.insert(self._by_key, at[new], numbers)


class _Words(dict[str, int]):
    """The numbers of words' stems, each found once."""

    def __init__(self, numbers: dict[str, int]) -> None:
        super().__init__()
        self.numbers = numbers

    def __missing__(self, word: str) -> int:
        self[word] = number = _number(self.numbers, word)
        return number


def _number(numbers: dict[str, int], word: str) -> int:
    """Return the number of a word's stem, a new one where it is not yet in `numbers`."""
    return numbers.setdefault(stem.__wrapped__(word), len(numbers))


def _cut(text: str, starts: Offsets, ends: Offsets) -> list[str]:
    return [text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]


def digits_of(codes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the digits of a `PlainText` of these codes."""
    return DIGITS[np.append(codes, np.zeros(LONGEST, np.uint8))]


def _keys(digits: NDArray[np.uint8], starts: Offsets, ends: Offsets) -> NDArray[np.uint64]:
    """Return a number above 0 for each word of at most `LONGEST` characters, another one for each word."""
    near = sliding_window_view(digits, LONGEST)[starts]
    near *= np.arange(LONGEST) < (ends - starts)[:, None]
    keys: NDArray[np.uint64] = np.einsum("wl,l->w", near.astype(np.uint64), WORTH)
    return keys
