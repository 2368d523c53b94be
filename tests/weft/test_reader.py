"""The reader: rows, neighbours, arrays and one's own queries over the invented world."""

from __future__ import annotations

import sqlite3

import numpy as np
import pytest

from weft.skb import Skb
from weft.sparse.sparse_rows import load_sparse


def test_one_s_own_queries_by_sqlite_utils(skb: Skb) -> None:
    (row,) = skb.database["page"].rows_where("title = ?", ["Orrin Tasker"])
    assert row["uri"] == "Orrin Tasker"
    with pytest.raises(sqlite3.OperationalError):
        skb.connection.execute("DELETE FROM page")


def test_arrays_hold_the_graph_of_the_tables(skb: Skb) -> None:
    graph = skb.adjacency
    assert graph.cites.indptr[-1] == graph.cited_in.indptr[-1] == skb.count("cites")
    assert graph.outgoing.indptr[-1] == graph.incoming.indptr[-1] == skb.count("relation")
    for place, chunk in enumerate(graph.chunk_ids.tolist()):
        cited = {citation.entity_id for citation in skb.citations([chunk])}
        assert set(graph.entity_ids[graph.cites.row(place)].tolist()) == cited
    tasker = skb.entity("Orrin Tasker")
    assert tasker is not None
    (place,) = np.flatnonzero(graph.entity_ids == tasker.id)
    around = {*graph.outgoing.row(place).tolist(), *graph.incoming.row(place).tolist()}
    assert set(graph.entity_ids[sorted(around)].tolist()) == {each.entity.id for each in skb.neighbours(tasker.id)}


def test_a_section_and_what_lies_below_it(skb: Skb) -> None:
    for uri, below in skb.connection.execute(
        "SELECT above.uri, section.uri FROM section JOIN section AS above ON above.id = section.parent_id"
    ).fetchall():
        above, section = skb.section(uri), skb.section(below)
        assert above is not None and section is not None
        assert set(skb.chunk_ids_below(section.id)) <= set(skb.chunk_ids_below(above.id))


def test_vectors_are_unit_rows_in_every_space(skb: Skb) -> None:
    for space, table in (("chunk", "chunk"), ("section", "section"), ("label", "entity")):
        vectors = load_sparse(skb.connection, space)
        assert sorted(vectors.ids.tolist()) == [
            identity for (identity,) in skb.connection.execute(f"SELECT id FROM {table} ORDER BY id")
        ]
        squares = np.bincount(vectors.rows.numbers, vectors.rows.weights.astype(np.float64) ** 2)
        np.testing.assert_allclose(squares, 1, atol=1e-5)
    with pytest.raises(ValueError, match="vectors of type sparse, not float32 or float16"):
        skb.vectors("chunk")
