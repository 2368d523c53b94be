"""`weft llm`: what was asked and answered, for people and for programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from interfaces.cli import main
from tests.chat_server import turns
from weft.chat.base import Options, Reply
from weft.chat.store import Conversation, ReplyStore

(QUESTION,) = turns("Which river?\nOr lake? \x1b[31m")


def weft(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, catch_exceptions=False)


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WEFT_CACHE", str(tmp_path / "cache"))
    for variable in ("WEFT_LLM", "WEFT_LLM_PRICES"):
        monkeypatch.delenv(variable, raising=False)


@pytest.fixture
def kept(cache: None) -> ReplyStore:
    store = ReplyStore()
    for model, n in (("openai:a", 2), ("openai:b", 1)):
        replies = [Reply(f"{model} {number}", 1_000, 200) for number in range(n)]
        store.put(Conversation(model, tuple(QUESTION), Options(seed=1)), 0, replies, 3.0)
    return store


def test_the_log_shows_the_newest_first(kept: ReplyStore) -> None:
    lines = weft("llm", "log").stdout.splitlines()
    assert [line for line in lines if "reply" in line] == [
        "  reply: openai:b 0", "  reply: openai:a 1", "  reply: openai:a 0"
    ]  # fmt: skip
    assert "openai:b  sample 0  1,000 tokens read, 200 written, 3.0 s, stop" in lines[0]
    assert lines[1].startswith("  user: Which river? Or lake? ") and "\x1b" not in lines[1]
    printed = weft("llm", "log", "-n", "2", "--llm", "openai:a", "--json").stdout
    records = [json.loads(line) for line in printed.splitlines()]
    assert [record["text"] for record in records] == ["openai:a 1", "openai:a 0"]
    assert records[0]["messages"] == [["user", QUESTION[0].content]] and records[0]["options"] == {"seed": 1}


def test_the_counts_tell_the_cost_where_prices_are_set(kept: ReplyStore, monkeypatch: pytest.MonkeyPatch) -> None:
    path, *lines = weft("llm", "stats").stdout.splitlines()
    assert path == str(kept.path)
    start = "openai:a: 2 replies to 1 conversation, 2,000 tokens read, 400 written, 3.0 s; 20"
    assert lines[0].startswith(start) and lines[1].startswith("openai:b: 1 reply to 1 conversation")
    monkeypatch.setenv("WEFT_LLM_PRICES", "1,10")
    assert "3.0 s, cost 0.0060; " in weft("llm", "stats").stdout
    record = json.loads(weft("llm", "stats", "--json").stdout)
    assert [(each["model"], each["replies"], each["cost"]) for each in record["models"]] == [
        ("openai:a", 2, 0.006), ("openai:b", 1, 0.003)
    ]  # fmt: skip


def test_without_any_reply_there_is_nothing_to_show(tmp_path: Path) -> None:
    assert weft("llm", "log").stdout == "" and weft("llm", "stats").stdout.count("\n") == 1
    assert json.loads(weft("llm", "stats", "--json").stdout)["models"] == []
    assert not (tmp_path / "cache").exists()


def test_a_file_that_is_no_cache_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir(mode=0o700)
    (tmp_path / "cache" / "replies.sqlite").write_bytes(b"x" * 1000)
    for command in ("log", "stats"):
        result = weft("llm", command)
        assert result.exit_code == 1 and result.stderr.startswith("Error: ") and result.stderr.count("\n") == 1
