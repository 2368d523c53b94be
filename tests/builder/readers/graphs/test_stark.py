"""STaRK's folders as they are released: nodes, texts and edges, without torch and without running anything."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from builder.readers.graphs.records import Edges, GraphProblem, Node
from builder.readers.graphs.restricted_pickle import UnsafePickle
from builder.readers.graphs.stark import merged, read_edges, read_nodes, relation_names
from builder.readers.graphs.stark_nodes import node_of
from builder.request import Summary
from tests.builder.readers.graphs.test_unpickling import Trap
from tests.stark_folder import SMALL, Stark, invented, write_stark, write_tensor
from tests.worlds import rows
from weft.errors import UnreadableSource
from weft.skb import Skb

NODES = [
    Node("0", "Velostat", "drug", "", {"source": "DrugBank"}),
    Node(
        "1", "ORB1", "gene/protein",
        "ORB1 carries salt across the membrane. ORB1 carries salt across the membrane. ORB1 carries salt across the"
        " membrane. ORB1 carries salt across the membrane. ORB1 carries salt across the membrane.\n\n"
        "Alias: OB; ORB\n\nTerms: salt transport\n\nGenerif: Pubmed: 1; Text: Found in eels. | Pubmed: 2; Text:"
        " And in moths.",
        {"source": "NCBI"},
    ),
    Node("2", "Ilsabet Dorrane", "author", "", {"PaperCount": 12}),
    Node(
        "3", "Lamp oil", "paper", "An account of lamps. In two lines.",
        {"Year": 1251, "OriginalVenue": "Acta", "Date": "1251-06-01"},
    ),
    Node(
        "4", "Brass lamp", "product",
        "Feature: bright; Casino green\n\nBurns all night & day\n\nReview: Summary: Best lamp; Vote: 1,010 |"
        " Summary: Fine; Vote: 2\n\nQa: Question: Does it smoke?; Answer: No.",
        {"brand": "Orrin", "price": "$12.50"},
    ),
    Node("5", "Orrin", "brand", "", {}),
    Node("6", "6", "brand", "", {}),
]  # fmt: skip


def edges_of(folder: Path) -> list[tuple[str, str, str]]:
    return [edge for batch in read_edges(folder) if isinstance(batch, Edges) for edge in batch.edges]


@pytest.mark.parametrize("protocol", [2, 4, 5])
def test_nodes_and_edges_of_a_folder(tmp_path: Path, protocol: int) -> None:
    folder = write_stark(tmp_path / "small" / "processed", SMALL, protocol=protocol)
    for named in (folder, folder.parent):
        assert list(read_nodes(named)) == NODES
        assert edges_of(named) == [
            ("0", "target", "1"), ("1", "target", "0"), ("2", "writes", "3"), ("4", "has_brand", "5"),
            ("4", "also_buy", "4"), ("3", "writes", "99"),
        ]  # fmt: skip


def test_counts_are_the_folders_counts(tmp_path: Path) -> None:
    stark = invented(3000, 200_000)
    folder = write_stark(tmp_path, stark)
    assert sum(isinstance(each, Node) for each in read_nodes(folder)) == 3000
    names = {0: "writes", 1: "cites"}
    assert edges_of(folder) == [(str(one), names[kind], str(other)) for one, kind, other in stark.edges]


def test_a_folder_becomes_a_knowledge_base(tmp_path: Path, weave: Callable[..., Summary]) -> None:
    folder = write_stark(tmp_path / "prime", SMALL)
    weave(f"stark:{folder}")
    skb = tmp_path / "kb.skb"
    assert rows(skb, "SELECT uri, name, type FROM entity ORDER BY uri") == [
        (node.uri, node.name, node.type) for node in NODES
    ]
    assert rows(skb, "SELECT count(*) FROM relation") == [(5,)]
    assert rows(skb, "SELECT number FROM attribute WHERE key = 'PaperCount'") == [(12.0,)]


@pytest.mark.parametrize(
    ("edges", "left"),
    [
        ([(0, 0, 1), (0, 1, 1)], [(0, 0, 1), (1, 0, 0)]), ([(0, 2, 1), (1, 4, 0)], [(0, 3, 1), (1, 3, 0)]),
        ([(0, 1, 1), (1, 1, 0)], [(0, 1, 1), (1, 1, 0)]), ([(0, 1, 1), (0, 3, 1), (1, 1, 0), (1, 3, 0)], None),
        ([(2, 1, 2)], None), ([], None), ([(5, 1, 3), (3, 0, 4)], [(3, 0, 4), (3, 1, 5), (4, 0, 3), (5, 1, 3)]),
    ],
)  # fmt: skip
def test_edges_are_merged_as_the_released_loader_does(
    edges: list[tuple[int, int, int]], left: list[tuple[int, int, int]] | None
) -> None:
    table = np.array(edges, np.int64).reshape(-1, 3)
    index, types = merged(table[:, [0, 2]].T, table[:, 1])
    found = [(subject, kind, object_) for subject, object_, kind in zip(*index.tolist(), types.tolist(), strict=True)]
    assert found == (edges if left is None else left)


def test_a_folder_is_read_with_merged_edges_on_demand(tmp_path: Path, weave: Callable[..., Summary]) -> None:
    folder = write_stark(tmp_path / "stark", SMALL)
    weave(f"stark-compat:{folder}")
    pairs = rows(tmp_path / "kb.skb", "SELECT subject_id, object_id FROM relation")
    assert len(pairs) == len(set(pairs)) and {(object_, subject) for subject, object_ in pairs} == set(pairs)
    with Skb(tmp_path / "kb.skb") as skb:
        assert skb.is_graph


@pytest.mark.parametrize(
    ("info", "node"),
    [
        ({"category_name": "Lamps"}, Node("7", "Lamps", "thing", "", {})),
        ({"name": -1, "NormalizedName": "lamps", "DisplayName": "Lamps"},
         Node("7", "Lamps", "thing", "", {"NormalizedName": "lamps"})),
        ({"name": "A", "acid": "weak", "userID": "U1", "entrez_id": 1, "color": ["red", "red", "blue"]},
         Node("7", "A", "thing", "Color: red; blue", {"acid": "weak"})),
        ({"name": "A", "range": {"low": 1, "high": 2.5}}, Node("7", "A", "thing", "Range: Low: 1; High: 2.5", {})),
        ({"name": "A", "fullText": "word " * 30}, Node("7", "A", "thing", "Full text: " + "word " * 29 + "word", {})),
        ({"name": "A", "rare": True, "n": 0, "x": float("inf"), "y": "NaN"},
         Node("7", "A", "thing", "", {"rare": "yes", "n": 0})),
        ({"name": "A\x00\ud800"}, Node("7", "A\ufffd\ufffd", "thing", "", {})),
        ({"name": "a < b", "note": "1 < 2 & 3 > 2"}, Node("7", "a < b", "thing", "", {"note": "1 < 2 & 3 > 2"})),
        ({0: "zero", None: 1}, Node("7", "7", "thing", "", {})),
    ],
)  # fmt: skip
def test_what_a_node_says(info: dict[Any, Any], node: Node) -> None:
    assert node_of("7", "thing", info) == node


@pytest.mark.parametrize(
    ("types", "names"),
    [
        ({0: "author___writes___paper", 1: "paper___cites___paper"}, {0: "writes", 1: "cites"}),
        ({0: "a___has___b", 1: "b___has___c", 2: "ppi"}, {0: "a___has___b", 1: "b___has___c", 2: "ppi"}),
        ({0: "a___has", 1: "___has___"}, {0: "a___has", 1: "___has___"}),
    ],
)
def test_names_of_relations(types: dict[int, str], names: dict[int, str]) -> None:
    assert relation_names(types) == names


def test_types_without_a_name_and_nodes_that_are_none(tmp_path: Path) -> None:
    odd: dict[Any, Any] = {0: {"name": "A"}, 1: "text", "x": {"name": "B"}}
    folder = write_stark(tmp_path, Stark(odd, [9], {0: "thing"}, [(0, 5, 1)], {}))
    assert list(read_nodes(folder)) == [
        Node("0", "A", None, "", {}), GraphProblem("node_info.pkl", 2, "node 1 is no dictionary"),
        Node("x", "B", None, "", {}),
    ]  # fmt: skip
    assert edges_of(folder) == [("0", "relation 5", "1")]


def _twice(value: Any, levels: int) -> Any:
    for _ in range(levels):
        value = [value, value]
    return value


def _deep(value: Any, levels: int) -> Any:
    for _ in range(levels):
        value = {"in": [value]}
    return value


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (_twice("a", 40), "it holds too much, or the same too often"),
        ({"votes": [{"vote": _twice("a", 40)}]}, "it holds too much, or the same too often"),
        (["a" * 1_000_000] * 70, "it holds too much, or the same too often"),
        (_deep("a", 30), "nested deeper than 50"),
        ([{"text": _deep("a", 100)}], "nested deeper than 50"),
    ],
    ids=["doubled", "doubled votes", "one long text many times", "deep", "deep in a list"],
)
def test_a_node_that_is_too_much_is_a_problem_and_the_next_is_read(tmp_path: Path, value: Any, reason: str) -> None:
    odd: dict[Any, Any] = {0: {"name": "A", "details": value}, 1: {"name": "B"}}
    folder = write_stark(tmp_path, Stark(odd, [0, 0], {0: "thing"}, [], {}))
    assert list(read_nodes(folder)) == [
        GraphProblem("node_info.pkl", 1, f"node 0: {reason}"), Node("1", "B", "thing", "", {})
    ]  # fmt: skip


def test_what_all_nodes_share_costs_no_more_than_the_file_is_large(tmp_path: Path) -> None:
    shared = {"list": ["a" * 64_000] * 100}
    folder = write_stark(tmp_path, Stark({n: shared for n in range(100)}, [0] * 100, {}, [], {}))
    told = [isinstance(node, Node) for node in read_nodes(folder)]
    assert told[0] and 2 <= sum(told) < 20


def test_lone_surrogates_anywhere_become_question_marks(tmp_path: Path, weave: Callable[..., Summary]) -> None:
    odd: dict[Any, Any] = {
        "\ud800": {"name": "A\ud800", "k\ud800": "v\ud800", "list": [{"x\ud800": "y", "z": "\ud800"}]}, 0: {"name": "B"}
    }  # fmt: skip
    folder = write_stark(tmp_path / "stark", Stark(odd, [0], {0: "thing\ud800"}, [(0, 0, 0)], {0: "to\ud800"}))
    assert list(read_nodes(folder)) == [
        Node("\ufffd", "A\ufffd", None, "List: X\ufffd: y; Z: \ufffd", {"k\ufffd": "v\ufffd"}),
        Node("0", "B", "thing\ufffd", "", {}),
    ]  # fmt: skip
    weave(f"stark:{folder}")
    assert rows(tmp_path / "kb.skb", "SELECT name FROM relation_type") == [("to\ufffd",)]


@pytest.mark.parametrize("name", ["node_info", "node_type_dict", "edge_type_dict"])
def test_a_pickle_that_runs_something_is_refused(tmp_path: Path, name: str) -> None:
    folder = write_stark(tmp_path, SMALL)
    mark = tmp_path / "ran"
    for value in (Trap(os.system, f"touch {mark}"), Path("x"), np.arange(2)):
        (folder / f"{name}.pkl").write_bytes(pickle.dumps({0: {"name": value}, 1: value}))
        with pytest.raises(UnsafePickle, match="only plain data is read"):
            list(read_nodes(folder))
            list(read_edges(folder))
    assert not mark.exists()


@pytest.mark.parametrize(
    ("name", "values", "said"),
    [
        ("edge_index.pt", np.zeros((3, 6), "<i8"), "edge_index.pt is 3x6, must be 2x6 as edge_types.pt says"),
        ("edge_types.pt", np.zeros(4, "<i8"), "edge_index.pt is 2x6, must be 2x4"),
        ("edge_index.pt", np.zeros((2, 6), "<f4"), "2-dimensional float32, must hold whole numbers"),
        ("node_types.pt", np.zeros((7, 1), "<i8"), "2-dimensional int64"),
    ],
)
def test_numbers_that_do_not_fit_are_one_line(
    tmp_path: Path, name: str, values: np.ndarray[Any, Any], said: str
) -> None:
    folder = write_stark(tmp_path, SMALL)
    write_tensor(folder / name, values)
    with pytest.raises(UnreadableSource, match=said):
        list(read_nodes(folder))
        list(read_edges(folder))


def test_files_that_are_missing_or_hold_something_else_are_one_line(tmp_path: Path) -> None:
    folder = write_stark(tmp_path, SMALL)
    (folder / "node_info.pkl").write_bytes(pickle.dumps([1, 2]))
    with pytest.raises(UnreadableSource, match="holds a list, must hold a dictionary"):
        list(read_nodes(folder))
    (folder / "edge_type_dict.pkl").write_bytes(pickle.dumps({"a": "b"}))
    with pytest.raises(UnreadableSource, match="must say what each number means"):
        list(read_edges(folder))
    (folder / "edge_types.pt").unlink()
    with pytest.raises(UnreadableSource, match=r"no STaRK knowledge base, edge_types\.pt not found"):
        list(read_edges(folder))
