"""Lifting: a ranking of entities as one of chunks, and back, against loops over rows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from retriever.context import Context
from retriever.index.lift import lift
from retriever.session import Session
from retriever.types import Ids, Ranking, Unit
from weft.skb import Skb


@pytest.fixture
def session(world: Path) -> Iterator[Session]:
    with Skb(world) as opened, Session(Context(opened)) as session:
        yield session


def _belonging(session: Session, unit: Unit, identity: int) -> set[int]:
    """Return what of the other unit belongs to a chunk or an entity."""
    skb = session.skb
    if unit == "chunk":
        (chunk,) = skb.chunks([identity])
        own = skb.connection.execute("SELECT id FROM entity WHERE page_id = ?", (chunk.page_id,)).fetchone()
        return {own[0]} | {citation.entity_id for citation in skb.citations([identity])}
    (entity,) = skb.entities([identity])
    own_page = [] if entity.page_id is None else skb.chunks_of_page(entity.page_id)
    return {chunk.id for chunk in own_page} | {citation.chunk_id for citation in skb.cited_in(identity)}


def _naive(session: Session, found: Ranking, allowed: Ids | None) -> list[tuple[int, int]]:
    """Return (id, row of the hit that it belongs to), in order."""
    other = "entity" if found.unit == "chunk" else "chunk"
    seen: dict[int, int] = {}
    for row, identity in enumerate(found.ids.tolist()):
        new = _belonging(session, found.unit, identity) - seen.keys()
        new = new if allowed is None else new & set(allowed.tolist())
        uris = session.skb.uris(other, sorted(new))
        seen |= {each: row for _, each in sorted(zip(uris, sorted(new), strict=True))}
    return list(seen.items())


def _ranking(session: Session, unit: Unit, n: int) -> Ranking:
    draw = np.random.default_rng(n)
    rows = session.skb.connection.execute(f"SELECT id FROM {unit} ORDER BY id")
    ids = draw.permutation(np.array([each for (each,) in rows], np.int64))[:n]
    features = draw.random((n, 2)).astype(np.float32)
    return Ranking(unit, ids, np.sort(features[:, 0])[::-1], features, ("one", "two"), np.arange(n, dtype=np.int32))


@pytest.mark.parametrize("share", [None, 0.5, 0.0], ids=["all", "half", "none"])
@pytest.mark.parametrize("n", [0, 1, 7, 40])
@pytest.mark.parametrize("unit", ["chunk", "entity"])
def test_each_takes_the_place_of_the_first_hit_that_it_belongs_to(
    session: Session, unit: Unit, n: int, share: float | None
) -> None:
    other: Unit = "entity" if unit == "chunk" else "chunk"
    found, allowed = _ranking(session, unit, n), None
    if share is not None:
        every = np.array([each for (each,) in session.skb.connection.execute(f"SELECT id FROM {other} ORDER BY id")])
        allowed = np.sort(np.random.default_rng(1).choice(every, int(share * len(every)), replace=False))
    lifted = lift(session, found, other, allowed)
    expected = _naive(session, found, allowed)
    assert lifted.unit == other and lifted.ids.tolist() == [identity for identity, _ in expected]
    rows = [row for _, row in expected]
    assert lifted.scores.tolist() == found.scores[rows].tolist() and lifted.groups.tolist() == rows
    assert lifted.features.tolist() == found.features[rows].tolist() and lifted.columns == found.columns


def test_what_is_of_the_unit_stays(session: Session) -> None:
    found = _ranking(session, "chunk", 9)
    assert lift(session, found, "chunk") is found
    left = lift(session, found, "chunk", np.sort(found.ids[::2]))
    assert left.ids.tolist() == found.ids[::2].tolist() and left.scores.tolist() == found.scores[::2].tolist()
