"""`weft testset make --llm`: a scripted model behind a loopback server writes, answers and judges."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from interfaces.cli import main
from retriever.prompts.testset import judge, write
from tests.chat_server import Answer, ChatServer, asked, completion

NAMED = ("--llm", "openai:test")


def written(request: dict[str, Any], number: int) -> Answer:
    """Write a question whose answer is a word of the last passage alone, answer nothing, and judge by 9."""
    prompt = asked(request)
    if "FINAL SCORE" in request["messages"][0]["content"]:
        return Answer(completion("Both are needed.\nFINAL SCORE: 9"))
    if not prompt.startswith("Link: "):
        return Answer(completion('{"answer": null, "quotes": []}'))
    passages = [json.loads(line) for line in prompt.partition("Passages:\n")[2].splitlines()]
    first, last = passages[0], passages[-1]
    others = set(first["text"].split())
    word = next((each for each in last["text"].split() if each.isalpha() and len(each) > 7 and each not in others), "")
    question = f"Which word stands beside what {len(prompt)} letters tell of?"
    reply = {"question": question, "answer": word, "passages": [first["name"], last["name"]]}
    return Answer(completion(f"<think>Which?</think>```json\n{json.dumps(reply)}\n```" if word else "ND"))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ChatServer]:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-mine")
    monkeypatch.setenv("WEFT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("WEFT_LLM_RETRIES", "0")
    for variable in ("WEFT_LLM", "WEFT_OFFLINE", "WEFT_LLM_PRICES"):
        monkeypatch.delenv(variable, raising=False)
    with ChatServer(written) as started:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{started.url}/v1")
        yield started


def _make(world: Path, output: Path, *more: object, code: int = 0) -> Result:
    arguments = ["testset", "make", world, "-n", 6, "-o", output, *NAMED, *more]
    result = CliRunner().invoke(main, list(map(str, arguments)))
    assert result.exit_code == code, result.output
    return result


def test_questions_are_written_judged_and_paid_for_once(world: Path, server: ChatServer, tmp_path: Path) -> None:
    told = json.loads(_make(world, tmp_path / "a.jsonl", "--json").stdout)
    assert (told["questions"], told["proposed"]) == (6, {"bridge": 18})
    for line in (tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        assert record["scores"] == {"verified": 1.0, "judged": 9.0}
        assert record["made_by"]["writer"] == "openai:test"
        assert len(record["gold"]) == 2
        assert record["answers"][0] in record["evidence"][1]["text"]
    n = len(server.requests)
    _make(world, tmp_path / "b.jsonl")
    assert len(server.requests) == n
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()


def test_a_dry_run_tells_the_calls_and_sends_nothing(world: Path, server: ChatServer, tmp_path: Path) -> None:
    told = _make(world, tmp_path / "a.jsonl", "--dry-run").stdout
    assert told.startswith("openai:test: 72 calls, 0 answered from the cache; nothing was sent")
    assert server.requests == []
    assert not (tmp_path / "a.jsonl").exists()


def test_a_question_answered_from_less_is_rejected(world: Path, server: ChatServer, tmp_path: Path) -> None:
    def knowing(request: dict[str, Any], number: int) -> Answer:
        plain = written(request, number)
        if asked(request).startswith(("Link: ", "Question: ")):
            return plain
        lines = asked(request).partition("Passages:\n")[2].partition("\n\nQuestion:")[0].splitlines()
        words = {word for line in lines for word in json.loads(line)["text"].split() if word.isalpha()}
        return Answer(completion(json.dumps({"answer": " ".join(sorted(words)), "quotes": []})))

    server.behave = knowing
    output = _make(world, tmp_path / "a.jsonl", code=1).output
    assert "it is answered with a gold chunk taken away" in output


def test_a_low_score_is_rejected(world: Path, server: ChatServer, tmp_path: Path) -> None:
    assert "the judge's score is below 10" in _make(world, tmp_path / "a.jsonl", "--least-score", 10, code=1).output


def test_a_budget_stops_it(world: Path, server: ChatServer, tmp_path: Path) -> None:
    assert "budget" in _make(world, tmp_path / "a.jsonl", "--max-tokens-total", 50, code=1).output


def test_what_a_writer_replies_is_read_tolerantly() -> None:
    reply = '<think>x</think>Here: {"question": "Who?", "answer": 7, "passages": ["Passage 2", "passage9"]}'
    assert write.read_reply(reply, 2) == write.Proposed("Who?", "7", (1,))
    assert write.read_reply("ND", 2) is None
    assert write.read_reply('{"question": "", "answer": "x"}', 2) is None
    assert judge.read_reply("FINAL SCORE: 11") is None
    assert judge.read_reply("FINAL SCORE: 3\nno, FINAL SCORE: 8") == 8
