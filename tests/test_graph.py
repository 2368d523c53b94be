"""Typed graphs as sources: nodes are never merged by name, edges are kept as given."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from builder.build import Request, build, remove
from builder.check import problems
from tests.worlds import dumped, rows, write_records
from weft.schema import open_skb
from weft.skb import Skb

Weave = Callable[..., object]
NODES: list[dict[str, object]] = [
    {"uri": "1", "name": "Veldra", "type": "river", "text": "A river.\n\nIt meets the Tamsid below the weir."},
    {"uri": "2", "name": "Veldra", "type": "opera", "attributes": {"acts": 3, "premiere": "1229-02-03", "key": "E"}},
    {"uri": "3", "name": "Tamsid", "type": "river"},
]
EDGES = "subject\tpredicate\tobject\n1\tflows into\t3\n3\tflows into\t1\n3\tmeets\t3\n1\tmeets\t9\nbroken\n"


def _graph(folder: Path, nodes: list[dict[str, object]] = NODES, edges: str = EDGES) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    write_records(folder / "nodes.jsonl", nodes)
    (folder / "edges.tsv").write_text(edges, encoding="utf-8")
    return folder


def test_nodes_and_edges_are_taken_as_given(tmp_path: Path, weave: Weave) -> None:
    weave(_graph(tmp_path / "waters"))
    output = tmp_path / "kb.skb"
    assert rows(output, "SELECT uri, name, type FROM entity ORDER BY uri") == [
        ("1", "Veldra", "river"),
        ("2", "Veldra", "opera"),
        ("3", "Tamsid", "river"),
    ]
    assert rows(output, "SELECT uri, title FROM page") == [("1", "Veldra")]
    assert rows(output, "SELECT uri, text FROM chunk ORDER BY uri") == [
        ("1##1", "A river."),
        ("1##2", "It meets the Tamsid below the weir."),
    ]
    assert rows(output, "SELECT key, value, number, date FROM attribute ORDER BY key") == [
        ("acts", "3", 3.0, None),
        ("key", "E", None, None),
        ("premiere", "1229-02-03", None, "1229-02-03"),
    ]
    assert len(rows(output, "SELECT 1 FROM relation")) == 3
    assert rows(output, "SELECT place, state FROM source_item WHERE state <> 'ok'") == [("waters line 6", "rejected")]
    assert list(problems(open_skb(output))) == []


def test_each_neighbour_and_type_comes_once(tmp_path: Path, weave: Weave) -> None:
    weave(_graph(tmp_path / "waters"))
    with Skb(tmp_path / "kb.skb") as skb:
        veldra = skb.entity("1")
        assert veldra is not None
        assert [(each.type, each.entity.uri) for each in skb.neighbours(veldra.id)] == [("flows into", "3")]


def test_names_in_node_texts_are_mentions_of_nodes(tmp_path: Path, weave: Weave) -> None:
    weave(_graph(tmp_path / "waters"))
    assert rows(tmp_path / "kb.skb", "SELECT anchor, target FROM mention") == [("Tamsid", "3")]
    with Skb(tmp_path / "kb.skb") as skb:
        tamsid = skb.entity("3")
        assert tamsid is not None
        assert [skb.chunks([each.chunk_id])[0].uri for each in skb.cited_in(tamsid.id)] == ["1##2"]


def test_a_taken_uri_gets_the_label_of_its_graph(tmp_path: Path, weave: Weave) -> None:
    records: list[dict[str, object]] = [{"title": "1", "text": "A year."}, {"title": "3", "text": "Three."}]
    pages = write_records(tmp_path / "pages.jsonl", records)
    graph = _graph(tmp_path / "waters")
    for sources in ((pages, graph), (graph, pages)):
        weave(*sources)
        assert rows(tmp_path / "kb.skb", "SELECT uri, name FROM entity ORDER BY uri") == [
            ("1", "1"),
            ("2", "Veldra"),
            ("3", "3"),
            ("waters:1", "Veldra"),
            ("waters:3", "Tamsid"),
        ]
        assert rows(tmp_path / "kb.skb", "SELECT uri FROM chunk WHERE uri LIKE 'waters%' ORDER BY 1") == [
            ("waters:1##1",),
            ("waters:1##2",),
        ]
        (tmp_path / "kb.skb").unlink()


def test_updates_of_a_graph_give_what_a_rebuild_gives(tmp_path: Path) -> None:
    output, again = tmp_path / "kb.skb", tmp_path / "again.skb"
    graph = _graph(tmp_path / "waters")
    build(Request((str(graph),), output, workers=1))
    changed = [*NODES[:1], {**NODES[2], "text": "It rises on Mount Carrow."}, {"uri": "4", "name": "Mount Carrow"}]
    _graph(graph, json.loads(json.dumps(changed)), EDGES + "4\tfeeds\t3\n")
    build(Request((str(graph),), output, workers=1))
    build(Request((str(graph),), again, workers=1))
    assert dumped(output) == dumped(again)


def test_a_removal_keeps_the_nodes_of_a_graph_that_is_not_read(tmp_path: Path) -> None:
    output = tmp_path / "kb.skb"
    records: list[dict[str, object]] = [{"title": "Mill", "text": "A mill."}, {"title": "Weir", "text": "A weir."}]
    pages = write_records(tmp_path / "pages.jsonl", records)
    build(Request((str(_graph(tmp_path / "waters")), str(pages)), output, workers=1))
    remove(output, ["Mill"])
    assert rows(output, "SELECT uri FROM entity ORDER BY uri") == [("1",), ("2",), ("3",), ("Weir",)]
    assert len(rows(output, "SELECT 1 FROM relation")) == 3


@pytest.mark.slow
@pytest.mark.parametrize(("name", "nodes", "edges"), [("metaqa", 42_873, 129_659), ("primekg_ibd", 3_426, 12_752)])
def test_real_graphs(tmp_path: Path, real_data: Callable[[str], Path], name: str, nodes: int, edges: int) -> None:
    output = tmp_path / "kb.skb"
    build(Request((str(real_data(name)),), output, workers=1))
    assert rows(output, "SELECT (SELECT count(*) FROM entity), (SELECT count(*) FROM relation)") == [(nodes, edges)]
    if name == "primekg_ibd":
        assert rows(output, "SELECT count(*) FROM entity WHERE type IS NOT NULL AND page_id IS NOT NULL") == [(nodes,)]
