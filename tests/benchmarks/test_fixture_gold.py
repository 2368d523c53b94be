"""Equivalent evidence: it names chunks of the built fixtures beside their gold, and is measured beside it."""

from __future__ import annotations

import json

import pytest

from benchmarks.fixture_gold import RECALL_AT, SET_AT, read_equivalents, score, share_found, with_equivalents
from retriever.context import Context
from retriever.datasets.gold import GoldResolver, GoldSet
from retriever.datasets.question_files import GoldItem, Question, read_questions
from retriever.evaluation.outcomes import Case
from retriever.evaluation.run import evaluate
from retriever.searcher import Searcher
from retriever.session import Session
from tests.paths import FIXTURES
from weft.skb import Skb

EQUIVALENTS = read_equivalents(FIXTURES / "equivalent_evidence.jsonl")
QUESTIONS = {question.id: question for question in read_questions(FIXTURES / "questions.jsonl")}


def test_each_line_is_of_another_question_and_has_a_list_for_each_gold_item() -> None:
    lines = (FIXTURES / "equivalent_evidence.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(EQUIVALENTS) == 56
    assert all(set(json.loads(line)) == {"id", "equivalent"} for line in lines)
    assert [name for name in QUESTIONS if name in EQUIVALENTS] == list(EQUIVALENTS)
    assert all(len(items) == len(QUESTIONS[name].gold) and any(items) for name, items in EQUIVALENTS.items())


def test_every_uri_is_a_chunk_that_is_not_gold_of_its_item(skb: Skb) -> None:
    resolver = GoldResolver(skb, "chunk")
    for name, items in EQUIVALENTS.items():
        for uris, gold in zip(items, resolver.gold_set(QUESTIONS[name]).items, strict=True):
            chunks = [skb.chunk(uri) for uri in uris]
            assert all(chunks) and len(set(uris)) == len(uris), name
            assert gold.isdisjoint(chunk.id for chunk in chunks if chunk), name


def test_no_chunk_is_gold_of_two_items_of_a_question(skb: Skb) -> None:
    resolver = GoldResolver(skb, "chunk")
    for question in QUESTIONS.values():
        items = resolver.gold_set(question).items
        assert all(items) and len(frozenset().union(*items)) == sum(map(len, items)), question.id


def test_the_readme_counts_what_there_is() -> None:
    items = [uris for each in EQUIVALENTS.values() for uris in each if uris]
    judged = [question for question in QUESTIONS.values() if question.gold]
    several = [question for question in judged if question.hops != 1]
    told = (
        f"{len(EQUIVALENTS)} of the {len(judged)} judged questions have some,"
        f" {sum(question.id in EQUIVALENTS for question in several)} of them among the {len(several)} of several hops;"
        f" {len(items)} of the {sum(len(question.gold) for question in judged)} gold items"
        f" have {sum(map(len, items)) / len(items):.1f} on average."
    )
    assert told in (FIXTURES / "README.md").read_text(encoding="utf-8")


def test_a_chunk_finds_every_item_that_it_is_evidence_of(skb: Skb) -> None:
    infobox = "Veldra (river)##1"
    case = Case(QUESTIONS["multi-023"], GoldResolver(skb, "chunk").gold_set(QUESTIONS["multi-023"]))
    found = skb.chunk(infobox)
    assert found is not None
    assert share_found([found.id], case.gold) == 0
    assert share_found([found.id], with_equivalents(case, skb, EQUIVALENTS)) == 1
    assert share_found([found.id], with_equivalents(case, skb, {})) == 0


def test_a_uri_of_no_chunk_is_named(skb: Skb) -> None:
    case = Case(Question("q", "?", (GoldItem(uri="Veldra##1"),)), GoldSet((frozenset({1}),)))
    with pytest.raises(ValueError, match="has no chunk Veldra##99"):
        with_equivalents(case, skb, {"q": [["Veldra##99"]]})


def test_by_the_gold_alone_it_counts_what_evaluation_counts(skb: Skb) -> None:
    questions = list(QUESTIONS.values())
    with Session(Context(skb)) as session:
        methods = {"bm25": Searcher(session, "bm25").rank_anew}
        strict, wide = score(skb, questions, methods, EQUIVALENTS)
        every = evaluate(skb, questions, methods, [RECALL_AT], "chunk")["methods"]["bm25"]
        several = [question for question in questions if (question.hops or 1) > 1]
        multi = evaluate(skb, several, methods, [SET_AT], "chunk")["methods"]["bm25"]
    assert (strict.n_all, strict.n_multi) == (wide.n_all, wide.n_multi) == (134, 62)
    assert strict.recall == pytest.approx(every[f"recall@{RECALL_AT}"], abs=1e-6)
    assert strict.set_coverage == pytest.approx(multi[f"set_coverage@{SET_AT}"], abs=1e-6)
    assert strict.recall <= wide.recall and strict.set_coverage <= wide.set_coverage
