"""An entity as a text: what stands in it, in which order, and what a budget leaves."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from builder.request import Summary
from tests.worlds import link, page, write_pages, write_records
from weft.documents import Document, Documents, document
from weft.skb import Skb
from weft.text.normalise import words_of
from weft.text.truncation import count_words, cut_text, shared

Weave = Callable[..., Summary]

BRIDGE = """\
Quillon Bridge (Bridge, Place, Structure)
Arches: 11
Crosses: Veldra (river)
Designer: Orrin Tasker
Locale: Tamsiderre
Material: Sill limestone
Opened: 30 September 1207
Total length: 418 m
Width: 13.5 m
opened: 1207-09-30
span: 418
width: 13.5
The Quillon Bridge carries the salt road over the Veldra in Tamsiderre. It was the first large work of Orrin Tasker, \
who got the commission at thirty-four after three older engineers had declined to build on quicksand."""

NEIGHBOURS = """
crosses: Veldra (river)
designer: Orrin Tasker
is damaged of: Flood of 1229
is influenced by of: Korrin Rack Railway
located in: Tamsiderre"""


def graph(folder: Path, nodes: list[dict[str, Any]], edges: list[str]) -> Path:
    """Write a graph folder; an edge is `subject predicate object`."""
    folder.mkdir(parents=True, exist_ok=True)
    write_records(folder / "nodes.jsonl", nodes)
    lines = ["subject predicate object", *edges]
    (folder / "edges.tsv").write_text("".join(line.replace(" ", "\t") + "\n" for line in lines), encoding="utf-8")
    return folder


@pytest.fixture
def drugs(tmp_path: Path, weave: Weave) -> Iterator[Skb]:
    """Give an SKB of a small typed graph."""
    texts = {
        "d1": {"name": "Amberin", "type": "drug", "text": "Amberin eases coughs.\n\nIt is made of amber resin.",
               "attributes": {"weight": 180.16, "form": "syrup"}},
        "d2": {"name": "Birchol", "type": "drug"},
        "d3": {"name": "Cedrine (drug)", "type": "drug"},
        "g1": {"name": "QX1", "type": "gene"},
        "g2": {"name": "QX2", "type": "gene"},
    }  # fmt: skip
    edges = ["d1 hasTarget g1", "d1 hasTarget g2", "d1 interacts_with d2", "d2 interacts_with d1", "d3 hasTarget g1",
             "d2 replaces d1", "d3 replaces d1", "d1 similar d1"]  # fmt: skip
    weave(graph(tmp_path / "drugs", [{"uri": uri} | node for uri, node in texts.items()], edges))
    with Skb(tmp_path / "kb.skb") as skb:
        yield skb


def rendered(skb: Skb, uri: str, *, relations: bool = True, **options: Any) -> Document:
    """Return the document of the entity with this uri."""
    entity = skb.entity(uri)
    assert entity is not None
    scores = options.pop("scores", None)
    (found,) = Documents(skb.connection, relations=relations, **options).of([entity.id], scores)
    return found


def test_a_page_is_its_name_types_attributes_lead_and_relations(skb: Skb) -> None:
    assert rendered(skb, "Quillon Bridge", relations=False).text == BRIDGE
    assert rendered(skb, "Quillon Bridge").text == BRIDGE + NEIGHBOURS


def test_a_node_is_its_name_type_attributes_all_its_text_and_relations(drugs: Skb) -> None:
    own = "Amberin (drug)\nform: syrup\nweight: 180.16\nAmberin eases coughs.\nIt is made of amber resin."
    assert rendered(drugs, "d1", relations=False).text == own
    related = "has target: QX1; QX2\ninteracts with: Birchol\nis replaces of: Birchol; Cedrine (drug)\nsimilar: Amberin"
    assert rendered(drugs, "d1").text == f"{own}\n{related}"


def test_a_relation_of_both_directions_is_told_once_and_others_are_read_backwards(drugs: Skb) -> None:
    assert rendered(drugs, "d2").text == "Birchol (drug)\ninteracts with: Amberin\nreplaces: Amberin"
    assert rendered(drugs, "g1").text == "QX1 (gene)\nis target of: Amberin; Cedrine (drug)"


def test_a_relation_that_says_of_what_its_subject_is_something_reads_well_backwards(
    weave: Weave, tmp_path: Path
) -> None:
    nodes = [{"uri": uri, "name": uri} for uri in ("Skerrow", "Ossay")]
    weave(graph(tmp_path / "ports", nodes, ["Ossay isPartOf Skerrow"]))
    with Skb(tmp_path / "kb.skb") as skb:
        assert rendered(skb, "Ossay").text == "Ossay\nis part of: Skerrow"
        assert rendered(skb, "Skerrow").text == "Skerrow\nhas part: Ossay"


def test_a_type_that_the_name_ends_with_is_not_repeated(drugs: Skb) -> None:
    assert rendered(drugs, "d3", relations=False).text == "Cedrine (drug)"


def test_what_has_only_a_name_is_its_name(weave: Weave, tmp_path: Path) -> None:
    weave(write_pages(tmp_path / "pages", {"a.html": page("Weir", f"A weir in {link('Ostrevane')}.")}))
    with Skb(tmp_path / "kb.skb") as skb:
        assert rendered(skb, "Ostrevane").text == "Ostrevane"


def test_a_page_without_lead_opens_with_its_first_section(weave: Weave, tmp_path: Path) -> None:
    text = page("Weir", "== History", "Built in 1204.", "Burnt in 1229.", "== Use", "Mills.")
    weave(write_pages(tmp_path / "pages", {"a.html": text}))
    with Skb(tmp_path / "kb.skb") as skb:
        assert rendered(skb, "Weir").text == "Weir\nBuilt in 1204.\nBurnt in 1229."


def test_values_of_one_attribute_share_a_line(weave: Weave, tmp_path: Path) -> None:
    facts = tmp_path / "facts.nt"
    facts.write_text(
        "".join(f'<http://facts.example/resource/Weir> <http://facts.example/ontology/alias> "{value}" .\n'
                for value in ("Old Weir", "Mill Weir"))
    )  # fmt: skip
    weave(write_pages(tmp_path / "pages", {"a.html": page("Weir", "A weir.")}), rdf=(str(facts),))
    with Skb(tmp_path / "kb.skb") as skb:
        assert rendered(skb, "Weir").text == "Weir\nalias: Mill Weir; Old Weir\nA weir."


def test_many_documents_are_those_of_each(skb: Skb, drugs: Skb) -> None:
    for opened in (skb, drugs):
        ids = [identity for (identity,) in opened.connection.execute("SELECT id FROM entity ORDER BY uri DESC")]
        for budget in (None, 12):
            renderer = Documents(opened.connection, relations=True, budget=budget)
            every = list(renderer.of([*ids, ids[0]]))
            each = [document(opened.connection, identity, relations=True, budget=budget) for identity in ids]
            assert every == [*each, each[0]]


def test_an_unknown_id_is_a_key_error(skb: Skb) -> None:
    with pytest.raises(KeyError):
        document(skb.connection, 10**9, relations=True)


def test_rendering_needs_no_write(skb: Skb) -> None:
    assert skb.connection.execute("PRAGMA query_only").fetchone() == (1,)
    assert rendered(skb, "Veldra (river)", budget=5).text


# budgets

CUT = {
    # With "Amberin (drug)" of 2 words; attributes have 2 and 3, the text 3 and 6, the relations 14 words.
    1: ("Amberin", 6),
    2: ("Amberin (drug)", 6),
    6: ("Amberin (drug)\nAmberin", 6),
    12: ("Amberin (drug)\nform: syrup\nAmberin eases coughs.\nhas target: QX1", 5),
    20: ("Amberin (drug)\nform: syrup\nAmberin eases coughs.\nIt is\nhas target: QX1\ninteracts with: Birchol", 4),
}  # fmt: skip


@pytest.mark.parametrize("budget", CUT)
def test_relations_attributes_and_text_share_a_budget(drugs: Skb, budget: int) -> None:
    text, left_out = CUT[budget]
    found = rendered(drugs, "d1", budget=budget)
    assert (found.text, found.is_cut, found.neighbours_left_out) == (text, True, left_out)


def test_no_budget_is_exceeded_and_nothing_is_added(skb: Skb, drugs: Skb) -> None:
    for opened, uri in ((skb, "Quillon Bridge"), (skb, "Veldra (river)"), (drugs, "d1")):
        whole = rendered(opened, uri)
        for relations in (False, True):
            for budget in range(1, 120, 3):
                found = rendered(opened, uri, relations=relations, budget=budget)
                assert count_words(found.text) <= budget
                assert set(words_of(found.text)) <= set(words_of(whole.text))
    assert rendered(skb, "Veldra (river)", budget=10_000) == rendered(skb, "Veldra (river)")


def test_a_caller_counts_tokens_its_own_way(drugs: Skb) -> None:
    assert rendered(drugs, "d1", relations=False, budget=24, count=len).text == "Amberin (drug)\nAmber"
    assert rendered(drugs, "g1", budget=42, count=len).text == "QX1 (gene)\nis target of: Amberin"


SHARES = [((10, 3, 20), (3, 7)), ((10, 20, 3), (7, 3)), ((10, 20, 20), (5, 5)), ((11, 20, 20), (5, 6)),
          ((10, 4, 4), (4, 4)), ((0, 4, 4), (0, 0))]  # fmt: skip


@pytest.mark.parametrize(("given", "got"), SHARES)
def test_each_of_two_gets_half_and_what_the_other_leaves(given: tuple[int, int, int], got: tuple[int, int]) -> None:
    assert shared(*given) == got


BEGINNINGS = [("One two. Three four.", 3, "One two. Three"), ("One two.", 2, "One two."), ("One two.", 0, ""),
              ("東京駅前", 2, "東京駅"), ("a\nb  c", 2, "a\nb"), ("... one", 0, "..."), ("", 0, "")]  # fmt: skip


@pytest.mark.parametrize(("text", "room", "beginning"), BEGINNINGS)
def test_a_text_is_cut_at_a_blank(text: str, room: int, beginning: str) -> None:
    assert cut_text(text, room) == beginning


# neighbours


def test_without_scores_relations_take_turns_by_uri(drugs: Skb) -> None:
    lines = ["has target: QX1", "has target: QX1\ninteracts with: Birchol",
             "has target: QX1\ninteracts with: Birchol\nis replaces of: Birchol",
             "has target: QX1\ninteracts with: Birchol\nis replaces of: Birchol\nsimilar: Amberin",
             "has target: QX1; QX2\ninteracts with: Birchol\nis replaces of: Birchol\nsimilar: Amberin"]  # fmt: skip
    for budget, line in zip((3, 6, 10, 12, 13), lines, strict=True):
        found = Documents(drugs.connection, relations=True, budget=2 + 2 * budget)
        entity = drugs.entity("d1")
        assert entity is not None
        (each,) = found.of([entity.id])
        assert each.text.endswith("\n" + line), budget


def test_scores_choose_the_neighbours_and_their_order(drugs: Skb) -> None:
    ids = {uri: entity.id for uri in ("d1", "d2", "d3", "g1", "g2") if (entity := drugs.entity(uri)) is not None}
    worth = {ids["g2"]: 3.0, ids["d3"]: 2.0, ids["g1"]: 1.0}
    asked: list[list[int]] = []

    def scores(others: np.ndarray[Any, np.dtype[np.int64]]) -> np.ndarray[Any, np.dtype[np.float32]]:
        asked.append(others.tolist())
        return np.array([worth.get(each, 0.0) for each in others.tolist()], np.float32)

    assert rendered(drugs, "d1", scores=scores).text.splitlines()[5:] == [
        "has target: QX2; QX1", "interacts with: Birchol", "is replaces of: Cedrine (drug); Birchol", "similar: Amberin"
    ]  # fmt: skip
    assert asked == [sorted(set(ids.values()))]
    few = rendered(drugs, "d1", scores=scores, budget=18)
    assert few.text.splitlines()[-2:] == ["has target: QX2", "is replaces of: Cedrine (drug)"]
    assert few.neighbours_left_out == 4


def test_equal_names_of_one_relation_stand_once(weave: Weave, tmp_path: Path) -> None:
    nodes = [{"uri": "f", "name": "Film"}, {"uri": "a", "name": "Ann"}, {"uri": "b", "name": "Ann"}]
    weave(graph(tmp_path / "films", nodes, ["f starring a", "f starring b", "f director b"]))
    with Skb(tmp_path / "kb.skb") as skb:
        found = rendered(skb, "f")
    assert (found.text, found.neighbours_left_out) == ("Film\ndirector: Ann\nstarring: Ann", 0)


def hub(path: Path, n: int) -> None:
    """Turn an SKB's first entity into the genre of `n` films, whose names come after their uris."""
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM relation")
        connection.execute("INSERT OR IGNORE INTO relation_type VALUES (1, 'genre')")
        connection.execute("INSERT INTO entity SELECT 10 + value, printf('film%07d', ?1 - value),"
                           " printf('Film%d', value), NULL, '', NULL, NULL FROM generate_series(1, ?1)"
                           .replace("generate_series(1, ?1)", "json_each(?2)"), (n, json.dumps([*range(n)])))
        connection.execute("INSERT INTO relation (subject_id, type_id, object_id) SELECT id, 1, 1 FROM entity"
                           " WHERE id >= 10")  # fmt: skip
    connection.close()


def test_of_a_hub_only_the_names_that_fit_are_read(weave: Weave, tmp_path: Path) -> None:
    weave(graph(tmp_path / "films", [{"uri": "genre", "name": "Drama"}], []))
    hub(tmp_path / "kb.skb", 100_000)
    with Skb(tmp_path / "kb.skb") as skb:
        (genre,) = skb.connection.execute("SELECT id FROM entity WHERE uri = 'genre'").fetchone()
        assert genre == 1
        renderer = Documents(skb.connection, relations=True, budget=9)
        read: list[str] = []
        skb.connection.set_trace_callback(read.append)
        (found,) = renderer.of([genre])
    assert found.text == "Drama\nis genre of: Film99999; Film99998; Film99997; Film99996; Film99995"
    assert found.neighbours_left_out == 99_995
    (names,) = [query for query in read if query.startswith("SELECT id, name FROM entity")]
    assert names.count(",") < 20
    assert len(read) < 10


def test_hubs_of_one_batch_and_their_films_agree(weave: Weave, tmp_path: Path) -> None:
    weave(graph(tmp_path / "films", [{"uri": "genre", "name": "Drama"}], []))
    hub(tmp_path / "kb.skb", 3_000)
    with Skb(tmp_path / "kb.skb") as skb:
        ids = [identity for (identity,) in skb.connection.execute("SELECT id FROM entity ORDER BY id")]
        found = Documents(skb.connection, relations=True, budget=6).of(ids)
        texts = [each.text for each in found]
    assert texts[:3] == ["Drama\nis genre of: Film2999; Film2998", "Film0\ngenre: Drama", "Film1\ngenre: Drama"]
    assert texts[-1] == "Film2999\ngenre: Drama"
