"""Answers over imported graphs: the names of nodes, each cited with the edges that lead to it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import weft
from retriever.context import Context
from retriever.focus.planner.model import DEFAULT
from retriever.focus.planner.plan import plans_of
from retriever.focus.planner.steps import schema_of
from retriever.focus.planner.walks import Walks
from retriever.question.reader import question_of
from retriever.session import Session
from tests.retriever.focus.graphs import reached, write_graph
from tests.worlds import write_records
from weft.skb import Skb

NODES: list[dict[str, object]] = [
    {"uri": "m1", "name": "The Salt Road", "type": "film"},
    {"uri": "m2", "name": "Nine Locks", "type": "film"},
    {"uri": "p1", "name": "Ada Orr", "type": "person"},
    {"uri": "p2", "name": "Bela Tam", "type": "person"},
]
EDGES = "subject\tpredicate\tobject\nm1\tdirected by\tp1\nm2\tdirected by\tp2\nm1\tstarred actors\tp2\n"


def test_a_graph_answers_with_nodes_and_cites_them(tmp_path: Path, weave: Callable[..., object]) -> None:
    folder = tmp_path / "films"
    folder.mkdir()
    write_records(folder / "nodes.jsonl", NODES)
    (folder / "edges.tsv").write_text(EDGES, encoding="utf-8")
    weave(folder)
    with weft.open(tmp_path / "kb.skb") as kb:
        found = kb.ask("who directed The Salt Road?")
    names = {str(node["uri"]): str(node["name"]) for node in NODES}
    assert found.kind == "nodes"
    assert found.answer is not None
    assert found.answer.split("; ") == [names[each.uri] for each in found.citations]
    assert found.citations[0].uri == "p1"
    assert found.citations[0].text == "The Salt Road | directed by | Ada Orr"
    assert "m1" not in [each.uri for each in found.citations], "what the question names answers nothing"


def test_an_answer_over_two_relations_cites_the_whole_path(tmp_path: Path, weave: Callable[..., object]) -> None:
    weave(write_graph(tmp_path / "graph"))
    with weft.open(tmp_path / "kb.skb") as kb:
        found = kb.ask("who sang the songs written by [Ada Orr]")
    assert found.answer is not None
    assert set(found.answer.split("; ")) == reached("Ada Orr", "<written_by", ">sung_by")
    by_name = {each.title: each.text for each in found.citations}
    assert by_name["Bram Kell"] == "Low Tide | written_by | Ada Orr\nLow Tide | sung_by | Bram Kell"
    assert by_name["Cato Lunn"] == "Salt Road | written_by | Ada Orr\nSalt Road | sung_by | Cato Lunn"
    assert found.chance > 0.5


@pytest.mark.parametrize("question", ["what do they say of [Nine Locks]", "who directed Nobody Known"])
def test_nothing_is_named_where_no_relation_is_meant(
    tmp_path: Path, weave: Callable[..., object], question: str
) -> None:
    folder = tmp_path / "films"
    folder.mkdir()
    write_records(folder / "nodes.jsonl", NODES)
    relations = ("directed by", "starred actors", "written by", "cut by", "lit by")
    edges = [f"m2\t{relation}\tp{1 + number % 2}\n" for number, relation in enumerate(relations)]
    (folder / "edges.tsv").write_text("subject\tpredicate\tobject\n" + "".join(edges), encoding="utf-8")
    weave(folder)
    with weft.open(tmp_path / "kb.skb") as kb:
        found = kb.ask(question)
    assert (found.answer, found.answerable, found.chance, found.citations) == (None, False, 0.0, ())


@pytest.mark.parametrize(("start", "steps"), [
    ("Low Tide", (">written_by",)), ("Ada Orr", ("<written_by", ">sung_by")),
    ("Low Tide", (">written_by", "<written_by", ">sung_by")),
])  # fmt: skip
def test_walks_go_along_edges_to_each_node(
    tmp_path: Path, weave: Callable[..., object], start: str, steps: tuple[str, ...]
) -> None:
    weave(write_graph(tmp_path / "graph"))
    with Skb(tmp_path / "kb.skb") as skb, Session(Context(skb)) as session:
        schema, ids = schema_of(session), session.adjacency.entity_ids
        plans = plans_of(session, question_of(session, f"[{start}]"), DEFAULT, len(steps))
        names = [tuple(schema.name(step).partition(":")[0] for step in plan.path) for plan in plans]
        plan = plans[names.index(steps)]
        walks, ends = Walks(session, plan), set()
        for place in plan.places.tolist():
            walk = [each.name for each in skb.entities(ids[list(walks.to(place))].tolist())]
            assert walk[0] == start
            assert all(end in reached(one, step) for one, step, end in zip(walk, steps, walk[1:], strict=False))
            ends.add(walk[-1])
    assert ends == reached(start, *steps)
