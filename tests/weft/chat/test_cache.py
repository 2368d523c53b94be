"""What a model replied is paid for once: by threads, by processes, and by runs that are killed."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from threading import Event, Thread

import pytest

from tests.chat_server import Answer, ChatServer, completion, echo, turns
from tests.paths import ROOT
from weft.chat.base import Message, Options, Reply, ScriptedChat
from weft.chat.cached import CachedChat
from weft.chat.dry_run import DryRun
from weft.chat.many import complete_all
from weft.chat.openai import OpenAiChat
from weft.chat.store import Conversation, ReplyStore
from weft.errors import WeftError

KEY = "sk-3cr3t-k3y-of-mine"
QUESTION, OTHER = turns("Which river?", "Which bridge?")


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("WEFT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("WEFT_OFFLINE", raising=False)


def counting() -> tuple[CachedChat, ScriptedChat]:
    """Return a model whose replies are 1, 2, 3, ..., and what it was asked."""
    numbers = iter(range(1, 1000))
    scripted = ScriptedChat(lambda messages: str(next(numbers)))
    return CachedChat(scripted, ReplyStore()), scripted


def texts(replies: list[Reply]) -> list[str]:
    return [reply.text for reply in replies]


def test_what_is_known_is_not_asked_again() -> None:
    chat, scripted = counting()
    (first,) = chat.complete(QUESTION)
    (again,) = CachedChat(scripted, ReplyStore()).complete(QUESTION)
    assert again == first._replace(cached=True) and not first.cached
    assert len(scripted.asked) == 1


def test_model_messages_options_and_sample_tell_replies_apart() -> None:
    chat, scripted = counting()
    asked_for = [
        (QUESTION, Options()), (OTHER, Options()), (QUESTION, Options(seed=0)), (QUESTION, Options(temperature=0.0)),
        (QUESTION, Options(temperature=0.5)), ([Message("system", "Which river?")], Options()), ([], Options()),
        ([*QUESTION, *QUESTION], Options()), ([Message("user", "Which river?\ud800")], Options()),
    ]  # fmt: skip
    assert [chat.complete(messages, options=options)[0].text for messages, options in asked_for] == list("123456789")
    other = CachedChat(scripted, chat.store)
    other.name = "other"
    assert texts(other.complete(QUESTION)) == ["10"]
    assert [chat.complete(messages, options=options)[0].text for messages, options in asked_for] == list("123456789")
    assert texts(chat.complete(QUESTION, n=3)) == ["1", "11", "12"] and len(scripted.asked) == 11
    assert [reply.cached for reply in chat.complete(QUESTION, n=4)] == [True, True, True, False]


def test_what_another_model_was_asked_is_known_by_its_own_name() -> None:
    chat, scripted = counting()
    chat.name = "openai:large"
    assert [texts(chat.complete(QUESTION, options=Options(model=each))) for each in ("small", None)] == [["1"], ["2"]]
    small = CachedChat(scripted, chat.store)
    small.name = "openai:small"
    assert texts(small.complete(QUESTION)) == ["1"]
    assert texts(DryRun("openai:large", chat.store).complete(QUESTION, options=Options(model="small"))) == ["1"]
    assert {each.model for each in chat.store.totals()} == {"openai:large", "openai:small"}


def test_a_sample_that_is_missing_between_others_is_asked_for() -> None:
    chat, _ = counting()
    conversation = Conversation(chat.name, tuple(QUESTION), Options())
    for sample in (1, 3, 4):
        chat.store.put(conversation, sample, [Reply(f"kept {sample}")], 0.0)
    assert texts(chat.complete(QUESTION, n=6)) == ["1", "kept 1", "2", "kept 3", "kept 4", "3"]
    chat.store.put(conversation, 1, [Reply("later")], 0.0)
    assert texts(chat.complete(QUESTION, n=2)) == ["1", "kept 1"]


def test_reasoning_is_kept_and_not_handed_out() -> None:
    chat = CachedChat(ScriptedChat(["<think>Two rivers.</think>```\nVeldra\n```"]), ReplyStore())
    assert [texts(chat.complete(QUESTION)) for _ in range(2)] == [["Veldra"]] * 2
    assert chat.store.log(1)[0].text == "<think>Two rivers.</think>```\nVeldra\n```"


def test_more_replies_than_asked_for_are_kept_too(monkeypatch: pytest.MonkeyPatch) -> None:
    with ChatServer(lambda request, number: Answer(completion("a", "b", "c"))) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        chat = CachedChat(OpenAiChat("test"), ReplyStore())
        assert [texts(chat.complete(QUESTION, n=n)) for n in (1, 3)] == [["a"], ["a", "b", "c"]]
        assert len(server.requests) == 1


def test_why_a_reply_ended_is_kept_whatever_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = completion("fine")
    answer["choices"][0]["finish_reason"] = f"\ud800 {KEY}"
    with ChatServer(lambda request, number: Answer(answer)) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        chat = CachedChat(OpenAiChat("test"), ReplyStore())
        ends = [reply.finish_reason for _ in range(2) for reply in chat.complete(QUESTION)]
        assert ends == ["\ufffd ***"] * 2 and len(server.requests) == 1


@pytest.mark.parametrize(
    ("text", "end", "n_requests"),
    [
        ("<think>let me see", "length", 2), ("", "length", 2), (None, "content_filter", 2), ("", "stop", 1),
        ("<think>hm</think>Vel", "length", 1), ("<think>let me see", "stop", 1),
    ],
)  # fmt: skip
def test_a_reply_that_is_cut_off_before_its_answer_is_asked_for_again(
    monkeypatch: pytest.MonkeyPatch, text: str | None, end: str, n_requests: int
) -> None:
    answer = completion("whole", text)
    answer["choices"][1]["finish_reason"] = end
    with ChatServer(lambda request, number: Answer(answer if number == 0 else completion("later"))) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        chat = CachedChat(OpenAiChat("test"), ReplyStore())
        first, again = (texts(chat.complete(QUESTION, n=2)) for _ in range(2))
        assert first == ["whole", "" if n_requests == 2 or end == "stop" else "Vel"]
        assert again == (["whole", "later"] if n_requests == 2 else first) and len(server.requests) == n_requests


def test_threads_that_ask_the_same_at_once_pay_once(monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = Event()

    def behave(request: dict[str, object], number: int) -> Answer:
        go_on.wait(10)
        return Answer(completion(f"{number}"))

    with ChatServer(behave) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        chat = CachedChat(OpenAiChat("test", concurrency=20), ReplyStore())
        found: list[str] = []
        threads = [Thread(target=lambda: found.append(chat.complete(QUESTION)[0].text)) for _ in range(20)]
        for thread in threads:
            thread.start()
        while not server.requests:
            time.sleep(0.001)
        go_on.set()
        for thread in threads:
            thread.join()
        assert found == ["0"] * 20 and len(server.requests) == 1


RUN = """
from tests.chat_server import turns
from weft.chat.many import complete_all
from weft.chat.registry import chat_named
outcomes = complete_all(chat_named("openai:test"), turns(*(f"question {n}" for n in range(100))), threads=4)
print(sum(isinstance(each, list) for each in outcomes))
"""


SHARE = """
from tests.chat_server import turns
from weft.chat.base import ScriptedChat
from weft.chat.cached import CachedChat
from weft.chat.many import complete_all
from weft.chat.store import ReplyStore
chat = CachedChat(ScriptedChat(lambda messages: messages[0].content), ReplyStore())
outcomes = complete_all(chat, turns(*map(str, range(300))))
print(sum(each[0].text == str(n) for n, each in enumerate(outcomes)))
"""


def started(server: ChatServer, tmp_path: Path) -> subprocess.Popen[str]:
    env = {**os.environ, "OPENAI_BASE_URL": f"{server.url}/v1", "WEFT_CACHE": str(tmp_path / "cache"),
           "PYTHONPATH": str(ROOT)}  # fmt: skip
    command = [sys.executable, "-c", RUN]
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_a_killed_run_goes_on_and_sends_nothing_again(tmp_path: Path) -> None:
    stop, go_on, after = Event(), Event(), 60

    def behave(request: dict[str, object], number: int) -> Answer:
        if number >= after and not go_on.is_set():
            # The last that were sent get no answer before the run is killed, so nobody was paid for them.
            stop.set()
            go_on.wait(20)
            return Answer(state=-1)
        return echo(request, number)

    with ChatServer(behave) as server:
        run = started(server, tmp_path)
        assert stop.wait(20)
        kept = ReplyStore(tmp_path / "cache" / "replies.sqlite")
        while len(kept.log(1000)) < after:
            time.sleep(0.005)
        run.send_signal(signal.SIGKILL)
        run.communicate()
        go_on.set()
        answered = set(server.prompts[:after])
        n_before = len(server.requests)
        out, err = started(server, tmp_path).communicate(timeout=60)
        assert (out, err) == ("100\n", "")
        sent_again = server.prompts[n_before:]
        assert not answered & set(sent_again) and len(sent_again) == 100 - after
        assert set(server.paid.values()) == {1} and len(server.paid) == len(kept.log(1000)) == 100


def test_processes_share_a_file_from_its_beginning() -> None:
    command = [sys.executable, "-c", SHARE]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    runs = [
        subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(3)
    ]
    assert [run.communicate(timeout=60) for run in runs] == [("300\n", "")] * 3
    assert len(ReplyStore().log(1000)) == 300


def test_an_error_that_ends_a_run_keeps_what_was_answered() -> None:
    class Interrupted(Exception):
        pass

    def script(messages: list[Message]) -> str:
        if messages[0].content == "5":
            raise Interrupted
        return "x"

    chat = CachedChat(ScriptedChat(script), ReplyStore())  # type: ignore[arg-type]
    with pytest.raises(Interrupted):
        complete_all(chat, turns(*map(str, range(2_000))), threads=1)
    kept = {entry.messages[0][1] for entry in chat.store.log(9_999)}
    assert kept >= set("01234") and "5" not in kept and len(kept) < 1_999


def test_the_log_and_the_totals_tell_what_was_asked() -> None:
    chat, _ = counting()
    chat.complete(QUESTION, n=2, options=Options(seed=1))
    chat.complete(OTHER)
    newest, *_, oldest = chat.store.log(10)
    assert (newest.messages, newest.options, newest.sample, newest.text) == ([["user", "Which bridge?"]], {}, 0, "3")
    assert (oldest.options, oldest.sample, oldest.finish_reason) == ({"seed": 1}, 0, "stop")
    assert chat.store.log(1) == [newest] and chat.store.log(10, "other") == []
    (totals,) = chat.store.totals()
    assert totals[:5] == ("scripted", 2, 3, 6, 3) and totals.first <= totals.last


def test_nothing_is_made_before_the_first_question(tmp_path: Path) -> None:
    store = ReplyStore()
    assert store.log(10) == store.totals() == [] and not (tmp_path / "cache").exists()


def test_the_file_is_for_its_user_alone_and_has_no_key(tmp_path: Path) -> None:
    chat = CachedChat(ScriptedChat(["fine"]), ReplyStore())
    chat.complete([Message("user", f"Is {KEY} a key?")])
    assert os.stat(chat.store.path).st_mode & 0o777 == 0o600
    assert os.stat(chat.store.path.parent).st_mode & 0o777 == 0o700
    chat.store.close()
    assert b"a key" in chat.store.path.read_bytes()
    for path in chat.store.path.parent.iterdir():
        assert KEY.encode() not in path.read_bytes()


def _not_sqlite(path: Path) -> None:
    path.write_bytes(b"no database at all, whatever its name says" * 99)


def _foreign(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE reply (a)")
    connection.close()


def _newer(path: Path) -> None:
    ReplyStore(path).replies(Conversation("m", (), Options()), 1)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()


@pytest.mark.parametrize("make", [_not_sqlite, _foreign, _newer])
def test_a_file_that_holds_no_replies_is_one_line_and_stays(tmp_path: Path, make: object) -> None:
    path = tmp_path / "own" / "replies.sqlite"
    path.parent.mkdir(mode=0o700)
    make(path)  # type: ignore[operator]
    before = path.read_bytes()
    for _ in range(2):
        with pytest.raises(WeftError, match="move it away") as failed:
            CachedChat(ScriptedChat(["x"]), ReplyStore(path)).complete(QUESTION)
        assert str(failed.value).isprintable()
    assert path.read_bytes() == before


def test_replies_are_paid_for_by_hash_of_what_was_asked() -> None:
    """Hashes are a contract: recorded replies are found by them."""
    conversation = Conversation("openai:m", (Message("user", "é"),), Options(temperature=0.0))
    assert conversation._replace(options=Options(temperature=0)).hash == conversation.hash
    assert conversation.hash == "bdbdb2d709f7f8699d0225e5515a6eb3c983992dfe151b3341bfb86b92a16686"
