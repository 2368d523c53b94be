"""The k-th highest score, against sorting, and the order of what scores alike."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from retriever.context import Context
from retriever.index.ties import in_order, kth_highest
from retriever.session import Session
from weft.skb import Skb


@pytest.mark.parametrize("n", [1, 63, 64, 65, 1000, 20_000])
@pytest.mark.parametrize("k", [1, 5, 50])
@pytest.mark.parametrize("kinds", [3, 1_000_000])
def test_the_kth_highest_is_that_of_sorting(n: int, k: int, kinds: int) -> None:
    scores = np.random.default_rng(n + k).integers(0, kinds, n).astype(np.float32)
    if k <= n:
        assert kth_highest(scores, k) == np.sort(scores)[-k]


@pytest.mark.parametrize("table", ["chunk", "entity", "section", "page"])
@pytest.mark.parametrize("ranked", [True, False])
def test_what_scores_alike_stands_by_uri(world: Path, tmp_path: Path, table: str, ranked: bool) -> None:
    path = tmp_path / "kb.skb"
    shutil.copy(world, path)
    if not ranked:
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("DELETE FROM array WHERE name LIKE '%.uri_rank'")
            connection.commit()
    with Skb(path) as skb, Session(Context(skb)) as session:
        rows = skb.connection.execute(f"SELECT id, uri FROM {table} ORDER BY id DESC LIMIT 80").fetchall()
        ids = np.array([identity for identity, _ in rows])
        scores = (ids % 3).astype(np.float32)
        expected = sorted(range(len(rows)), key=lambda index: (-scores[index], rows[index][1]))
        assert in_order(session, table, ids, scores).tolist() == expected
        twice = np.append(ids, ids)
        ranks = session.uri_ranks(table, twice)
        assert [rows[index % len(rows)][1] for index in np.argsort(ranks, kind="stable").tolist()] == sorted(
            uri for _, uri in rows for _ in range(2)
        )
