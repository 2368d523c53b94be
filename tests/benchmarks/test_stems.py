"""Stems measured against a WordNet of a few words."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.stems import bases, measured, read_wordnet

LICENSE = "  1 A license begins with two blanks.\n"
FILES = {
    "data.verb": ("00000010 40 v 01 teach 0 001 + 00000030 n 0101 01 + 08 00 | help to learn  ",
                  "00000020 40 v 01 carry 0 000 02 + 08 00 + 09 00 | move  "),
    "data.noun": ("00000030 18 n 01 teacher 0 001 + 00000010 v 0101 | who teaches  ",
                  "00000040 18 n 01 teal 0 000 | a duck  "),
    "data.adj": (), "data.adv": (), "index.adj": (), "index.adv": (),
    "index.verb": ("teach v 1 1 + 1 1 00000010  ", "carry v 1 0 1 1 00000020  "),
    "index.noun": ("teacher n 1 1 + 1 1 00000030  ", "teal n 1 0 1 1 00000040  "),
    "verb.exc": ("taught teach",), "noun.exc": (),
}  # fmt: skip
WORDS = {"teach": 0.5, "taught": 0.2, "teacher": 0.25, "carries": 0.1, "carry": 0.3, "teal": 0.125}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, lines in FILES.items():
        (tmp_path / name).write_text(LICENSE * (not name.endswith("exc")) + "\n".join(lines), encoding="latin-1")
    return tmp_path


def test_forms_lead_to_their_words(folder: Path) -> None:
    wordnet = read_wordnet(folder)
    assert bases("taught", wordnet) == {"teach"} and bases("carries", wordnet) == bases("carried", wordnet) == {"carry"}
    assert bases("teach", wordnet) == bases("teals", wordnet) - {"teal"} == set()


def test_pairs_weigh_as_their_rarer_word(folder: Path) -> None:
    wordnet = read_wordnet(folder)
    assert measured("words", str, WORDS, wordnet)[1:] == (1.0, 0.0, 0.0)
    cut = measured("three letters", lambda word: word[:3], WORDS, wordnet)
    assert cut.forms_apart == pytest.approx(0.2 / 0.3) and cut.derivations_together == 1.0
    # "teal" with "teach" and with "teacher".
    assert cut.unrelated_together == pytest.approx(0.125 + 0.125)
