"""Methods of several parts: what an expansion and a reranker see and change, and what stays with the question."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from click.testing import CliRunner

from interfaces.cli import main
from retriever.context import Context
from retriever.explanation import explain
from retriever.features.matrix import FIRST
from retriever.protocols import Ranker
from retriever.registry import ENTRIES, Entry, Option, offered, register, unregister
from retriever.searcher import Searcher
from retriever.session import Session
from retriever.types import Query, Ranking, Unit
from weft.errors import WeftError
from weft.skb import Skb

QUESTION = "In which town was the designer of the Quillon Bridge born?"


class Echo(NamedTuple):
    """Searches for the words of the best chunks that the ranker behind it finds, and for their mean vector."""

    ranker: Ranker
    words: int

    def expand(self, session: Session, query: Query) -> Query:
        found = self.ranker.rank(session, query, 3)
        said = " ".join(chunk.text for chunk in session.skb.chunks(found.ids.tolist())).split()
        many = " ".join((said * self.words)[: self.words])
        vectors = query.vectors.joined(session.encode([many]))
        spoilt = query.question._replace(text="nothing", mentions=())
        return query._replace(searched=f"{query.searched} {many}", vectors=vectors, question=spoilt, unit="entity")


class Shortest(NamedTuple):
    """Puts the chunks with the shortest texts first."""

    depth: int = 20

    def rerank(self, session: Session, query: Query, found: Ranking) -> Ranking:
        lengths = [len(chunk.text) for chunk in session.skb.chunks(found.ids.tolist())]
        return found.taken(np.argsort(lengths, kind="stable"))


def echo(session: Session, unit: Unit, ranker: Ranker, words: int) -> Echo:
    return Echo(ranker, words)


def shortest(session: Session, unit: Unit, k: int) -> Shortest:
    return Shortest(k)


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    register(Entry("echo", "expansion", echo, options={"words": Option(1_200, 1, 5_000)}))
    register(Entry("shortest", "reranker", shortest, options={"k": Option(20, 1, 100)}))
    yield
    unregister("echo")
    unregister("shortest")


@pytest.fixture
def session(world: Path) -> Iterator[Session]:
    with Skb(world) as opened, Session(Context(opened)) as session:
        yield session


def test_a_part_is_known_once_it_is_registered(session: Session) -> None:
    assert "echo" in offered("expansion") and "shortest" in offered("reranker")
    with pytest.raises(WeftError, match="echo: names an expansion already"):
        register(ENTRIES["echo"])
    with pytest.raises(WeftError, match="echo: words=0 must be from 1 to 5,000"):
        Searcher(session, "echo(words=0)>bm25")
    with pytest.raises(WeftError, match=r"bm25\+other: no reranker is named other; choose one of pointwise.*shortest"):
        Searcher(session, "bm25+other")


def test_an_expansion_searches_for_more_and_changes_nothing_else(session: Session) -> None:
    plain, expanded = Searcher(session, "bm25"), Searcher(session, "echo > bm25")
    assert str(expanded.method) == "echo>bm25"
    first, found = plain.rank(QUESTION, 3), expanded.rank(QUESTION, 50)
    assert found.scores[0] > first.scores[0] and len(found.ids) > len(plain.rank(QUESTION, 50).ids) - 1
    query = expanded.query(QUESTION)
    assert query.question.text == query.searched == QUESTION and query.unit == "chunk"
    assert [each.name for each in query.question.mentions] == ["Quillon Bridge"]
    assert expanded.warnings_of("zzqx vvkw", expanded.rank("zzqx vvkw", 3)) == plain.warnings_of(
        "zzqx vvkw", plain.rank("zzqx vvkw", 3)
    )
    (step,) = (step for step in session.trace.steps if step.name == "expansion" and QUESTION in step.detail["searched"])
    assert len(step.detail["searched"].split()) == len(QUESTION.split()) + 1_200 and step.detail["vectors"] == 2


def test_before_hybrid_an_expansion_reaches_words_and_vectors_alone(session: Session) -> None:
    plain, expanded = Searcher(session, "hybrid", fusion="rrf"), Searcher(session, "echo>hybrid", fusion="rrf")
    one, other = plain.rank(QUESTION, 400), expanded.rank(QUESTION, 400)
    both = np.intersect1d(one.ids, other.ids)
    rows = [np.array([each.ids.tolist().index(hit) for hit in both.tolist()]) for each in (one, other)]
    same = {
        name for column, name in enumerate(FIRST)
        if np.array_equal(one.features[rows[0], column], other.features[rows[1], column])
    }  # fmt: skip
    assert {"bm25", "vector"}.isdisjoint(same)
    signals = {"page", "section", "entity", "graph", "path"}
    assert same >= signals | {"named", "linked", "cover", "asked", "rest", "title_cover", "vector_asked", "distance"}
    reasons = explain(expanded, QUESTION, other.head(3))
    mentions = {piece.mention for each in reasons for reason in each for piece in reason.evidence}
    assert mentions <= {None, "Quillon Bridge"} and "Quillon Bridge" in mentions


@pytest.mark.parametrize("method", ["hybrid(fusion=rrf)", "bm25", "vector", "echo(words=30)>naive-hybrid"])
def test_a_reranker_orders_the_first_and_leaves_the_rest(session: Session, method: str) -> None:
    plain, reranked = Searcher(session, method), Searcher(session, f"{method}+shortest(k=7)")
    before, after = plain.rank(QUESTION, 30), reranked.rank(QUESTION, 30)
    texts = [len(chunk.text) for chunk in session.skb.chunks(after.ids.tolist())]
    assert texts[:7] == sorted(texts[:7]) and sorted(after.ids[:7].tolist()) == sorted(before.ids[:7].tolist())
    assert after.ids[7:].tolist() == before.ids[7:].tolist()
    assert sorted(zip(after.ids.tolist(), after.scores.tolist(), strict=True)) == sorted(
        zip(before.ids.tolist(), before.scores.tolist(), strict=True)
    )
    for k in (1, 3, 7, 12):
        assert reranked.rank(QUESTION, k).ids.tolist() == after.ids[:k].tolist()
    assert len(explain(reranked, QUESTION, after.head(3))) == 3
    assert [len(each) for each in reranked.signals(QUESTION, after.head(3))] == [
        len(each) for each in plain.signals(QUESTION, before.head(3))
    ]


def test_an_expansion_is_made_for_the_ranker_behind_it_and_done_once(session: Session) -> None:
    searcher = Searcher(session, "echo(words=5)>vector+shortest(k=2)")
    found = searcher.rank(QUESTION, 3)
    explain(searcher, QUESTION, found)
    searcher.signals(QUESTION, found)
    steps = [step.name for step in session.trace.steps]
    assert steps.count("expansion") == 1 and steps.count("rerank") == 1 and steps[-1] == "explain"
    (words,) = (step.detail["searched"] for step in session.trace.steps if step.name == "expansion")
    (best,) = session.skb.chunks(Searcher(session, "vector").rank(QUESTION, 1).ids.tolist())
    assert words == f"{QUESTION} {' '.join(best.text.split()[:5])}"


def test_the_command_line_ranks_by_all_parts(world: Path) -> None:
    command = ["search", str(world), QUESTION, "-m", "echo(words=5)>bm25+shortest(k=3)", "-k", "3", "--json"]
    result = json.loads(CliRunner().invoke(main, command, catch_exceptions=False).stdout)
    assert result["method"] == "echo(words=5)>bm25+shortest(k=3)"
    assert [len(hit["text"]) for hit in result["hits"]] == sorted(len(hit["text"]) for hit in result["hits"])
