"""Measures of answers, computed by hand."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from interfaces.cli import main
from interfaces.commands.evaluation_text import print_answers
from retriever.context import Context
from retriever.datasets.question_files import questions_of
from retriever.evaluation.answers import Given, abstention, factual_f1, judged, measures_of, risk_coverage_area
from retriever.session import Session
from weft.chat.base import ScriptedChat
from weft.errors import WeftError
from weft.skb import Skb


def _alike(texts: list[str]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array([0.25] * (len(texts) - 1))


@pytest.mark.parametrize(
    ("answer", "references", "expected"),
    [
        ("The Sill", ("Sill", "Orse"), (1.0, 0.0, 1.0, 1.0, 0.25)),
        ("71 metres wide", ("71 metres",), (0.0, 0.0, 0.8, 0.8, 0.25)),
        (None, ("Sill",), (0.0,) * 5),
        (None, (), (1.0,) * 5),
        ("Sill", (), (0.0,) * 5),
    ],
)
def test_the_best_reference_counts(
    answer: str | None, references: tuple[str, ...], expected: tuple[float, ...]
) -> None:
    assert measures_of(Given(answer, 0.5, references), _alike) == pytest.approx(expected)


def test_abstention() -> None:
    given = [Given("a", 0.9, ("a",)), Given("b", 0.8, ("c",)), Given(None, 0.1, ()), Given(None, 0.2, ("d",))]
    found = abstention(given, np.array([1.0, 0.0, 1.0, 0.0]))
    assert found["abstained"] == found["abstention_precision"] == 0.5
    assert found["abstention_recall"] == 1.0
    assert found["risk_coverage_area"] == pytest.approx((0 + 1 / 2 + 2 / 3 + 2 / 4) / 4)


def test_equally_sure_answers_count_alike_in_any_order() -> None:
    given = [Given("a", 0.9, ("a",)), Given("b", 0.9, ("x",)), Given("c", 0.9, ("y",)), Given("d", 0.5, ("d",))]
    right = np.array([1.0, 0.0, 0.0, 1.0])
    expected = pytest.approx((2 / 3 + 2 / 3 + 2 / 3 + 2 / 4) / 4)
    for order in permutations(range(4)):
        assert risk_coverage_area([given[each] for each in order], right[list(order)]) == expected
    assert "risk_coverage_area" not in abstention(given[:3], right[:3])


def test_an_abstention_is_given_last_however_sure_it_was() -> None:
    given = [Given(None, 0.9, ("a",)), Given("b", 0.2, ("b",))]
    assert risk_coverage_area(given, np.array([0.0, 1.0])) == pytest.approx((0 + 1 / 2) / 2)


def test_methods_that_tell_no_chances_are_printed_beside_others(capsys: pytest.CaptureFixture[str]) -> None:
    print_answers({"one": {"exact_match": 1.0}, "other": {"exact_match": 0.5, "risk_coverage_area": 0.25}})
    assert [line.split()[1:] for line in capsys.readouterr().out.splitlines()] == [
        ["by", "exact_match", "risk_coverage_area"], ["1.000", "-"], ["0.500", "0.250"],
    ]  # fmt: skip


def test_a_model_compares_claims(world: Path) -> None:
    reply = '{"answer": [{"claim": "a", "held": true}], "reference": [{"held": true}, {"held": false}]}'
    with Skb(world) as skb, Session(Context(skb), ScriptedChat([reply, "no idea"])) as session:
        found = [
            factual_f1(session, "Who built it?", given)
            for given in (
                Given("Tasker", 1.0, ("Orrin Tasker and others",)), Given("Tasker", 1.0, ("Sill",)),
                Given("the Sill", 1.0, ("Sill",)), Given(None, 0.0, ("Sill",)), Given(None, 0.0, ()),
            )
        ]  # fmt: skip
        warnings = [step.warnings for step in session.trace.steps]
    assert found == [pytest.approx(2 / 3), 0.0, 1.0, 0.0, 1.0]
    assert [bool(each) for each in warnings] == [False, True]


def test_questions_with_gold_and_no_answer_are_left_out() -> None:
    records = [
        {"id": "1", "question": "a?", "gold": [{"title": "A"}], "answers": ["x"]},
        {"id": "2", "question": "b?", "gold": [{"title": "A"}]},
        {"id": "3", "question": "c?", "gold": []},
    ]
    assert [each.id for each in judged(questions_of(records))] == ["1", "3"]
    with pytest.raises(WeftError):
        judged(questions_of(records[1:]))


def test_the_command_scores_answers(world: Path, tmp_path: Path) -> None:
    record = {"id": "1", "question": "Who designed the Quillon Bridge?", "answers": ["Orrin Tasker"]}
    path = tmp_path / "q.jsonl"
    path.write_text(json.dumps(record | {"gold": [{"title": "Quillon Bridge"}]}) + "\n", encoding="utf-8")
    result = CliRunner().invoke(main, ["evaluate", str(world), str(path), "-m", "hybrid", "--answers", "--json"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)["methods"]["hybrid"]
    assert {"exact_match", "exact_match_raw", "token_f1", "rouge_l", "cosine", "abstained"} <= set(found)
    assert {"exact_match", "mrr"} <= set(found["ci"])
    assert found["exact_match"] == 1.0
