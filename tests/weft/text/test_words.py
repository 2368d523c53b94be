"""Words and stems: the quick ways against the plain ones, on random letters of many scripts."""

from __future__ import annotations

import random
import re
import unicodedata
from typing import Literal

import numpy as np
import pytest

from builder.search_arrays.token_ids import numbers_in, years_in
from weft.text.normalise import WORD, is_composed, normalized, words_of
from weft.text.pairs import indexed, is_unspaced, paired


def plain_words(text: str) -> list[str]:
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return WORD.findall("".join(letter for letter in decomposed if not unicodedata.combining(letter)))


def test_words_are_those_of_the_whole_text_folded() -> None:
    draw = random.Random(5)
    ranges = (0x80, 0x80, 0x250, 0x3000)
    marks = "\u0301\u0323\u00b4\u00a0\u2013\u00bd\ufb01 "
    for _ in range(5_000):
        letters = [draw.choice([chr(draw.randrange(draw.choice(ranges))), draw.choice(marks)]) for _ in range(10)]
        spaced = "".join(letter for letter in letters if not is_unspaced(letter))
        assert words_of(spaced) == plain_words(spaced) and paired(spaced) == spaced == indexed(spaced)
    for code in range(0x3000):
        if is_unspaced(chr(code)):
            continue
        for text in (f"a{chr(code)}b", f"a {chr(code)}b", f"a{chr(code)} b"):
            assert words_of(text) == plain_words(text)


def test_numbers_and_years_are_found() -> None:
    draw = random.Random(7)
    years = re.compile(r"\b1[0-9]{3}\b|\b20[0-9]{2}\b")
    for _ in range(20_000):
        words = "".join(draw.choices("1290 a.\u00e9_", k=draw.randint(0, 9)))
        numbers = numbers_in(np.array([*map(ord, words), ord("\n")], np.uint32))
        assert years_in(words, numbers).tolist() == [found.start() for found in years.finditer(words)]
        assert [words[start:end] for start, end in numbers.tolist()] == re.findall("[0-9]+", words)


@pytest.mark.parametrize("form", ["NFC", "NFKC", "NFKD"])
def test_marks_are_sorted_as_unicode_does_up_to_30_in_a_row(form: Literal["NFC", "NFKC", "NFKD"]) -> None:
    for text in (
        "e\u0301" * 5000, "a" + "\u0301\u0323" * 15 + "b" * 5000, "\u0301" * 30 + "x" * 3000, "\u1100\u1161" * 2000,
        "\u0301" * 100, "a" + "\u0301\u0323" * 900,
    ):  # fmt: skip
        assert normalized(form, text) == unicodedata.normalize(form, text)


def test_longer_runs_of_marks_are_cut_every_30() -> None:
    marks = "\u0301\u0323"
    found = normalized("NFKD", "a" + marks * 2000)
    assert found == "a" + "\u034f".join(["\u0323" * 15 + "\u0301" * 15] * 133 + ["\u0323" * 5 + "\u0301" * 5])
    assert not is_composed("a" + marks * 2000)
    assert is_composed("e" * 3000 + "\u00e9") and not is_composed("e\u0301" * 10)
