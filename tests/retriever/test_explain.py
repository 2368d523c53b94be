"""Explanations: what adds to a score, the evidence behind it, and how it reads."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import weft
from builder.build import build
from builder.request import Request
from interfaces.cli import main
from interfaces.explanation_text import SENTENCES, explanation_lines
from retriever.context import Context
from retriever.explain.attribution import ABOUT, attributions, group_of
from retriever.explain.reasons import MOST_AGAINST, MOST_FOR
from retriever.explanation import REST, explain, why
from retriever.features.matrix import COLUMNS
from retriever.fusion.models import FusionModel, new_model
from retriever.fusion.shipped import INPUTS, reciprocal_ranks
from retriever.fusion.store import Fusion, Head
from retriever.fusion.two_stage import TwoStage
from retriever.rankers.hybrid import Hybrid
from retriever.searcher import Searcher
from retriever.session import Session
from retriever.types import Attribution, Evidence, Unit
from tests.asking import CHUNK_RANKERS, METHODS, without_model
from weft.skb import Skb

TWO_HOPS = "In which town was the designer of the Quillon Bridge born?"
THREE_HOPS = "In what year did the wife of the man who designed the Quillon Bridge take charge of a university?"


@pytest.fixture
def session(world: Path) -> Iterator[Session]:
    """Give the invented world."""
    with Skb(world) as opened:
        yield Session(Context(opened))


def _evidence(session: Session, fusion: Path, question: str, uri: str) -> dict[str, tuple[Evidence, ...]]:
    searcher = Searcher(session, "hybrid(hops=no)", "chunk", fusion)
    assert isinstance(searcher.ranker, Hybrid)
    chunk = session.skb.chunk(uri)
    assert chunk is not None
    return searcher.ranker.evidence(session, searcher.query(question)).of(chunk.id)


# what adds to a score


def test_every_column_has_a_reason_that_people_understand() -> None:
    assert {group_of(column) for column in COLUMNS} - {"first"} <= set(ABOUT)
    for column, reason in {
        "bm25": "bm25", "rank_section": "section", "proposed_path": "path", "proposed_named": "named",
        "bridge_from_best": "hits", "in_page_share": "place", "title_cover": "title", "rank_first": "first",
        "vector_asked": "vector", "psychic": "other",
    }.items():  # fmt: skip
        assert group_of(column) == reason


def test_reciprocal_ranks_are_the_sum_of_their_reasons(session: Session) -> None:
    hybrid = Hybrid(reciprocal_ranks("tfidf"), "tfidf")
    query = Searcher(session, "hybrid", "chunk", "rrf").query(TWO_HOPS)
    _, features, scores, *_ = hybrid.scored(session, query)
    rows = np.argsort(-scores)[:5].tolist()
    for row, own in zip(rows, attributions(hybrid.fusion.model, features, INPUTS, rows), strict=True):
        assert sum(own.values()) == pytest.approx(float(scores[row]), abs=1e-6)


def linear(columns: Sequence[str], **weights: float) -> FusionModel:
    """Return a fusion whose score is a weighted sum."""
    model = new_model("logistic")
    weight = np.array([[weights.get(column, 0.0)] for column in columns], np.float32)
    model.restore({"network0.layer0.weight": weight, "network0.layer0.bias": np.ones(1, np.float32)})
    return model


def test_what_a_first_pass_says_is_put_down_to_its_columns(session: Session) -> None:
    two_stage = TwoStage("logistic")
    two_stage.first = linear(INPUTS, bm25=1.5, named=2.0)
    two_stage.second = linear(COLUMNS, first=2.0, vector=0.5)
    hybrid = Hybrid(Fusion(Head("logistic", COLUMNS, ("tfidf",)), two_stage), "tfidf")
    searcher = Searcher(session, "hybrid", "chunk", "rrf")
    _, features, scores, *_ = hybrid.scored(session, searcher.query(TWO_HOPS))
    best = [int(np.argmax(scores))]
    (own,) = attributions(two_stage, features, COLUMNS, best)
    beside = features[best[0]] - features.mean(axis=0)
    bm25, named, vector, first = (
        float(beside[COLUMNS.index(column)]) for column in ("bm25", "named", "vector", "first")
    )
    log_odds = two_stage.first.score(features[:, : len(INPUTS)])
    through = 2.0 * first / float(log_odds[best[0]] - log_odds.mean())
    assert own["vector"] == pytest.approx(0.5 * vector, abs=1e-3)
    assert own["bm25"] == pytest.approx(through * 1.5 * bm25, rel=1e-3)
    assert own["named"] == pytest.approx(through * 2.0 * named, rel=1e-3)
    assert "first" not in own and sum(map(abs, own.values())) == pytest.approx(
        abs(own["vector"]) + own["bm25"] + own["named"], rel=1e-3
    )


# evidence


def test_a_link_is_told_with_the_words_it_answers(session: Session, small_fusion: Path) -> None:
    evidence = _evidence(session, small_fusion, TWO_HOPS, "Orrin Tasker##1")
    (link,) = evidence["linked"]
    assert link[:4] == (
        "linked", "link", "Quillon Bridge##1",
        "Quillon Bridge links to this page as “Orrin Tasker”, in a sentence with “designer”",
    )  # fmt: skip
    assert link.mention == "Quillon Bridge"
    assert evidence["words"][0].text == "born"
    assert [(each.uri, each.mention) for each in evidence["cites"]] == [("Quillon Bridge", "Quillon Bridge")]
    assert "named" not in evidence


def test_what_is_named_is_told(session: Session, small_fusion: Path) -> None:
    evidence = _evidence(session, small_fusion, TWO_HOPS, "Quillon Bridge##1")
    assert evidence["named"][0][1:4] == ("page", "Quillon Bridge", "Quillon Bridge")
    assert evidence["title"][0].text == "Quillon, Bridge"
    assert "linked" not in evidence and "cites" not in evidence
    assert evidence["leads"][0].text == "links to Orrin Tasker, in a sentence with “designer”"


def test_two_hops_are_explained_as_one_path(session: Session, small_fusion: Path) -> None:
    evidence = _evidence(session, small_fusion, THREE_HOPS, "Wenna Tarquill##1")
    (hop,) = evidence["second_hop"]
    assert hop.text.startswith("Quillon Bridge links to Orrin Tasker, which links to this page as “Wenna Tarquill”")
    assert hop.uri.startswith("Orrin Tasker#") and hop.mention == "Quillon Bridge"


# explanations


@pytest.mark.parametrize(("method", "unit"), METHODS)
def test_every_method_explains_its_hits(session: Session, small_fusion: Path, method: str, unit: Unit) -> None:
    searcher = Searcher(session, method, unit, small_fusion)
    found = searcher.rank(TWO_HOPS, 4)
    explained = explain(searcher, TWO_HOPS, found)
    assert len(explained) == len(found.ids)
    assert all(any(reason.evidence for reason in each) for each in explained)
    for each, score in zip(explained, found.scores.tolist(), strict=True):
        added = [reason.contribution for reason in each]
        assert added == sorted((value for value in added if value >= 0), reverse=True) + sorted(
            value for value in added if value < 0
        )
        # The best hit stays where it is, and so a hop that it tells adds 0.
        assert all(reason.contribution or (reason.name == "hops" and each is explained[0]) for reason in each)
        assert len(added) <= MOST_FOR + MOST_AGAINST + any(reason.name == "hops" for reason in each)
        if method not in ("hybrid", "naive-hybrid"):
            assert added == [pytest.approx(score)]


@pytest.mark.parametrize("method", ["hybrid", "path"])
def test_an_explanation_is_rows_in_json(world: Path, small_fusion: Path, method: str) -> None:
    fusion = ["--fusion", str(small_fusion)] if method == "hybrid" else []
    command = ["search", str(world), TWO_HOPS, "-m", method, *fusion, "--json", "-k", "10"]
    plain, explained = (
        json.loads(CliRunner().invoke(main, [*command, *more]).stdout)["hits"] for more in ([], ["--explain"])
    )
    assert [hit | {"why": []} for hit in explained] == plain
    rows = [row for hit in explained for row in hit["why"]]
    columns = ["signal", "kind", "uri", "text", "score", "mention", "contribution"]
    assert all(list(row) == columns + ["steps"] * (row["kind"] == "path") for row in rows)
    assert any(row["mention"] == "Quillon Bridge" for row in rows)
    paths = [row for row in rows if row["kind"] == "path"]
    assert all(len(row["steps"]) % 2 == 1 and row["steps"][-1] == row["uri"] for row in paths)
    assert paths or method != "path"


@pytest.mark.parametrize("method", [*CHUNK_RANKERS, "hybrid(fusion=rrf)"])
def test_what_is_shown_adds_up_to_the_score(world: Path, method: str) -> None:
    command = ["search", str(world), TWO_HOPS, "-m", method, "--json", "-k", "5", "--explain"]
    hits = json.loads(CliRunner().invoke(main, command).stdout)["hits"]
    for hit in hits:
        added = dict.fromkeys((row["signal"], row["contribution"]) for row in hit["why"])
        assert sum(value for _, value in added) == pytest.approx(hit["score"], rel=0.01, abs=0.001)
    rests = [row for hit in hits for row in hit["why"] if row["kind"] == "rest"]
    assert bool(rests) == method.startswith("hybrid"), "a signal alone leaves nothing"


def test_reasons_in_python_add_up_to_the_score(world: Path) -> None:
    with weft.open(world) as kb:
        (hit, *_) = kb.search("Who designed the Quillon Bridge?")
        added = dict.fromkeys((reason.signal, reason.contribution) for reason in hit.reasons)
        assert sum(value for _, value in added) == pytest.approx(hit.score, abs=0.01)
        assert hit.reasons[-1].text.startswith("the rest: ")


def test_nothing_found_explains_nothing(world: Path) -> None:
    for method in CHUNK_RANKERS:
        result = CliRunner().invoke(main, ["search", str(world), "", "-m", method, "--explain"])
        assert (result.exit_code, result.stderr) == (0, without_model(method)), method


# how it reads


def row(signal: str, kind: str, text: str, contribution: float, **more: Any) -> dict[str, Any]:
    """Return a piece of evidence as `why` holds it."""
    return {"signal": signal, "kind": kind, "uri": "A##1", "text": text, "score": 0.5, "mention": None,
            "contribution": contribution} | more  # fmt: skip


def test_an_explanation_reads_as_sentences() -> None:
    rows = [
        row("linked", "link", "A links to this page as “B”", 2.0, mention="A"),
        row("bm25", "words", "lamp, s, harbour", 1.0, mention="harbour"),
        row("page", "page", "Harbour of B", 0.5, mention="the port"),
        row("path", "path", "A#designer:B (poet)#is_part_of_of:C", 0.25),
        row("cites", "entity", "A", 0.2),
        row("cites", "entity", "B", 0.2),
        row("words", "words", "lamp", 0.15, mention="harbour"),
        row("section", "against", ABOUT["section"], -0.125),
        row("shape", "against", ABOUT["shape"], -0.03),
        row("rest", "rest", REST, -1.5),
    ]
    assert list(explanation_lines({"why": rows, "signals": {"bm25": 8.25, "graph": 0.00012345}})) == [
        " +2.00  A links to this page as “B” [A##1]",
        " +1.00  contains the words “lamp”, “harbour”",
        " +0.50  its page, Harbour of B, has a cosine of 0.50 with the question (“the port” in the question)",
        " +0.25  is on the path A –designer→ B (poet) –is_part_of_of→ C",
        " +0.20  mentions A, which the question names",
        "        mentions B, which the question names",
        " +0.15  contains the word asked about: “lamp”",
        "        ranked lower because of the similarity of its section to the question (−0.12) and its kind of text"
        " (−0.030)",
        " −1.50  the rest: what is not shown, what reasons do together, and where scores begin",
        "        signals: bm25 8.25, graph 0.0001234",
    ]
    assert list(explanation_lines({"why": [], "signals": {"bm25": 8.25}})) == []


@pytest.mark.parametrize(("signal", "kind"), [key for key, form in SENTENCES.items() if "{words}" in form])
@pytest.mark.parametrize(("text", "told_as"), [("lamp", "word “lamp”"), ("lamp, oil", "words “lamp”, “oil”")])
def test_one_word_and_several_are_told_as_such(signal: str, kind: str, text: str, told_as: str) -> None:
    (line, *_) = explanation_lines({"why": [row(signal, kind, text, 1.0)], "signals": {}})
    assert told_as.replace(" asked about:", "") in line.replace(" asked about:", "")


@pytest.mark.parametrize(("text", "words"), [
    ("opus, 9", "words “opus”, “9”"), ("9", "word “9”"), ("C", "word “C”"), ("塔", "word “塔”"),
    ("x, s", "word “x”"), ("s", "word “s”"), ("1, 2, 3", "words “1”, “2”, “3”"),
])  # fmt: skip
def test_words_of_one_character_are_told_too(text: str, words: str) -> None:
    lines = explanation_lines({"why": [row("bm25", "words", text, 1.0)], "signals": {}})
    assert next(lines) == f" +1.00  contains the {words}"


def test_an_entity_is_not_connected_to_itself() -> None:
    rows = [row("graph", "entity", "A", 1.0, uri="A"), row("graph", "entity", "B", 1.0, uri="B")]
    assert list(explanation_lines({"uri": "A", "why": rows, "signals": {}}))[:2] == [
        " +1.00  is an entity that the question names, where the search of the graph begins",
        "        is directly connected to B, which the question names",
    ]


def test_what_has_no_evidence_is_told_too() -> None:
    rows = [row("graph", "score", ABOUT["graph"], 1.0)]
    assert next(explanation_lines({"why": rows, "signals": {}})) == " +1.00  is ranked by its connections in the graph"


def test_reasons_become_rows() -> None:
    link = Evidence("linked", "link", "A##1", "A links to this page as “B”", 0.123456789, "A")
    explanation_lines = (Attribution("linked", 2.00004, (link,)), Attribution("section", -0.5, ()))
    assert why(explanation_lines, "B##1") == [
        {"signal": "linked", "kind": "link", "uri": "A##1", "text": link.text, "score": 0.123457, "mention": "A",
         "contribution": 2.0},
        {"signal": "section", "kind": "against", "uri": "B##1", "text": ABOUT["section"], "score": 0.0, "mention": None,
         "contribution": -0.5},
    ]  # fmt: skip
    assert len(why(explanation_lines, "B##1", 1.502)) == 2, "rounding leaves nothing to tell"
    assert why(explanation_lines, "B##1", 3.25)[2:] == [
        {"signal": "rest", "kind": "rest", "uri": "B##1", "text": REST, "score": 0.0, "mention": None,
         "contribution": 1.75},
    ]  # fmt: skip


def test_a_link_is_told_with_its_own_sentence(tmp_path: Path) -> None:
    castle = (
        "<h1>Holm Castle</h1><p>Anna Berg admired the tall chimney of the castle. "
        'It was designed by <a href="1.html">Anna Berg</a> in 1877.</p>'
    )
    (tmp_path / "0.html").write_text(f"<title>Holm Castle</title>{castle}")
    (tmp_path / "1.html").write_text("<title>Anna Berg</title><h1>Anna Berg</h1><p>She was born in Orse.</p>")
    build(Request((str(tmp_path),), tmp_path / "kb.skb", workers=1))
    said = {}
    with Skb(tmp_path / "kb.skb") as skb, Session(Context(skb)) as session:
        for verb in ("admired", "designed"):
            searcher = Searcher(session, "hybrid(hops=no)")
            question = f"Who {verb} Holm Castle?"
            found = searcher.rank(question, 5)
            place = session.uris("chunk", found.ids.tolist()).index("Anna Berg##1")
            told = [evidence for reason in explain(searcher, question, found)[place] for evidence in reason.evidence]
            said[verb] = [each.text for each in told if each.signal == "linked"]
    assert said == {
        "admired": ["Holm Castle links to this page as “Anna Berg”"],
        "designed": ["Holm Castle links to this page as “Anna Berg”, in a sentence with “designed”"],
    }


def test_words_of_an_expansion_are_told_too(session: Session) -> None:
    searcher = Searcher(session, "prf>bm25")
    for question in ("Who tuned the harp of the toll bridge?", TWO_HOPS):
        found = searcher.rank(question, 10)
        assert all(reasons and reasons[0].evidence for reasons in explain(searcher, question, found))
