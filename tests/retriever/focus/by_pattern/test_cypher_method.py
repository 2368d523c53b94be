"""The method `cypher` over a small graph: with scripted replies, without a model, with each of its options."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from retriever.context import Context
from retriever.explanation import explain
from retriever.focus.by_pattern.labels import labels_of
from retriever.question.filters import Filters, parse_condition
from retriever.searcher import Searcher, asks_model
from retriever.session import Session
from retriever.types import Unit
from tests.retriever.focus.typed_graphs import write_graph
from weft.chat.base import Message, ScriptedChat
from weft.errors import WeftError
from weft.skb import Skb

NODES: list[dict[str, Any]] = [
    {"uri": "ann", "name": "Ann Lee", "type": "author"}, {"uri": "bob", "name": "Bob Ray", "type": "author"},
    {"uri": "anne", "name": "Ann Leeds", "type": "author"}, {"uri": "college", "name": "Obrath", "type": "institution"},
    *({"uri": f"p{n}", "name": name, "type": "paper", "text": text, "attributes": {"year": year}}
      for n, name, text, year in (
          (1, "Of lamps", "Lamps and harbours.", 2014), (2, "Of moths", "Moths circle lamps at night.", 2016),
          (3, "Of wells", "Water in wells.", 2018), (4, "Of mills", "Grain and wheels.", 2016))),
]  # fmt: skip
EDGES = [("ann", "writes", "p1"), ("ann", "writes", "p2"), ("bob", "writes", "p2"), ("bob", "writes", "p3"),
         ("anne", "writes", "p4"), ("ann", "works at", "college"), ("p2", "cites", "p1"), ("p3", "cites", "p2"),
         ("p4", "cites", "p3")]  # fmt: skip
QUESTION = "Which papers about moths has Ann Lee written?"
BY_ANN = 'MATCH (a:author {name: "Ann Lee"})-[:writes]->(y:paper) RETURN y.title'


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_graph(tmp_path_factory.mktemp("papers") / "graph", NODES, EDGES)


@pytest.fixture
def skb(graph: Path) -> Iterator[Skb]:
    with Skb(graph) as opened:
        yield opened


def found(
    skb: Skb, replies: Sequence[str] | None, method: str = "cypher", where: str = ""
) -> tuple[list[str], Session, Searcher]:
    """Return the uris that a method ranks for the question, given what a model replies."""
    session = Session(Context(skb), None if replies is None else ScriptedChat(list(replies)))
    filters = Filters(where=(parse_condition(where),)) if where else Filters()
    searcher = Searcher(session, method, "entity", filters=filters)
    return session.uris("entity", searcher.rank(QUESTION, 10).ids.tolist()), session, searcher


def test_what_fits_the_query_is_ranked_by_likeness_within_a_scope(skb: Skb) -> None:
    uris, session, searcher = found(skb, ["paper", BY_ANN])
    assert uris[:2] == ["p2", "p1"] and "p3" not in uris
    ranking = searcher.rank(QUESTION, 10)
    assert ranking.groups.tolist()[:2] == [0, 0] and np.all(np.diff(ranking.groups) >= 0)
    assert np.all(np.diff(ranking.scores) <= 0)
    steps = {step.name: step for step in session.trace.steps}
    assert steps["cypher"].detail["replies"] == [BY_ANN] and steps["target_type"].calls == 1
    assert steps["grounding"].detail["answers"] == len(uris)


def test_more_candidates_of_a_name_come_later(skb: Skb) -> None:
    uris, *_ = found(skb, ["paper", BY_ANN])
    assert uris == ["p2", "p1", "p4"]
    assert found(skb, ["paper", BY_ANN], "cypher(lmax=1)")[0] == ["p2", "p1"]
    assert found(skb, ["paper", BY_ANN], "cypher(k=2)")[0] == ["p2", "p1"]


def test_the_same_replies_give_the_same_bytes(skb: Skb) -> None:
    first, again = (found(skb, ["paper", BY_ANN])[2].rank(QUESTION, 10) for _ in range(2))
    assert [each.tobytes() for each in (first.ids, first.scores, first.features, first.groups)] == [
        each.tobytes() for each in (again.ids, again.scores, again.features, again.groups)
    ]


def test_a_type_that_the_query_leaves_open_is_the_one_asked_for(skb: Skb) -> None:
    query = 'MATCH (a {name: "Ann Lee"})--(y) RETURN y'
    assert set(found(skb, ["paper", query], "cypher(lmax=1)")[0]) == {"p1", "p2"}
    assert set(found(skb, ["author or paper", query], "cypher(lmax=1)")[0]) == {"p1", "p2", "college"}


@pytest.mark.parametrize(
    ("query", "method", "expected"),
    [
        ('MATCH (a:author {name: "Ann Lee"})-[:writes]->(y:paper) WHERE y.year > 2015 RETURN y', "", {"p2"}),
        ('MATCH (x:paper {name: "Of lamps"})-[:cites]->(y:paper) RETURN y', "", {"p2"}),
        ('MATCH (x:paper {name: "Of lamps"})-[:cites]->(y:paper) RETURN y', "directions=yes", set()),
        ('MATCH (a:author {name: "Ann Lee"})-[:cites]->(y:paper) RETURN y', "", set()),
        ('MATCH (a:author {name: "Ann Lee"})-[:cites]->(y:paper) RETURN y', "edges=no", {"p1", "p2"}),
        ('MATCH (a:paper {name: "Ann Lee"})-[:writes]->(y:author) RETURN y', "nodes=no", {"p1", "p2"}),
        ('MATCH (a:author {name: "Bob Ray"})--(x:paper)-[:writes]-(y:author) RETURN y', "", {"bob", "ann"}),
        ('MATCH (a:author {name: "Bob Ray"})--(x:paper)-[:writes]-(y:author) RETURN y', "distinct=yes", {"ann"}),
        ('match (a:author {name: "Ann Lee"})-->(y:paper) return y', "", {"p1", "p2"}),
        ('match (a:author {name: "Ann Lee"})-->(y:paper) return y', "dialect=reference", set()),
        (BY_ANN, "dialect=reference", {"p1", "p2"}),
        (BY_ANN, "exact=yes", {"p1", "p2"}),
        (BY_ANN, "relations=yes", {"p1", "p2"}),
        ("I cannot say.", "", set()),
        ("", "", set()),
    ],
)  # fmt: skip
def test_each_option_does_what_it_says(skb: Skb, query: str, method: str, expected: set[str]) -> None:
    kind = "author" if "RETURN y" in query and "(y:author)" in query else "paper"
    options = ",".join(filter(None, ["lmax=1", method]))
    assert set(found(skb, [kind, query], f"cypher({options})")[0]) == expected


def test_triplets_in_json_are_a_query_too(skb: Skb) -> None:
    reply = '{"target": "?y", "triplets": [["Ann Lee", "writes", "?y: paper"]]}'
    assert found(skb, [reply], "cypher(dialect=triplets,lmax=1)")[0] == ["p2", "p1"]


def test_filters_hold_for_what_is_asked_for_alone(skb: Skb) -> None:
    assert found(skb, ["paper", BY_ANN], where="year=2016")[0] == ["p2", "p4"]
    assert found(skb, ["paper", BY_ANN], where="year=2018")[0] == []


def test_the_model_is_told_what_the_graph_has(skb: Skb) -> None:
    asked: list[str] = []

    def reply(messages: Sequence[Message]) -> str:
        asked.append(messages[-1].content)
        return "paper" if len(asked) == 1 else BY_ANN

    session = Session(Context(skb), ScriptedChat(reply))
    Searcher(session, "cypher", "entity").rank(QUESTION, 3)
    assert len(asked) == 2 and all(QUESTION in text for text in asked)
    assert {"author: Ann Lee, Ann Leeds, Bob Ray", "writes: author -> paper", "works at: author -> institution",
            "Attributes: year"} <= {line for text in asked for line in text.splitlines()}  # fmt: skip
    assert "nodes of the type paper" in asked[1]
    assert set(labels_of(session).types) == {"author", "paper", "institution"}


def test_a_hit_is_explained_by_the_triplets_that_hold(skb: Skb) -> None:
    query = 'MATCH (i:institution {name: "Obrath"})<-[:`works at`]-(a:author)-[:writes]->(y:paper) RETURN y'
    _, _, searcher = found(skb, ["paper", query], "cypher(lmax=1)")
    ranking = searcher.rank(QUESTION, 1)
    ((reason,),) = explain(searcher, QUESTION, ranking)
    (evidence,) = reason.evidence
    assert evidence.text == "Ann Lee – works at → Obrath; Ann Lee – writes → Of moths (first candidate)"
    assert evidence.steps == ("college", "is works at of", "ann", "writes", "p2")
    assert evidence.mention == "Obrath" and reason.contribution == pytest.approx(float(ranking.scores[0]))


def test_chunks_are_those_of_the_entities_that_fit(skb: Skb) -> None:
    session = Session(Context(skb), ScriptedChat(["paper", BY_ANN]))
    searcher = Searcher(session, "cypher(lmax=1)", "chunk")
    ranking = searcher.rank(QUESTION, 10)
    assert session.uris("chunk", ranking.ids.tolist()) == ["p2##1", "p1##1"]
    (first, second) = explain(searcher, QUESTION, ranking)
    assert first[0].evidence[0].text == "Ann Lee – writes → Of moths (first candidate)"
    assert second[0].evidence[0].uri == "p1" and second[0].contribution == pytest.approx(float(ranking.scores[1]))


@pytest.mark.parametrize("unit", ["chunk", "entity"])
def test_nothing_that_fits_has_no_reasons(skb: Skb, unit: Unit) -> None:
    searcher = Searcher(Session(Context(skb), ScriptedChat(["paper", "no query"])), "cypher", unit)
    ranking = searcher.rank(QUESTION, 10)
    assert len(ranking.ids) == 0 and explain(searcher, QUESTION, ranking) == []


def test_without_a_model_names_and_a_type_in_the_question_are_the_pattern(skb: Skb) -> None:
    for replies, method in ((None, "cypher"), (["no"], "cypher(model=no)")):
        uris, session, _ = found(skb, replies, method)
        assert uris[:2] == ["p2", "p1"]
        (step,) = [step for step in session.trace.steps if step.name == "pattern"]
        assert step.stand_in and step.detail["names"] == ["Ann Lee"] and step.detail["type"] == "paper"


def test_what_is_not_understood_stands_in_the_trace(skb: Skb) -> None:
    query = 'MATCH (a:author {name: "Ann Lee"})-[:edits]->(y:paper) WHERE y.size > 3 RETURN y, a ORDER BY y.year'
    _, session, _ = found(skb, ["paper", query])
    warnings = [warning for step in session.trace.steps for warning in step.warnings]
    assert {"UNKNOWN_RELATION: edits", "MORE_TARGETS: a", "UNKNOWN_ATTRIBUTE: size > 3"} <= set(warnings)


def test_a_dialect_that_there_is_not(skb: Skb) -> None:
    with pytest.raises(WeftError, match="dialect=sparql is none of cypher, reference, triplets"):
        found(skb, None, "cypher(dialect=sparql)")
    assert asks_model("cypher") and not asks_model("cypher(model=no)")
