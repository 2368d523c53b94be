"""The table of what nouns are kinds of: written from WordNet's two files, read back as the nouns that ship are."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benchmarks.hypernyms import parents, senses, things, write

LICENSE = "  1 A license begins with two blanks.\n"
DATA = LICENSE + "\n".join((
    "00000010 03 n 01 entity 0 001 ~ 00000020 n 0000 | what there is  ",
    "00000020 18 n 02 person 0 soul 1 001 @ 00000010 n 0000 | somebody  ",
    "00000030 18 n 01 lock-keeper 0 002 @ 00000020 n 0000 + 00000090 v 0101 | keeps a lock  ",
    "00000040 03 n 01 nothing 0 000 | no word leads here  ",
))
INDEX = LICENSE + "\n".join((
    "lock-keeper n 1 2 @ + 1 0 00000030  ",
    "lock_gate n 1 1 @ 1 0 00000040  ",
    "soul n 1 1 @ 1 1 00000020  ",
))  # fmt: skip


def test_words_keep_their_senses_and_what_is_above_them(tmp_path: Path) -> None:
    (tmp_path / "data.noun").write_text(DATA, encoding="latin-1")
    (tmp_path / "index.noun").write_text(INDEX, encoding="latin-1")
    words, above = dict(senses(tmp_path / "index.noun")), parents(tmp_path / "data.noun")
    assert words == {"lock-keeper": [30], "soul": [20]}
    assert above == {10: [], 20: [10], 30: [20], 40: []}
    write(tmp_path / "nouns.npz", words, above)
    with np.load(tmp_path / "nouns.npz") as arrays:
        assert arrays["words"].tobytes() == b"lock-keeper\nsoul"
        assert arrays["senses"].tolist() == [2, 1]
        assert (arrays["parent_counts"].tolist(), arrays["parents"].tolist()) == ([0, 1, 1], [0, 1])


def test_things_are_told_from_people_by_two_words(tmp_path: Path) -> None:
    data = DATA + (
        "\n00000050 18 n 01 carrier 0 001 @ 00000020 n 0000 | carries  "
        "\n00000060 06 n 01 sand_carrier 0 001 @ 00000010 n 0000 | a ship  "
        "\n00000070 18 n 01 mail_carrier 0 001 @ 00000050 n 0000 | brings mail  "
        "\n00000080 06 n 01 Old_Carrier 0 001 @ 00000010 n 0000 | a ship's name  "
    )
    index = INDEX + (
        "\nperson n 1 1 @ 1 1 00000020  \ncarrier n 1 1 @ 1 1 00000050  \nsand_carrier n 1 1 @ 1 0 00000060  "
        "\nmail_carrier n 1 1 @ 1 0 00000070  \nold_carrier n 1 1 @ 1 0 00000080  "
    )
    (tmp_path / "data.noun").write_text(data, encoding="latin-1")
    (tmp_path / "index.noun").write_text(index, encoding="latin-1")
    assert [*things(tmp_path, parents(tmp_path / "data.noun"))] == ["sand carrier"]
