"""Sessions: threads that share one context, what is computed once, and a file that is replaced in use."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from pathlib import Path

import numpy as np
import pytest

from builder.build import build
from builder.request import Request
from retriever.context import Cache, Context
from retriever.explanation import explain
from retriever.index.vectors import similarity
from retriever.question.reader import query_of, question_of, read_question
from retriever.searcher import Searcher
from retriever.session import LEAST_BYTES, Memo, Session
from retriever.signals.bm25 import Bm25Signal
from retriever.signals.vector import VectorSignal
from retriever.types import Unit
from tests.worlds import page, write_pages
from weft.chat.base import Message, Options, ScriptedChat
from weft.errors import WeftError
from weft.skb import Skb

QUESTIONS = (
    "In which town was the designer of the Quillon Bridge born?", "Who tuned the harp of the toll bridge?",
    "When did Orrin Tasker die?", "Which river does the Quillon Bridge cross?",
)  # fmt: skip
METHODS: tuple[tuple[str, Unit], ...] = (
    ("hybrid", "chunk"), ("bm25", "chunk"), ("vector", "chunk"), ("graph", "chunk"), ("path", "chunk"),
    ("naive-hybrid", "chunk"), ("hybrid", "entity"),
)  # fmt: skip


@pytest.fixture
def context(world: Path) -> Iterator[Context]:
    with Skb(world) as opened:
        yield Context(opened)


def _found(context: Context, questions: tuple[str, ...]) -> list[bytes]:
    """Return what a session finds for some questions, by all methods, as bytes."""
    found = []
    with Session(context) as session:
        for question in questions:
            for method, unit in METHODS:
                searcher = Searcher(session, method, unit, "rrf")
                ranking = searcher.rank(question, 20)
                reasons = str(explain(searcher, question, ranking.head(3))).encode()
                found += [each.tobytes() for each in (ranking.ids, ranking.scores, ranking.features)] + [reasons]
    return found


def test_threads_find_what_one_finds(world: Path) -> None:
    with Skb(world) as skb:
        alone = _found(Context(skb), QUESTIONS)
    with Skb(world) as skb, ThreadPoolExecutor(2) as threads:
        both = list(threads.map(_found, repeat(Context(skb)), (QUESTIONS, QUESTIONS)))
    assert both == [alone, alone]


def test_a_session_reads_no_matrix_twice(context: Context) -> None:
    """One question, three parts of it, the question again, and all of them at once."""
    with Session(context) as session:
        texts = (QUESTIONS[0], "designer of a bridge", "the Quillon Bridge", "born in a town", QUESTIONS[0])
        for text in texts:
            query = read_question(session, text, "chunk")
            for signal in (Bm25Signal("chunk"), VectorSignal("chunk")):
                signal.score(session, query, signal.propose(session, query, 5))
        vectors = session.encode(texts[:4])
        joined = query_of(question_of(session, texts[0]), "chunk")._replace(vectors=vectors)
        VectorSignal("chunk").propose(session, joined, 5)
        computed = session.memo.computed
        assert (computed["similarity chunk"], computed["bm25 chunk"], computed["question"]) == (4, 4, 4)
        assert session.memo.recalled["question"] >= 1


def test_hybrid_asked_again_computes_nothing(context: Context) -> None:
    with Session(context) as session:
        searcher = Searcher(session, "hybrid", "chunk", "rrf")
        first = searcher.rank(QUESTIONS[0], 5)
        searcher.rank(QUESTIONS[1], 5)
        computed = session.memo.computed.copy()
        again = searcher.rank(QUESTIONS[0], 5)
        assert session.memo.computed == computed and again.scores.tobytes() == first.scores.tobytes()
        session.forget()
        assert searcher.rank(QUESTIONS[0], 5).scores.tobytes() == first.scores.tobytes()
        assert session.memo.computed["hybrid"] == 1


def test_several_vectors_are_compared_as_each_alone(context: Context) -> None:
    with Session(context) as session, Session(context) as other:
        vectors = session.encode(QUESTIONS)
        space = similarity(session, "chunk")
        whole = space.scores(vectors)
        assert whole.shape == (len(QUESTIONS), len(space.ids))
        for place, own in enumerate(whole):
            assert similarity(other, "chunk").scores(vectors[place : place + 1]).tobytes() == own.tobytes()
        ids, scores = space.nearest(vectors, 3)
        best = np.argsort(-whole.max(axis=0), kind="stable")[:3]
        assert set(space.ids[best].tolist()) <= set(ids.tolist()) and scores.shape == (len(vectors), len(ids))


def test_a_memo_is_bounded_and_drops_what_was_not_asked_for_the_longest() -> None:
    memo = Memo(3 * LEAST_BYTES)
    for key in (1, 2, 3, 1, 4):
        assert memo.of("number", key, lambda key=key: key) == key  # type: ignore[misc]
    assert [memo.holds("number", key) for key in (1, 2, 3, 4)] == [True, False, True, True]
    large = np.zeros(LEAST_BYTES)
    assert memo.of("array", 0, lambda: large) is large
    assert [memo.holds("number", key) for key in (1, 3, 4)] == [False] * 3 and memo.holds("array", 0)
    assert memo.computed == {"number": 4, "array": 1} and memo.recalled == {"number": 1}


def test_a_cache_is_bounded_and_keeps_the_order_of_what_is_asked() -> None:
    asked: list[list[int]] = []

    def read(missing: list[int]) -> Iterator[tuple[int, int]]:
        asked.append(missing)
        return ((key, -key) for key in missing if key < 9)

    cache: Cache[int, int] = Cache(3)
    assert cache.of((2, 1, 2), read) == {2: -2, 1: -1}
    assert [*cache.of((3, 1, 2, 9), read)] == [3, 1, 2]
    assert [*cache.of((5, 1), read)] == [5, 1] and [*cache.of((1, 5), read)] == [1, 5]
    assert asked == [[2, 1], [3, 9], [5], [1]]


def _write(folder: Path, text: str) -> Path:
    build(Request((str(write_pages(folder / text, {"a.html": page("Oak", text)})),), folder / "kb.skb", workers=1))
    return folder / "kb.skb"


def test_a_session_never_mixes_two_builds_of_a_file(tmp_path: Path) -> None:
    path = _write(tmp_path, "An old oak.")
    with Skb(path) as skb:
        context = Context(skb)
        with Session(context) as before:
            _write(tmp_path, "A young oak.")
            with pytest.raises(WeftError, match=r"^[^\n]*kb.skb: was replaced by another file while it was in use"):
                Session(context)
            (chunk,) = before.skb.chunks(before.chunk_table.chunk_ids.tolist())
            assert chunk.text == "An old oak."
    with Skb(path) as skb, Session(Context(skb)) as after:
        assert after.skb.chunks(after.chunk_table.chunk_ids.tolist())[0].text == "A young oak."


def test_a_copy_in_the_place_of_a_file_is_another_file(world: Path, tmp_path: Path) -> None:
    path = tmp_path / "kb.skb"
    shutil.copy(world, path)
    with Skb(path) as skb:
        shutil.copy(world, tmp_path / "other.skb")
        (tmp_path / "other.skb").replace(path)
        with pytest.raises(WeftError, match="replaced"):
            skb.again()


def test_a_session_asks_the_model_that_it_has(context: Context) -> None:
    messages = [Message("user", "a b c")]
    with Session(context, ScriptedChat(lambda messages: "one two")) as session:
        assert session.complete(messages, Options()).text == "one two"
    with Session(context) as session, pytest.raises(WeftError, match="no chat model"):
        session.complete(messages, Options())
