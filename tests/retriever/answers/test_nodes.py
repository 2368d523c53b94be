"""Answers over imported graphs: the names of nodes, each cited."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import weft
from tests.worlds import write_records

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
