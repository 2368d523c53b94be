"""Vectors of stems: which words they are made of, and how they are shortened."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benchmarks.meanings import shortened, words_by_stem
from retriever.answers.text.meanings import alike, vectors_of


def test_words_are_gathered_by_stem(tmp_path: Path) -> None:
    path = tmp_path / "vocab.txt"
    path.write_text("[PAD]\nthe\nclimb\n##ing\nclimbing\nox\nriver\n1999\n", encoding="utf-8")
    assert words_by_stem(path) == {"climb": ["climb", "climbing"], "riv": ["river"]}


def test_rows_keep_their_directions() -> None:
    rows = np.random.default_rng(0).normal(size=(40, 6)).astype(np.float32)
    short = shortened(rows, 6).astype(np.float64) / 127
    assert np.allclose(np.linalg.norm(short, axis=1), 1, atol=0.03)
    centred = rows - rows.mean(0)
    centred /= np.linalg.norm(centred, axis=1, keepdims=True)
    assert np.allclose(short @ short.T, centred @ centred.T, atol=0.05)


def test_the_stems_that_ship_are_those_of_words() -> None:
    assert float(alike(vectors_of(["riv"]), vectors_of(["riv"]))[0, 0]) > 0.89
