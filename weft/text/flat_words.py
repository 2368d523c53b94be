"""The words of many texts as arrays, so that they are looked up and counted together and not one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from weft.text.normalise import BLANKED, words_of

SHORT = 16
"""Words of at most so many bytes are two numbers of eight bytes each."""

MASKS = np.array([[(1 << 8 * min(n, 8)) - 1, (1 << 8 * max(n - 8, 0)) - 1] for n in range(SHORT + 1)], np.uint64)
END = 10
"""What stands behind each text: a line's end, which no word holds."""

FACTORS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F], np.uint64)
HALF = np.uint64(32)
"""Bits by which products are shifted, so that all bits of a key depend on all letters."""

Numbers = NDArray[np.int64]
Letters = NDArray[np.uint64]


class FlatWords(NamedTuple):
    """The words (n,) of texts, one after another: UTF-8 from `starts` to `ends` of `data`, of the texts `owners`."""

    data: bytes
    starts: Numbers
    ends: Numbers
    owners: Numbers

    @property
    def are_short(self) -> NDArray[np.bool_]:
        """Which words have letters as numbers."""
        return self.ends - self.starts <= SHORT

    def letters(self, which: Numbers) -> Letters:
        """Return the two numbers (n, 2) that the UTF-8 of each of some short words is."""
        windows = np.lib.stride_tricks.sliding_window_view(np.frombuffer(self.data, np.uint8), SHORT)
        own: Letters = np.ascontiguousarray(windows[self.starts[which]]).view("<u8")
        own = own & MASKS[(self.ends - self.starts)[which]]
        return own

    def utf8(self, which: Numbers) -> list[bytes]:
        """Return some words, folded, in UTF-8."""
        data = self.data
        starts, ends = self.starts[which].tolist(), self.ends[which].tolist()
        return [data[start:end] for start, end in zip(starts, ends, strict=True)]


def keys_of(letters: Letters) -> Numbers:
    """Return a number for each word (n,), even over all numbers; few words, if any, share one."""
    first, second = (letters * FACTORS).T
    mixed = (first ^ (first >> HALF)) * FACTORS[1] + (second ^ (second >> HALF)) * FACTORS[0]
    keys: Numbers = (mixed ^ (mixed >> HALF)).view(np.int64)
    return keys


def flat_words(texts: Sequence[str]) -> FlatWords:
    """Return the words that `words_of` gives of each text."""
    lines = "".join(f"{_blanked(text)}\n" for text in texts)
    data = lines.encode() + bytes(SHORT)
    codes = np.frombuffer(data, np.uint8)
    borders = np.flatnonzero(np.diff(codes > ord(" "), prepend=False))
    starts, ends = borders[::2], borders[1::2]
    line_ends = np.flatnonzero(codes == END)
    return FlatWords(data, starts, ends, np.searchsorted(line_ends, starts))


def _blanked(text: str) -> str:
    """Return the words of a text with blanks between them."""
    folded = text.casefold()
    return folded.translate(BLANKED) if folded.isascii() else " ".join(words_of(text))
