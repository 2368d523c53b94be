"""The command that trains a fusion: what it learns from, what it writes, and what it refuses."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import struct
import subprocess
import sys
import termios
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from builder.build import build
from builder.request import Request
from interfaces.cli import main
from retriever.context import Context
from retriever.features.matrix import COLUMNS
from retriever.fusion.shipped import fusion_named
from retriever.fusion.store import file_hash, load
from retriever.session import Session
from retriever.synthesis.compose import synthetic_questions
from tests.conftest import FIXTURES
from tests.worlds import page, write_pages, write_records
from weft.skb import Skb

QUESTIONS = FIXTURES / "questions.jsonl"


def _weft(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments])


def _train(*arguments: str | Path) -> dict[str, Any]:
    result = _weft("train", *arguments, "--model", "logistic", "--json")
    assert result.exit_code == 0, result.output
    summary: dict[str, Any] = json.loads(result.stdout)
    return summary


@pytest.fixture(scope="session")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a question file of fourteen questions without splits, half of them over several pages."""
    path = tmp_path_factory.mktemp("few") / "few.jsonl"
    records = [json.loads(line) for line in QUESTIONS.open(encoding="utf-8")][52:66]
    return write_records(path, [{key: value for key, value in each.items() if key != "split"} for each in records])


@pytest.mark.slow
def test_same_files_and_seed_train_the_same_fusion(world: Path, few: Path, tmp_path: Path) -> None:
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    first, second = (_train(world, few, world, few, "--practice", "6", "-o", path) for path in (one, two))
    assert one.read_bytes() == two.read_bytes()
    assert first.pop("seconds") > 0 and second.pop("seconds") > 0
    assert first.pop("output") == str(one) and second.pop("output") == str(two)
    assert first == second
    assert first["sha256"] == file_hash(one) and first["columns"] == list(COLUMNS)
    assert first["embedders"] == ["tfidf"] and first["model"] == "logistic"
    labels = [(each["name"], each["sha256"]) for each in first["sets"]]
    assert labels == [("world/few", file_hash(few)), ("world/few practice", "")] * 2
    head = load(one, COLUMNS).head
    assert [each._asdict() for each in head.trained_on] == first["sets"]
    other = _train(world, few, "--seed", "1", "-o", two)
    assert other["sha256"] != first["sha256"]
    assert str(tmp_path) not in one.read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_terminal_shows_how_far_training_is(world: Path, few: Path, tmp_path: Path) -> None:
    options = ["--model", "logistic", "-o", "f.json"]
    command = [sys.executable, "-m", "interfaces.cli", "train", str(world), str(few), *options]
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, cwd=tmp_path) as process:
        os.close(theirs)
        shown = b""
        with suppress(OSError):  # a terminal whose other side has gone
            while more := os.read(ours, 4096):
                shown += more
    os.close(ours)
    assert process.returncode == 0
    assert b"candidates: " in shown and b"training: " in shown and b"/14 [" in shown and b"/5 [" in shown


def test_what_was_trained_ranks(world: Path, few: Path, tmp_path: Path) -> None:
    result = _weft("train", world, few, "--model", "logistic", "--sampling", "mixed", "--limit", "40",
                   "-o", tmp_path / "f.json")  # fmt: skip
    assert result.exit_code == 0, result.output
    assert "world/few: " in result.stdout and "f.json: logistic over " in result.stdout
    found = _weft("search", world, "Who designed the Quillon Bridge?", "--fusion", tmp_path / "f.json", "-k", "1")
    assert found.exit_code == 0 and found.stdout.startswith("1. ")


def test_a_fusion_learns_from_lists(world: Path, few: Path, tmp_path: Path) -> None:
    path = tmp_path / "f.json"
    given = ("train", world, few, "-o", path)
    result = _weft(*given, "--model", "listwise")
    assert result.exit_code == 0 and "f.json: listwise over " in result.stdout, result.output
    assert load(path).head.settings["sampling"] == "all"
    found = _weft("search", world, "Who designed the Quillon Bridge?", "--fusion", path, "-k", "1")
    assert found.exit_code == 0 and found.stdout.startswith("1. ")
    practised = _weft("train", world, "--practice", "30", "-o", tmp_path / "mine.json", "--model", "listwise")
    assert practised.exit_code == 2 and "--model listwise is for question files" in practised.stderr
    models = {"--sampling hard": "ensemble", "--limit 40": "ensemble", "--limit 40 --model listwise": "listwise",
              "--limit 40 --features thesis --model ensemble": "ensemble"}  # fmt: skip
    for option, model in models.items():
        refused = _weft(*given, *option.split())
        message = f"{option.split(' --')[0]}: {model} draws candidates itself; choose --model mlp, logistic or thesis"
        assert refused.exit_code == 2 and message in " ".join(refused.stderr.split()), refused.stderr


@pytest.mark.slow
def test_only_the_training_split_is_learned_from(world: Path, tmp_path: Path) -> None:
    records = [json.loads(line) for line in QUESTIONS.open(encoding="utf-8")][52:70]
    path = write_records(tmp_path / "q.jsonl", records)
    n_train = sum(each["split"] == "train" for each in records)
    result = _weft("train", world, path, "--model", "logistic", "-o", tmp_path / "f.json", "--json")
    assert result.stderr.splitlines() == [
        f"{path}: learns from {n_train} of 18 questions, the split train; --all takes all"
    ]
    assert json.loads(result.stdout)["sets"][0]["questions"] <= n_train
    every = _weft("train", world, path, "--model", "logistic", "-o", tmp_path / "f.json", "--all", "--json")
    assert every.stderr == "" and json.loads(every.stdout)["sets"][0]["questions"] > n_train


def test_what_cannot_be_trained_on_is_one_line(world: Path, few: Path, tmp_path: Path) -> None:
    tiny = tmp_path / "tiny.skb"
    build(Request((str(write_pages(tmp_path / "pages", {"a.html": page("Oak", "An oak.")})),), tiny, workers=1))

    def mistake(*arguments: str | Path) -> str:
        result = _weft("train", *arguments)
        assert (result.exit_code, result.stdout) == (1, ""), result.output
        assert result.stderr.count("\n") == 1
        return result.stderr

    tests = write_records(tmp_path / "t.jsonl", [{"id": "1", "question": "q?", "gold": [], "split": "test"}])
    lost = write_records(tmp_path / "l.jsonl", [{"id": "1", "question": "lamp?", "gold": [{"title": "Nowhere"}]}])
    output = tmp_path / "f.json"
    assert "no such file" in mistake(tmp_path / "none.skb", few, "-o", output)
    assert "cannot be read" in mistake(world, tmp_path / "none.jsonl", "-o", output)
    assert "no question is of the split train; --all learns from every one" in mistake(world, tests, "-o", output)
    assert "no question has gold among what" in mistake(world, lost, "-o", output)
    assert f"{tmp_path}: is a folder; name a file" in mistake(world, few, "-o", tmp_path)
    assert f"the folder {tmp_path}/none does not exist" in mistake(world, few, "-o", tmp_path / "none" / "f.json")
    assert _weft("train", world, few, world, "-o", output).exit_code == 2
    assert "too few" in mistake(tiny, "-o", output)
    for option in ("--all", "--limit 9", "--sampling hard", "--features thesis", "--model thesis", "--model listwise"):
        assert _weft("train", world, *option.split(), "-o", output).exit_code == 2
    assert _weft("train", world, few).exit_code == 2
    assert not output.exists()


@pytest.mark.parametrize("standardise", ["local", "global"])
def test_the_system_of_the_thesis_is_trained_and_ranks(
    world: Path, few: Path, tmp_path: Path, standardise: str
) -> None:
    path, options = tmp_path / "f.json", ("--features", "thesis", "--standardise", standardise, "--limit", "60")
    summary = _train(world, few, *options, "-o", path)
    assert summary["columns"] == ["vector", "page", "section", "entity", "path"]
    told = {"features": "thesis", "missing": 0.75, "standardise": standardise, "seed": 0, "limit": 60}
    assert summary["settings"].items() >= told.items()
    assert set(summary["settings"]["versions"]) == {"weft", "numpy", "scikit-learn"}
    assert (load(path).head.scale is None) == (standardise == "local")
    method = f"hybrid(features=thesis,fusion={path},standardise={standardise})"
    found = _weft("search", world, "Who designed the Quillon Bridge?", "-m", method, "-k", "3", "--json", "--explain")
    assert found.exit_code == 0, found.output
    hits = json.loads(found.stdout)["hits"]
    assert [hit["rank"] for hit in hits] == [1, 2, 3] and all(hit["why"] for hit in hits)
    assert all(set(hit["signals"]) == set(summary["columns"]) for hit in hits)
    assert hits == sorted(hits, key=lambda hit: -hit["score"])
    report = _weft("evaluate", world, few, "-m", method, "--json")
    assert "the fusion was trained on 14 of these 14 questions" in report.stderr
    assert json.loads(report.stdout)["questions"] == 14


def test_what_a_fusion_of_ones_own_has_seen_is_told_apart_from_what_ships(world: Path, tmp_path: Path) -> None:
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    lines = (FIXTURES / "questions.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    one.write_text("".join(lines[:12]), encoding="utf-8")
    other.write_text("".join(lines[10:14]), encoding="utf-8")
    _train(world, one, "--all", "-o", tmp_path / "f.json")

    def warned(method: str) -> str:
        done = _weft("evaluate", world, other, "-m", method, "--fusion", tmp_path / "f.json")
        return "".join(line for line in done.stderr.splitlines() if "trained on" in line)

    assert warned("hybrid(hops=no)") == (
        "the fusion was trained on 2 of these 4 questions, so figures on them say nothing; docs/quality.md has honest"
        " ones"
    )
    assert warned("hybrid").startswith(
        "the fusion was trained on 2 of these 4 questions and the ranker of answers, by which hybrid goes hop by hop"
        " unless hops=no, on 4, so figures"
    )


def test_a_fusion_of_the_thesis_is_asked_for_by_its_options(world: Path, few: Path, tmp_path: Path) -> None:
    path = tmp_path / "f.json"
    _train(world, few, "--features", "thesis", "--missing", "0.5", "-o", path)

    def mistake(*arguments: str | Path) -> str:
        result = _weft("search", world, "q", *arguments)
        assert (result.exit_code, result.stdout) == (1, ""), result.output
        return result.stderr

    assert mistake("-m", "hybrid(features=thesis)", "--fusion", path) == (
        f"Error: hybrid(features=thesis,missing=0.75): {path} was trained with missing=0.5;"
        " `weft train --features thesis` trains one\n"
    )
    assert mistake("--fusion", path) == (
        f"Error: {path}: reads the thesis's features; rank by -m 'hybrid(features=thesis,fusion={path})'\n"
    )
    assert mistake("-m", "hybrid(missing=0.5,standardise=global)") == (
        "Error: hybrid(missing=0.5,standardise=global): are options of the thesis's features; add features=thesis\n"
    )
    assert "are no features; choose all or thesis" in mistake("-m", "hybrid(features=five)")
    assert "train it: weft train" in mistake("-m", f"hybrid(features=thesis,fusion={tmp_path}/none.json)")
    assert "mlp: no such fusion of the thesis's features" in mistake("-m", "hybrid(features=thesis)", "--fusion", "mlp")
    result = _weft("train", world, few, "--missing", "0.5", "-o", tmp_path / "g.json")
    assert result.exit_code == 2 and "--missing is for --features thesis" in result.stderr


def test_an_skb_alone_is_practised_on(world: Path, tmp_path: Path) -> None:
    path, again, shipped = tmp_path / "mine.json", tmp_path / "again.json", fusion_named("logistic", "tfidf")
    summary = _train(world, "--practice", "30", "-o", path)
    assert 0 <= summary["before"] <= 1 and 0 < summary["after"] <= 1
    fusion = load(path, COLUMNS)
    *known, practice = fusion.head.trained_on
    assert tuple(known) == shipped.head.trained_on and fusion.head.embedders == shipped.head.embedders
    assert practice.name == "world practice" and 0 < practice.questions <= 30
    assert len(fusion.model.arrays()) == 2 * len(shipped.model.arrays())
    _train(world, "--practice", "30", "-o", again)
    assert again.read_bytes() == path.read_bytes()
    found = _weft("search", world, "Who designed the Quillon Bridge?", "--fusion", path, "-k", "1")
    assert found.exit_code == 0 and found.stdout.startswith("1. ")


def test_what_was_practised_is_told_and_never_measured_on(world: Path, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    told = _weft("train", world, "--practice", "30", "--model", "logistic", "-o", path).stdout.splitlines()
    assert told[0].startswith("world practice: ") and told[1].startswith(f"{path}: logistic over ")
    assert told[2].startswith("first hit right, of practice questions not learned from yet: ") and len(told) == 3
    with Skb(world) as skb:
        made = [each.text for each in synthetic_questions(Session(Context(skb)), 20)]
    questions = write_records(tmp_path / "q.jsonl", [
        {"id": str(number), "question": text, "gold": [{"title": "Quillon Bridge"}]} for number, text in enumerate(made)
    ])  # fmt: skip
    warned = _weft("evaluate", world, questions, "-m", f"hybrid(fusion={path})", "--json").stderr
    assert "the fusion was trained on " in warned and f" of these {len(made)} questions" in warned
