"""Hybrid retrieval: a fusion that learns two hops in one half of a made world, and answers in the other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from builder.build import build
from builder.request import Request
from retriever.context import Context
from retriever.datasets.question_files import GoldItem, Question
from retriever.features.matrix import COLUMNS, EMBEDDED, FIRST, SIGNALS, standardised
from retriever.fusion.shipped import reciprocal_ranks
from retriever.fusion.store import Fusion
from retriever.fusion.two_stage import TwoStage
from retriever.methods import Part
from retriever.question.reader import read_question
from retriever.rankers.composed import ranker_of
from retriever.rankers.hybrid import Hybrid
from retriever.session import Session
from retriever.training.dataset import corpus_of, fit
from tests.worlds import link, page, write_pages, write_records
from weft.skb import Skb

BRIDGES = ("Ash", "Elm", "Oak", "Yew", "Rowan", "Alder", "Hazel", "Birch", "Larch", "Maple", "Aspen", "Cedar")
MAKERS = ("Tessa Quayle", "Orm Hollin", "Ida Brask", "Noll Verrin", "Una Mersk", "Pell Dorrin", "Ansa Kolt",
          "Bram Odell", "Cora Lusk", "Dain Ferro", "Edda Rook", "Finn Sorley")  # fmt: skip
TOWNS = ("Quorn", "Marl", "Ebben", "Sedge", "Thorpe", "Wick", "Dunmere", "Holt", "Farrow", "Glade", "Ister", "Jarrow")
HELD_OUT = 4


def _question(bridge: str) -> str:
    return f"Where was the designer of the {bridge} Bridge born?"


def _pages() -> dict[str, str]:
    pages = {}
    for bridge, maker, town in zip(BRIDGES, MAKERS, TOWNS, strict=True):
        pages[f"{bridge}.html"] = page(
            f"{bridge} Bridge", f"A crossing of the Orrin by {link(town)}, by its designer {link(maker)}.",
            "It has nine piers and is painted every spring.", "== Toll", "A toll was taken until the flood.",
        )  # fmt: skip
        pages[f"{maker}.html"] = page(
            maker, f"An engineer, child of a miller in {TOWNS[TOWNS.index(town) - 1]}.", "Liked the sea and old songs."
        )
        pages[f"{town}.html"] = page(town, "A town with a market, a mill and a bell.")
    for index in range(10):
        pages[f"essay{index}.html"] = page(
            f"Essay {index}", f"Where a designer is born no bridge is; no designer of a bridge was born by {index}."
        )
    return pages


@pytest.fixture(scope="module")
def bridges_world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hybrid")
    build(Request((str(write_pages(folder / "pages", _pages())),), folder / "kb.skb", workers=1))
    return folder / "kb.skb"


@pytest.fixture(scope="module")
def fusion(bridges_world: Path) -> Fusion:
    """Give a fusion of the questions that are not held out; their gold are the bridge's lead and its maker's."""
    questions = [
        Question(bridge, _question(bridge), (GoldItem(f"{bridge} Bridge##1"), GoldItem(f"{maker}##1")))
        for bridge, maker in list(zip(BRIDGES, MAKERS, strict=True))[HELD_OUT:]
    ]
    with Skb(bridges_world) as skb:
        return fit([corpus_of("bridges", "", Session(Context(skb)), questions)], "logistic", ratio=3.0)


@pytest.fixture
def session(bridges_world: Path) -> Iterator[Session]:
    with Skb(bridges_world) as opened:
        yield Session(Context(opened))


def _uris(session: Session, ids: np.ndarray) -> list[str]:
    return session.skb.uris("chunk", ids.tolist())


@pytest.mark.parametrize("number", range(HELD_OUT))
def test_the_second_hop_is_found(session: Session, fusion: Fusion, number: int) -> None:
    query = read_question(session, _question(BRIDGES[number]), "chunk")
    words = _uris(session, ranker_of(session, Part("bm25"), "chunk").rank(session, query, 3).ids)
    found = _uris(session, Hybrid(fusion, "tfidf").rank(session, query, 3).ids)
    assert f"{MAKERS[number]}##1" not in words
    assert {f"{BRIDGES[number]} Bridge##1", f"{MAKERS[number]}##1"} <= set(found), (words, found)


QUESTIONS = (
    _question("Ash"), _question("Elm").lower(), "Which bridge crosses the Orrin by Quorn, and who designed it?",
    "Where is a mill?", "Tessa Quayle", "zzqx vvkw",
)  # fmt: skip


@pytest.fixture(params=["two stages", "rrf"])
def any_fusion(request: pytest.FixtureRequest, fusion: Fusion) -> Fusion:
    return fusion if request.param == "two stages" else reciprocal_ranks("tfidf")


@pytest.mark.parametrize("question", QUESTIONS)
def test_same_file_and_question_same_result(
    bridges_world: Path, session: Session, any_fusion: Fusion, question: str
) -> None:
    found = Hybrid(any_fusion, "tfidf").rank(session, read_question(session, question, "chunk"), 1000)
    with Skb(bridges_world) as skb:
        other = Session(Context(skb))
        hybrid = Hybrid(any_fusion, "tfidf")
        for each in QUESTIONS:
            hybrid.rank(session, read_question(other, each, "chunk"), 3)
        again = hybrid.rank(session, read_question(other, question, "chunk"), 1000)
    assert [each.tobytes() for each in (again.ids, again.scores, again.features)] == [
        each.tobytes() for each in (found.ids, found.scores, found.features)
    ]


@pytest.mark.parametrize("question", QUESTIONS)
def test_fewer_hits_are_the_first_ones(session: Session, any_fusion: Fusion, question: str) -> None:
    query = read_question(session, question, "chunk")
    whole = Hybrid(any_fusion, "tfidf").rank(session, query, 1000)
    assert len(whole.ids) > 10 and len(set(whole.ids.tolist())) == len(whole.ids)
    assert (np.diff(whole.scores) <= 0).all() and whole.columns == FIRST
    assert whole.features.shape == (len(whole.ids), len(FIRST)) and whole.groups.tolist() == [0] * len(whole.ids)
    hybrid = Hybrid(any_fusion, "tfidf")
    for k in (5, 1, 0, 17, 999):
        found = hybrid.rank(session, query, k)
        assert found.ids.tolist() == whole.ids[:k].tolist() and found.scores.tolist() == whole.scores[:k].tolist()
        assert found.features.tolist() == whole.features[:k].tolist() and len(found.groups) == len(found.ids)


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_whole_pool_is_ranked_and_nothing_else(session: Session, any_fusion: Fusion, question: str) -> None:
    query, hybrid = read_question(session, question, "chunk"), Hybrid(any_fusion, "tfidf")
    pool = hybrid.features.propose(session, query).pool
    assert sorted(hybrid.rank(session, query, 1000).ids.tolist()) == pool.ids.tolist()


@pytest.mark.parametrize("question", QUESTIONS)
def test_equal_scores_stand_by_similarity_then_by_uri(session: Session, any_fusion: Fusion, question: str) -> None:
    found = Hybrid(any_fusion, "tfidf").rank(session, read_question(session, question, "chunk"), 1000)
    similar = found.features[:, FIRST.index("vector")]
    keys = list(zip((-found.scores).tolist(), (-similar).tolist(), _uris(session, found.ids), strict=True))
    assert keys == sorted(keys)


@pytest.mark.parametrize("share", [1.0, 0.5, 0.1, 0.0])
@pytest.mark.parametrize("question", QUESTIONS)
def test_only_what_is_allowed_is_ranked(session: Session, any_fusion: Fusion, question: str, share: float) -> None:
    every = session.chunk_table.chunk_ids
    draw = np.random.default_rng(8)
    allowed = np.sort(draw.choice(every, int(share * len(every)), replace=False))
    hybrid = Hybrid(any_fusion, "tfidf")
    found = hybrid.rank(session, read_question(session, question, "chunk", allowed), 1000)
    assert np.isin(found.ids, allowed).all()
    assert (len(found.ids) > 0) == (len(allowed) > 0)
    if share == 1.0:
        free = hybrid.rank(session, read_question(session, question, "chunk"), 1000)
        assert found.ids.tolist() == free.ids.tolist() and found.scores.tolist() == free.scores.tolist()


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("question", ["", "?", "?! …", "()"])
def test_a_question_without_words_finds_nothing(session: Session, any_fusion: Fusion, question: str) -> None:
    hybrid = Hybrid(any_fusion, "tfidf")
    for allowed in (None, session.chunk_table.chunk_ids[::2]):
        found = hybrid.rank(session, read_question(session, question, "chunk", allowed), 5)
        assert found.ids.tolist() == [] == found.scores.tolist() and found.features.shape == (0, len(FIRST))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("question", ["the of", "zzqx vvkw", "Ash Bridge", "Who?", "1207", *QUESTIONS[:1]])
def test_odd_questions_make_no_noise(session: Session, any_fusion: Fusion, question: str) -> None:
    found = Hybrid(any_fusion, "tfidf").rank(session, read_question(session, question, "chunk"), 5)
    assert np.isfinite(found.scores).all() and np.isfinite(found.features).all()


@pytest.fixture(scope="module", params=["no text", "no page"])
def empty_world(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give an SKB without chunks: of a page that says nothing, or of things alone."""
    folder = tmp_path_factory.mktemp("empty")
    if request.param == "no text":
        write_pages(folder / "source", {"a.html": page("Ash Bridge")})
    else:
        (folder / "source").mkdir()
        write_records(folder / "source" / "nodes.jsonl", [{"uri": "1", "name": "Ash Bridge"}, {"uri": "2"}])
        (folder / "source" / "edges.tsv").write_text("subject\tpredicate\tobject\n1\tin\t2\n", encoding="utf-8")
    build(Request((str(folder / "source"),), folder / "kb.skb", workers=1))
    return folder / "kb.skb"


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("question", [*QUESTIONS, "?", ""])
def test_a_file_without_chunks_finds_nothing(empty_world: Path, any_fusion: Fusion, question: str) -> None:
    with Skb(empty_world) as skb:
        session = Session(Context(skb))
        assert skb.count("chunk") == 0 < skb.count("entity")
        query = read_question(session, question, "chunk")
        assert bool(query.question.mentions) == ("Ash Bridge" in question)
        found = Hybrid(any_fusion, "tfidf").rank(session, query, 5)
        assert found.ids.tolist() == [] == found.scores.tolist() and found.features.shape == (0, len(FIRST))


def test_what_is_ranked_is_what_was_scored(session: Session, any_fusion: Fusion) -> None:
    query = read_question(session, QUESTIONS[0], "chunk")
    hybrid = Hybrid(any_fusion, "tfidf")
    candidates, features, scores, *_ = hybrid.scored(session, query)
    assert hybrid.scored(session, query)[0] is candidates
    (step,) = (step for step in session.trace.steps if step.name == "fusion")
    assert step.detail == {"candidates": len(scores), "fusion": any_fusion.head.model}
    assert scores.tolist() == any_fusion.model.score(features).tolist()
    found = hybrid.rank(session, query, 1000)
    assert sorted(found.ids.tolist()) == candidates.pool.ids.tolist()
    indices = np.searchsorted(candidates.pool.ids, found.ids)
    assert found.scores.tolist() == scores[indices].tolist()
    assert found.features.tolist() == candidates.raw[indices].tolist()


def test_the_second_pass_sees_what_the_first_finds(session: Session, fusion: Fusion) -> None:
    assert isinstance(fusion.model, TwoStage)
    hybrid = Hybrid(fusion, "tfidf")
    candidates, features, *_ = hybrid.scored(session, read_question(session, _question("Ash"), "chunk"))
    log_odds = fusion.model.first.score(features[:, : fusion.model.first.inputs()])
    again = standardised(candidates, hybrid.features.second(session, candidates, log_odds))
    assert features.shape == (len(candidates.pool.ids), len(COLUMNS)) and features.tolist() == again.tolist()


@pytest.mark.parametrize("question", QUESTIONS)
def test_an_unknown_embedder_is_masked(session: Session, any_fusion: Fusion, question: str) -> None:
    other = any_fusion._replace(head=any_fusion.head._replace(embedders=("minilm", "lsa")))
    query = read_question(session, question, "chunk")
    plain, masked = Hybrid(any_fusion, "tfidf"), Hybrid(other, "tfidf")
    assert plain.knows_embedder and not masked.knows_embedder
    candidates, features, scores, *_ = masked.scored(session, query)
    named = [name in EMBEDDED for name in COLUMNS[: features.shape[1]]]
    assert any(named) and not features[:, named].any()
    assert scores.tolist() == any_fusion.model.score(features).tolist()
    if not isinstance(any_fusion.model, TwoStage):
        kept = np.logical_not(named)
        assert features[:, kept].tolist() == plain.scored(session, query)[1][:, kept].tolist()
    vector = candidates.raw[:, FIRST.index("vector")]
    assert vector.any() == (question != "zzqx vvkw"), "what is shown is still the true score"
    if question == _question("Ash"):
        assert masked.rank(session, query, 1000).scores.tolist() != plain.rank(session, query, 1000).scores.tolist()


def test_signals_are_shown_as_they_score(session: Session, any_fusion: Fusion) -> None:
    query = read_question(session, QUESTIONS[0], "chunk")
    hybrid = Hybrid(any_fusion, "tfidf")
    found = hybrid.rank(session, query, 20)
    for signal in hybrid.features.signals:
        scores = signal.score(session, query, found.ids)
        expected = np.log(scores + np.float32(1e-6)) if signal.name == "graph" else scores
        np.testing.assert_array_equal(found.features[:, FIRST.index(signal.name)], expected)
    assert {signal.name for signal in hybrid.features.signals} == set(SIGNALS)
