"""Typed graphs as sources: nodes are never merged by name, edges are kept as given."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from builder.build import build, remove
from builder.check import problems
from builder.request import Request, Summary
from tests.worlds import dumped, page, rows, write_pages, write_records
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
    rejected = rows(output, "SELECT place, state FROM source_item WHERE state <> 'ok'")
    assert rejected == [("waters/edges.tsv line 6", "rejected")]
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


def test_two_graphs_whose_nodes_do_not_fit_in_memory_say_the_same(tmp_path: Path) -> None:
    graphs = (str(_graph(tmp_path / "waters")), str(_graph(tmp_path / "rivers")))
    for name, memory_mb in (("memory", 1024.0), ("disk", 0.0)):
        build(Request(graphs, tmp_path / f"{name}.skb", workers=1, memory_mb=memory_mb))
    assert len(rows(tmp_path / "disk.skb", "SELECT 1 FROM relation")) == 6
    assert dumped(tmp_path / "disk.skb") == dumped(tmp_path / "memory.skb")


def test_a_removal_keeps_the_nodes_of_a_graph_that_is_not_read(tmp_path: Path) -> None:
    output = tmp_path / "kb.skb"
    records: list[dict[str, object]] = [{"title": "Mill", "text": "A mill."}, {"title": "Weir", "text": "A weir."}]
    pages = write_records(tmp_path / "pages.jsonl", records)
    build(Request((str(_graph(tmp_path / "waters")), str(pages)), output, workers=1))
    remove(output, ["Mill"])
    assert rows(output, "SELECT uri FROM entity ORDER BY uri") == [("1",), ("2",), ("3",), ("Weir",)]
    assert len(rows(output, "SELECT 1 FROM relation")) == 3


def _build(output: Path, *sources: Path, add: bool = False) -> Summary:
    return build(Request(tuple(map(str, sources)), output, workers=1, add=add))


def _uris(output: Path) -> list[tuple[object, ...]]:
    return rows(output, "SELECT uri, name, graph_id IS NOT NULL FROM entity ORDER BY uri")


def test_a_page_that_takes_the_place_of_a_node_is_no_node(tmp_path: Path) -> None:
    output, again = tmp_path / "kb.skb", tmp_path / "again.skb"
    pages = write_records(tmp_path / "pages.jsonl", [{"title": "3", "text": "Three."}])
    graph = _graph(tmp_path / "waters")
    _build(output, pages, graph)
    _graph(graph, NODES[:2])
    _build(output, pages, graph)
    _build(again, pages, graph)
    assert _uris(output) == [("1", "Veldra", 1), ("2", "Veldra", 1), ("3", "3", 0)]
    assert dumped(output) == dumped(again)


def test_a_page_added_later_takes_its_uri_from_a_node_that_is_not_read(tmp_path: Path) -> None:
    output, again = tmp_path / "kb.skb", tmp_path / "again.skb"
    graph = _graph(tmp_path / "waters")
    records: list[dict[str, object]] = [{"title": "3", "text": "Three."}, {"title": "1", "text": "One."}]
    pages = write_records(tmp_path / "pages.jsonl", records)
    _build(output, graph)
    _build(output, pages, add=True)
    _build(again, graph, pages)
    assert [uri for uri, *_ in _uris(output)] == ["1", "2", "3", "waters:1", "waters:3"]
    assert dumped(output) == dumped(again)


def test_a_removed_node_text_leaves_the_node(tmp_path: Path) -> None:
    output = tmp_path / "kb.skb"
    _build(output, _graph(tmp_path / "waters"))
    remove(output, ["1"])
    assert rows(output, "SELECT uri, page_id FROM entity ORDER BY uri") == [("1", None), ("2", None), ("3", None)]
    assert list(problems(open_skb(output))) == []


def test_nodes_get_their_own_uris_back(tmp_path: Path) -> None:
    output, again = tmp_path / "kb.skb", tmp_path / "again.skb"
    graph = _graph(tmp_path / "waters")
    records: list[dict[str, object]] = [{"title": t, "text": f"Page {t}."} for t in ("1", "3", "waters:3", "Mill")]
    pages = write_records(tmp_path / "pages.jsonl", records)
    _build(output, pages, graph)
    assert _uris(output)[3:] == [
        ("Mill", "Mill", 0),
        ("waters:1", "Veldra", 1),
        ("waters:3", "waters:3", 0),
        ("waters:waters:3", "Tamsid", 1),
    ]
    remove(output, ["1", "3"])
    (tmp_path / "less").mkdir()
    _build(again, write_records(tmp_path / "less" / "pages.jsonl", records[2:]), graph)
    assert _uris(output) == [
        ("1", "Veldra", 1),
        ("2", "Veldra", 1),
        ("3", "Tamsid", 1),
        ("Mill", "Mill", 0),
        ("waters:3", "waters:3", 0),
    ]
    assert dumped(output) == dumped(again)
    write_records(pages, records[2:])
    _build(output, pages, graph)
    assert dumped(output) == dumped(again)
    assert list(problems(open_skb(output))) == []


@pytest.mark.parametrize("text", ["Some text.", ""])
def test_a_link_never_leads_to_a_node_by_its_uri(tmp_path: Path, text: str) -> None:
    output = tmp_path / "kb.skb"
    links = [{"start": 4, "end": 11, "target": "Aspirin"}]
    pages = write_records(tmp_path / "pages.jsonl", [{"title": "P", "text": "see Aspirin", "links": links}])
    graph = _graph(tmp_path / "g", [{"uri": "Aspirin", "name": "acetylsalicylic acid", "text": text}], EDGES[:25])
    _build(output, pages, graph)
    assert _uris(output) == [("Aspirin", "Aspirin", 0), ("P", "P", 0), ("g:Aspirin", "acetylsalicylic acid", 1)]


def test_of_equal_uris_the_graph_named_first_has_it(tmp_path: Path) -> None:
    output, again = tmp_path / "kb.skb", tmp_path / "again.skb"
    a = _graph(tmp_path / "a", [{"uri": "X", "name": "XA", "text": "In a."}, {"uri": "Y", "name": "YA"}], EDGES[:25])
    b = _graph(tmp_path / "b", [{"uri": "X", "name": "XB"}, {"uri": "Y", "name": "YB", "text": "In b."}], EDGES[:25])
    _build(output, b, a)
    assert _uris(output) == [("X", "XB", 1), ("Y", "YB", 1), ("a:X", "XA", 1), ("a:Y", "YA", 1)]
    assert rows(output, "SELECT uri FROM chunk ORDER BY uri") == [("Y##1",), ("a:X##1",)]
    _build(output, a, b)
    _build(again, a, b)
    assert _uris(output) == [("X", "XA", 1), ("Y", "YA", 1), ("b:X", "XB", 1), ("b:Y", "YB", 1)]
    assert dumped(output) == dumped(again)
    assert list(problems(open_skb(output))) == []


def test_a_node_may_have_the_uri_of_a_section(tmp_path: Path) -> None:
    html = write_pages(tmp_path / "html", {"p.html": page("P", "Lead.", "== S", "Under S.")})
    graph = _graph(tmp_path / "g", [{"uri": "P#S", "name": "N", "text": "A node."}], EDGES[:25])
    dumps = []
    for number, sources in enumerate(((html, graph), (graph, html))):
        output = tmp_path / f"{number}.skb"
        _build(output, *sources)
        assert rows(output, "SELECT uri FROM chunk ORDER BY uri") == [("P##1",), ("P#S##1",), ("g:P#S##1",)]
        assert list(problems(open_skb(output))) == []
        dumps.append(dumped(output))
    assert dumps[0] == dumps[1]


def test_a_uri_given_twice_is_a_reject(tmp_path: Path) -> None:
    output = tmp_path / "kb.skb"
    twice: list[dict[str, object]] = [
        {"uri": "1", "name": "A", "attributes": {"n": 1}},
        {"uri": "1", "name": "B", "type": "t", "text": "Second.", "attributes": {"n": 2}},
    ]
    graph = _graph(tmp_path / "waters", twice, EDGES[:25] + "broken\nas broken\n")
    _build(output, graph)
    assert not _build(output, graph).changed
    assert rows(output, "SELECT name, type, page_id FROM entity") == [("A", None, None)]
    assert rows(output, "SELECT key, value FROM attribute") == [("n", "1")]
    assert rows(output, "SELECT place, reason FROM source_item WHERE state = 'rejected' ORDER BY place") == [
        ("waters/edges.tsv line 2", "1 columns, must be 3 that are not empty"),
        ("waters/edges.tsv line 3", "1 columns, must be 3 that are not empty"),
        ("waters/nodes.jsonl line 2", "uri 1 was given before: the first node counts"),
    ]


def test_odd_types_and_numbers(tmp_path: Path) -> None:
    output = tmp_path / "kb.skb"
    graph = _graph(tmp_path / "waters", [{"uri": "1", "name": "N", "type": "a\nb"}], EDGES[:25])
    with (graph / "nodes.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"uri":"2","name":"M","attributes":{"big":1' + "0" * 400 + ',"inf":1e400,"nan":NaN,"two":2}}\n')
        file.write('{"uri":"3","name":"L","attributes":{"big":1' + "0" * 5000 + "}}\n")
    _build(output, graph)
    assert rows(output, "SELECT uri, type FROM entity ORDER BY uri") == [("1", "a\nb"), ("2", None)]
    assert rows(output, "SELECT key, value, number FROM attribute ORDER BY key") == [
        ("big", "1" + "0" * 400, None),
        ("inf", "inf", None),
        ("nan", "nan", None),
        ("two", "2", 2.0),
    ]
    assert rows(output, "SELECT place FROM source_item WHERE state = 'rejected'") == [("waters/nodes.jsonl line 3",)]


def test_a_folder_s_other_files_change_nothing(tmp_path: Path) -> None:
    graph = _graph(tmp_path / "waters")
    output = graph / "kb.skb"
    _build(output, graph)
    (graph / "notes.txt").write_text("Read by nobody.", encoding="utf-8")
    assert not _build(output, graph).changed


def test_a_broken_off_graph_is_incomplete(tmp_path: Path) -> None:
    output = tmp_path / "kb.skb"
    graph = _graph(tmp_path / "waters")
    _build(output, graph)
    edges = gzip.compress(random.Random(1).randbytes(4000).hex().encode())
    (graph / "edges.tsv").write_bytes(gzip.compress(EDGES.encode() + edges)[:-20])
    assert _build(output, graph).incomplete == ["waters (graph)"]
    assert rows(output, "SELECT json_extract(value, '$[0].complete') FROM meta WHERE key = 'facts'") == [(0,)]


RELATIONS = (
    "SELECT one.uri, type.name, other.uri FROM relation JOIN entity AS one ON one.id = subject_id"
    " JOIN relation_type AS type ON type.id = type_id JOIN entity AS other ON other.id = object_id ORDER BY 1, 2, 3"
)
KNOWN = (
    "SELECT uri, entity_type.type FROM entity LEFT JOIN entity_type ON entity_id = entity.id ORDER BY 1",
    "SELECT entity.uri, key, value FROM attribute JOIN entity ON entity.id = entity_id ORDER BY 1, 2, 3",
    RELATIONS,
)
N_LINES = 40


def _broken_off(path: Path, text: str, keep: str) -> None:
    """Write a file that is packed and breaks off behind `keep`, in whose stead `text` would stand."""
    noise = random.Random(1).randbytes(4000).hex()
    packed = gzip.compress((keep + noise).encode())
    path.write_bytes(packed[:-600])
    assert text.startswith(keep)


def _chain(n: int = N_LINES) -> tuple[list[dict[str, object]], str]:
    nodes: list[dict[str, object]] = [
        {"uri": f"n{i:02}", "name": f"Weir {i:02}", "type": "weir", "attributes": {"height": i + 1}} for i in range(n)
    ]
    edges = "".join(f"n{i:02}\tfeeds\tn{i + 1:02}\n" for i in range(n - 1))
    return nodes, "subject\tpredicate\tobject\n" + edges


def _facts(output: Path) -> list[list[tuple[object, ...]]]:
    return [rows(output, query) for query in KNOWN]


@pytest.mark.parametrize("name", ["edges.tsv", "nodes.jsonl"])
@pytest.mark.parametrize("n_kept", [0, 5, 39])
def test_what_stands_behind_a_break_of_a_graph_is_kept(tmp_path: Path, name: str, n_kept: int) -> None:
    output, again = tmp_path / "kb.skb", tmp_path / "again.skb"
    graph = _graph(tmp_path / "waters", *_chain())
    _build(output, graph)
    before, dump = _facts(output), dumped(output)
    assert [len(each) for each in before] == [N_LINES, N_LINES, N_LINES - 1]
    whole = (graph / name).read_text(encoding="utf-8")
    _broken_off(graph / name, whole, "".join(whole.splitlines(keepends=True)[:n_kept]))
    summary = _build(output, graph)
    assert "waters (graph)" in summary.incomplete and _facts(output) == before
    assert not _build(output, graph).changed
    (graph / name).write_text(whole, encoding="utf-8")
    assert _build(output, graph).incomplete == [] and dumped(output) == dump
    _build(again, graph)
    assert dumped(again) == dump


def test_what_stands_before_a_break_of_a_graph_is_read_anew(tmp_path: Path) -> None:
    output = tmp_path / "kb.skb"
    nodes, edges = _chain(6)
    graph = _graph(tmp_path / "waters", nodes, edges)
    _build(output, graph)
    nodes[1] |= {"type": "lock", "attributes": {"height": 9}}
    write_records(graph / "nodes.jsonl", nodes)
    whole = (graph / "nodes.jsonl").read_text(encoding="utf-8")
    _broken_off(graph / "nodes.jsonl", whole, "".join(whole.splitlines(keepends=True)[:3]))
    added = edges.replace("n00\tfeeds", "n00\tbypasses\tn02\nn00\tfeeds")
    (graph / "edges.tsv").write_text(added, encoding="utf-8")
    _build(output, graph)
    kinds, heights, relations = _facts(output)
    assert [kind for _, kind in kinds] == ["weir", "lock", *["weir"] * 4]
    assert [value for _, _, value in heights] == ["1", "9", "3", "4", "5", "6"]
    assert relations[0] == ("n00", "bypasses", "n02") and len(relations) == 6


def test_the_edge_that_breaks_off_is_not_read(tmp_path: Path) -> None:
    """Of `n00 feeds n012` the beginning would be an edge to another node."""
    output = tmp_path / "kb.skb"
    nodes: list[dict[str, object]] = [{"uri": uri, "name": f"Weir {uri}"} for uri in ("n0", "n01", "n012")]
    graph = _graph(tmp_path / "waters", nodes, "")
    text = "subject\tpredicate\tobject\nn0\tfeeds\tn012\nn0\tfeeds\tn01"
    packed = gzip.compress(text.encode(), compresslevel=0)
    (graph / "edges.tsv").write_bytes(packed[:-8])
    assert _build(output, graph).incomplete == ["waters (graph)"]
    assert rows(output, RELATIONS) == [("n0", "feeds", "n012")]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "nodes", "edges"), [("metaqa", 42_873, 129_659), ("primekg_ibd", 3_426, 12_752)])
def test_real_graphs(tmp_path: Path, real_data: Callable[[str], Path], name: str, nodes: int, edges: int) -> None:
    output = tmp_path / "kb.skb"
    build(Request((str(real_data(name)),), output, workers=1))
    assert rows(output, "SELECT (SELECT count(*) FROM entity), (SELECT count(*) FROM relation)") == [(nodes, edges)]
    if name == "primekg_ibd":
        assert rows(output, "SELECT count(*) FROM entity WHERE type IS NOT NULL AND page_id IS NOT NULL") == [(nodes,)]
