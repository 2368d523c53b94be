"""The order of answers beside that of sorting them all, for few answers and for more than are ordered."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from retriever.context import Context
from retriever.encodings import DenseVectors
from retriever.focus import order
from retriever.focus.order import by_likeness
from retriever.index.dense.rows import DenseRows
from retriever.index.places import places_of
from retriever.index.ties import in_order
from retriever.index.vectors import Similarity, scores_of
from retriever.session import Session
from weft.arrays.vectors import unit_rows
from weft.skb import Skb

N = 60


@pytest.mark.parametrize("n_groups", [1, 2, 7, 40])
@pytest.mark.parametrize("most", [1, 5, 20, 59, 60, 100])
def test_the_first_are_ordered_as_all_would_be(
    tmp_path: Path, weave: Callable[..., object], monkeypatch: pytest.MonkeyPatch, n_groups: int, most: int
) -> None:
    folder = tmp_path / "graph"
    folder.mkdir()
    nodes = "".join(f'{{"uri": "n{number}", "name": "node {number}"}}\n' for number in range(N))
    (folder / "nodes.jsonl").write_text(nodes, encoding="utf-8")
    (folder / "edges.tsv").write_text("subject\tpredicate\tobject\nn0\tnear\tn1\n", encoding="utf-8")
    weave(folder)
    chance = np.random.default_rng(n_groups * 100 + most)
    monkeypatch.setattr(order, "ORDERED", most)
    with Skb(tmp_path / "kb.skb") as skb, Session(Context(skb)) as session:
        every = session.adjacency.entity_ids
        ids = np.sort(chance.choice(every, 50, replace=False))
        rows = unit_rows(chance.integers(0, 3, (N, 2)).astype(np.float32))
        space = Similarity("own", every, DenseRows(rows), session.memo, places_of(every))
        vectors = DenseVectors(unit_rows(np.ones((1, 2), np.float32)))
        groups = chance.integers(0, n_groups, len(ids))
        found = by_likeness(session, space, vectors, ids, groups)
        whole = in_order(session, "entity", ids, -groups.astype(np.float32), scores_of(space, vectors, ids))
    assert found[:most].tolist() == whole[:most].tolist()
    assert sorted(found.tolist()) == list(range(len(ids)))
    assert (np.diff(groups[found]) >= 0).all()
