"""The comparison of proposers, benchmarks/pool_recall.py: run over few questions, it ranks as hybrid does."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.corpora import Source
from benchmarks.joint import joint_skb
from benchmarks.pool_recall import report, sampled, scored, show
from benchmarks.proposing import CHOICES, proposed, ranked
from retriever.context import Context
from retriever.features.matrix import PROPOSERS, FeatureMatrix
from retriever.fusion.store import load
from retriever.fusion.two_stage import TwoStage
from retriever.question.reader import read_question
from retriever.rankers.hybrid import Hybrid
from retriever.session import Session
from tests.conftest import FIXTURES
from weft.skb import Skb

QUESTIONS = FIXTURES / "questions.jsonl"
SOURCE = Source("fixtures", (str(FIXTURES / "encyclopedia"),), (str(FIXTURES / "facts.nt"),), QUESTIONS)


@pytest.fixture
def session(world: Path) -> Session:
    return Session(Context(Skb(world)))


@pytest.fixture
def model(small_fusion: Path) -> TwoStage:
    model = load(small_fusion).model
    assert isinstance(model, TwoStage)
    return model


def test_all_proposers_rank_as_hybrid_does(session: Session, model: TwoStage, small_fusion: Path) -> None:
    features, hybrid = FeatureMatrix(), Hybrid(load(small_fusion), "tfidf")
    for each in sampled(session, QUESTIONS, 5, seed=0):
        query = read_question(session, each.question.question, "chunk")
        candidates = features.of(session, query, *proposed(session, query, CHOICES["all"]))
        ids = ranked(session, candidates, model, CHOICES["all"])
        assert ids.tolist() == hybrid.rank(session, query, 400).ids.tolist(), each.question.id


def test_a_choice_holds_what_its_proposers_bring_and_widening_adds_to_it(session: Session, model: TwoStage) -> None:
    features = FeatureMatrix()
    for each in sampled(session, QUESTIONS, 5, seed=1):
        query = read_question(session, each.question.question, "chunk")
        pools = {name: proposed(session, query, choice) for name, choice in CHOICES.items()}
        every, three = pools["all"][0], pools["three"][0]
        by_three = every.proposed[:, [PROPOSERS.index(name) for name in ("bm25", "vector", "graph")]].any(axis=1)
        assert three.ids.tolist() == every.ids[by_three].tolist()
        wide = ranked(session, features.of(session, query, *pools["three"]), model, CHOICES["three, widened"])
        assert set(three.ids.tolist()) <= set(wide.tolist())


def test_the_report_counts_gold_items(
    session: Session, model: TwoStage, capsys: pytest.CaptureFixture[str]
) -> None:
    one, both = [report(own) for own in scored(session, [SOURCE], {"small": model}, most=4, seed=0)]
    assert both == one | {"set": "all sets"}
    assert (one["questions"], one["unresolved"], list(one["choices"])) == (4, 0, list(CHOICES))
    assert one["choices"]["all"]["gold found"] == one["gold"] > 4
    show(one)
    printed = capsys.readouterr().out
    assert f"**fixtures: 4 questions, {one['gold']} gold items, 0 of them in no text**" in printed


def test_generated_pages_in_real_words_cite_real_pages(tmp_path: Path) -> None:
    with Skb(joint_skb(tmp_path, [SOURCE], 12, "real")) as joint, Skb(tmp_path / "joint.skb") as real:
        titles = {title for (title,) in real.connection.execute("SELECT title FROM page")}
        cited = {
            (source, target)
            for source, target in joint.connection.execute(
                "SELECT page.title, target.title FROM cites JOIN chunk ON chunk.id = chunk_id"
                " JOIN page ON page.id = chunk.page_id JOIN page AS target ON target.uri ="
                " (SELECT uri FROM entity WHERE entity.id = entity_id)"
            )
        }
        generated = {title for (title,) in joint.connection.execute("SELECT title FROM page")} - titles
        assert len(generated) == 12 and joint.count("page") == len(titles) + 12
        assert {source for source, target in cited if target in titles} & generated == generated
        assert not {target for source, target in cited if source in titles} & generated
