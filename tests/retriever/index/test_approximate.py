"""The approximate index: what it finds of the nearest rows, and what is said without faiss."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from retriever.context import Context
from retriever.index.dense.ann import Approximate
from retriever.methods import Part
from retriever.rankers.composed import signal_of
from retriever.session import Session
from retriever.signals.vector import VectorSignal
from tests.asking import query_with
from weft.arrays.vectors import unit_rows
from weft.errors import WeftError
from weft.skb import Skb

QUESTION = "Who tuned the harp of the toll bridge on the river Veldra?"


def test_it_finds_most_of_the_nearest_rows() -> None:
    pytest.importorskip("faiss")
    draw = np.random.default_rng(1)
    centres = draw.normal(size=(40, 32))
    rows = unit_rows((centres[draw.integers(0, 40, 20_000)] + 0.5 * draw.normal(size=(20_000, 32))).astype(np.float32))
    index, found = Approximate(rows), 0
    for row in rows[:50]:
        nearest = np.argsort(-(rows @ row), kind="stable")[:10]
        found += len(np.intersect1d(index.nearest(row[None], 10), nearest))
    assert found > 0.9 * 500
    assert Approximate(rows[:0]).nearest(rows[:1], 5).tolist() == []
    assert Approximate(rows[:3]).nearest(rows[:2], 5).tolist() == [0, 1, 2]


@pytest.fixture
def session(lengths_world: Path) -> Iterator[Session]:
    """Give a session on dense vectors."""
    with Skb(lengths_world) as opened:
        yield Session(Context(opened))


def test_a_small_space_is_searched_whole_and_scored_exactly(session: Session) -> None:
    pytest.importorskip("faiss")
    query = query_with(QUESTION, session.encode([QUESTION]), "chunk")
    signal = signal_of(Part("vector", {"ann": True}), "chunk")
    exact = VectorSignal("chunk").propose(session, query, 5)
    assert signal.propose(session, query, 5).tolist() == exact.tolist()
    assert signal.propose(session, query._replace(vectors=query.vectors.zeros(1)), 5).tolist() == []


def test_sparse_vectors_are_searched_exactly(skb: Skb, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "faiss", None)
    session = Session(Context(skb))
    query = query_with(QUESTION, session.encode([QUESTION]), "chunk")
    expected = VectorSignal("chunk").propose(session, query, 5)
    assert VectorSignal("chunk", ann=True).propose(session, query, 5).tolist() == expected.tolist()


def test_without_faiss_it_is_refused_and_filters_stay_exact(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "faiss", None)
    query = query_with(QUESTION, session.encode([QUESTION]), "chunk")
    signal = signal_of(Part("vector", {"ann": True}), "chunk")
    with pytest.raises(WeftError, match=r"ann=yes needs faiss: pip install 'weft\[ann\]'"):
        signal.propose(session, query, 5)
    allowed = session.chunk_table.chunk_ids[::3]
    expected = VectorSignal("chunk").propose(session, query._replace(allowed=allowed), 5)
    assert signal.propose(session, query._replace(allowed=allowed), 5).tolist() == expected.tolist()
