"""The words of many texts as arrays are those of each text, and are told apart."""

from __future__ import annotations

import string

import numpy as np
import pytest

from weft.text.flat_words import SHORT, flat_words, keys_of
from weft.text.normalise import words_of

TEXTS = [
    "The Quillon Bridge, 1207.", "", "Ünder the Órra\nline two\r\n\tthree", "東京駅 to the lighthouse_keeper",
    "a" * SHORT + " " + "a" * (SHORT + 1), "é" * 8 + " " + "é" * 9, "\x00 odd \x1f signs \x7f", "...", "x",
    "\u2028separators\u2029here\x85too",
]  # fmt: skip


@pytest.mark.parametrize("texts", [TEXTS, TEXTS[::-1], [], [""], ["", ""], ["x"], ["...", "y z"]])
def test_words_are_those_of_each_text(texts: list[str]) -> None:
    flat = flat_words(texts)
    expected = [(number, word) for number, text in enumerate(texts) for word in words_of(text)]
    every = np.arange(len(expected))
    assert [*zip(flat.owners.tolist(), map(bytes.decode, flat.utf8(every)), strict=True)] == expected
    assert flat.are_short.tolist() == [len(word.encode()) <= SHORT for _, word in expected]


def test_letters_tell_short_words_apart() -> None:
    draw = np.random.default_rng(0)
    letters = [*string.ascii_lowercase[:3], "é"]
    words = sorted({"".join(draw.choice(letters, size)) for size in draw.integers(1, 9, 3_000)})
    flat = flat_words([" ".join(words)])
    found = flat.letters(np.arange(len(words)))
    assert len({tuple(each) for each in found.tolist()}) == len(words)
    assert len(set(keys_of(found).tolist())) == len(words)
    again = flat_words(["some other words first", *reversed(words)])
    assert again.letters(np.arange(4, 4 + len(words)))[::-1].tolist() == found.tolist()


def test_keys_are_even() -> None:
    words = [f"{prefix}{number}" for prefix in ("entity", "", "unreachable") for number in range(2_000)]
    flat = flat_words([" ".join(words)])
    first_bits = (keys_of(flat.letters(np.arange(len(words)))) >> 56) + 128
    counts = np.bincount(first_bits, minlength=256)
    assert counts.max() < 3 * len(words) / 256 and counts.min() > len(words) / 256 / 3
