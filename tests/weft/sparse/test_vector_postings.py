"""The postings of sparse rows: what the builder writes, and what a search reads of them a word at a time."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

import weft.arrays.blobs
import weft.sparse.transpose
import weft.sparse.vector_postings
from weft.arrays.vectors import append_block
from weft.meta import set_meta
from weft.schema import create
from weft.sparse.sparse_rows import SPARSE, SparseRows, encode_sparse, load_sparse, summed
from weft.sparse.transpose import delete_postings, write_postings
from weft.sparse.vector_postings import VectorPostings

N, WORDS = 60, 25


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """Give an SKB of three blocks of random sparse rows."""
    draw = np.random.default_rng(4)
    keys = draw.integers(np.iinfo(np.int64).min, np.iinfo(np.int64).max, WORDS)
    with closing(create(tmp_path / "kb.skb")) as made:
        set_meta(made, "vector_dtype", SPARSE)
        for block in np.array_split(np.arange(N), 3):
            n = 6 * len(block)
            numbers, words = draw.integers(0, len(block), n), keys[draw.zipf(1.4, n) % WORDS]
            rows = summed(len(block), numbers, words, draw.random(n))
            append_block(made, "label", (block * 2).tolist(), encode_sparse(rows))
        yield made


def naive(rows: SparseRows, words: np.ndarray, weights: np.ndarray) -> list[float]:
    """Return the inner products of all rows with a vector, by dictionaries."""
    asked = dict(zip(words.tolist(), weights.tolist(), strict=True))
    found = [0.0] * rows.n
    for number, word, weight in zip(rows.numbers.tolist(), rows.words.tolist(), rows.weights.tolist(), strict=True):
        found[number] += asked.get(word, 0.0) * weight
    return found


@pytest.mark.parametrize("most", [1, 7, 1 << 24])
@pytest.mark.parametrize("n_bytes", [4, 36, 1 << 18])
def test_scores_are_inner_products(
    connection: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch, most: int, n_bytes: int
) -> None:
    monkeypatch.setattr(weft.sparse.transpose, "MOST_ENTRIES", most)
    monkeypatch.setattr(weft.arrays.blobs, "PART_BYTES", n_bytes)
    monkeypatch.setattr(weft.sparse.vector_postings, "MOST", 20)
    write_postings(connection, "label")
    rows, postings = load_sparse(connection, "label").rows, VectorPostings(connection, "label")
    assert postings.ids.tolist() == [2 * each for each in range(N)]
    every = np.unique(rows.words)
    for word in every.tolist():
        posting, own = postings.of(connection, word), rows.words == word
        assert posting.rows.tolist() == rows.numbers[own].tolist()
        assert posting.weights.tolist() == rows.weights[own].tolist()
    draw = np.random.default_rng(5)
    for n in (0, 1, 4, len(every)):
        words = np.sort(np.append(draw.choice(every, n, replace=False), 12345))
        weights = draw.random(len(words)).astype(np.float32)
        found = postings.scores(connection, words, weights)
        np.testing.assert_allclose(found, naive(rows, words, weights), atol=1e-5)


def test_what_is_written_again_is_the_same_and_nothing_is_left(connection: sqlite3.Connection) -> None:
    query = "SELECT name, block, dtype, data FROM array ORDER BY name, block"
    write_postings(connection, "label")
    first = connection.execute(query).fetchall()
    rows = load_sparse(connection, "label").rows
    delete_postings(connection)
    assert connection.execute(query).fetchall() == []
    connection.execute("DELETE FROM vector")
    append_block(connection, "label", [2 * each for each in range(N)], encode_sparse(rows))
    write_postings(connection, "label")
    assert connection.execute(query).fetchall() == first
    write_postings(connection, "section")
    assert not len(VectorPostings(connection, "section").ids)


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM array WHERE name = 'posting.label.size'",
        "UPDATE array SET data = CAST(x'00000000' || substr(data, 5) AS BLOB) WHERE name = 'posting.label.size'",
        "UPDATE array SET data = CAST(x'ffffffff' || substr(data, 5) AS BLOB) WHERE name = 'posting.label.row'",
        "UPDATE array SET data = CAST(x'ffffff7f' || substr(data, 5) AS BLOB) WHERE name = 'posting.label.row'",
        "UPDATE array SET data = substr(data, 1, 8) WHERE name = 'posting.label.weight'",
        "DELETE FROM array WHERE name = 'posting.label.row'",
    ],
)
def test_damaged_postings_are_never_read_as_others(connection: sqlite3.Connection, damage: str) -> None:
    write_postings(connection, "label")
    words = np.unique(load_sparse(connection, "label").rows.words)
    assert connection.execute(damage).rowcount == 1
    with pytest.raises(ValueError, match=r"postings of label|buffer|offset"):
        VectorPostings(connection, "label").scores(connection, words, np.ones(len(words), np.float32))
