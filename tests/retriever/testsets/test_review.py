"""Review: decisions are kept at once, a stopped review goes on, and a table brings the same back."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from interfaces.cli import main

RECORDS = [
    {"id": "b1", "question": "Where was its designer born?", "answers": ["Old Marsh", "the marsh"],
     "gold": [{"uri": "A##1"}], "type": "bridge",
     "path": ["A", "B", "Old Marsh"], "evidence": [{"uri": "A##1", "text": "A was designed\nby B."}]},
    {"id": "b2", "question": "=Which one?", "answers": ["'Tis"], "gold": [{"uri": "A##1"}]},
    {"id": "b3", "question": "Who?", "answers": ["B"], "gold": [{"uri": "A##1"}]},
]  # fmt: skip


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "set.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in RECORDS), encoding="utf-8")
    return path


def _review(path: Path, *arguments: object, typed: str = "", code: int = 0) -> Result:
    result = CliRunner().invoke(main, ["testset", "review", str(path), *map(str, arguments)], input=typed)
    assert result.exit_code == code, result.output
    return result


def _kept(path: Path) -> dict[str, dict[str, object]]:
    return {record["id"]: record for record in map(json.loads, path.read_text(encoding="utf-8").splitlines())}


def test_each_question_is_shown_with_its_evidence(path: Path) -> None:
    shown = _review(path, typed="q\n").stdout
    assert "bridge: Where was its designer born?" in shown
    assert shown.startswith("\n[1 of 3]\n")
    assert "[A##1] A was designed by B." in shown


def test_a_stopped_review_goes_on(path: Path, tmp_path: Path) -> None:
    _review(path, typed="k\nq\n")
    out = tmp_path / "out.jsonl"
    told = _review(path, "-o", out, "--json", typed="e\nWhich of them?\nThat one\nd\n")
    assert json.loads(told.stdout.splitlines()[-1]) == {"questions": 3, "decided": 3, "kept": 2}
    kept = _kept(out)
    assert kept["b1"] == RECORDS[0]
    assert (kept["b2"]["question"], kept["b2"]["answers"]) == ("Which of them?", ["That one"])
    assert _review(path, typed="").stdout == "3 questions, 3 decided, 2 kept\n"


def test_a_table_comes_back_as_it_went(path: Path, tmp_path: Path) -> None:
    table, out = tmp_path / "set.csv", tmp_path / "out.jsonl"
    _review(path, "--to-csv", table)
    with table.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows[1]["question"] == "'=Which one?"
    for row, verdict in zip(rows, ("keep", "Keep", "drop"), strict=True):
        row["decision"] = verdict
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    _review(path, "--from-csv", table, "-o", out)
    assert _kept(out) == {record["id"]: record for record in RECORDS[:2]}


UNANSWERED = [
    {"id": "u1", "question": "Who built it?", "gold": []},
    {"id": "u2", "question": "Who paid?", "answers": [], "gold": [], "evidence": ["page 3", {"uri": 4}]},
    {"id": "u3", "question": "Who sold it?", "answers": ["B", "C"], "gold": []},
]


def test_questions_without_answers_are_reviewed_too(tmp_path: Path) -> None:
    path, out = tmp_path / "set.jsonl", tmp_path / "out.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in UNANSWERED), encoding="utf-8")
    _review(path, "-o", out, typed="k\ne\n\n\ne\n\n \n")
    assert _kept(out) == {record["id"]: record for record in [*UNANSWERED[:2], UNANSWERED[2] | {"answers": ["C"]}]}


def test_a_table_keeps_questions_without_answers(tmp_path: Path) -> None:
    path, table, out = tmp_path / "set.jsonl", tmp_path / "set.csv", tmp_path / "out.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in UNANSWERED), encoding="utf-8")
    _review(path, "--to-csv", table)
    with table.open(encoding="utf-8-sig", newline="") as file:
        rows = [row | {"decision": "keep"} for row in csv.DictReader(file)]
    rows[2]["answer"] = ""
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    _review(path, "--from-csv", table, "-o", out)
    assert _kept(out) == {record["id"]: record for record in [*UNANSWERED[:2], UNANSWERED[2] | {"answers": ["C"]}]}


def test_a_wrong_table_is_one_line(path: Path, tmp_path: Path) -> None:
    table = tmp_path / "set.csv"
    table.write_text("id,question,answer,decision\nb9,Who?,B,keep\n", encoding="utf-8")
    assert "row 2" in _review(path, "--from-csv", table, code=1).output
    table.write_text("id,question\nb1,Who?\n", encoding="utf-8")
    assert "needs the columns" in _review(path, "--from-csv", table, code=1).output
    (path.parent / "set.jsonl.review").write_text("{}\n", encoding="utf-8")
    assert "is no decision" in _review(path, typed="q\n", code=1).output
