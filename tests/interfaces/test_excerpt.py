"""The part of a text that is shown for a question."""

from __future__ import annotations

import random

import pytest

from interfaces.excerpt import MOST_LINES, excerpt, excerpt_lines

FILLER = "Nothing here is of any use to those who ask. " * 12


def test_a_short_text_is_shown_whole() -> None:
    assert excerpt("Two words.", "What else?") == "Two words."


def test_a_long_text_is_shown_where_it_says_most_of_the_words_asked_for() -> None:
    text = f"{FILLER}The limit of uploads is set by --upload-ratelimit. {FILLER}"
    shown = excerpt(text, "How do I limit the upload rate?")
    assert shown.startswith("…The limit of uploads is set by --upload-ratelimit.")
    assert shown.endswith("…")


def test_a_text_that_says_nothing_of_the_question_is_shown_from_its_beginning() -> None:
    assert excerpt(FILLER, "zzz").startswith("Nothing here is of any use")


def test_the_beginning_is_kept_where_it_says_as_much() -> None:
    assert excerpt(f"Upload limits. {FILLER}Upload limits. {FILLER}", "upload limit").startswith("Upload limits.")


@pytest.mark.parametrize("width", [10, 33, 60])
@pytest.mark.parametrize("seed", range(20))
def test_what_is_shown_stands_in_the_text_and_is_no_longer_than_asked(seed: int, width: int) -> None:
    draw = random.Random(seed)
    text, question = ("".join(draw.choices("abé .\n", k=120)).strip(), "".join(draw.choices("abé ", k=20)))
    shown = excerpt(text, question, width)
    assert shown.strip("…") in text
    assert len(shown.strip("…")) <= width


def test_code_keeps_its_lines() -> None:
    text = "\n".join([*(f"  step {number}" for number in range(30)), "", "  push the lever", *["  end"] * 20])
    shown = excerpt_lines(text, "How do I push the lever?")
    assert shown[0] == shown[-1] == "…" and "  push the lever" in shown and "" not in shown
    assert len(shown) == MOST_LINES + 2
    assert excerpt_lines("x" * 900 + "\nend", "zzz", 100) == ["x" * 100 + "…", "…"]
    assert excerpt_lines("One  line.", "What?") == ["One line."]
