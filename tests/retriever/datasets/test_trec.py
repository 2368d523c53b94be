"""TREC files, scored by ir-measures: its figures are Weft's, also where several chunks find one gold item."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import ir_measures
import numpy as np
import pytest
from ir_measures import AP, RR, P, R, Success, nDCG

from retriever.datasets.question_files import GoldItem, Question
from retriever.datasets.trec import qrels_lines, read_run, run_lines, token
from retriever.evaluation.outcomes import Assessment, Rank, assess
from retriever.evaluation.report.folder import full_report, write_report
from retriever.evaluation.tables import rows_of
from retriever.types import Ranking, ranking
from tests.worlds import page, write_pages
from weft.errors import WeftError
from weft.skb import Skb

pytestmark = pytest.mark.usefixtures("without_plots")
KS = (1, 3, 10)
OURS = {"mrr": RR, "map": AP} | {
    f"{name}@{k}": measure @ k
    for k in KS
    for name, measure in (("precision", P), ("recall", R), ("hit", Success), ("ndcg", nDCG), ("map", AP))
}


@pytest.fixture
def pier(tmp_path: Path, weave: Callable[..., object]) -> Iterator[Skb]:
    """Give pages of one to five chunks each, whose titles hold blanks, and one whose uri holds percent signs."""
    pages = {
        f"{number}.html": page(f"Salt pier {number}", *(f"Stone {part} of pier {number}." for part in range(number)))
        for number in range(1, 6)
    }
    pages["9.html"] = page("Pier #9, 100%;", "A stone.")
    weave(write_pages(tmp_path / "pages", pages))
    with Skb(tmp_path / "kb.skb") as skb:
        yield skb


def _questions(random: np.random.Generator, n: int) -> list[Question]:
    """Ask for pages by title, for chunks by text and uri, and for what is not there, also twice the same."""
    items = [
        *(GoldItem(title=f"Salt pier {number}") for number in (1, 3, 5, 5)),
        GoldItem(title="Salt pier 4", text="Stone 2 of pier 4."),
        GoldItem(uri="Salt pier 2##1"),
        GoldItem(title="Sugar pier"),
    ]
    return [
        Question(f"q {number}", f"{number}?", tuple(items[index] for index in random.permutation(7)[: 1 + number % 5]))
        for number in range(n)
    ]


def _at_random(skb: Skb, random: np.random.Generator) -> Rank:
    ids = np.array([row[0] for row in skb.connection.execute("SELECT id FROM chunk ORDER BY uri")])

    def rank(question: str, k: int) -> Ranking:
        hits = random.permutation(ids)[: random.integers(0, len(ids) + 1)]
        return ranking("chunk", hits, np.zeros(len(hits), np.float32), "chance")

    return rank


def _random_assessment(skb: Skb, seed: int) -> Assessment:
    random = np.random.default_rng(seed)
    return assess(skb, _questions(random, 12), {"chance": _at_random(skb, random)}, KS, "chunk")


def _theirs(folder: Path, run: str) -> dict[str, float]:
    qrels = ir_measures.read_trec_qrels(str(folder / "trec" / "qrels"))
    scored = ir_measures.read_trec_run(str(folder / "trec" / run))
    found = ir_measures.calc_aggregate(list(OURS.values()), qrels, scored)
    return {name: found[measure] for name, measure in OURS.items()}


@pytest.mark.parametrize("seed", range(5))
def test_ir_measures_gives_our_figures(pier: Skb, tmp_path: Path, seed: int) -> None:
    assessment = _random_assessment(pier, seed)
    report, records = full_report(assessment)
    write_report(tmp_path / "report", pier, assessment, report, records)
    theirs = _theirs(tmp_path / "report", "run.chance")
    assert {name: report["methods"]["chance"][name] for name in OURS} == pytest.approx(theirs, abs=1e-6)
    assert 0 < theirs["recall@3"] < 1


def test_each_question_has_our_figures_too(pier: Skb, tmp_path: Path) -> None:
    assessment = _random_assessment(pier, 7)
    write_report(tmp_path / "report", pier, assessment, *full_report(assessment))
    qrels = ir_measures.read_trec_qrels(str(tmp_path / "report/trec/qrels"))
    run = ir_measures.read_trec_run(str(tmp_path / "report/trec/run.chance"))
    theirs = {(each.query_id, str(each.measure)): each.value for each in ir_measures.iter_calc([AP, R @ 3], qrels, run)}
    rows = rows_of(assessment, assessment.outcomes["chance"])
    for case, row in zip(assessment.cases, rows, strict=True):
        name = token(case.question.id)
        ours = (row["map"], row["recall@3"])
        assert ours == pytest.approx((theirs[name, "AP"], theirs[name, "R@3"]))


@pytest.mark.parametrize("seed", range(3))
def test_a_run_that_was_written_is_read_with_the_same_figures(pier: Skb, tmp_path: Path, seed: int) -> None:
    assessment = _random_assessment(pier, seed)
    write_report(tmp_path / "report", pier, assessment, *full_report(assessment))
    run = read_run(tmp_path / "report/trec/run.chance", [each.id for each in assessment.questions])
    again = assess(pier, assessment.questions, {}, KS, "chunk", {"read": run})
    assert rows_of(again, again.outcomes["read"]) == rows_of(assessment, assessment.outcomes["chance"])
    assert sum(found.n_unknown for found in again.outcomes["read"]) == 0


def test_an_outsiders_run_names_chunks_and_is_judged_by_our_rules(pier: Skb, tmp_path: Path) -> None:
    (tmp_path / "x.run").write_text(
        "q1 Q0 Salt%20pier%203##2 9 1.5 x\n"  # ranks do not count, scores do
        "q1 Q0 Salt%20pier%205##1 1 0.5 x\n"
        "q1 Q0 Salt%20pier%203##1 2 1.0 x\n"
        "q1 Q0 nowhere 3 2.0 x\n"
        "other Q0 nowhere 1 1 x\n"
    )
    gold = (GoldItem(title="Salt pier 3"), GoldItem(title="Salt pier 5"))
    asked = [Question("q1", "?", gold), Question("q2", "?", gold)]
    run = read_run(tmp_path / "x.run", ["q1", "q2"])
    (first, second) = assess(pier, asked, {}, KS, "chunk", {"x": run}).outcomes["x"]
    assert first.names == ("nowhere", "Salt%20pier%203##2", "Salt%20pier%203##1", "Salt%20pier%205##1")
    assert (first.taken, first.n_unknown) == ((-1, 0, -1, 1), 1)
    assert (second.taken, second.n_unknown) == ((), 0)


def test_equal_scores_stand_in_the_order_of_trec_eval(tmp_path: Path) -> None:
    (tmp_path / "x.run").write_text("1 Q0 a 1 2 x\n1 Q0 c 2 2 x\n1 Q0 b 3 2 x\n")
    assert read_run(tmp_path / "x.run", ["1"]).rankings == {"1": ("c", "b", "a")}


def test_lines() -> None:
    assert list(qrels_lines([("q 1", 2)])) == ["q%201 0 gold:1 1\n", "q%201 0 gold:2 1\n"]
    lines = run_lines("q 1", ("Old\u00a0pier##1", "Weir##2"), (-1, 1), "page(n=3)")
    assert list(lines) == ["q%201 Q0 Old%C2%A0pier##1 1 2 page(n=3)\n", "q%201 Q0 gold:2 2 1 page(n=3)\n"]


def test_ids_that_become_one_are_refused() -> None:
    with pytest.raises(WeftError, match="are one in TREC files"):
        list(qrels_lines([("q 1", 1), ("q%201", 1)]))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("1 Q0 a 1 2\n", "line 1: has 5 fields"),
        ("1 Q0 a 1 2 x\n\n1 Q0 b 1 high x\n", "line 3: the score high is no number"),
        ("1 Q0 a 1 nan x\n", "line 1: the score is no number"),
        ("1 Q0 a 1 2 x\n1 Q0 a 2 1 x\n", "line 2: document a came before for question 1"),
        ("2 Q0 a 1 2 x\n", "ranks nothing for any of the questions"),
        ("", "ranks nothing"),
    ],
)
def test_a_broken_run_is_one_line(tmp_path: Path, text: str, complaint: str) -> None:
    (tmp_path / "x.run").write_text(text)
    with pytest.raises(WeftError, match=complaint):
        read_run(tmp_path / "x.run", ["1"])


def test_a_run_that_is_no_text_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "x.run").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(WeftError, match="cannot be read"):
        read_run(tmp_path / "x.run", ["1"])
