"""What verified sets are worth as training: what each arm learns from, and what the table says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.leave_out import MEASURES, Prepared
from benchmarks.testset_training import ARMS, Worth, learning, parser, run, show, verified_corpus
from retriever.context import Context
from retriever.datasets.question_files import read_questions
from retriever.session import Session
from retriever.training.dataset import corpus_of
from tests.conftest import FIXTURES
from weft.skb import Skb


@pytest.fixture
def two(world: Path) -> Iterator[list[Prepared]]:
    """Give a small corpus twice, by two names, each with questions of its own."""
    asked = [each for each in read_questions(FIXTURES / "questions.jsonl") if each.gold]
    with Skb(world) as skb, Session(Context(skb)) as session:
        parts = {"one": asked[::20], "other": asked[10::20]}
        yield [
            Prepared(name, name, session, own, [corpus_of(name, "-", session, own)._replace(domain=name)])
            for name, own in parts.items()
        ]


def test_arms_learn_from_sets_of_the_others_or_of_the_corpus_itself(two: list[Prepared]) -> None:
    sets = {each.name: verified_corpus(each, 12, 0) for each in two}
    assert all(0 < len(corpus.judged) <= 12 and corpus.sha256 == "" for corpus in sets.values())
    left_out, other = two
    names = {arm: [corpus.name for each in learning(arm, left_out, [other], sets) for corpus in each.corpora]
             for arm in ARMS}  # fmt: skip
    assert names == {
        "without": ["other"], "with": ["other", "other verified"], "own": ["other", "one verified"],
    }  # fmt: skip


def test_every_arm_is_scored_on_the_corpus_left_out(two: list[Prepared]) -> None:
    options = parser().parse_args(["-", "--model", "logistic", "--trainings", "1", "--questions", "9"])
    found = list(run(two, options))
    assert [(each.corpus, each.arm, each.measure) for each in found] == [
        (name, arm, measure) for name in ("one", "other") for arm in ARMS for measure in MEASURES
    ]
    for each in found:
        assert each.low <= each.difference <= each.high
        assert each.arm != "without" or each.difference == 0


def test_a_row_has_mean_range_and_interval() -> None:
    found = Worth("a", 40, 90, "hit@1", "with", 0.5, 0.4, 0.6, 0.02, -0.01, 0.05)
    assert show(found) == "| a | 40 | hit@1 | with | 0.500 (0.400 – 0.600) | +0.020 (-0.010 to +0.050) |"
