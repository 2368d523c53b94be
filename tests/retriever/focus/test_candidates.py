"""Candidates of symbols: by name, by what is almost the name, by likeness; among those that meet all conditions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from retriever.context import Context
from retriever.focus.attributes import meeting
from retriever.focus.pattern import Condition, Operator, Pattern, PatternWarning, Scalar, Symbol, Triplet
from retriever.focus.symbols import Candidates, Lookup, find_candidates
from retriever.session import Session
from tests.retriever.focus.typed_graphs import write_graph
from weft.skb import Skb

NODES: list[dict[str, Any]] = [
    {"uri": "green", "name": "green", "type": "color"},
    {"uri": "light", "name": "light green", "type": "color"},
    {"uri": "dark", "name": "Dark green", "type": "color"},
    {"uri": "brand", "name": "Green", "type": "brand"},
    {"uri": "free", "name": "green"},
    {"uri": "p1", "name": "Lamp of glass", "type": "product", "attributes": {"price": 5, "state": "new", "sold": True}},
    {"uri": "p2", "name": "Lamp of brass", "type": "product", "attributes": {"price": 15, "state": "Used"}},
    {"uri": "p3", "name": "Lamp of wood", "type": "product", "attributes": {"price": 25, "made": "2015-03-01"}},
    {"uri": "crohn", "name": "Crohn's disease", "type": "disease"},
    {"uri": "other", "name": "Coeliac disease", "type": "disease"},
]


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    path = write_graph(tmp_path_factory.mktemp("typed") / "graph", NODES, [("p1", "has color", "green")])
    with Skb(path) as skb, Session(Context(skb)) as opened:
        yield opened


def found(session: Session, symbol: Symbol, **options: Any) -> tuple[list[str], Candidates]:
    """Return the uris of a constant's candidates beside an unknown target."""
    pattern = Pattern((Symbol("y"), symbol), (Triplet("y", (), symbol.variable),), "y")
    candidates = find_candidates(session, pattern, Lookup(**options))
    ids = candidates.ids[symbol.variable]
    assert ids is not None and candidates.ids["y"] is None
    return session.uris("entity", ids.tolist()), candidates


def test_the_name_comes_first_and_then_what_is_like_it(session: Session) -> None:
    uris, candidates = found(session, Symbol("c", "color", "green"))
    assert uris[:2] == ["free", "green"] or uris[:2] == ["green", "free"]
    assert candidates.n_named == {"c": 2}
    assert set(uris[2:]) == {"light", "dark"}


def test_a_node_without_a_type_is_of_every_type_and_types_may_be_ignored(session: Session) -> None:
    assert set(found(session, Symbol("c", "color", "GREEN"), similar=False)[0]) == {"green", "free"}
    assert set(found(session, Symbol("c", "color", "green"), similar=False, types=False)[0]) == {
        "green", "free", "brand"
    }  # fmt: skip
    assert set(found(session, Symbol("c", None, "green"), similar=False)[0]) == {"green", "free", "brand"}


def test_the_cut_comes_after_types_and_conditions(session: Session) -> None:
    assert found(session, Symbol("p", "product", "Lamp", (Condition("price", ">", (20,)),)), most=1)[0] == ["p3"]
    assert found(session, Symbol("b", "brand", "green"), most=1)[0] in (["brand"], ["free"])


def test_a_name_written_almost_so_counts_where_it_is_alike_enough(session: Session) -> None:
    almost = Symbol("d", "disease", "Crohns diseases")
    assert found(session, almost, similar=False, open_ended=False)[0] == []
    assert found(session, almost, similar=False, near=0.9)[0] == ["crohn"]
    uris, candidates = found(session, Symbol("d", "disease", "Crohn's diseas"), near=0.95)
    assert uris[0] == "crohn" and candidates.n_named == {"d": 1}
    assert found(session, Symbol("d", "disease", "Crohn's diseas"), near=1.0)[1].n_named == {"d": 0}


def test_a_part_of_a_name_brings_all_names_that_hold_it(session: Session) -> None:
    part = Symbol("c", "color", "green", (Condition("name", "CONTAINS", ("Green",)),))
    assert set(found(session, part, similar=False)[0]) == {"green", "free", "light", "dark"}
    begins = Symbol("c", "color", "light", (Condition("name", "STARTS WITH", ("light",)),))
    assert found(session, begins, similar=False)[0] == ["light"]
    ends = Symbol("c", "color", "dark", (Condition("name", "ENDS WITH", ("green",)),))
    assert set(found(session, ends, similar=False)[0]) >= {"light", "dark", "green"}


def test_several_names_take_turns(session: Session) -> None:
    either = Symbol("c", "color", "light green", alternatives=("dark green",))
    assert found(session, either, similar=False)[0] == ["light", "dark"]


def test_names_that_must_not_be_are_left_out(session: Session) -> None:
    symbol = Symbol("c", "color", "green", (Condition("name", "<>", ("Dark Green",)),))
    assert set(found(session, symbol)[0]) == {"green", "free", "light"}


def test_a_condition_that_nothing_meets_is_taken_back_with_a_warning(session: Session) -> None:
    late = Symbol("p", "product", "Lamp of wood", (Condition("price", ">", (99,)), Condition("size", "=", ("big",))))
    uris, candidates = found(session, late)
    assert uris[0] == "p3"
    assert candidates.warnings == (
        PatternWarning("NO_CANDIDATE", "price > 99"), PatternWarning("UNKNOWN_ATTRIBUTE", "size = big")
    )  # fmt: skip


def test_a_name_that_nothing_is_like_has_no_candidate(session: Session) -> None:
    uris, candidates = found(session, Symbol("d", "disease", "xyzzy"), open_ended=False)
    assert uris == [] and candidates.warnings == (PatternWarning("NO_CANDIDATE", "xyzzy"),)
    pattern = Pattern((Symbol("y"), Symbol("d", "disease", "xyzzy")), (Triplet("y", (), "d"),), "y")
    assert find_candidates(session, pattern, Lookup()).ids == {"y": None, "d": None}


def test_a_variable_is_all_that_meets_its_conditions(session: Session) -> None:
    cheap = Symbol("y", "product", None, (Condition("price", "<", (20,)),))
    pattern = Pattern((cheap, Symbol("c", "color", "green")), (Triplet("y", (), "c"),), "y")
    ids = find_candidates(session, pattern, Lookup()).ids["y"]
    assert ids is not None and session.uris("entity", ids.tolist()) == ["p1", "p2"]


def test_a_target_is_looked_up_by_its_name_only_where_there_is_nothing_else(session: Session) -> None:
    named = Symbol("y", "disease", "Crohn's disease")
    alone = find_candidates(session, Pattern((named,), (), "y"), Lookup(similar=False))
    assert alone.ids["y"] is not None and session.uris("entity", alone.ids["y"].tolist()) == ["crohn"]
    linked = Pattern((named, Symbol("x")), (Triplet("x", (), "y"),), "y")
    assert find_candidates(session, linked, Lookup()).ids == {"y": None, "x": None}


CONDITIONS: list[tuple[str, Operator, tuple[Scalar, ...], set[str] | None]] = [
    ("price", "=", (15,), {"p2"}), ("Price", "<=", (15,), {"p1", "p2"}), ("price", "IN", (5, "25"), {"p1", "p3"}),
    ("price", "<>", (15,), {"p1", "p3"}), ("state", "=", ("used",), {"p2"}), ("state", "=", ("new",), {"p1"}),
    ("state", "STARTS WITH", ("u",), {"p2"}), ("state", "CONTAINS", ("E",), {"p1", "p2"}),
    ("state", "IS NULL", (), {uri for each in NODES if (uri := each["uri"]) not in ("p1", "p2")}),
    ("state", "IS NOT NULL", (), {"p1", "p2"}), ("made", ">=", ("2015",), {"p3"}), ("made", "<", ("2015-03",), set()),
    ("made", ">", (2014,), {"p3"}), ("sold", "=", (True,), {"p1"}), ("size", "=", (1,), None),
    ("name", "<>", ("green",), {uri for each in NODES if (uri := each["uri"]) not in ("green", "free", "brand")}),
]  # fmt: skip


@pytest.mark.parametrize(("key", "operator", "values", "expected"), CONDITIONS)
def test_conditions_are_numbers_dates_and_texts(
    session: Session, key: str, operator: Operator, values: tuple[Scalar, ...], expected: set[str] | None
) -> None:
    ids = meeting(session, Condition(key, operator, values), session.adjacency.entity_ids)
    assert (None if ids is None else set(session.uris("entity", ids.tolist()))) == expected
    if ids is not None:
        assert np.all(np.diff(ids) > 0)
