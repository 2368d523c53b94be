"""Sparse rows as arrays, and as the blobs that hold them."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from weft.arrays.blobs import starts_of
from weft.arrays.vectors import append_block
from weft.meta import set_meta
from weft.schema import create
from weft.sparse.sparse_rows import (
    SPARSE,
    SparseRows,
    concatenated,
    decode_sparse,
    encode_sparse,
    load_sparse,
    no_rows,
    summed,
    with_hashes,
)
from weft.sparse.transpose import write_postings

LEAST, MOST = np.iinfo(np.int64).min, np.iinfo(np.int64).max


def rows_of(*rows: dict[int, float]) -> SparseRows:
    """Return rows of weights by word."""
    words = [word for row in rows for word in sorted(row)]
    weights = [row[word] for row in rows for word in sorted(row)]
    starts = starts_of(np.array([len(row) for row in rows], np.int64))
    return SparseRows(starts, np.array(words, np.int64), np.array(weights, np.float32))


def listed(rows: SparseRows) -> list[dict[int, float]]:
    """Return rows as weights by word."""
    parts = zip(rows.starts[:-1].tolist(), rows.starts[1:].tolist(), strict=True)
    return [
        dict(zip(rows.words[start:end].tolist(), rows.weights[start:end].tolist(), strict=True)) for start, end in parts
    ]


ROWS: list[dict[int, float]] = [{}, {LEAST: 0.5, 0: 0.25, MOST: 1.0}, {3: 1.0}, {}, {-3: 0.5, 3: 0.5}]


def test_rows_are_taken_joined_and_added_up() -> None:
    rows = rows_of(*ROWS)
    assert rows.n == 5 and rows.sizes.tolist() == [0, 3, 1, 0, 2] and rows.numbers.tolist() == [1, 1, 1, 2, 4, 4]
    assert listed(rows.taken(np.array([4, 0, 4, 1]))) == [ROWS[4], {}, ROWS[4], ROWS[1]]
    assert listed(rows.taken(np.empty(0, np.int64))) == listed(no_rows()) == listed(concatenated([])) == []
    assert listed(concatenated([rows, no_rows(2), rows_of({1: 2.0})])) == [*ROWS, {}, {}, {1: 2.0}]
    both = summed(3, np.array([2, 0, 2, 2]), np.array([MOST, 5, LEAST, MOST]), np.array([1.0, 2.0, 3.0, 4.0]))
    assert listed(both) == [{5: 2.0}, {}, {LEAST: 3.0, MOST: 5.0}]
    assert listed(summed(1, *(np.empty(0, np.int64),) * 2, np.empty(0))) == [{}]


def test_a_blob_gives_the_rows_back() -> None:
    for rows in (rows_of(*ROWS), no_rows(3)):
        words, numbers = np.unique(rows.words, return_inverse=True)
        kept, in_full = encode_sparse(rows._replace(words=numbers)), encode_sparse(rows)
        assert (len(kept), len(in_full)) == (5 * len(numbers) + 4 * rows.n, 12 * len(numbers) + 4 * rows.n)
        assert listed(with_hashes(decode_sparse(kept, rows.n), words)) == listed(rows)
        assert listed(decode_sparse(in_full, rows.n)) == listed(rows)
        for broken, n in ((kept[:-1], rows.n), (kept + b"\0" * 8, rows.n), (kept, rows.n + 3), (b"", 1)):
            with pytest.raises(ValueError, match=r"sparse rows.* has"):
                decode_sparse(broken, n)
    for wrong in (-1, 3):
        with pytest.raises(ValueError, match="a word beyond the 3 that there are"):
            with_hashes(rows_of({wrong: 1.0}), np.arange(3))


@pytest.mark.parametrize("blocks", [[[1, 2, 5], [7, 9]], [[9, 1], [7, 5, 2]], []])
def test_rows_stand_by_id(tmp_path: Path, blocks: list[list[int]]) -> None:
    row_of = {identity: {identity: 0.5, 100: identity / 8} for identity in (1, 2, 5, 7, 9)}
    with closing(create(tmp_path / "kb.skb")) as connection:
        set_meta(connection, "vector_dtype", SPARSE)
        for ids in blocks:
            append_block(connection, "label", ids, encode_sparse(rows_of(*(row_of[each] for each in ids))))
        write_postings(connection, "label")
        ids, rows = load_sparse(connection, "label")
        assert ids.tolist() == sorted(each for own in blocks for each in own)
        assert listed(rows) == [row_of[each] for each in ids.tolist()]
        set_meta(connection, "vector_dtype", "float32")
        with pytest.raises(ValueError, match="vectors of type float32, not sparse"):
            load_sparse(connection, "label")
