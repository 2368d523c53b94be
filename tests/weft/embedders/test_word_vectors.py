"""Word vectors: those that ship tell like words from others, and a file gives back what was written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from weft.embedders import word_vectors as module
from weft.embedders.word_vectors import OUTLINE, word_vectors, write_word_vectors
from weft.text.stems import stem


@pytest.mark.parametrize(
    ("word", "like", "unlike"),
    [("delete", "remove", "banana"), ("ship", "vessel", "grammar"), ("physician", "doctor", "harbour"),
     ("purchase", "buy", "swim"), ("start", "begin", "purple")],
)  # fmt: skip
def test_words_of_like_meaning_are_nearer(word: str, like: str, unlike: str) -> None:
    table = word_vectors()
    asked, *others = table.find(stem(each).encode() for each in (word, like, unlike))
    assert min(asked, *others) >= 0
    near, far = table.cosines(np.array([asked]), np.array(others))[0]
    assert near > far + 0.15


def test_unknown_stems_have_no_vector() -> None:
    table = word_vectors()
    (unknown,) = table.find([b"qzxvbn"])
    assert unknown == -1 and not table.rows[unknown].any() and not table.outlines[unknown].any()
    assert not table.cosines(np.array([unknown]), np.arange(5)).any()
    assert table.find([stem("the").encode()]).tolist() == [-1]


def test_outlines_add_up_to_the_length() -> None:
    table = word_vectors()
    outlined = (table.outlines[:, :OUTLINE] ** 2).sum(1) + table.outlines[:, OUTLINE]
    np.testing.assert_allclose(outlined, table.lengths**2, rtol=1e-4)


def test_a_file_gives_back_what_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = np.random.default_rng(0).normal(size=(3, 64)).astype(np.float32)
    write_word_vectors(tmp_path / "some.npz", ["ab", "ü", "z"], vectors)
    monkeypatch.setattr(module, "FILE", tmp_path / "some.npz")
    read = module.word_vectors.__wrapped__()
    assert read.find([b"z", "ü".encode()]).tolist() == [2, 1]
    np.testing.assert_allclose(read.rows[:3], vectors, atol=np.abs(vectors).max() / 127)
    assert not read.rows[3].any()
