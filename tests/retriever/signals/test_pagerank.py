"""Personalised PageRank: local pushes against a dense walk, the walk's matrix against rows, and the graph signal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from builder.build import build
from builder.request import Request
from retriever.context import Context
from retriever.methods import Part
from retriever.question.reader import read_question
from retriever.rankers.composed import signal_of
from retriever.session import Session
from retriever.signals.pagerank.push import push
from retriever.signals.pagerank.signal import GraphSignal
from retriever.types import Unit
from tests.asking import query_with
from tests.worlds import link, page, triple, write_pages
from weft.arrays.adjacency import Walk
from weft.errors import WeftError
from weft.skb import Skb

STOP, LEAST = 0.35, 2e-5
QUESTION = "Who keeps the weir below the Sallow Mill?"


@pytest.fixture(scope="module")
def mill_world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give an SKB with two parts that nothing joins, a fact in both directions and one from a thing to itself."""
    folder = tmp_path_factory.mktemp("mill")
    pages = write_pages(
        folder / "pages",
        {
            "a.html": page(
                "Sallow Mill", f"A mill on the {link('Orrin Brook')}, run by {link('Tessa Quayle')}.", "== Weir",
                f"The weir below is kept by {link('Tessa Quayle')}.", f"It was {link('Barrow Guild')} property.",
            ),
            "b.html": page("Orrin Brook", f"A brook that drives the {link('Sallow Mill')}.", "It is short."),
            "c.html": page("Tessa Quayle", f"A keeper of the {link('Barrow Guild')}.", "Her hat is green."),
            "d.html": page("Far Island", f"An island off {link('Deep Point')}.", "Nobody lives there."),
        },
    )  # fmt: skip
    (folder / "facts.nt").write_text(
        triple("Tessa_Quayle", "friend", "Orrin_Brook") + triple("Orrin_Brook", "friend", "Tessa_Quayle")
        + triple("Sallow_Mill", "owner", "Barrow_Guild") + triple("Sallow_Mill", "near", "Sallow_Mill"),
        encoding="utf-8",
    )  # fmt: skip
    build(Request((str(pages),), folder / "kb.skb", (str(folder / "facts.nt"),), workers=1))
    return folder / "kb.skb"


@pytest.fixture(params=["world", "mill_world"])
def session(request: pytest.FixtureRequest) -> Iterator[Session]:
    with Skb(request.getfixturevalue(request.param)) as opened:
        yield Session(Context(opened))


def _random_walk(seed: int) -> tuple[Walk, NDArray[np.float64], NDArray[np.int64]]:
    """Return a walk over a random graph with double edges, loops and lonely nodes, its matrix, and its degrees."""
    draw = np.random.default_rng(seed)
    n = int(draw.integers(2, 60))
    ends = draw.integers(0, n, (2, int(draw.integers(0, 4 * n))))
    counts = np.zeros((n, n), np.int64)
    np.add.at(counts, (ends[0], ends[1]), 1)
    np.add.at(counts, (ends[1], ends[0]), 1)
    degrees = counts.sum(axis=1)
    matrix = counts / np.maximum(1, degrees)[:, None]
    indices = [column for row in counts for column, many in enumerate(row) for _ in range(many)]
    return _walk(np.cumsum(degrees).tolist(), indices), matrix, degrees


def _walk(ends: list[int], indices: list[int]) -> Walk:
    return Walk(len(ends) // 2, np.array([0, *ends]), np.array(indices, np.int32))


def _dense(matrix: NDArray[np.float64], start: NDArray[np.float64], stop: float) -> NDArray[np.float64]:
    """Walk step by step until hardly anything walks on."""
    walking, ended = start.astype(np.float64), np.zeros(len(start))
    while walking.sum() > 1e-12:
        ended += stop * walking
        walking = (1 - stop) * (walking @ matrix)
    return ended


@pytest.mark.parametrize("least", [1e-2, 1e-4, LEAST])
@pytest.mark.parametrize("stop", [0.15, STOP, 0.9])
@pytest.mark.parametrize("seed", range(12))
def test_pushes_come_as_near_as_they_say(seed: int, stop: float, least: float) -> None:
    walk, matrix, degrees = _random_walk(seed)
    draw = np.random.default_rng([seed, 1])
    seeds = draw.integers(0, len(degrees), int(draw.integers(1, 6)))
    weights = (draw.random(len(seeds)) + 0.01).astype(np.float32)
    start = np.zeros(len(degrees))
    for node, weight in zip(seeds, weights, strict=True):
        start[node] += weight / weights.sum()
    nodes, ended = push(walk, seeds, weights, stop, least)
    assert nodes.tolist() == sorted(set(nodes.tolist())) and set(seeds.tolist()) <= set(nodes.tolist())
    found = np.zeros(len(degrees))
    found[nodes] = ended
    missing = _dense(matrix, start, stop) - found
    assert missing.min() > -1e-6, "a push never gives more than the walk"
    assert (missing <= least * np.maximum(1, degrees) + 1e-6).all()
    assert 0 < ended.sum() <= 1 + 1e-6 and ended.min() > 0


def test_where_nothing_is_lost_a_walk_ends_somewhere() -> None:
    _, ended = push(_walk([1, 3, 4], [1, 0, 2, 1]), np.array([0]), np.ones(1, np.float32), STOP, 1e-9)
    assert ended.sum() == pytest.approx(1, abs=1e-5)
    nodes, ended = push(_walk([0], []), np.array([0]), np.ones(1, np.float32), STOP, LEAST)
    assert (nodes.tolist(), ended.tolist()) == ([0], [pytest.approx(STOP)])


def test_what_a_push_does_not_see_is_never_touched() -> None:
    walk, _, degrees = _random_walk(3)
    ends, indices = walk.indptr[1:].tolist(), walk.indices.tolist()
    beside = [len(degrees) + each for each in indices]
    two = _walk([*ends, *(ends[-1] + each for each in ends)], indices + beside)
    nodes, ended = push(two, np.array([0, 1]), np.array([1, 2], np.float32))
    assert nodes.max() < len(degrees)
    again, same = push(walk, np.array([0, 1]), np.array([1, 2], np.float32))
    assert (nodes.tolist(), ended.tobytes()) == (again.tolist(), same.tobytes())


def test_from_nothing_nothing_is_reached() -> None:
    walk, _, _ = _random_walk(5)
    nodes, ended = push(walk, np.empty(0, np.int64), np.empty(0, np.float32))
    assert nodes.tolist() == [] == ended.tolist()


def test_the_walk_follows_citations_pages_and_relations(session: Session) -> None:
    connection = session.skb.connection
    chunks, entities = (
        {identity: index for index, (identity,) in enumerate(connection.execute(f"SELECT id FROM {table} ORDER BY id"))}
        for table in ("chunk", "entity")
    )
    n = len(chunks)
    counts = np.zeros((n + len(entities), n + len(entities)))
    steps = [
        *connection.execute("SELECT 'c', chunk_id, entity_id FROM cites"),
        *connection.execute("SELECT 'c', chunk.id, entity.id FROM chunk JOIN entity ON entity.page_id = chunk.page_id"),
        *connection.execute("SELECT 'e', subject_id, object_id FROM relation"),
    ]
    for kind, one, other in steps:
        indices = chunks[one] if kind == "c" else n + entities[one], n + entities[other]
        counts[indices] += 1
        counts[indices[::-1]] += 1
    walk = session.walk
    found = np.zeros_like(counts)
    for row, (begin, end) in enumerate(zip(walk.indptr, walk.indptr[1:], strict=False)):
        np.add.at(found[row], walk.indices[begin:end], 1)
    assert walk.n_chunks == n
    assert np.diff(walk.indptr).tolist() == counts.sum(axis=1).tolist()
    assert found.tolist() == counts.tolist()


def _every(session: Session, unit: Unit) -> NDArray[np.int64]:
    return np.array([each for (each,) in session.skb.connection.execute(f"SELECT id FROM {unit} ORDER BY id")])


@pytest.mark.parametrize("part", [None, 0.5], ids=["all", "half"])
@pytest.mark.parametrize("unit", ["chunk", "entity"])
@pytest.mark.parametrize("k", [1, 3, 1000])
def test_the_signal_proposes_what_it_scores_highest(session: Session, unit: Unit, k: int, part: float | None) -> None:
    ids = _every(session, unit)
    allowed = None
    if part is not None:
        allowed = np.sort(np.random.default_rng(4).choice(ids, int(part * len(ids)), replace=False))
    query = read_question(session, QUESTION.replace("Sallow Mill", "Sill Weir or the Sallow Mill"), unit, allowed)
    signal = GraphSignal(unit)
    scores = dict(zip(ids.tolist(), signal.score(session, query, ids).tolist(), strict=True))
    uris = dict(zip(ids.tolist(), session.skb.uris(unit, ids.tolist()), strict=True))
    left = [each for each in (ids if allowed is None else allowed).tolist() if scores[each] > 0]
    expected = sorted(left, key=lambda each: (-scores[each], uris[each]))[:k]
    assert expected and signal.propose(session, query, k).tolist() == expected
    assert GraphSignal(unit).propose(session, query, k).tolist() == expected
    backwards = ids[::-1]
    assert signal.score(session, query, backwards).tolist() == [scores[each] for each in backwards.tolist()]
    assert signal.score(session, query, ids[:0]).tolist() == []


def test_a_walk_stays_in_its_part(mill_world: Path) -> None:
    with Skb(mill_world) as skb:
        session = Session(Context(skb))
        island = skb.page("Far Island")
        assert island is not None
        query = query_with(QUESTION, session.encode([""]))
        found = GraphSignal("chunk").propose(session, query, 100)
        assert len(found) and not set(found.tolist()) & {each.id for each in skb.chunks_of_page(island.id)}


@pytest.mark.parametrize("unit", ["chunk", "entity"])
@pytest.mark.parametrize("text", ["", "?", "the of and", "zzqx vvkw"])
def test_a_question_that_finds_nothing_walks_nowhere(session: Session, unit: Unit, text: str) -> None:
    query = read_question(session, text, unit)
    assert not query.question.mentions
    # Stop words alone are searched as they stand, so the question is asked without its text.
    query = query._replace(searched="", vectors=query.vectors.zeros(1))
    signal, ids = GraphSignal(unit), _every(session, unit)
    assert signal.propose(session, query, 5).tolist() == []
    assert not signal.score(session, query, ids).any()
    assert signal.evidence(session, query, int(ids[0])) == ()


@pytest.mark.parametrize("stop", [0, 0.0, -0.5, 1.5])
def test_a_walk_must_stop(session: Session, stop: float) -> None:
    with pytest.raises(WeftError, match="stop"):
        signal_of(Part("graph", {"stop": stop}), "chunk")
