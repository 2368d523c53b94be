"""Ranking hop by hop: what a question describes is looked for first, and what it leads to ranks behind the best hit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from retriever.answers.answering import find_answer
from retriever.answers.hops.entities import alike_named
from retriever.answers.hops.ranking import HopByHop
from retriever.answers.ranker import ranker_of
from retriever.context import Context
from retriever.explanation import explain
from retriever.question.reader import read_question
from retriever.rankers.hybrid import Hybrid, hybrid
from retriever.searcher import Searcher
from retriever.session import Session
from retriever.types import Ids, Query, Ranking
from weft.chat.base import ScriptedChat
from weft.skb import Skb

BORN = "In which town was the designer of the Quillon Bridge born?"
PLAIN = "hybrid(hops=no)"


@pytest.fixture(scope="module")
def session(world: Path) -> Iterator[Session]:
    with Skb(world) as skb, Session(Context(skb)) as session:
        yield session


def uris(searcher: Searcher, question: str, k: int) -> list[str]:
    return [uri for uri, _, _ in searcher.texts(searcher.rank(question, k))]


def test_where_the_way_leads_comes_behind_the_best_hit(session: Session) -> None:
    found = Searcher(session, "hybrid").rank(BORN, 10)
    plain = Searcher(session, PLAIN).rank(BORN, 1000)
    titles = [chunk.uri.split("#")[0] for chunk in session.skb.chunks(found.ids[:3].tolist())]
    assert found.ids[0] == plain.ids[0]
    assert {"Quillon Bridge", "Orrin Tasker"} <= set(titles)
    assert set(found.ids.tolist()) <= set(plain.ids.tolist())
    assert (np.diff(found.scores) <= 0).all()


def test_the_order_does_not_depend_on_how_many_are_asked_for(session: Session) -> None:
    searcher = Searcher(session, "hybrid")
    most = searcher.rank(BORN, 1000).ids.tolist()
    assert len(set(most)) == len(most)
    assert [searcher.rank(BORN, k).ids.tolist() for k in (1, 2, 7)] == [most[:1], most[:2], most[:7]]


@pytest.mark.parametrize("question", ["Who designed the Quillon Bridge?", "Who kept the light that burns green?"])
def test_what_describes_nothing_by_a_name_is_ranked_as_without(session: Session, question: str) -> None:
    found, plain = (Searcher(session, method).rank(question, 20) for method in ("hybrid", PLAIN))
    assert found.ids.tolist() == plain.ids.tolist()
    assert found.scores.tolist() == plain.scores.tolist()


def test_a_hit_says_by_which_hop_it_is_one(session: Session) -> None:
    searcher = Searcher(session, "hybrid")
    found = searcher.rank(BORN, 5)
    hops = {
        hit: reason
        for hit, reasons in zip(found.ids.tolist(), explain(searcher, BORN, found), strict=True)
        for reason in reasons
        if reason.name == "hops"
    }
    told = [evidence.text for reason in hops.values() for evidence in reason.evidence]
    assert told == [
        "Who is the designer of the Quillon Bridge? Orrin Tasker", "In which town was Orrin Tasker born? Ghasmont",
    ]  # fmt: skip
    plain = Searcher(session, PLAIN).rank(BORN, 1000)
    own = dict(zip(plain.ids.tolist(), plain.scores.tolist(), strict=True))
    scores = dict(zip(found.ids.tolist(), found.scores.tolist(), strict=True))
    assert all(reason.contribution == pytest.approx(scores[hit] - own[hit]) for hit, reason in hops.items())


def test_only_what_may_be_ranked_is_led_to(session: Session) -> None:
    searcher = Searcher(session, "hybrid")
    chunks = session.skb.chunks(session.chunk_table.chunk_ids.tolist())
    searcher.allowed = np.array([each.id for each in chunks if not each.uri.startswith("Orrin Tasker")], np.int64)
    assert not any(uri.startswith("Orrin Tasker") for uri in uris(searcher, BORN, 1000))


class Without:
    """A ranker without some of its hits."""

    def __init__(self, plain: Hybrid, left_out: Ids) -> None:
        self.plain, self.left_out = plain, left_out
        self.reasons = plain.reasons

    def rank(self, session: Session, query: Query, k: int) -> Ranking:
        found = self.plain.rank(session, query, 1000)
        return found.taken(np.flatnonzero(~np.isin(found.ids, self.left_out))).head(k)


def test_what_no_signal_proposes_is_led_to_as_well(session: Session) -> None:
    chunks = session.skb.chunks(session.chunk_table.chunk_ids.tolist())
    own = np.array([each.id for each in chunks if each.uri.startswith("Orrin Tasker")], np.int64)
    ranker = HopByHop(Without(hybrid(session, "chunk", "", "all"), own), lambda: ranker_of(session))
    query = read_question(session, BORN, "chunk")
    found = ranker.rank(session, query, 10)
    assert np.isin(found.ids[1:3], own).any()
    assert (np.diff(found.scores) <= 0).all() and len(found.features) == len(found.ids)
    names = [[each.name for each in reasons] for reasons in ranker.reasons(session, query, found)]
    assert [names[row] for row in np.flatnonzero(np.isin(found.ids, own)).tolist()] == [["hops"]]


def test_a_hop_without_an_answer_leads_to_its_page(session: Session) -> None:
    asked = "What is the favourite waltz of the designer of the Quillon Bridge?"
    first, second, *_ = uris(Searcher(session, "hybrid"), asked, 5)
    assert {first.split("#")[0], second.split("#")[0]} == {"Quillon Bridge", "Orrin Tasker"}


def test_an_answer_is_read_from_what_ranks_without_hops(session: Session) -> None:
    expanded, plain = (Searcher(session, f"prf>{method}") for method in ("hybrid", PLAIN))
    found = [searcher.rank(BORN, 20).ids.tolist() for searcher in (expanded, expanded.direct, plain)]
    assert found[0] != found[1] == found[2]
    assert Searcher(session, "bm25").direct.method == Searcher(session, "bm25").method
    by_hops, without = (find_answer(Searcher(session, method), BORN, 0.0) for method in ("hybrid", PLAIN))
    assert (by_hops.hops, without.hops) == ((("Who is the designer of the Quillon Bridge?", "Orrin Tasker"),), ())


def test_entities_go_by_no_hops(session: Session) -> None:
    found, plain = (Searcher(session, method, unit="entity").rank(BORN, 20) for method in ("hybrid", PLAIN))
    assert found.ids.tolist() == plain.ids.tolist()


def test_a_model_reads_what_hops_lead_to(world: Path) -> None:
    chat = ScriptedChat(['{"answer": "Ghasmont", "quotes": []}'])
    with Skb(world) as skb, Session(Context(skb), chat) as session:
        searcher = Searcher(session, "hybrid")
        find_answer(searcher, BORN)
        shown = chat.asked[0][1].content
        led = skb.chunks(searcher.rank(BORN, 3).ids.tolist())
    assert all(json.dumps(chunk.text, ensure_ascii=False)[1:60] in shown for chunk in led)
    assert "2 February 1169, Ghasmont" in shown


def test_long_texts_describe_nothing(session: Session) -> None:
    text = "Where did " + "the designer of the Quillon Bridge " * 200 + "die?"
    found, plain = (Searcher(session, method).rank(text, 5) for method in ("hybrid", PLAIN))
    assert found.ids.tolist() == plain.ids.tolist()


def test_a_name_may_be_nearly_that_of_a_page(session: Session) -> None:
    names = ("Orrin Tasker", "Master Orrin Tasker", "Orrin Taskar", "Orrin", "Orrin Halloway")
    tasker, *others = (alike_named(session, name) for name in names)
    assert tasker and others == [tasker, tasker, 0, 0]
