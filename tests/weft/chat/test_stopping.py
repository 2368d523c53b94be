"""Threads that ask a model end with what they ask it for: no wait for a service and no retry outlasts an interrupt."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from retriever.context import Context
from retriever.evaluation.ahead import ask_ahead
from retriever.evaluation.asking import each_at_once
from tests.chat_server import HANG, Answer, Behaviour, ChatServer, asked, echo, refusal, turns
from weft.chat.cached import CachedChat
from weft.chat.many import complete_all
from weft.chat.openai import OpenAiChat
from weft.chat.store import ReplyStore
from weft.errors import WeftError
from weft.http.limits import Limits
from weft.http.rate import Rate
from weft.http.retrying import Retry, RetryableError
from weft.http.stopping import Stop, Stopped, pause
from weft.skb import Skb

BUSY = refusal(429, "slow down", {"Retry-After": "100"})
LONG_S = 10.0
"""Far less than what a thread would wait that is not stopped, far more than what one takes that is."""


class Interrupted(Exception):
    """Stands for Ctrl-C."""


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-3cr3t-k3y-of-mine")
    monkeypatch.setenv("WEFT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("WEFT_OFFLINE", raising=False)


@pytest.fixture
def soon() -> Iterator[None]:
    start = time.monotonic()
    yield
    assert time.monotonic() - start < LONG_S


def interrupted(server: ChatServer, n: int) -> Iterator[Sequence[Any]]:
    """Yield conversations, and interrupt when n requests for them have come."""
    yield from turns("1", "2", "3")
    while len(server.requests) < n:
        time.sleep(0.001)
    raise Interrupted


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize(("requests", "tokens", "most"), [(0, 0, 3), (1, 0, 1), (0, 1, 1)])
@pytest.mark.parametrize("answer", [BUSY, Answer(b"no JSON")])
def test_an_interrupt_ends_waits_and_retries(
    monkeypatch: pytest.MonkeyPatch, answer: Answer, requests: int, tokens: int, most: int
) -> None:
    with ChatServer(lambda request, number: answer) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        model = OpenAiChat("test", retry=Retry(first_s=60.0), rate=Rate(requests, tokens))
        with pytest.raises(Interrupted):
            complete_all(CachedChat(model, ReplyStore()), interrupted(server, 1))
        assert len(server.requests) <= most


@pytest.mark.usefixtures("soon")
def test_a_thread_that_waits_for_a_free_place_sends_nothing_after_an_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    with ChatServer(lambda request, number: HANG) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        chat = CachedChat(OpenAiChat("test", concurrency=1, limits=Limits(seconds=0.5)), ReplyStore())
        with pytest.raises(Interrupted):
            complete_all(chat, interrupted(server, 1))
        assert len(server.requests) == 1


def test_what_is_under_way_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def behave(request: dict[str, Any], number: int) -> Answer:
        time.sleep(0.1)
        return echo(request, number)

    with ChatServer(behave) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        chat = CachedChat(OpenAiChat("test"), ReplyStore())
        with pytest.raises(Interrupted):
            complete_all(chat, interrupted(server, 3))
        assert len(chat.store.log(9)) == 3
        assert all(isinstance(each, list) for each in complete_all(chat, turns("1", "2", "3", "4")))


def failing_at_once(text: str) -> Behaviour:
    """Refuse one question for good, and the others for a while, each by itself."""
    def behave(request: dict[str, Any], number: int) -> Answer:
        return refusal(401, "no key") if text in asked(request) else BUSY._replace(state=503)
    return behave


@pytest.mark.usefixtures("soon")
def test_sessions_end_with_the_one_that_fails(monkeypatch: pytest.MonkeyPatch, world: Path) -> None:
    questions = ["Who tuned the harp?", "When did Orrin Tasker die?", "Which river?"]
    with ChatServer(failing_at_once("Which river?")) as server, Skb(world) as skb:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        chat = CachedChat(OpenAiChat("test"), ReplyStore())
        with pytest.raises(WeftError, match="no key"):
            ask_ahead(Context(skb), chat, ["bm25+pointwise(k=2)"], "chunk", questions, 2)


@pytest.mark.usefixtures("soon")
def test_an_interrupt_ends_what_is_asked_of_many_questions(monkeypatch: pytest.MonkeyPatch, world: Path) -> None:
    with ChatServer(lambda request, number: BUSY) as server, Skb(world) as skb:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        context, chat = Context(skb), CachedChat(OpenAiChat("test"), ReplyStore())

        def ask(question: str) -> None:
            if question == "interrupt":
                next(each for each in interrupted(server, 1) if not each)
            ask_ahead(context, chat, ["bm25+pointwise(k=2)"], "chunk", [question], 2)

        with pytest.raises(Interrupted):
            each_at_once(["interrupt", "Who tuned the harp?", "Which river?"], ask)


@pytest.mark.usefixtures("soon")
def test_threads_of_threads_are_stopped() -> None:
    ended = []

    def inner(number: int) -> None:
        pause(100)
        ended.append(number)

    def outer(number: int) -> None:
        stop = Stop()
        with ThreadPoolExecutor(2, initializer=stop.heed) as pool, stop:
            list(pool.map(inner, range(2)))

    stop = Stop()
    with ThreadPoolExecutor(2, initializer=stop.heed) as pool, stop:
        for number in range(2):
            pool.submit(outer, number)
    assert sorted(ended) == [0, 0, 1, 1]


def test_what_has_ended_stops_nothing_else() -> None:
    stop, outcomes = Stop(), []

    def attempt() -> None:
        outcomes.append("asked")
        raise RetryableError("busy")

    with ThreadPoolExecutor(1, initializer=stop.heed) as pool, stop:
        pass
    with pytest.raises(RetryableError):
        Retry(2, first_s=0.0).run(attempt)
    assert outcomes == ["asked"] * 3 and stop.is_set()
    with ThreadPoolExecutor(1, initializer=stop.heed) as pool, pytest.raises(Stopped):
        pool.submit(Retry(2).run, attempt).result()
    assert len(outcomes) == 3
