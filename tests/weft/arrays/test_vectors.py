"""Vectors are read by id, in whatever order their blocks hold them."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from weft.arrays.vectors import load_vectors, unit_rows, write_block
from weft.meta import set_meta
from weft.schema import create


@pytest.mark.parametrize("dtype", ["float32", "float16"])
@pytest.mark.parametrize("blocks", [[[1, 2, 5], [7, 9]], [[7, 9], [1, 2, 5]], [[9, 1], [7, 5, 2]], [[5]], []])
def test_rows_stand_by_id(tmp_path: Path, blocks: list[list[int]], dtype: str) -> None:
    rows = unit_rows(np.random.default_rng(1).normal(size=(10, 4)).astype(np.float32))
    with closing(create(tmp_path / "kb.skb")) as connection:
        set_meta(connection, "vector_dtype", dtype)
        for ids in blocks:
            write_block(connection, "label", ids, rows[ids], dtype=dtype)
        found = load_vectors(connection, "label")
    ids = sorted(each for own in blocks for each in own)
    assert found.ids.tolist() == ids and found.ids.dtype == np.int64
    assert found.rows.dtype == np.float32
    assert found.rows.tolist() == (rows[ids].astype(dtype).astype(np.float32).tolist() if ids else [])
