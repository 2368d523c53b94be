"""Estimates from bytes: their bound holds, and what is found is what comparing all rows finds."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from retriever.context import Context
from retriever.encodings import DenseVectors
from retriever.index.dense import rows as dense_rows
from retriever.index.dense.byte_codes import codes_of
from retriever.index.dense.rows import DenseRows
from retriever.index.places import places_of
from retriever.index.vectors import Similarity, best, space_of
from retriever.methods import Part
from retriever.rankers.composed import signal_of
from retriever.session import Memo, Session
from tests.asking import query_with
from weft.arrays.vectors import unit_rows
from weft.skb import Skb

QUESTIONS = ["Who tuned the harp of the toll bridge on the river Veldra?", "when did it open", "harbour light"]
Make = Callable[[np.random.Generator], NDArray[np.float32]]


def _normal(draw: np.random.Generator) -> NDArray[np.float32]:
    return draw.normal(size=(2_000, 24)).astype(np.float32)


def _clustered(draw: np.random.Generator) -> NDArray[np.float32]:
    return (draw.normal(size=(5, 24))[draw.integers(0, 5, 2_000)] + 0.01 * _normal(draw)).astype(np.float32)


def _repeated(draw: np.random.Generator) -> NDArray[np.float32]:
    return _normal(draw)[draw.integers(0, 30, 2_000)]


def _one_number_each(draw: np.random.Generator) -> NDArray[np.float32]:
    return np.eye(24, dtype=np.float32)[draw.integers(0, 24, 2_000)]


ROWS = pytest.mark.parametrize("make", [_normal, _clustered, _repeated, _one_number_each])


@pytest.fixture(autouse=True)
def library() -> None:
    """Skip without the library that multiplies bytes."""
    pytest.importorskip("numkong")


def _coded(rows: NDArray[np.float32], monkeypatch: pytest.MonkeyPatch) -> DenseRows:
    monkeypatch.setattr(dense_rows, "SMALL", 2)
    monkeypatch.setattr(dense_rows, "OFTEN", 0)
    return DenseRows(rows)


@ROWS
def test_no_estimate_is_farther_off_than_said(make: Make) -> None:
    draw = np.random.default_rng(0)
    rows = unit_rows(make(draw))
    codes = codes_of(rows)
    assert codes.codes.dtype == np.int8
    for vector in np.concatenate([unit_rows(draw.normal(size=(20, 24)).astype(np.float32)), rows[:20]]):
        found = codes.estimate(vector)
        assert 0 < found.error < 0.05
        assert np.abs(found.scores - rows.astype(np.float64) @ vector).max() <= found.error


@ROWS
@pytest.mark.parametrize("k", [1, 10, 400, 5_000])
@pytest.mark.parametrize("among", [None, 3])
def test_the_nearest_are_those_of_exact_comparison(
    make: Make, k: int, among: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = np.random.default_rng(k)
    rows, vectors = unit_rows(make(draw)), DenseVectors(unit_rows(draw.normal(size=(2, 24)).astype(np.float32)))
    ids = np.arange(len(rows)) * 2
    some = None if among is None else ids[::among]
    exact = Similarity("rows", ids, DenseRows(rows), Memo(), places_of(ids))
    expected, whole = best(exact, vectors, k, some), exact.scores(vectors)
    coded = Similarity("rows", ids, _coded(rows, monkeypatch), Memo(), places_of(ids))
    found = best(coded, vectors, k, some)
    assert coded.begin(vectors)[0].error > 0 == exact.begin(vectors)[0].error
    assert (found[0].tolist(), found[1].tolist()) == (expected[0].tolist(), expected[1].tolist())
    for asked in (ids[:7], ids):
        assert coded.of(vectors, asked).tolist() == exact.of(vectors, asked).tolist()
    np.testing.assert_allclose(coded.scores(vectors), whole, atol=1e-6)


def test_rows_are_coded_once_they_are_compared_often(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = unit_rows(_normal(np.random.default_rng(0)))
    coded = _coded(rows, monkeypatch)
    monkeypatch.setattr(dense_rows, "OFTEN", 3)
    errors = [coded.compare(DenseVectors(rows[place : place + 1]))[0].error for place in range(5)]
    assert [error > 0 for error in errors] == [False, False, False, True, True]
    monkeypatch.setattr(dense_rows, "MOST_CODED", rows.nbytes - 1)
    assert not any(DenseRows(rows).compare(DenseVectors(rows[:9]))[0].error for _ in range(2))
    monkeypatch.setattr(dense_rows, "MOST_CODED", rows.nbytes)
    monkeypatch.setitem(sys.modules, "numkong", None)
    assert not any(DenseRows(rows).compare(DenseVectors(rows[:9]))[0].error for _ in range(2))


@pytest.mark.parametrize("name", ["vector", "page", "section", "entity", "path"])
def test_signals_rank_as_without_codes(name: str, lengths_world: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def ranked() -> list[object]:
        with Skb(lengths_world) as skb:
            session, found = Session(Context(skb)), []
            for text in QUESTIONS:
                query = query_with(text, session.encode([text]), "chunk")
                ids = signal_of(Part(name), "chunk").propose(session, query, 20)
                found.append((ids.tolist(), signal_of(Part(name), "chunk").score(session, query, ids).tolist()))
            rows = space_of(session, "chunk").rows
            return [*found, isinstance(rows, DenseRows) and rows._codes is not None]

    plain = ranked()
    monkeypatch.setattr(dense_rows, "SMALL", 2)
    monkeypatch.setattr(dense_rows, "OFTEN", 0)
    coded = ranked()
    assert coded[:-1] == plain[:-1] and not plain[-1]
    assert coded[-1] or name not in ("vector",)
