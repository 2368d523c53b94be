"""Commands that ask a language model: by the user's word alone, told before, within a budget, and paid for once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from click.testing import CliRunner, Result

import weft as weft_face
from interfaces.cli import main
from tests.chat_server import Answer, Behaviour, ChatServer, asked, completion, echo, refusal, scripted
from tests.conftest import FIXTURES
from tests.examples import blocks
from tests.paths import ROOT

KEY = "sk-3cr3t-k3y-of-mine"
BY_MODEL = ("-m", "path(model=yes)")
NAMED = ("--llm", "openai:test")
QUESTION = "Who designed the Quillon Bridge?"


def first_page(request: dict[str, Any], number: int) -> Answer:
    """Choose the first page of the catalogue."""
    title = asked(request).splitlines()[1].removeprefix("1.")
    return Answer(completion(f"<think>It may be any.</think>{title}"))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ChatServer]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("WEFT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("WEFT_LLM_RETRIES", "0")
    for variable in ("WEFT_LLM", "WEFT_OFFLINE", "WEFT_LLM_PRICES"):
        monkeypatch.delenv(variable, raising=False)
    with ChatServer(first_page) as started:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{started.url}/v1")
        yield started


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    path = tmp_path / "questions.jsonl"
    lines = (FIXTURES / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([line for line in lines if json.loads(line)["gold"]][:6]) + "\n", encoding="utf-8")
    return path


def weft(*arguments: str | Path) -> Result:
    result = CliRunner().invoke(main, list(map(str, arguments)), catch_exceptions=False)
    assert KEY not in result.output
    return result


def test_a_search_asks_once_and_not_again(world: Path, server: ChatServer, tmp_path: Path) -> None:
    runs = [weft("search", world, QUESTION, *BY_MODEL, *NAMED, "--json", "--trace", tmp_path / "t.jsonl") for _ in "ab"]
    first, second = ([hit["uri"] for hit in json.loads(run.stdout)["hits"]] for run in runs)
    chosen = asked(server.requests[0]).splitlines()[1].removeprefix("1.")
    assert first == second and first[0].startswith(chosen) and len(server.requests) == 1
    steps = [json.loads(line) for line in (tmp_path / "t.jsonl").read_text().splitlines()]
    (step,) = (step for step in steps if step["name"] == "path selection")
    assert (step["calls"], step["cached"], step["stand_in"], step["tokens_in"]) == (1, 1, None, 7)
    assert "reply: <think>" in weft("llm", "log").stdout


def test_the_environment_names_a_model_too(world: Path, server: ChatServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEFT_LLM", "openai:test")
    assert weft("search", world, QUESTION, *BY_MODEL).exit_code == 0
    assert len(server.requests) == 1


def test_a_search_tells_what_is_ignored_of_a_reply(world: Path, server: ChatServer) -> None:
    server.behave = scripted("The bridge is the work of Jorun Ketteridge.")
    result = weft("search", world, QUESTION, *BY_MODEL, *NAMED, "--json")
    (line,) = json.loads(result.stdout)["warnings"]
    assert "which was not offered; it is ignored" in line and result.stderr == f"{line}\n"


@pytest.mark.parametrize("method", ["auto", "path", "bm25", "naive-hybrid"])
def test_methods_that_ask_no_model_send_nothing(world: Path, server: ChatServer, method: str, tmp_path: Path) -> None:
    plain, named = (weft("search", world, QUESTION, "-m", method, *extra) for extra in ((), NAMED))
    assert plain.stdout == named.stdout and server.requests == []
    assert not (tmp_path / "cache").exists()


def test_without_a_model_the_method_does_without_and_says_so(world: Path, server: ChatServer) -> None:
    alone, plain = weft("search", world, QUESTION, *BY_MODEL), weft("search", world, QUESTION, "-m", "path")
    assert alone.stdout == plain.stdout and plain.stderr == ""
    assert "path(model=yes): no language model is named (--llm or WEFT_LLM)" in alone.stderr


def test_a_dry_run_tells_calls_tokens_and_cost(
    world: Path, server: ChatServer, questions: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = weft("search", world, QUESTION, *BY_MODEL, *NAMED, "--dry-run").stdout.splitlines()
    assert lines[0] == "openai:test: 1 call, 0 answered from the cache; nothing was sent"
    assert "1,000 written: prices are not set" in lines[1]
    monkeypatch.setenv("WEFT_LLM_PRICES", "1,10")
    told = json.loads(weft("evaluate", world, questions, *BY_MODEL, *NAMED, "--dry-run", "--json").stdout)
    assert (told["calls"], told["cached"], told["tokens_out"]) == (6, 0, 6_000)
    assert told["cost"] == pytest.approx((told["tokens_in"] + 60_000) / 1e6)
    assert server.requests == []
    weft("evaluate", world, questions, *BY_MODEL, *NAMED)
    read = sum(len(turn["content"].encode()) for request in server.requests for turn in request["messages"])
    assert len(server.requests) == 6 and read / 4 < told["tokens_in"] < read / 2
    again = json.loads(weft("evaluate", world, questions, *BY_MODEL, *NAMED, "--dry-run", "--json").stdout)
    assert (again["calls"], again["cached"], again["tokens_in"], again["cost"]) == (6, 6, 0, 0)


def test_a_dry_run_of_answers_counts_the_answer_and_its_claims(
    world: Path, server: ChatServer, tmp_path: Path
) -> None:
    path = tmp_path / "answered.jsonl"
    record = {"id": "1", "question": QUESTION, "answers": ["Orrin Tasker"], "gold": [{"title": "Quillon Bridge"}]}
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    told = json.loads(weft("evaluate", world, path, "-m", "bm25", "--answers", *NAMED, "--dry-run", "--json").stdout)
    assert told["calls"] == 2, "an answer, and whether it claims what the gold does"
    assert server.requests == []


def test_a_dry_run_names_its_model(world: Path, server: ChatServer) -> None:
    result = weft("search", world, QUESTION, *BY_MODEL, "--dry-run")
    assert result.exit_code == 1 and "name one with --llm or WEFT_LLM" in result.stderr


@pytest.mark.parametrize("command", ["search", "ask", "evaluate"])
def test_a_bound_of_no_model_is_refused(world: Path, server: ChatServer, questions: Path, command: str) -> None:
    asked_for = questions if command == "evaluate" else QUESTION
    told = weft(command, world, asked_for, "-m", "bm25", "--max-tokens-total", "5")
    assert told.exit_code == 2 and "--max-tokens-total bounds a language model; name one with --llm" in told.stderr


def _in_pairs(behave: Behaviour) -> Behaviour:
    """Answer no request before another one is there."""
    both = Barrier(2)

    def together(request: dict[str, Any], number: int) -> Answer:
        both.wait(10)
        return behave(request, number)

    return together


def test_an_evaluation_asks_many_questions_at_once(
    world: Path, server: ChatServer, questions: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.behave = _in_pairs(first_page)
    monkeypatch.setenv("WEFT_LLM_CONCURRENCY", "2")
    command = ("evaluate", world, questions, *BY_MODEL, "-m", "bm25", *NAMED, "--json")
    first, second = (json.loads(weft(*command).stdout)["methods"] for _ in "ab")
    assert len(server.requests) == 6 and server.most == 2
    assert all(first[method]["mrr"] == second[method]["mrr"] > 0 for method in ("bm25", "path(model=yes)"))


def _refused(words: str) -> Behaviour:
    """Refuse what has some words, as a service with a content filter does, and quote nothing else."""
    return lambda request, number: (
        refusal(400, "content management policy") if words in asked(request)
        else Answer(completion('{"answer": null, "quotes": []}'))
    )  # fmt: skip


def test_answers_are_asked_for_at_once(
    world: Path, server: ChatServer, questions: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.behave = _in_pairs(lambda request, number: Answer(completion('{"answer": null, "quotes": []}')))
    monkeypatch.setenv("WEFT_LLM_CONCURRENCY", "2")
    told = weft("evaluate", world, questions, "-m", "bm25", "-m", "bm25", "--answers", *NAMED, "--json")
    assert json.loads(told.stdout)["methods"]["bm25"]["abstained"] == 1.0
    assert len(server.requests) == 6 and server.most == 2


def test_a_question_that_is_refused_has_no_answer(world: Path, server: ChatServer, questions: Path) -> None:
    server.behave = _refused("toll roll call")
    told = weft("evaluate", world, questions, "-m", "bm25", "--answers", *NAMED, "--json")
    assert json.loads(told.stdout)["methods"]["bm25"]["abstained"] == 1.0
    assert told.stderr.startswith("bm25: 1 question counts as without an answer, since the model gave no reply (openai")
    assert told.stderr.count("\n") == 1 and len(server.requests) == 6


def test_a_question_that_is_refused_has_no_hits(
    world: Path, server: ChatServer, questions: Path, tmp_path: Path
) -> None:
    server.behave = lambda request, number: (
        refusal(400, "content management policy") if "toll roll call" in asked(request) else first_page(request, number)
    )
    told = weft("evaluate", world, questions, *BY_MODEL, *NAMED, "-o", tmp_path / "report")
    assert told.stderr.splitlines()[0].startswith(
        "path(model=yes): 1 question counts as without hits, since the model gave no reply (openai:test at 127"
    )
    assert told.exit_code == 0 and len(server.requests) == 6
    lines = (tmp_path / "report" / "per_question.jsonl").read_text(encoding="utf-8").splitlines()
    pools = {record["id"]: record["pool"] for record in map(json.loads, lines)}
    assert [identity for identity, pool in pools.items() if pool == 0] == ["single-001"]


def test_a_question_that_is_refused_has_no_hits_from_python_either(
    world: Path, server: ChatServer, questions: Path
) -> None:
    server.behave = lambda request, number: (
        refusal(400, "content management policy") if "toll roll call" in asked(request) else first_page(request, number)
    )
    counted = pytest.warns(UserWarning, match="1 question counts as without hits")
    with weft_face.open(world, llm="openai:test") as kb, counted:
        report = weft_face.evaluate(kb, questions, [BY_MODEL[1]], at=[5])
    assert report["questions"] == 6 and len(server.requests) == 6


@pytest.mark.parametrize("method", [BY_MODEL, ("-m", "bm25", "--answers")], ids=["rankings", "answers"])
def test_a_model_that_refuses_all_ends_the_evaluation(
    world: Path, server: ChatServer, monkeypatch: pytest.MonkeyPatch, method: tuple[str, ...]
) -> None:
    monkeypatch.setenv("WEFT_LLM_CONCURRENCY", "2")
    server.behave = scripted(refusal(401))
    told = weft("evaluate", world, FIXTURES / "questions.jsonl", *method, *NAMED)
    assert told.exit_code == 1 and told.stderr.startswith("Error: openai:test") and told.stderr.count("\n") == 1
    assert len(server.requests) < 20


def test_what_cannot_be_compared_is_told_before_anything_is_asked(
    world: Path, server: ChatServer, questions: Path, tmp_path: Path
) -> None:
    weft("evaluate", world, questions, "-m", "bm25", "-o", tmp_path / "old")
    run = tmp_path / "path(model=yes)"
    run.write_text("1 Q0 a 1 1 x\n")
    for more, why in (("--compare", "no method and question in common"), ("--run", "is a method and a run")):
        told = weft("evaluate", world, questions, *BY_MODEL, *NAMED, more, run if more == "--run" else tmp_path / "old")
        assert told.exit_code == 1 and why in told.stderr
    assert server.requests == []


def test_python_asks_a_model_too(world: Path, server: ChatServer, questions: Path) -> None:
    with weft_face.open(world, llm="openai:test", max_tokens_total=50_000) as kb:
        hits = kb.search(QUESTION, method="path(model=yes)")
        assert hits[0].title == asked(server.requests[0]).splitlines()[1].removeprefix("1.")
        first, second = (weft_face.evaluate(kb, questions, "path(model=yes)")["methods"] for _ in "ab")
        assert first["path(model=yes)"]["mrr"] == second["path(model=yes)"]["mrr"] and len(server.requests) <= 7
    with pytest.raises(weft_face.WeftError, match="is no language model"):
        weft_face.open(world, llm="gpt")


def test_a_budget_stops_cleanly_and_what_is_done_is_kept(world: Path, server: ChatServer, questions: Path) -> None:
    server.behave = lambda request, number: Answer(
        completion("ND", usage={"prompt_tokens": 1_500, "completion_tokens": 500})
    )
    command = ("evaluate", world, questions, *BY_MODEL, *NAMED)
    stopped = weft(*command, "--max-tokens-total", "6000")
    assert stopped.exit_code == 1 and stopped.stderr.count("Error: ") == 1 and "allow more" in stopped.stderr
    n_sent = len(server.requests)
    assert 0 < n_sent < 6
    assert weft(*command, "--max-tokens-total", "100000").exit_code == 0
    assert len(server.requests) == 6


@pytest.mark.parametrize("answer", [refusal(401, f"no {KEY}"), Answer(b"<html>"), refusal(503)], ids=str)
def test_a_model_that_gives_no_reply_is_one_line(world: Path, server: ChatServer, answer: Answer) -> None:
    server.behave = scripted(answer)
    result = weft("search", world, QUESTION, *BY_MODEL, *NAMED)
    assert result.exit_code == 1 and result.stdout == ""
    assert result.stderr.startswith("Error: openai:test at 127.0.0.1:") and result.stderr.count("\n") == 1


def test_the_documents_python_example_runs(server: ChatServer) -> None:
    server.behave = echo
    (block,) = blocks((ROOT / "docs" / "models.md").read_text(encoding="utf-8"), "python")
    names: dict[str, Any] = {}
    exec(compile(block, "models.md", "exec"), names)
    assert [outcome[0].text[4:-4] for outcome in names["outcomes"]] == names["questions"]


def test_what_is_no_model_is_one_line(world: Path, server: ChatServer) -> None:
    result = weft("search", world, QUESTION, *BY_MODEL, "--llm", "gpt")
    assert result.exit_code == 1 and "is no language model; name one as openai:MODEL" in result.stderr
