"""A service that speaks OpenAI's interface may misbehave in every way: a reply comes, or one line says why not."""

from __future__ import annotations

import gc
import random
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import count
from pathlib import Path
from threading import Barrier, Lock
from typing import Any

import pytest

from tests.chat_server import (
    DROP,
    HANG,
    Answer,
    Behaviour,
    ChatServer,
    asked,
    completion,
    echo,
    refusal,
    scripted,
    turns,
)
from tests.clock import Clock
from weft.chat.base import DEFAULT, Message, Options, Reply
from weft.chat.budget import TokenBudget
from weft.chat.cached import CachedChat
from weft.chat.many import complete_all
from weft.chat.openai import OpenAiChat
from weft.chat.store import ReplyStore
from weft.errors import (
    ModelBusy,
    ModelError,
    ModelRefused,
    ModelUnreachable,
    TokensSpent,
    UnusableReply,
    WeftError,
)
from weft.http.limits import Limits
from weft.http.rate import Rate
from weft.http.retrying import Retry

KEY = "sk-3cr3t-k3y-of-mine"
(QUESTION,) = turns("Which river?")
Serve = Callable[..., Any]


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("WEFT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("WEFT_OFFLINE", raising=False)


class Anew:
    """A model behind a cache that is new for each call, so that what is known is asked again."""

    def __init__(self, chat: OpenAiChat, folder: Path) -> None:
        self.name = chat.name
        self.chat = chat
        self._folder = folder
        self._numbers = count()

    def complete(self, messages: Sequence[Message], *, n: int = 1, options: Options = DEFAULT) -> list[Reply]:
        with closing(ReplyStore(self._folder / str(next(self._numbers)) / "replies.sqlite")) as store:
            return CachedChat(self.chat, store).complete(messages, n=n, options=options)


class Waits:
    """Sleeps not at all and notes how long it should have."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self._lock = Lock()

    def __call__(self, seconds: float) -> None:
        with self._lock:
            self.seconds.append(seconds)


@pytest.fixture
def waits() -> Waits:
    return Waits()


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch, waits: Waits, tmp_path: Path) -> Serve:
    """Start a server that behaves so, and give it with a model behind it."""
    @contextmanager
    def started(behave: Behaviour = echo, **options: Any) -> Iterator[tuple[Anew, ChatServer]]:
        options.setdefault("retry", Retry(retries=3, sleep=waits, chance=random.Random(1).random))
        with ChatServer(behave) as server:
            monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
            yield Anew(OpenAiChat("test", **options), tmp_path / "anew"), server
    return started


def one_line(error: BaseException) -> str:
    line = str(error)
    assert line.isprintable() and len(line) < 600 and KEY not in line
    return line


def test_a_model_that_nobody_refers_to_leaves_no_connection_open(serve: Serve) -> None:
    gc.collect()
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        with serve() as (chat, _):
            complete_all(chat, [QUESTION] * 4)
            del chat
            gc.collect()
    assert not [warning for warning in warned if issubclass(warning.category, ResourceWarning)]


def test_a_request_says_what_is_set_and_no_more(serve: Serve) -> None:
    conversation = (Message("system", "Be brief."), Message("user", "Hm \ud800?"), Message("assistant", "?"))
    with serve(scripted("Veldra")) as (chat, server):
        assert chat.complete(conversation) == [("Veldra", 7, 3, "stop", False)]
        chat.complete(QUESTION, options=Options(0.0, 42, 100, 0.05, "low"))
    turn = {"role": "user", "content": "Which river?"}
    assert server.requests[0] == {
        "model": "test",
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hm \ufffd?"},
                     {"role": "assistant", "content": "?"}],
    }  # fmt: skip
    assert server.requests[1] == {
        "model": "test", "messages": [turn], "temperature": 0.0, "seed": 42, "max_tokens": 100,
        "frequency_penalty": 0.05, "reasoning_effort": "low",
    }  # fmt: skip
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"


def test_options_may_name_another_model_of_the_service(serve: Serve) -> None:
    with serve(scripted("Veldra")) as (chat, server):
        chat.complete(QUESTION, options=Options(model="small"))
        chat.complete(QUESTION)
    assert [request["model"] for request in server.requests] == ["small", "test"]


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ("<think>Two rivers.</think>\n\nVeldra", "Veldra"), ("Two rivers.</think>Veldra", "Veldra"),
        ("<thinking>Two rivers, Veldra or", ""), ("<THOUGHT>a</THOUGHT><reasoning >b</reasoning>Veldra", "Veldra"),
        ('```json\n{"river": "Veldra"}\n```', '{"river": "Veldra"}'), ("~~~\nVeldra\n", "Veldra"),
        ("<think>```\na\n```</think>```cypher\nMATCH\n```", "MATCH"), ("a:\n```\nb\n```", "a:\n```\nb\n```"),
        ("```\na\n```\nor\n```\nb\n```", "```\na\n```\nor\n```\nb\n```"), (None, ""), ("", ""), (" Veldra\n", "Veldra"),
        ([{"type": "text", "text": "Vel"}, {"type": "text", "text": "dra"}], "Veldra"), ("\ud800", "\ufffd"),
        (f"Your key is {KEY}.", "Your key is ***."),
    ],
)  # fmt: skip
def test_a_reply_comes_without_reasoning_and_fences(serve: Serve, sent: Any, read: str) -> None:
    with serve(scripted(sent if isinstance(sent, str) else Answer(completion(sent)))) as (chat, _):
        assert chat.complete(QUESTION)[0].text == read


@pytest.mark.parametrize("usage", [None, {}, 3, {"prompt_tokens": -1, "completion_tokens": True}, [], {"x": 1e30}])
def test_tokens_are_estimated_where_none_are_counted(serve: Serve, usage: Any) -> None:
    with serve(scripted(Answer(completion("four words in all", usage=usage)))) as (chat, _):
        (reply,) = chat.complete(QUESTION)
    assert 4 <= reply.tokens_in < 20 and 4 <= reply.tokens_out < 10


TRANSIENT = {
    "429": refusal(429, "slow down"), "500": refusal(500), "503": refusal(503),
    "529": refusal(529, "overloaded"), "520 of a proxy": Answer(b"<html>", 520),
    "502 of a proxy": Answer(b"<html>", 502), "nothing": Answer(b""), "no JSON": Answer(b"<html>Sign in</html>"),
    "truncated JSON": Answer(completion("x"), cut=9), "empty choices": Answer(completion()),
    "no choices": Answer({"choices": None}), "a list": Answer([]),
    "an error with state 200": Answer({"error": {"message": "overloaded"}}), "a number": Answer(completion(3)),
    "no message": Answer({"choices": [{"index": 0}]}), "dropped": DROP, "deep": Answer(b"[" * 100_000),
    "too short": Answer(completion("x"), headers={"Content-Length": "9999", "Connection": "close"}),
}  # fmt: skip


@pytest.mark.parametrize("name", TRANSIENT)
def test_what_may_pass_is_asked_again(serve: Serve, waits: Waits, name: str) -> None:
    with serve(scripted(TRANSIENT[name], TRANSIENT[name], "Veldra")) as (chat, server):
        assert chat.complete(QUESTION)[0].text == "Veldra"
        assert len(server.requests) == 3
    assert 0.5 <= waits.seconds[0] <= 1 <= waits.seconds[1] <= 2


@pytest.mark.parametrize("name", TRANSIENT)
def test_what_does_not_pass_is_one_line(serve: Serve, waits: Waits, name: str) -> None:
    with serve(scripted(TRANSIENT[name])) as (chat, server), pytest.raises(ModelError) as failed:
        chat.complete(QUESTION)
    assert len(server.requests) == 4 and len(waits.seconds) == 3
    assert "not asked again" in one_line(failed.value) and server.host in one_line(failed.value)
    kind = {"4": ModelBusy, "5": ModelBusy, "dropped": ModelUnreachable, "too short": ModelUnreachable}
    assert type(failed.value) is kind.get(name, kind.get(name[0], UnusableReply))


def test_a_service_that_hangs_is_given_up(serve: Serve) -> None:
    with serve(scripted(HANG), limits=Limits(seconds=0.1)) as (chat, server), pytest.raises(ModelUnreachable) as failed:
        chat.complete(QUESTION)
    assert len(server.requests) == 4 and "within 0.1 seconds" in one_line(failed.value)


def test_a_service_that_hangs_once_is_asked_again(serve: Serve) -> None:
    with serve(scripted(HANG, "Veldra"), limits=Limits(seconds=0.5)) as (chat, _):
        assert chat.complete(QUESTION)[0].text == "Veldra"


@pytest.mark.parametrize("state", [429, 503])
def test_retry_after_is_honoured(serve: Serve, waits: Waits, state: int) -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=50), usegmt=True)
    past = format_datetime(datetime.now(UTC) - timedelta(seconds=50), usegmt=True)
    answers = [refusal(state, headers={"Retry-After": each}) for each in ("7", date, past)]
    clock = Clock()
    with serve(scripted(*answers, "Veldra"), rate=Rate(0, 0, clock, clock.sleep)) as (chat, _):
        assert chat.complete(QUESTION)[0].text == "Veldra"
    in_seconds, by_date, gone = waits.seconds
    assert 7 <= in_seconds <= 7.7 and 30 <= by_date <= 55 and 2 <= gone <= 4


@pytest.mark.parametrize(("asks", "seconds"), [("7", 7), ("0", 1)])
def test_all_threads_wait_where_one_is_told_to(serve: Serve, waits: Waits, asks: str, seconds: int) -> None:
    clock = Clock()
    with serve(scripted(refusal(429, headers={"Retry-After": asks}), "a"), rate=Rate(0, 0, clock, clock.sleep)) as (
        chat, server
    ):  # fmt: skip
        for _ in range(3):
            chat.complete(QUESTION)
        assert clock.now == 1000 + seconds and len(server.requests) == 4 and len(waits.seconds) == 1


@pytest.mark.parametrize("asks", ["3600", "9" * 400])
def test_a_service_that_asks_for_too_long_a_wait_is_not_waited_for(serve: Serve, waits: Waits, asks: str) -> None:
    with serve(scripted(refusal(429, headers={"Retry-After": asks}))) as (chat, server):
        with pytest.raises(ModelBusy, match="asks to wait"):
            chat.complete(QUESTION)
        assert len(server.requests) == 1 and waits.seconds == []


@pytest.mark.parametrize("asks", ["soon", "-1", "", "1e400", "\u0663", "Fri, 20 Nov 2026 10:00:30 +" + "9" * 20, "0"])
def test_a_retry_after_that_is_none_counts_for_nothing(serve: Serve, waits: Waits, asks: str) -> None:
    header = asks.encode("utf-8").decode("latin-1")
    with serve(scripted(refusal(429, headers={"Retry-After": header}), "Veldra")) as (chat, _):
        assert chat.complete(QUESTION)[0].text == "Veldra"
    assert 0.5 <= waits.seconds[0] <= 1


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (refusal(401, f"Incorrect API key provided: {KEY}", code="invalid_api_key"), "check OPENAI_API_KEY"),
        (refusal(403), "check OPENAI_API_KEY"), (refusal(404, "no such model"), "check the model's name"),
        (refusal(400, "too long"), "too long"), (refusal(429, "no money", code="insufficient_quota"), "pay for more"),
        (Answer(b"", 307, {"Location": "http://127.0.0.1:9/"}), "307"), (refusal(400, "n", param="n"), "n"),
        (refusal(501, "no such thing"), "no such thing"), (refusal(505, "no such thing"), "no such thing"),
        (refusal(422, "line\nbreak \x1b[2J"), "line break"),
    ],
    ids=str,
)  # fmt: skip
def test_a_refusal_that_stays_is_told_at_once(serve: Serve, answer: Answer, said: str) -> None:
    with serve(scripted(answer)) as (chat, server), pytest.raises(ModelRefused) as failed:
        chat.complete(QUESTION)
    assert len(server.requests) == 1 and said in one_line(failed.value)


def test_a_service_that_is_not_there_is_told_at_once(
    monkeypatch: pytest.MonkeyPatch, waits: Waits, tmp_path: Path
) -> None:
    with ChatServer() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
    with pytest.raises(ModelUnreachable, match="check OPENAI_BASE_URL"):
        Anew(OpenAiChat("test", retry=Retry(sleep=waits)), tmp_path).complete(QUESTION)
    assert waits.seconds == []


def test_nothing_is_asked_offline_or_without_a_key(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve() as (chat, server):
        monkeypatch.setenv("WEFT_OFFLINE", "1")
        with pytest.raises(ModelUnreachable, match="WEFT_OFFLINE is set"):
            chat.complete(QUESTION)
        monkeypatch.delenv("WEFT_OFFLINE")
        monkeypatch.delenv("OPENAI_API_KEY")
        with pytest.raises(ModelRefused, match="OPENAI_API_KEY"):
            chat.complete(QUESTION)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-schlüssel")
        with pytest.raises(WeftError, match="has a character that no key has"):
            chat.complete(QUESTION)
        assert server.requests == []


def test_an_answer_beyond_the_limit_is_not_asked_for_again(serve: Serve) -> None:
    with serve(scripted("x" * 100_000), limits=Limits(most_bytes=10_000)) as (chat, server):
        with pytest.raises(UnusableReply, match="more than"):
            chat.complete(QUESTION)
        assert len(server.requests) == 1


def test_samples_come_in_one_call(serve: Serve) -> None:
    with serve() as (chat, server):
        replies = chat.complete(QUESTION, n=3, options=Options(seed=5))
    assert [reply.text for reply in replies] == [f"re: Which river? 0.{sample}" for sample in range(3)]
    assert [(reply.tokens_in, reply.tokens_out) for reply in replies] == [(7, 3), (0, 3), (0, 3)]
    assert [(request["n"], request["seed"]) for request in server.requests] == [(3, 5)]


def _one(request: dict[str, Any], number: int) -> Answer:
    return Answer(completion(f"{number}"))


def _too_many(request: dict[str, Any], number: int) -> Answer:
    return Answer(completion(*"abcde"))


def _refuses_n(request: dict[str, Any], number: int) -> Answer:
    return refusal(400, "only one at a time", param="n") if "n" in request else _one(request, number)


def test_samples_come_in_several_calls_where_n_is_ignored(serve: Serve) -> None:
    with serve(_one) as (chat, server):
        assert [reply.text for reply in chat.complete(QUESTION, n=3, options=Options(seed=5))] == ["0", "1", "2"]
    assert [(request.get("n"), request["seed"]) for request in server.requests] == [(3, 5), (2, 6), (None, 7)]


def test_samples_come_in_several_calls_where_n_is_refused(serve: Serve) -> None:
    with serve(_refuses_n, retry=Retry(0)) as (chat, server):
        assert [reply.text for reply in chat.complete(QUESTION, n=2)] == ["1", "2"]
        chat.complete(QUESTION, n=2)
    assert [request.get("n") for request in server.requests] == [2, None, None, None, None]


def test_more_samples_than_asked_for_are_left_out(serve: Serve) -> None:
    with serve(_too_many) as (chat, _):
        assert [reply.text for reply in chat.complete(QUESTION, n=2)] == ["a", "b"]


def test_a_minutes_requests_hold_for_all_threads_and_attempts(serve: Serve) -> None:
    clock = Clock()
    answers = scripted(refusal(503), "a")
    with serve(answers, rate=Rate(2, 0, clock, clock.sleep)) as (chat, server):
        assert all(isinstance(each, list) for each in complete_all(chat, turns("1", "2", "3", "4"), threads=3))
        assert len(server.requests) == 5 and clock.now - 1000 == pytest.approx(120, abs=1)


def test_a_bound_is_named_as_reasoning_models_do_where_they_refuse_its_old_name(serve: Serve) -> None:
    def behave(request: dict[str, Any], number: int) -> Answer:
        if "max_tokens" in request:
            return refusal(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'.", param="max_tokens")
        return Answer(completion(str(request["max_completion_tokens"])))

    with serve(behave, retry=Retry(0)) as (chat, server):
        assert [chat.complete(QUESTION, options=Options(max_tokens=9))[0].text for _ in range(2)] == ["9", "9"]
        assert len(server.requests) == 3


NO_TEMPERATURE = "Unsupported value: 'temperature' does not support 0.0 with this model."
REFUSALS = {
    "temperature": refusal(400, NO_TEMPERATURE, param="temperature", code="unsupported_value"),
    "temperature, told in words": refusal(400, NO_TEMPERATURE),
    "seed": Answer({"detail": [{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]}, 422),
    "frequency_penalty": refusal(422, "no", param="body.frequency_penalty"),
    "n": Answer({"detail": "n must be 1\n"}, 422), "n, told by nothing": refusal(400, "Only one choice is allowed"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSALS)
def test_a_parameter_that_is_refused_is_left_out_from_then_on(serve: Serve, name: str) -> None:
    parameter = name.partition(",")[0]

    def behave(request: dict[str, Any], number: int) -> Answer:
        return REFUSALS[name] if parameter in request else echo(request, number)

    options = Options(temperature=0.0, seed=1, frequency_penalty=0.1)
    with serve(behave, retry=Retry(0)) as (chat, server):
        assert [len(chat.complete(QUESTION, n=2, options=options)) for _ in range(2)] == [2, 2]
        refused, *others = server.requests
        assert all({*refused} - {*each} <= {parameter, "n"} and parameter not in each for each in others)
        assert len(others) == (4 if parameter == "n" else 2)
        chat.complete(QUESTION, options=options._replace(model="other"))
        assert parameter == "n" or parameter in server.requests[-2]


def test_all_that_reasoning_models_refuse_is_found_out(serve: Serve) -> None:
    def behave(request: dict[str, Any], number: int) -> Answer:
        if "max_tokens" in request:
            return refusal(400, "Use 'max_completion_tokens' instead of 'max_tokens'.", param="max_tokens")
        return REFUSALS["temperature"] if "temperature" in request else Answer(completion("a"))

    with serve(behave, retry=Retry(0)) as (chat, server):
        for _ in range(2):
            chat.complete(QUESTION, options=Options(temperature=0.0, max_tokens=9))
        assert len(server.requests) == 4 and "temperature" not in server.requests[-1]


@pytest.mark.parametrize(
    "answer", [refusal(400, "content policy"), refusal(400, "the temperature, seed and n", param="messages")]
)
def test_what_no_parameter_is_the_cause_of_stays_refused(serve: Serve, answer: Answer) -> None:
    with serve(scripted(answer), retry=Retry(0)) as (chat, server):
        for _ in range(2):
            with pytest.raises(ModelRefused):
                chat.complete(QUESTION, n=2, options=Options(temperature=0.0))
        n_forms = [sum("n" in each for each in server.requests), len(server.requests)]
        assert n_forms == ([2, 4] if "policy" in str(answer) else [2, 2])


def test_no_more_requests_run_at_once_than_allowed(serve: Serve) -> None:
    three = Barrier(3)

    def together(request: dict[str, Any], number: int) -> Answer:
        three.wait(10)
        return echo(request, number)

    with serve(together, concurrency=3) as (chat, server):
        outcomes = complete_all(chat, turns(*map(str, range(60))), threads=12)
        assert [outcome[0].text.split()[1] for outcome in outcomes] == [str(each) for each in range(60)]
        assert server.most == 3


N_AT_ONCE = 50


def failing(seed: int, part: float) -> Behaviour:
    """Fail a part of all requests, each in one of many ways; the first are all there before one is answered."""
    chance, lock, all_there = random.Random(seed), Lock(), Barrier(N_AT_ONCE)
    ways = [*TRANSIENT.values(), refusal(429, headers={"Retry-After": "1"})]

    def behave(request: dict[str, Any], number: int) -> Answer:
        with lock:
            way = chance.choice(ways) if chance.random() < part else None
        if number < N_AT_ONCE:
            all_there.wait(30)
        return way or Answer(completion(f"<think>hm</think>re: {asked(request)}"))
    return behave


@pytest.mark.parametrize(("part", "retries"), [(0.2, 9), (0.2, 0), (0.6, 2)])
def test_every_question_ends_well_and_none_is_paid_twice(
    serve: Serve, tmp_path: Path, waits: Waits, part: float, retries: int
) -> None:
    questions = [f"question {number % 150}" for number in range(200)]
    store = ReplyStore(tmp_path / "own" / "replies.sqlite")
    with serve(failing(7, part), retry=Retry(retries, sleep=waits), concurrency=N_AT_ONCE) as (model, server):
        chat = CachedChat(model.chat, store)
        outcomes = complete_all(chat, turns(*questions), threads=N_AT_ONCE)
        failed = [each for each in outcomes if isinstance(each, ModelError)]
        assert all(one_line(each) for each in failed)
        answered = {text: each for text, each in zip(questions, outcomes, strict=True) if isinstance(each, list)}
        assert all(each[0].text == f"re: {text}" for text, each in answered.items())
        assert set(server.paid.values()) == {1} and server.most == N_AT_ONCE
        kept = {entry.messages[-1][1] for entry in store.log(1000)}
        assert kept == {text for text, _ in server.paid} == set(answered)
        assert bool(failed) == (retries < 9)
        n_before = len(server.requests)
        server.behave = echo
        again = complete_all(chat, turns(*questions), threads=N_AT_ONCE)
        assert all(isinstance(each, list) for each in again)
        assert len(server.requests) - n_before == 150 - len(answered) and set(server.paid.values()) == {1}


MUCH = {"prompt_tokens": 900, "completion_tokens": 800}
PAID = {
    "no answer in time": (HANG, 122), "beyond the limit": (Answer(completion("x" * 9_999)), 122),
    "an answer that stops": (Answer(completion("x"), headers={"Content-Length": "1999"}), 122),
    "no choices": (Answer({"choices": [], "usage": MUCH}), 1700), "a number": (Answer(completion(3, usage=MUCH)), 1700),
    "no usage": (Answer({"choices": []}), 22), "no JSON": (Answer(b"<html>"), 22),
    "no usage that is one": (Answer({"choices": [], "usage": {"prompt_tokens": "9"}}), 22),
    "refused": (refusal(400), 0), "busy": (refusal(503), 0), "lost": (DROP, 0),
}  # fmt: skip


@pytest.mark.parametrize("name", PAID)
def test_what_may_have_been_paid_for_is_spent(serve: Serve, name: str) -> None:
    answer, spent = PAID[name]
    budget, limits = TokenBudget(10_000), Limits(2_000, 0.2)
    with (
        serve(scripted(answer), budget=budget, limits=limits, retry=Retry(0)) as (chat, _),
        pytest.raises(ModelError),
    ):
        chat.complete(turns("x" * 39)[0], options=Options(max_tokens=100))
    assert budget.spent == spent


def test_a_budget_of_tokens_is_never_exceeded_and_what_was_answered_is_kept(serve: Serve, tmp_path: Path) -> None:
    options, questions = Options(max_tokens=10), turns(*(f"question {number}" for number in range(100)))
    with serve(budget=TokenBudget(400), concurrency=20) as (model, server):
        chat = CachedChat(model.chat, ReplyStore())
        outcomes = complete_all(chat, questions, options=options, threads=20)
        answered = [each for each in outcomes if isinstance(each, list)]
        spent = [each for each in outcomes if isinstance(each, ModelError)]
        assert {type(each) for each in spent} == {TokensSpent} and "allow more" in one_line(spent[0])
        # Each took 10 tokens, and one more might have taken 22.
        assert len(answered) == len(server.requests) == 38
        assert sum(isinstance(each, list) for each in complete_all(chat, questions, options=options)) == 38
        assert len(server.requests) == 38
    with serve(budget=TokenBudget(10_000)) as (model, server):
        outcomes = complete_all(CachedChat(model.chat, chat.store), questions, options=options)
        assert all(isinstance(each, list) for each in outcomes)
        assert len(server.requests) == 62
