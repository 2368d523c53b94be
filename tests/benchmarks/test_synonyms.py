"""The table of words that may say the same: written from WordNet's files, read back as the one that ships is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.synonyms import related, write
from retriever.answers.text.lexicon.synonyms import synonyms, table
from weft.text.stems import stem

LICENSE = "  1 A license begins with two blanks.\n"
FILES = {
    "data.verb": (
        "00000010 40 v 02 buy 0 purchase 0 002 @ 00000020 v 0000 + 00000030 n 0101 01 + 08 00 | for money  ",
        "00000020 40 v 01 get 0 000 | come to have  ",
        "00000040 40 v 01 sell 0 000 | the fourth sense of a word, and farther ones, count no more  ",
    ),
    "index.verb": ("buy v 1 2 @ + 1 1 00000010  ", "purchase v 1 1 @ 1 0 00000010  ",
                   "get v 4 0 4 1 00000020 00000010 00000010 00000040  "),
    "data.noun": ("00000030 18 n 01 buyer 0 001 + 00000010 v 0101 | who buys  ",),
    "index.noun": ("buyer n 1 1 + 1 0 00000030  ",),
    "data.adj": ("00000050 00 a 01 big 0 001 & 00000060 a 0000 | large  ",
                 "00000060 00 s 01 huge(p) 0 000 | very large  "),
    "index.adj": ("big a 1 1 & 1 1 00000050  ", "top-heavy a 1 0 1 0 00000060  "),
    "data.adv": (), "index.adv": (), "verb.exc": ("bought buy",), "noun.exc": (),
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, lines in FILES.items():
        (tmp_path / name).write_text(LICENSE * (not name.endswith("exc")) + "\n".join(lines), encoding="latin-1")
    return tmp_path


def test_words_of_a_sense_wider_verbs_similar_adjectives_and_forms_are_related(folder: Path) -> None:
    found = related(folder)
    assert stem("bought") == "buy" and found["buy"] == {stem("purchase"), stem("get")}
    assert found["big"] == {stem("huge")} and found[stem("huge")] == {"big"} and stem("sell") not in found


@pytest.fixture
def nothing_read() -> Iterator[None]:
    for each in (table, synonyms):
        each.cache_clear()
    yield
    for each in (table, synonyms):
        each.cache_clear()


@pytest.mark.usefixtures("nothing_read")
def test_the_table_is_read_as_it_was_written(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "synonyms.npz", related(folder))
    monkeypatch.setattr("retriever.answers.text.lexicon.synonyms.FILE", tmp_path / "synonyms.npz")
    assert {stem: synonyms(stem) for stem in table().stems} == related(folder)
