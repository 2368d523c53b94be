"""KAR: triples computed by hand, its options, the graph part beside a plainer one, and what is computed once."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from retriever.context import Context
from retriever.expansion.likeness import likeness
from retriever.expansion.neighbourhood import Neighbourhood, places_of
from retriever.expansion.texts import fitted, shares
from retriever.question.reader import read_question
from retriever.searcher import Searcher
from retriever.session import Session
from tests.retriever.expansion.test_feedback import conversations, expanded
from tests.worlds import write_records
from weft.chat.base import ScriptedChat
from weft.chat.tokens import tokens_of
from weft.skb import Skb

QUESTION = "In which town was the designer of the Quillon Bridge born?"
PARSED = json.dumps([{"name": "Quillon Bridge", "type": "Bridge", "document": "A bridge."}])
WRITTEN = "Orrin Tasker was born in Ghasmont."
GRAPH = {
    "mill": ("Mill", "A mill by the pond."), "wheel": ("Wheel", "It turns grain to flour."),
    "miller": ("Miller", "Owns grain, and turns in late."), "cat": ("Cat", "Sleeps."), "hat": ("Hat", "Felt."),
    "far": ("Far", "turns grain to flour"),
}  # fmt: skip
EDGES = (
    ("mill", "hasPart", "wheel"), ("miller", "worksAt", "mill"), ("miller", "keeps", "cat"), ("cat", "wears", "hat"),
    ("hat", "madeIn", "far"),
)  # fmt: skip
TURNS = "Which part of the Mill turns grain to flour?"


@pytest.fixture
def session(world: Path) -> Iterator[Session]:
    with Skb(world) as opened, Session(Context(opened), ScriptedChat([PARSED, WRITTEN])) as session:
        yield session


@pytest.fixture
def mill(tmp_path: Path, weave: Callable[..., object]) -> Iterator[Session]:
    """Give a graph of six nodes in a row, and a model that finds the mill."""
    folder = tmp_path / "graph"
    folder.mkdir()
    write_records(
        folder / "nodes.jsonl",
        [{"uri": uri, "name": name, "type": "Thing", "text": text} for uri, (name, text) in GRAPH.items()],
    )
    lines = ["subject\tpredicate\tobject", *("\t".join(edge) for edge in EDGES)]
    (folder / "edges.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    weave(folder)
    with Skb(tmp_path / "kb.skb") as opened:
        chat = ScriptedChat(lambda messages: '[{"name": "Mill"}]' if "JSON" in messages[0].content else "A wheel.")
        with Session(Context(opened), chat) as session:
            yield session


def triples_of(session: Session, options: str, question: str) -> list[str]:
    """Return the lines that KAR shows of the graph for a question about entities."""
    expanded(session, f"kar({options})>bm25", "entity", question)
    turn = conversations(session)[-1][1].content
    shown = turn.partition("From the knowledge base:\n")[2].rpartition("\n\nQuestion:")[0]
    return [line for line in shown.split("\n") if line.strip()]


MILL = ["Mill (Thing)", "A mill by the pond."]
WHEEL = ["- has part: Wheel (Thing)", "  It turns grain to flour."]
MILLER = ["- is works at of: Miller (Thing)", "  Owns grain, and turns in late."]
CAT = ["- is works at of Miller, which keeps: Cat (Thing)", "  Sleeps."]
HAT = ["- is works at of Miller, which keeps Cat, which wears: Hat (Thing)", "  Felt."]
ON_THE_WAY = "- is works at of Miller, which keeps Cat, which wears Hat, "
FAR = [f"{ON_THE_WAY}which made in: Far (Thing)", "  turns grain to flour"]


@pytest.mark.parametrize(
    ("options", "lines"),
    [
        # The question's best hit is the mill too. Of its neighbours the wheel shares four words, the miller two.
        ("links=no", [*MILL, *WHEEL, *MILLER, *CAT]), ("h=1,links=no", [*MILL, *WHEEL, *MILLER]),
        ("k=1,links=no", [*MILL, *WHEEL]), ("k=2,h=3,links=no", [*MILL, *WHEEL, *MILLER]),
        # Four words of four are likest; what shares none stands by uri, cat before hat.
        ("h=4,links=no", [*MILL, *FAR, *WHEEL, *MILLER, *CAT, *HAT]), ("graph=no", MILL),
        # No name but the mill's own has a word of the question, so that all stand by uri.
        ("filter=name,links=no", [*MILL, *CAT, *MILLER, *WHEEL]),
        ("filter=name,k=1,h=1,links=no", [*MILL, *MILLER]),
    ],
)  # fmt: skip
def test_triples_are_those_computed_by_hand(mill: Session, options: str, lines: list[str]) -> None:
    assert triples_of(mill, options, TURNS) == lines


def test_on_the_fixtures_a_fact_of_a_fact_is_found(session: Session) -> None:
    query = expanded(session, "kar(k=2,n=1,links=no)>vector", question=QUESTION)
    assert query.searched == f"{QUESTION}\n{WRITTEN}" and query.question.text == QUESTION
    parse, write = conversations(session)
    assert QUESTION in parse[1].content and QUESTION in write[1].content
    lines = write[1].content.split("\n")
    bridge = lines.index("Quillon Bridge (Bridge, Place, Structure)")
    assert "Designer: Orrin Tasker" in lines[bridge:]
    heads = [line for line in lines[bridge:] if line.startswith("- ")][:2]
    assert heads == [
        "- designer Orrin Tasker, which birth place: Ghasmont (Town, Settlement)",
        "- designer: Orrin Tasker (Engineer, Person)",
    ]
    found = Searcher(session, "kar(k=2,n=1,links=no)>vector")
    assert found.method.expansion is not None


def test_links_between_documents_are_relations(session: Session) -> None:
    """What a page mentions is one hop away, and so is what mentions it."""
    chunks = session.skb.chunks_of_page(session.skb.page("Quillon Bridge").id)  # type: ignore[union-attr]
    mentioned = {each.entity_id for each in session.skb.citations([chunk.id for chunk in chunks])}
    bridge = session.skb.entity("Quillon Bridge")
    assert bridge is not None and mentioned - {bridge.id}
    with_links, without = (_within(session, bridge.id, 1, links) for links in (True, False))
    assert with_links >= mentioned - {bridge.id} and with_links > without
    assert bridge.id not in with_links


def _within(session: Session, entity: int, hops: int, links: bool) -> set[int]:
    (place,) = places_of(session, np.array([entity])).tolist()
    levels = Neighbourhood(session, links).levels(place, hops)
    return set(session.adjacency.entity_ids[np.concatenate(levels[1:])].tolist())


def _naive(session: Session, entity: int, hops: int, links: bool) -> set[int]:
    """Return what lies within some hops, entity by entity from SQL."""
    pairs = set(session.skb.connection.execute("SELECT subject_id, object_id FROM relation"))
    if links:
        pairs |= set(session.skb.connection.execute(
            "SELECT entity.id, cites.entity_id FROM cites JOIN chunk ON chunk.id = chunk_id"
            " JOIN entity ON entity.page_id = chunk.page_id"
        ))  # fmt: skip
    found = {entity}
    for _ in range(hops):
        found |= {b for a, b in pairs if a in found} | {a for a, b in pairs if b in found}
    return found - {entity}


@pytest.mark.parametrize("links", [True, False])
@pytest.mark.parametrize("hops", [1, 2, 3])
def test_the_neighbourhood_is_that_of_a_plainer_search(
    session: Session, monkeypatch: pytest.MonkeyPatch, links: bool, hops: int
) -> None:
    monkeypatch.setattr("retriever.expansion.neighbourhood.BLOCK", 7)
    scores = likeness(session, read_question(session, QUESTION, "chunk").vectors, "document", "lead")
    uris = session.uris("entity", session.adjacency.entity_ids.tolist())
    for place, entity in list(enumerate(session.adjacency.entity_ids.tolist()))[::9]:
        within = _naive(session, entity, hops, links)
        assert _within(session, entity, hops, links) == within
        places = places_of(session, np.array(sorted(within), np.int64)).tolist()
        expected = sorted(places, key=lambda each: (-round(float(scores[each]), 6), uris[each]))[:5]
        nearest = Neighbourhood(session, links).nearest(place, scores, hops, 5)
        assert [each.place for each in nearest] == expected
        for each in nearest:
            assert 1 <= len(each.steps) <= hops and each.steps[-1].place == each.place
            on_the_way = [step.place for step in each.steps]
            assert session.adjacency.entity_ids[on_the_way[0]] in _naive(session, entity, 1, links)


def test_likeness_is_that_of_the_lead_the_page_or_the_name(session: Session) -> None:
    vectors = session.encode([QUESTION])
    ways = (("document", "lead"), ("document", "chunks"), ("name", "lead"))
    by = {each: likeness(session, vectors, *each) for each in ways}
    entities = session.skb.entities(session.adjacency.entity_ids.tolist())
    for place, entity in enumerate(entities):
        texts = [] if entity.page_id is None else session.skb.chunks_of_page(entity.page_id)
        label = float(session.encode([entity.label]).products(vectors)[0, 0])
        assert by["name", "lead"][place] == pytest.approx(label, abs=1e-5)
        if not texts:
            assert by["document", "lead"][place] == by["document", "chunks"][place] == by["name", "lead"][place]
        assert by["document", "chunks"][place] >= by["document", "lead"][place] or not texts
    assert (by["document", "chunks"] > by["document", "lead"]).any() and (by["document", "lead"] > 0).any()


@pytest.mark.parametrize("tokens", [100, 300, 2_000])
@pytest.mark.parametrize("docs", ["lead", "chunks"])
def test_triples_keep_to_a_budget(session: Session, tokens: int, docs: str) -> None:
    expanded(session, f"kar(n=1,tokens={tokens},docs={docs})>vector")
    text = conversations(session)[-1][1].content.partition("From the knowledge base:\n")[2].rpartition("\n\nQ")[0]
    assert 0 < tokens_of(text) <= tokens
    if tokens > 1_000:
        assert tokens_of(text) > tokens / 2


def test_without_a_model_names_are_linked_and_triples_added(session: Session) -> None:
    query = expanded(session, "kar(model=no,n=1,links=no)>vector")
    question, first, *_ = query.searched.split("\n")
    assert question == QUESTION and first.startswith("Quillon Bridge (")
    assert "\ndesigner Orrin Tasker, which birth place\nGhasmont (Town, Settlement)\n" in query.searched
    assert conversations(session) == []
    (step,) = (each for each in session.trace.steps if each.name == "kar")
    assert step.stand_in and step.detail["added"] == ["Quillon Bridge", "Ghasmont"]
    nothing = "who painted with ink?"
    assert expanded(session, "kar(model=no)>vector", question=nothing).searched == nothing


def test_what_nobody_has_a_name_for_is_searched_for(world: Path) -> None:
    parsed = '[{"name": "that tall lamp", "document": "the tallest lighthouse on the strait"}]'
    with Skb(world) as opened, Session(Context(opened), ScriptedChat([parsed, WRITTEN])) as session:
        expanded(session, "kar(n=1,graph=no)>bm25")
        assert "Cape Thoon Light (" in conversations(session)[-1][1].content


def test_a_question_its_parts_and_it_again_scan_no_matrix_twice(world: Path) -> None:
    parsed = json.dumps([{"name": f"unknown {word}", "document": f"a {word} of stone"} for word in ("bridge", "tower")])
    chat = ScriptedChat(lambda messages: parsed if "JSON" in messages[0].content else WRITTEN)
    with Skb(world) as opened, Session(Context(opened), chat) as session:
        searcher = Searcher(session, "kar>vector")
        first = searcher.rank(QUESTION, 5)
        computed = session.memo.computed.copy()
        # The question, the two things it names, and what was written.
        assert computed["similarity chunk"] == 4 and computed["similarity label"] == 1
        again = searcher.rank(QUESTION, 5)
        assert session.memo.computed == computed and again.scores.tobytes() == first.scores.tobytes()


def test_a_room_is_shared_equally_but_for_what_is_left() -> None:
    assert shares(0, [3, 1]) == [0, 0] and shares(9, []) == [] and shares(7, [9, 9, 9]) == [2, 2, 3]
    assert fitted(["one two three", "four", "five six"], 5) == ["one two", "four", "five six"]
