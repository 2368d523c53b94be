"""Sentences of short texts, and of texts whose ends are known."""

from __future__ import annotations

import random
import re

import pytest

from weft.text.sentences import sentences, spans

BORDERS = re.compile(r"(?<=[.!?;])\s+(?=[\"'(\[]?[A-Z0-9])|\n+")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n ", []),
        ("who built it", ["who built it"]),
        ("It is old. Who built it?", ["It is old.", "Who built it?"]),
        ("The guild took a toll; Old Marsh paid.", ["The guild took a toll;", "Old Marsh paid."]),
        ("It cost 3.5 crowns. approx. half.", ["It cost 3.5 crowns. approx. half."]),
        (" One\n\n two \n", ["One", "two"]),
        ("これは橋。古い！ 石造り", ["これは橋。", "古い！", "石造り"]),
        ("He asked. (1290 was dry.) [Later] it rained.", ["He asked.", "(1290 was dry.) [Later] it rained."]),
    ],
)
def test_a_short_text_is_split(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in sentences(text)] == expected


def test_sentences_end_where_the_plain_pattern_ends_them() -> None:
    draw = random.Random(6)
    for _ in range(20_000):
        text = "".join(draw.choices(' \n\t.;?a A("1[', k=draw.randint(0, 14)))
        split = [part.strip() for part in BORDERS.split(text) if part.strip()]
        assert [text[start:end] for start, end in sentences(text)] == split


@pytest.mark.parametrize(
    ("ends", "expected"),
    [
        ([11], [(0, 11)]),
        ([4, 11], [(0, 4), (5, 11)]),
        ([4, 5, 11], [(0, 4), (5, 11)]),
        ([], []),
    ],
)
def test_known_ends_give_spans_without_blanks_around_them(ends: list[int], expected: list[tuple[int, int]]) -> None:
    assert spans("One. Two at", ends) == expected


@pytest.mark.parametrize("ends", [[4, 2, 11], [-3, 99], [0, 0], [99, 1], [-99]])
def test_ends_of_a_damaged_file_lead_nowhere_else(ends: list[int]) -> None:
    assert all(0 <= start < end <= 11 for start, end in spans("One. Two at", ends))
