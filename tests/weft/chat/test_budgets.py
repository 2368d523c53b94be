"""Budgets: requests and tokens a minute, tokens in all, waits between attempts, and what a run would take."""

from __future__ import annotations

from threading import Event, Thread

import pytest

from tests.chat_server import turns
from tests.clock import Clock
from weft.chat.base import Message, Options, Reply
from weft.chat.budget import TokenBudget
from weft.chat.dry_run import DryRun, Estimate
from weft.chat.registry import chat_named, dry_run_of, prices
from weft.chat.store import Conversation, ReplyStore
from weft.chat.tokens import Prices, tokens_of, tokens_read, tokens_written
from weft.errors import TokensSpent, WeftError
from weft.http.rate import Rate
from weft.http.retrying import Retry, RetryableError, wait_in


def times(rate: Rate, clock: Clock, *tokens: int) -> list[float]:
    """Return when each of some requests may go, in seconds from the start."""
    found = []
    for each in tokens:
        rate.spend(each)
        found.append(round(clock.now - 1000, 3))
    return found


@pytest.mark.parametrize(
    ("requests", "tokens", "asked", "expected"),
    [
        (0, 0, [9, 9, 9], [0, 0, 0]), (2, 0, [9, 9, 9, 9, 9], [0, 0, 60, 60, 120]),
        (0, 10, [4, 4, 4, 4], [0, 0, 60, 60]), (0, 10, [50, 1, 9], [0, 60, 60]), (0, 10, [1, 50, 1], [0, 60, 120]),
        (3, 10, [1, 1, 1, 1, 10], [0, 0, 0, 60, 120]), (1, 1, [0, 0], [0, 60]),
    ],
)  # fmt: skip
def test_a_minute_has_no_more_requests_and_tokens_than_allowed(
    requests: int, tokens: int, asked: list[int], expected: list[float]
) -> None:
    clock = Clock()
    assert times(Rate(requests, tokens, clock, clock.sleep), clock, *asked) == expected


def test_what_a_request_took_counts_in_place_of_its_estimate() -> None:
    clock = Clock()
    rate = Rate(0, 1000, clock, clock.sleep)
    for _ in range(10):
        rate.settle(rate.spend(900), 10)
    assert clock.now == 1000
    late = rate.spend(0)
    rate.spend(950)
    assert clock.now == 1060
    rate.settle(late, 1_000_000)
    assert times(rate, clock, 50) == [60]


def test_threads_together_keep_to_a_minutes_requests() -> None:
    clock, gone = Clock(), []
    rate = Rate(5, 0, clock, clock.sleep)
    threads = [Thread(target=lambda: gone.append(rate.spend(1).at)) for _ in range(30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(sum(start <= each < start + 60 for each in gone) <= 5 for start in gone) and len(gone) == 30


def test_waits_double_and_are_spread_and_bounded() -> None:
    waits = [Retry(first_s=1, longest_s=60, chance=lambda: 1.0).wait_s(attempt) for attempt in range(8)]
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60]
    assert [Retry(chance=lambda: 0.0).wait_s(attempt) for attempt in (0, 3, 10_000)] == [0.5, 4, 30]
    assert Retry(chance=lambda: 0.0).wait_s(2, 7.0) == 7
    assert Retry(chance=lambda: 1.0).wait_s(2, 7.0) == pytest.approx(7.7)


@pytest.mark.parametrize("after_s", [0.0, 0.1])
def test_waits_double_also_where_a_server_asks_for_less(after_s: float) -> None:
    assert [Retry(chance=lambda: 0.0).wait_s(attempt, after_s) for attempt in range(3)] == [0.5, 1, 2]


@pytest.mark.parametrize(
    ("date", "seconds"),
    [("Sat, 21 Nov 2020 10:00:00 GMT", 30.0), ("Sat, 21 Nov 2020 10:01:00 GMT", 0.0), ("now", 0.0), (None, 0.0)],
)
def test_a_date_to_wait_for_is_told_by_the_clock_of_the_server(date: str | None, seconds: float) -> None:
    headers = {"Retry-After": "Sat, 21 Nov 2020 10:00:30 GMT"} | ({"Date": date} if date else {})
    assert wait_in(headers) == seconds and wait_in({"Date": "Sat, 21 Nov 2020 10:00:00 GMT"}) is None


def test_attempts_end_with_the_last_failure() -> None:
    failures = iter(range(99))

    def fail() -> None:
        raise RetryableError(f"{next(failures)}")

    with pytest.raises(RetryableError, match="3"):
        Retry(3, sleep=lambda seconds: None).run(fail)
    with pytest.raises(RetryableError, match="4"):
        Retry(0).run(fail)


def test_a_budget_waits_for_what_others_may_leave() -> None:
    budget, entered, go_on, order = TokenBudget(100), Event(), Event(), []

    def first() -> None:
        with budget.reserved(80) as taken:
            entered.set()
            go_on.wait(10)
            taken.tokens = 30
            order.append("first")

    thread = Thread(target=first)
    thread.start()
    entered.wait(10)
    with pytest.raises(TokensSpent, match="the budget of 100 tokens"), budget.reserved(101):
        pass
    go_on.set()
    with budget.reserved(60) as taken:
        order.append("second")
        taken.tokens = 70
    thread.join()
    assert budget.spent == 100 and order == ["first", "second"]
    with pytest.raises(TokensSpent, match="100 are spent, and it may take 1;"), budget.reserved(1):
        pass


def test_what_failed_costs_nothing() -> None:
    budget = TokenBudget(10)
    for _ in range(5):
        with pytest.raises(ZeroDivisionError), budget.reserved(10):
            raise ZeroDivisionError
    assert budget.spent == 0


@pytest.mark.parametrize("text", ["", "a", "the quick brown fox", "東京都の川", "\ud800", "x" * 1000])
def test_tokens_are_estimated_from_above(text: str) -> None:
    assert tokens_of(text) >= max(1, len(text.split()), len(text) // 4)
    assert tokens_read([Message("user", text)]) > tokens_of(text)


def test_a_dry_run_counts_and_sends_nothing() -> None:
    store = ReplyStore()
    (one,), (two,) = turns("Which river?"), turns("Which bridge?")
    store.put(Conversation("openai:m", one, Options(max_tokens=50)), 0, [Reply("```\nVeldra\n```")], 0.0)
    dry = dry_run_of("openai:m", store)
    assert [reply.text for reply in dry.complete(one, n=3, options=Options(max_tokens=50))] == ["Veldra", "", ""]
    read = 2 * tokens_read(one)
    assert dry.estimate == Estimate(3, 1, 0, read, 100)
    dry.complete(one, n=3, options=Options(max_tokens=50))
    assert dry.estimate == Estimate(6, 4, 0, read, 100)
    dry.complete(two)
    dry.assume(4, 400, 80)
    read += tokens_read(two) + 400
    assert dry.estimate == Estimate(11, 4, 4, read, 180 + tokens_written(Options()))
    assert dry.estimate.cost(None) is None
    assert dry.estimate.cost(Prices(2.0, 10.0)) == pytest.approx((2 * read + 10 * 1180) / 1e6)


def test_a_dry_run_makes_no_file() -> None:
    store = ReplyStore()
    assert DryRun("openai:m", store).complete([Message("user", "x")])[0].text == ""
    assert not store.path.exists()


@pytest.mark.parametrize("name", ["", "m", "openai:", "openai: ", "openai:a\nb", "onnx:m", "OPENAI:m"])
def test_a_name_that_is_none_is_one_line(name: str) -> None:
    for named in (chat_named, dry_run_of):
        with pytest.raises(WeftError, match="is no language model"):
            named(name)


@pytest.mark.parametrize(
    ("variable", "value"),
    [("WEFT_LLM_RPM", "many"), ("WEFT_LLM_TPM", "-1"), ("WEFT_LLM_SECONDS", "1.5"), ("WEFT_LLM_RETRIES", "9" * 30),
     ("WEFT_LLM_CONCURRENCY", "\u0663")],
)  # fmt: skip
def test_a_setting_that_is_none_is_one_line(monkeypatch: pytest.MonkeyPatch, variable: str, value: str) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(WeftError, match=f"{variable}=.*must be a whole number"):
        chat_named("openai:m")


@pytest.mark.parametrize("value", ["1", "1,2,3", "a,b", "-1,2", "nan,1", "inf,1", ","])
def test_prices_that_are_none_are_one_line(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("WEFT_LLM_PRICES", value)
    with pytest.raises(WeftError, match=r"WEFT_LLM_PRICES=.*must be prices"):
        prices()


def test_prices_are_read_from_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WEFT_LLM_PRICES", raising=False)
    assert prices() is None
    monkeypatch.setenv("WEFT_LLM_PRICES", " 0.15, 0.6")
    assert prices() == Prices(0.15, 0.6)


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setenv("WEFT_CACHE", f"{tmp_path}/cache")
