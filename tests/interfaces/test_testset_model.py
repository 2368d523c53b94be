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
from retriever.testsets import judging
from tests.chat_server import Answer, Behaviour, ChatServer, asked, completion, refusal

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
    assert "it is answered with a piece of its evidence taken away" in output


def test_a_low_score_is_rejected(world: Path, server: ChatServer, tmp_path: Path) -> None:
    assert "the judge's score is below 10" in _make(world, tmp_path / "a.jsonl", "--least-score", 10, code=1).output


def test_a_budget_stops_it(world: Path, server: ChatServer, tmp_path: Path) -> None:
    assert "budget" in _make(world, tmp_path / "a.jsonl", "--max-tokens-total", 50, code=1).output


def _refusing(step: str) -> Behaviour:
    """Refuse every second request of a step: write, answer or judge."""
    seen: list[str] = []

    def behave(request: dict[str, Any], number: int) -> Answer:
        judges = "FINAL SCORE" in request["messages"][0]["content"]
        if step == ("judge" if judges else "write" if asked(request).startswith("Link: ") else "answer"):
            seen.append(step)
            if len(seen) % 2 == 0:
                return refusal(400, "content management policy")
        return written(request, number)

    return behave


@pytest.mark.parametrize("step", ["write", "answer", "judge"])
def test_a_draft_that_the_service_refuses_is_told_apart(
    world: Path, server: ChatServer, tmp_path: Path, step: str
) -> None:
    server.behave = _refusing(step)
    told = _make(world, tmp_path / "a.jsonl", "--json")
    reasons = json.loads(told.stdout)["rejected"]["bridge"]
    ((reason, n),) = [each for each in reasons.items() if each[0].startswith("the model could not be asked: openai:")]
    assert not any(other in reasons for other in ("the judge gave no score", judging.ANSWERED))
    assert n > 1 and "content management policy" in reason
    assert told.stderr == f"{n} drafts left out without a verdict; {reason}\n"


def test_a_budget_that_is_spent_midway_ends_it(world: Path, server: ChatServer, tmp_path: Path) -> None:
    server.behave = lambda request, number: Answer({
        **written(request, number).body, "usage": {"prompt_tokens": 1000, "completion_tokens": 500},
    })  # fmt: skip
    told = _make(world, tmp_path / "a.jsonl", "--max-tokens-total", 90_000, code=1)
    assert len(server.requests) > 1 and "the budget of 90,000 tokens" in told.stderr
    assert not (tmp_path / "a.jsonl").exists()


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--patterns", "single"), "a language model writes bridge questions alone; leave out --llm or --patterns"),
        (("--patterns", "bridge,comparison"), "leave out --llm or --patterns"),
        (("--evidence", "cited"), "leave out --llm or --evidence"),
    ],
)
def test_what_no_model_writes_is_refused(
    world: Path, server: ChatServer, tmp_path: Path, options: tuple[str, ...], why: str
) -> None:
    assert why in _make(world, tmp_path / "a.jsonl", *options, code=2).stderr
    assert server.requests == []


def test_a_model_of_the_environment_is_named_as_that(
    world: Path, server: ChatServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEFT_LLM", "openai:test")
    command = ["testset", "make", str(world), "-o", str(tmp_path / "a.jsonl"), "--patterns", "single"]
    told = CliRunner().invoke(main, command)
    assert told.exit_code == 2 and "alone; WEFT_LLM is set; unset it or leave out --patterns" in told.stderr


def test_what_a_writer_replies_is_read_tolerantly() -> None:
    reply = '<think>x</think>Here: {"question": "Who?", "answer": 7, "passages": ["Passage 2", "passage9"]}'
    assert write.read_reply(reply, 2) == write.Proposed("Who?", "7", (1,))
    assert write.read_reply("ND", 2) is None
    assert write.read_reply('{"question": "", "answer": "x"}', 2) is None
    assert judge.read_reply("FINAL SCORE: 11") is None
    assert judge.read_reply("FINAL SCORE (1-10): 8") == judge.read_reply("**Final score [out of 10]:** 8/10") == 8
    assert judge.read_reply("FINAL SCORE: (8)") == judge.read_reply("FINAL SCORE [8]: good") == 8
    assert judge.read_reply("FINAL SCORE (1 to 10)") is None
    assert judge.read_reply("FINAL SCORE: 3\nno, FINAL SCORE: 8") == 8


FILMS = {"f1": "Red Kite", "f2": "Blue Barge", "f3": "Sea Fog", "p1": "Ann Orr", "p2": "Ben Sykes", "p3": "Cid Moss"}
EDGES = """subject\tpredicate\tobject
f1\tdirected_by\tp1
f2\twritten_by\tp1
f2\tdirected_by\tp2
f3\twritten_by\tp2
f3\tdirected_by\tp3
"""


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    """Give an SKB of a graph without text."""
    folder = tmp_path / "graph"
    folder.mkdir()
    nodes = (json.dumps({"uri": uri, "name": name, "type": "film" if uri[0] == "f" else "person"}) + "\n"
             for uri, name in FILMS.items())  # fmt: skip
    (folder / "nodes.jsonl").write_text("".join(nodes), encoding="utf-8")
    (folder / "edges.tsv").write_text(EDGES, encoding="utf-8")
    result = CliRunner().invoke(main, ["build", f"graph:{folder}", "-o", str(tmp_path / "kb.skb")])
    assert result.exit_code == 0, result.output
    return tmp_path / "kb.skb"


def phrased(request: dict[str, Any], number: int) -> Answer:
    """Phrase a path by what it begins at alone, or by what is on the way too where that is Ann Orr."""
    prompt = asked(request)
    if not prompt.startswith("Start: "):
        return written(request, number)
    start, way = (line.partition(": ")[2] for line in prompt.splitlines()[:2])
    named = f"{start} and of {way}" if way == "Ann Orr" else start
    return Answer(completion(json.dumps({"question": f"What follows, in {len(prompt)} letters, of {named}?"})))


def test_over_a_graph_without_text_paths_are_phrased(graph: Path, server: ChatServer, tmp_path: Path) -> None:
    server.behave = phrased
    told = json.loads(_make(graph, tmp_path / "a.jsonl", "--json").stdout)
    reasons = told["rejected"]["bridge"]
    assert reasons["the bridge is named in the question or the answer"] > 0
    assert told["questions"] > 0
    for line in (tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        assert record["made_by"]["writer"] == "openai:test"
        assert record["scores"]["judged"] == 9.0
        assert [FILMS[item["uri"]] for item in record["gold"]] == record["answers"][:1]
        assert record["path"][0].split(" | ")[0] in FILMS.values()
        assert not any(name in record["question"] for name in record["bridge"])


def test_a_phrased_path_names_what_it_begins_at(graph: Path, server: ChatServer, tmp_path: Path) -> None:
    server.behave = lambda request, number: Answer(completion('{"question": "Who was it?"}'))
    assert "what it begins at is not named" in _make(graph, tmp_path / "a.jsonl", code=1).output


def test_a_dry_run_over_a_graph_tells_the_calls(graph: Path, server: ChatServer, tmp_path: Path) -> None:
    assert "nothing was sent" in _make(graph, tmp_path / "a.jsonl", "--dry-run").stdout
    assert server.requests == []
