"""The folder of a report: what it holds reads back, equal runs give equal bytes, and broken files are told."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from interfaces.cli import main
from retriever.context import Context
from retriever.datasets.question_files import GoldItem, Question, read_questions
from retriever.evaluation.beir import read_beir
from retriever.evaluation.outcomes import Assessment, assess
from retriever.evaluation.report.compare import against, read_earlier
from retriever.evaluation.report.folder import full_report, write_report
from retriever.searcher import Searcher
from retriever.session import Session
from retriever.types import Ranking
from tests.conftest import FIXTURES
from tests.paths import ROOT
from tests.worlds import write_records
from weft.errors import BadQuestionFile, WeftError
from weft.skb import Skb

QUESTIONS = FIXTURES / "questions.jsonl"
FILES = {
    "report.json", "report.md", "per_question.jsonl", "trec/qrels", "trec/run.bm25", "trec/run.both",
    "beir/corpus.jsonl", "beir/queries.jsonl", "beir/qrels/test.tsv",
    "plots/recall_over_k.png", "plots/by_type.png", "plots/importances_1_both.png",
}  # fmt: skip


class Both:
    """The hits of full text and vectors by the sum of ranks, with features and who proposed them."""

    def __init__(self, skb: Skb) -> None:
        self.alone = [Searcher(Session(Context(skb)), name).rank for name in ("bm25", "vector")]

    def __call__(self, question: str, k: int) -> Ranking:
        """Return at most k hits of the 30 first of both."""
        found = [rank(question, 30).ids.tolist() for rank in self.alone]
        ids = np.array(sorted({*found[0], *found[1]}), np.int64)
        ranks = np.array([[each.index(one) if one in each else 60 for each in found] for one in ids.tolist()])
        order = np.lexsort((ids, ranks.sum(1)))[:k]
        features = np.column_stack([-ranks, ranks < 60])[order].astype(np.float32)
        names = ("bm25", "vector", "proposed_bm25", "proposed_vector")
        scores = -ranks.sum(1)[order].astype(np.float32)
        return Ranking("chunk", ids[order], scores, features, names, np.zeros(len(order), np.int32))


@pytest.fixture(scope="module")
def assessment(world: Path) -> Assessment:
    with Skb(world) as skb:
        methods = {"bm25": Searcher(Session(Context(skb)), "bm25").rank, "both": Both(skb)}
        return assess(skb, read_questions(QUESTIONS), methods, (1, 5), "chunk")


Report = tuple[dict[str, Any], dict[str, list[dict[str, Any]]]]


@pytest.fixture(scope="module")
def reported(assessment: Assessment) -> Report:
    return full_report(assessment)


@pytest.fixture(scope="module")
def written(
    assessment: Assessment, reported: Report, world: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    path = tmp_path_factory.mktemp("reports") / "report"
    with Skb(world) as skb:
        write_report(path, skb, assessment, *reported)
    return path


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a question file of every twelfth question, with too little gold for importances."""
    path = tmp_path_factory.mktemp("few") / "questions.jsonl"
    return write_records(path, _lines(QUESTIONS)[::12])


def _bytes(folder: Path) -> dict[str, bytes]:
    return {each.relative_to(folder).as_posix(): each.read_bytes() for each in folder.rglob("*") if each.is_file()}


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _weft(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments])


def _mistake(*arguments: object) -> str:
    result = _weft(*arguments)
    assert result.exit_code == 1 and result.stderr.startswith("Error: ") and result.stderr.count("\n") == 1, result
    return result.stderr


def test_the_folder_holds_what_it_should(written: Path, assessment: Assessment) -> None:
    assert set(_bytes(written)) == FILES
    report = json.loads((written / "report.json").read_text(encoding="utf-8"))
    assert set(report) == {"questions", "unjudged", "unresolved", "unresolved_questions", "unit", "methods", "paired",
                           "types", "resampling", "recall_over_k", "importances"}  # fmt: skip
    assert set(report["paired"]) == {"bm25 - both"}
    measured = report["methods"]["both"]
    for name, (low, high) in measured["ci"].items():
        assert low <= measured[name] <= high
    assert set(measured) == {*measured["ci"], "ci", "gold", "seconds"}
    assert sum(measured["gold"].values()) == sum(len(case.gold.items) for case in assessment.cases)
    assert report["recall_over_k"]["both"]["5"] == measured["recall@5"]
    assert report["recall_over_k"]["both"]["400"] == measured["pool_recall"]
    kinds = report["types"]
    assert sum(told["questions"] for told in kinds.values()) == len(assessment.cases)


def test_a_line_tells_what_became_of_a_questions_gold(written: Path, assessment: Assessment) -> None:
    records = {(each["method"], each["id"]): each for each in _lines(written / "per_question.jsonl")}
    assert len(records) == 2 * len(assessment.cases)
    fates = {}
    for (method, _), record in records.items():
        for gold in record["gold"]:
            fates[gold["fate"]] = fates.get(gold["fate"], 0) + 1
            assert (gold["rank"] is None) == (gold["hit"] is None) == (gold["fate"] == "not in the pool")
            assert (gold["fate"] == "found") == (gold["rank"] is not None and gold["rank"] <= 5)
            assert bool(gold["proposers"]) == (method == "both" and gold["hit"] is not None)
        assert record["measures"]["recall@5"] == pytest.approx(
            sum(gold["fate"] == "found" for gold in record["gold"]) / len(record["gold"])
        )
    assert set(fates) == {"found", "ranked low", "not in the pool"}
    assert records["both", "single-001"]["gold"][0]["proposers"] == ["bm25", "vector"]


def test_the_pool_rank_is_the_best_of_a_proposer(written: Path) -> None:
    records = {(each["method"], each["id"]): each for each in _lines(written / "per_question.jsonl")}
    n_better = 0
    for (method, identity), record in records.items():
        alone = {gold["item"]: gold["rank"] for gold in records["bm25", identity]["gold"]}
        for gold in record["gold"]:
            if method == "bm25":
                assert gold["pool_rank"] == gold["rank"]
            elif gold["proposers"] == ["bm25"] and alone[gold["item"]] is not None:
                assert gold["pool_rank"] <= gold["rank"]
                n_better += gold["pool_rank"] < gold["rank"]
    assert n_better


def test_the_report_for_people_names_the_worst(written: Path) -> None:
    text = (written / "report.md").read_text(encoding="utf-8")
    assert "## The 20 worst questions of both" in text and "![by type](plots/by_type.png)" in text
    section = text.partition("## The 20 worst questions of both")[2].partition("\n## ")[0]
    assert section.count("| `") == 20
    tables = [line for line in text.splitlines() if line.startswith("|")]
    assert all(line.endswith("|") for line in tables)


def test_importances_tell_signal_from_noise(assessment: Assessment) -> None:
    random = np.random.default_rng(4)
    outcomes = []
    for case, found in zip(assessment.cases, assessment.outcomes["bm25"], strict=True):
        gold = np.isin(found.ids, sorted(frozenset[int]().union(*case.gold.items)))
        features = np.column_stack([random.random(len(gold)), gold + random.normal(0, 0.3, len(gold))])
        outcomes.append(found._replace(features=features.astype(np.float32), columns=("noise", "signal")))
    report, _ = full_report(assessment._replace(outcomes={"made": tuple(outcomes)}))
    told = report["importances"]["made"]
    assert list(told) == ["signal", "noise"]
    assert told["signal"]["forest"] > 0.8 and told["signal"]["permutation"] > 0.3
    assert abs(told["noise"]["permutation"]) < 0.05


def test_equal_evaluations_give_equal_bytes(assessment: Assessment, world: Path, tmp_path: Path, written: Path) -> None:
    with Skb(world) as skb:
        write_report(tmp_path / "again", skb, assessment, *full_report(assessment))
    assert _bytes(tmp_path / "again") == _bytes(written)
    assert [each.name for each in tmp_path.iterdir()] == ["again"]


def test_another_seed_draws_other_questions(assessment: Assessment, reported: Report) -> None:
    one, other = (each["methods"]["bm25"] for each in (reported[0], full_report(assessment, 1)[0]))
    assert one["recall@5"] == other["recall@5"] and one["ci"] != other["ci"]


# Against an earlier report


def test_won_and_lost_since_an_earlier_report(reported: Report, written: Path) -> None:
    _, records = reported
    assert all(not told["won"] and not told["lost"] for told in against(read_earlier(written), records, 0).values())
    told = against(read_earlier(written), {"bm25": [each | {"method": "bm25"} for each in records["both"]]}, 0)["bm25"]
    earlier, now = ({each["id"]: each["measures"]["recall@5"] for each in records[name]} for name in ("bm25", "both"))
    assert told["won"] == [name for name in now if now[name] > earlier[name]] != []
    assert told["lost"] == [name for name in now if now[name] < earlier[name]]
    assert (told["questions"], told["by"]) == (len(now), "recall@5")
    expected = sum(now.values()) / len(now) - sum(earlier.values()) / len(now)
    assert told["measures"]["recall@5"]["difference"] == pytest.approx(expected, abs=1e-6)


def test_only_questions_in_the_same_words_are_compared(reported: Report, written: Path) -> None:
    _, records = reported
    changed = [each | {"question": each["question"] + "?"} for each in records["bm25"]]
    assert against(read_earlier(written), {"bm25": [records["bm25"][0], *changed[1:]]}, 0)["bm25"]["questions"] == 1
    with pytest.raises(WeftError, match="no method and question in common"):
        against(read_earlier(written), {"bm25": changed}, 0)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "is empty"),
        ("{\n", "line 1: not JSON"),
        ("[]\n", "line 1: not an object"),
        ('{"id": "1", "question": "?", "method": "bm25", "gold": []}\n', "line 1: measures is missing"),
        ('{"id": "1", "question": "?", "method": "x", "gold": [], "measures": {"map": "x"}}\n', "is no number"),
    ],
)
def test_a_broken_earlier_report_is_one_line(tmp_path: Path, text: str, complaint: str) -> None:
    (tmp_path / "per_question.jsonl").write_text(text)
    with pytest.raises(WeftError, match=complaint):
        read_earlier(tmp_path)


# BEIR


def test_beir_is_read_as_it_was_written(world: Path, assessment: Assessment, written: Path) -> None:
    with Skb(world) as skb:
        read = read_beir(written / "beir", skb)
        assert read_beir(written, skb) == read, "the folder of a report holds one"
        for case, question in zip(assessment.cases, read, strict=True):
            uris = skb.uris("chunk", sorted(frozenset[int]().union(*case.gold.items)))
            assert question == Question(case.question.id, case.question.question,
                                        tuple(GoldItem(uri=uri) for uri in sorted(uris)))  # fmt: skip
        corpus = _lines(written / "beir/corpus.jsonl")
        assert [each["_id"] for each in corpus] == [row[0] for row in skb.connection.execute(
            "SELECT uri FROM chunk ORDER BY uri")]  # fmt: skip


def test_documents_of_others_are_found_by_title_and_text(world: Path, tmp_path: Path) -> None:
    write_records(tmp_path / "corpus.jsonl", [{"_id": "d1", "title": "Quillon Bridge", "text": "t"},
                                              {"_id": "d2", "title": "Other", "text": "u"}])  # fmt: skip
    write_records(tmp_path / "queries.jsonl", [{"_id": "1", "text": "?"}, {"_id": "2", "text": "!"}])
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels/test.tsv").write_text(
        "query-id\tcorpus-id\tscore\n1\td1\t1\n1\td2\t0\n1\td9\t2\n1\tVeldra (river)\t1\n")
    with Skb(world) as skb:
        assert read_beir(tmp_path, skb) == [
            Question("1", "?", (GoldItem(title="Quillon Bridge", text="t"), GoldItem(uri="d9"),
                                GoldItem(uri="Veldra (river)"))),
            Question("2", "!", ()),
        ]  # fmt: skip


@pytest.mark.parametrize(
    ("queries", "qrels", "complaint"),
    [
        ('{"_id": "1", "text": "?"}\n', None, "test.tsv: cannot be read"),
        ('{"_id": "1", "text": "?"}\n', "1\ta\n", "test.tsv line 1: must be query-id"),
        ('{"_id": "1", "text": "?"}\n', "1\ta\tyes\n", "test.tsv line 1: must be query-id"),
        *(('{"_id": "1", "text": "?"}\n', f"1\ta\t{score}\n", "test.tsv line 1: must be query-id")
          for score in ("²", "--1", "٣", "1_0", "9" * 5000)),
        ('{"_id": "1", "text": "?"}\n', "1\ta\t1\n1\t" + "x" * 140_000 + "\t1\n", "test.tsv line 2: is no row"),
        ('{"_id": "1"}\n', "1\ta\t1\n", "queries.jsonl line 1: must be an object"),
        ("{\n", "1\ta\t1\n", "queries.jsonl line 1: not JSON"),
        ("", "1\ta\t1\n", "holds no questions"),
    ],
    ids=range(12),
)  # fmt: skip
def test_a_broken_beir_folder_is_one_line(
    world: Path, tmp_path: Path, queries: str, qrels: str | None, complaint: str
) -> None:
    (tmp_path / "qrels").mkdir()
    (tmp_path / "queries.jsonl").write_text(queries)
    if qrels is not None:
        (tmp_path / "qrels/test.tsv").write_text(qrels, encoding="utf-8")
    with Skb(world) as skb, pytest.raises(BadQuestionFile, match=complaint):
        read_beir(tmp_path, skb)


# The command


@pytest.mark.slow
def test_the_command_writes_and_compares(world: Path, few: Path, tmp_path: Path) -> None:
    report = tmp_path / "report"
    first = _weft("evaluate", world, few, "-o", report, "--at", "1,5")
    assert first.exit_code == 0 and "hybrid - bm25: recall@5 +" in first.stdout
    again = _weft("evaluate", world, few, "-m", "bm25", "-o", report, "--compare", report, "--at", "1,5")
    assert "bm25 against the earlier report, 12 questions: 0 won, 0 lost, recall@5 +0.000" in again.stdout
    assert not (report / "trec/run.vector").exists()
    read = _weft("evaluate", world, few, "--run", report / "trec/run.bm25", "--json")
    mine = json.loads((report / "report.json").read_text(encoding="utf-8"))["methods"]["bm25"]
    theirs = json.loads(read.stdout)["methods"]["run.bm25"]
    assert theirs["recall@5"] == mine["recall@5"] and "seconds" not in theirs
    of_chunks = _weft("evaluate", world, report / "beir", "-m", "bm25", "--json")
    assert json.loads(of_chunks.stdout)["methods"]["bm25"]["mrr"] == mine["mrr"]


def test_the_seed_changes_the_intervals_alone(world: Path, few: Path) -> None:
    runs = [_weft("evaluate", world, few, "-m", "bm25", "--json", "--seed", seed) for seed in (3, 3, 4)]
    one, again, other = (json.loads(each.stdout)["methods"]["bm25"] for each in runs)
    assert one["ci"] == again["ci"] != other["ci"]
    assert one["map"] == other["map"]


def test_what_counts_for_nothing_in_a_run_is_told(world: Path, tmp_path: Path) -> None:
    (tmp_path / "x.run").write_text("single-001 Q0 nowhere 1 1 x\nsingle-001 Q0 Veldra##1 2 0.5 x\n")
    result = _weft("evaluate", world, QUESTIONS, "--run", tmp_path / "x.run")
    assert result.stderr == (
        "x.run: no hits for 133 of 134 questions, which counts as zero; 1 hit not in the SKB\n"
    )


def test_a_report_without_matplotlib_has_no_plots(
    world: Path, few: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("retriever.evaluation.report.folder.can_plot", lambda: False)
    result = _weft("evaluate", world, few, "-m", "bm25", "-o", tmp_path / "report")
    assert result.stderr == "the report has no plots: they need matplotlib (pip install 'weft[plots]')\n"
    assert not (tmp_path / "report/plots").exists()
    assert "## Plots" not in (tmp_path / "report/report.md").read_text(encoding="utf-8")


def test_each_step_of_a_report_is_told(
    assessment: Assessment, reported: Report, world: Path, tmp_path: Path
) -> None:
    told: list[str] = []
    assert full_report(assessment, tell=told.append) == reported
    with Skb(world) as skb:
        write_report(tmp_path / "report", skb, assessment, *reported, told.append)
    names = list(assessment.outcomes)
    plots = sorted(name.removeprefix("plots/") for name in FILES if name.startswith("plots/importances"))
    assert told == ["figures", *(f"importances of {name}" for name in names), "report.json", "trec", "beir",
                    "recall_over_k.png", "by_type.png", *plots]  # fmt: skip


def test_a_terminal_shows_the_steps_of_a_report(world: Path, few: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "interfaces.cli", "evaluate", str(world), str(few), "-m", "bm25"]
    ours, theirs = os.openpty()
    done = subprocess.run([*command, "-o", "report"], stdout=subprocess.PIPE, stderr=theirs, cwd=tmp_path, check=True,
                          env=os.environ | {"PYTHONPATH": str(ROOT)})  # fmt: skip
    os.close(theirs)
    shown = os.read(ours, 1 << 16).decode()
    os.close(ours)
    assert "trec: 0 done" in shown and "recall_over_k.png: 0 done" in shown and shown.rpartition("\r")[2] == ""
    assert done.stdout.startswith(b"14 questions")


def test_nothing_judged_is_a_report_too(world: Path, tmp_path: Path) -> None:
    questions = write_records(tmp_path / "q.jsonl", [{"id": "1", "question": "?", "gold": []}])
    assert _weft("evaluate", world, questions, "-o", tmp_path / "report").exit_code == 0
    assert "There is nothing to measure." in (tmp_path / "report/report.md").read_text(encoding="utf-8")
    assert (tmp_path / "report/trec/qrels").read_bytes() == b""


UNRANKED = {"id": "1", "question": "Who designed the Quillon Bridge?", "answers": ["Orrin Tasker"], "gold": []}


def test_answers_are_scored_where_no_ranking_can_be(world: Path, tmp_path: Path) -> None:
    questions = write_records(tmp_path / "q.jsonl", [UNRANKED])
    told = _weft("evaluate", world, questions, "-m", "bm25", "--answers", "-o", tmp_path / "report")
    assert told.exit_code == 0, told.output
    assert "so there is nothing to measure of rankings\nanswers by" in told.stdout
    text = (tmp_path / "report/report.md").read_text(encoding="utf-8")
    assert "There is nothing to measure of rankings." in text and "| exact_match | " in text


@pytest.mark.usefixtures("without_plots")
def test_the_report_tells_of_answers_and_lost_questions_what_is_printed(world: Path, tmp_path: Path) -> None:
    record = UNRANKED | {"gold": [{"title": "Quillon Bridge"}]}
    questions = write_records(tmp_path / "q.jsonl", [record])
    (tmp_path / "x.run").write_text("1 Q0 a 1 1 x\n")
    ask = ("evaluate", world, questions, "-m", "autofocus", "--unit", "entity", "--run", tmp_path / "x.run")
    printed = json.loads(_weft(*ask, "--answers", "--errors", "--json", "-o", tmp_path / "report").stdout)
    written = json.loads((tmp_path / "report/report.json").read_text(encoding="utf-8"))
    assert written == printed
    assert {"exact_match", "abstained", "errors", "mrr"} <= set(printed["methods"]["autofocus"])
    text = (tmp_path / "report/report.md").read_text(encoding="utf-8")
    assert "## Where autofocus loses questions" in text and re.search(r"\| abstained \| [01].000 \| - \|", text)
    shown = _weft(*ask, "--answers", "--errors")
    assert shown.exit_code == 0 and "answers by" in shown.stdout


@pytest.mark.parametrize("option", ["--answers", "--errors"])
def test_a_run_has_no_answers(world: Path, few: Path, tmp_path: Path, option: str) -> None:
    (tmp_path / "x.run").write_text("single-001 Q0 a 1 1 x\n")
    told = _weft("evaluate", world, few, "--run", tmp_path / "x.run", option)
    assert told.exit_code == 2 and "name a method with -m" in told.stderr


def test_mistakes_are_one_line(world: Path, tmp_path: Path) -> None:
    ask = ("evaluate", world, QUESTIONS)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/notes.txt").write_text("mine")
    (tmp_path / "bm25").write_text("single-001 Q0 a 1 1 x\n")
    (tmp_path / "mine/bm25").write_text("single-001 Q0 a 1 1 x\n")
    assert "holds bm25, which is no part of a report" in _mistake(*ask, "-o", tmp_path / "mine")
    assert (tmp_path / "mine/notes.txt").read_text() == "mine"
    assert "does not exist" in _mistake(*ask, "-o", tmp_path / "none/report")
    assert "is a file" in _mistake(*ask, "-o", tmp_path / "bm25")
    assert "is no name" in _mistake(*ask, "-o", "..")
    assert "cannot be read" in _mistake(*ask, "--compare", tmp_path / "none")
    assert "cannot be read" in _mistake(*ask, "--run", tmp_path / "none")
    assert "another run has the name" in _mistake(*ask, "--run", tmp_path / "bm25", "--run", tmp_path / "mine/bm25")
    assert "is a method and a run" in _mistake(*ask, "-m", "bm25", "--run", tmp_path / "bm25")
    assert "cannot be read" in _mistake("evaluate", world, tmp_path / "mine")
