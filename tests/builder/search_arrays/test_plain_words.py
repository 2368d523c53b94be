"""Which words need no spaCy to tell whether their full stop ends a sentence: of them it would say the same."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from builder.search_arrays.plain_words import ABBREVIATIONS, ends_sentence
from builder.search_arrays.sentence_ends import OPENING, ended_by

BUILD = """
import sys
from pathlib import Path
from builder.build import build
from builder.request import Request
build(Request(sources=(sys.argv[1],), output=Path(sys.argv[2])))
print("spacy" in sys.modules)
"""
LETTERS = "abcghikmnostxyzABCKMXYZ0123456789" * 3 + "éßüöäÉÖÜćńōŻĆŉĸếαωΑΩяаЯĊ" + "\u093f\u0939\u4e2d"
SIGNS = ".,;:!?()[]\"'“”‘’«»-–—/&%$€£°+*_#@^~<>=|`…²½。،"


@pytest.mark.parametrize(
    ("word", "code", "ends"),
    [
        ("bridge.", "en", True), ("1290.", "xx", True), ("NATO.", "en", True), ("built).", "xx", True),
        ("Who?", "en", True), ("Kraków.", "xx", True), ("Vukotić.", "xx", True), ("мост.", "xx", True),
        ("1930s.", "en", True), ("27.5°.", "en", True), ("A.", "en", False), ("U.S.", "xx", False),
        ("Mass.", "en", False), ("Mass.", "xx", True), ("(i.e.", "en", False), ("पुल", "xx", False),
        ("bridge.", "de", None), ("5m.", "en", None), ("km/h.", "en", None), ("₨.", "en", None),
    ],
)  # fmt: skip
def test_what_is_certain_of_a_word(word: str, code: str, ends: bool | None) -> None:
    assert ends_sentence(word, code) is ends


@pytest.mark.parametrize("code", sorted(ABBREVIATIONS))
def test_what_is_certain_is_what_spacy_says(code: str) -> None:
    import spacy

    dice = random.Random(code)
    listed = [each for each in spacy.blank(code).tokenizer.rules if each.endswith(".") and each[-2:] != "_."]
    words = {word for word in (_word(dice, listed) for _ in range(8_000)) if word} | set(listed)
    certain = {word: ends for word in sorted(words) if (ends := ends_sentence(word, code)) is not None}
    assert len(certain) > len(words) / 2
    assert dict(zip(certain, ended_by(list(certain), code), strict=True)) == certain


def _word(dice: random.Random, listed: list[str]) -> str:
    parts = [dice.choice(LETTERS + SIGNS) for _ in range(dice.choice([1, 1, 2, 2, 3, 3, 4, 5, 6, 8]))]
    if dice.random() < 0.3:
        parts.insert(dice.randrange(len(parts) + 1), dice.choice(listed))
    return "".join([*parts, dice.choice([*"......?!", "..", '".'])]).lstrip(OPENING)


def test_a_build_of_plain_words_loads_no_spacy(tmp_path: Path) -> None:
    source = tmp_path / "page.html"
    text = "Dr. O. Tasker built it in 1290 (or 1291). Its piers are of oak; Ghasmont's are not. He left."
    source.write_text(f"<html lang='en'><h1>The bridge</h1><p>{text}</p></html>")
    command = [sys.executable, "-c", BUILD, str(source), str(tmp_path / "kb.skb")]
    assert subprocess.check_output(command, text=True) == "False\n"
