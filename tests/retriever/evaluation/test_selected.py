"""What an evaluation measures: questions of a split, those whose gold is there, and where each method loses some."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import weft
from interfaces.cli import main
from tests.worlds import write_records
from weft.errors import WeftError

KNOWN = {"id": "1", "question": "Who designed the Quillon Bridge?", "gold": [{"title": "Quillon Bridge"}]}
HALF = {"id": "2", "question": "Where was Orrin Tasker born?", "gold": [{"title": "Orrin Tasker"}, {"title": "Gone"}]}
LOST = {"id": "3", "question": "Who built the Nowhere Bridge?", "gold": [{"title": "Nowhere Bridge"}]}


def _evaluate(world: Path, folder: Path, records: list[dict[str, object]], *options: str) -> Result:
    questions = write_records(folder / "q.jsonl", records)
    return CliRunner().invoke(main, ["evaluate", str(world), str(questions), "-m", "bm25", *options])


def test_questions_whose_gold_is_not_there_are_counted(world: Path, tmp_path: Path) -> None:
    done = _evaluate(world, tmp_path, [KNOWN, HALF, LOST], "--json")
    assert done.stderr == "1 of 3 questions with gold counts as missed, since nothing of their gold is in the SKB\n"
    report = json.loads(done.stdout)
    assert (report["unresolved"], report["unresolved_questions"]) == (2, 1)
    with pytest.warns(UserWarning, match="nothing of their gold"):
        weft.evaluate(world, [KNOWN, HALF, LOST], "bm25")
    assert _evaluate(world, tmp_path, [KNOWN, HALF]).stderr == ""


def test_gold_of_another_skb_ends_an_evaluation(world: Path, tmp_path: Path) -> None:
    done = _evaluate(world, tmp_path, [LOST, {"id": "4", "question": "?", "gold": []}])
    told = "has no chunk that the gold of any question names, such as question 3; name the SKB that the questions are"
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (1, "", 1) and told in done.stderr
    with pytest.raises(WeftError, match="the gold of any question"):
        weft.evaluate(world, [LOST], "bm25")


def test_answers_are_scored_without_the_gold_of_rankings(world: Path, tmp_path: Path) -> None:
    done = _evaluate(world, tmp_path, [{**KNOWN, "gold": LOST["gold"], "answers": ["Orrin Tasker"]}], "--answers")
    assert done.exit_code == 0 and "answers by" in done.stdout


def test_a_split_is_measured_alone(world: Path, tmp_path: Path) -> None:
    records = [{**KNOWN, "split": "test"}, {**HALF, "split": "train"}, LOST]
    done = _evaluate(world, tmp_path, records, "--split", "test", "--json")
    assert json.loads(done.stdout)["questions"] == 1 and done.stderr == ""
    other = _evaluate(world, tmp_path, records, "--split", "dev")
    assert other.stderr == "Error: --split dev: no question is of this split; the splits are: test, train\n"
    assert "the splits are: none" in _evaluate(world, tmp_path, [KNOWN], "--split", "dev").stderr


def test_every_method_tells_where_it_loses_questions(world: Path, tmp_path: Path) -> None:
    done = _evaluate(world, tmp_path, [KNOWN, LOST], "--errors", "--json")
    lost = json.loads(done.stdout)["methods"]["bm25"]["errors"]
    assert lost.pop("questions") == 2 and list(lost) == ["in SKB", "in pool", "ranked", "first"]
    assert lost["in SKB"] == {"reached": 1, "lost": 1, "lost_and_ranked": 0}
    assert lost["ranked"] == {"reached": 1, "lost": 0, "lost_and_ranked": 0}


def test_errors_of_the_default_methods_are_told(world: Path, tmp_path: Path) -> None:
    questions = write_records(tmp_path / "q.jsonl", [KNOWN])
    done = CliRunner().invoke(main, ["evaluate", str(world), str(questions), "--errors", "--fusion", "logistic"])
    assert done.exit_code == 0, done.output
    told = [line for line in done.stdout.splitlines() if line.endswith(": 1 question")]
    assert told == ["hybrid(fusion=logistic): 1 question", "vector: 1 question", "bm25: 1 question"]
