"""What practice and doubt are worth, as the benchmarks tell it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from benchmarks.leave_out import MEASURES, Prepared
from benchmarks.own_corpus import line, scored, show
from benchmarks.unanswered import Line, doubted, lines
from retriever.context import Context
from retriever.datasets.question_files import read_questions
from retriever.features.answerability import COLUMNS, Answerability
from retriever.fusion.store import load
from retriever.session import Session
from retriever.training.answerability import Rankings
from retriever.training.dataset import corpus_of
from tests.conftest import FIXTURES
from weft.skb import Skb


@pytest.fixture
def prepared(world: Path) -> Iterator[Prepared]:
    asked = [each for each in read_questions(FIXTURES / "questions.jsonl") if each.gold][::20]
    with Skb(world) as skb:
        session = Session(Context(skb))
        own = corpus_of("world", "file", session, asked)._replace(domain="fixtures")
        yield Prepared("world", "fixtures", session, asked, (own,))


def test_a_corpus_is_scored_before_and_after_practice(
    prepared: Prepared, small_fusion: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchmarks.own_corpus.PRACTICE", 20)
    before, after, seconds = scored(prepared, load(small_fusion))
    assert before.shape == after.shape == (len(prepared.questions), len(MEASURES)) and seconds > 0
    told = show(line("world", "all", before, after, seconds))
    assert told.startswith(f"| world | all | {len(before)} | {before[:, 0].mean():.3f}, {after[:, 0].mean():.3f} | ")


def test_each_kind_of_question_is_doubted_by_its_share(prepared: Prepared, small_fusion: Path) -> None:
    model = Answerability((1.0, *[0.0] * (len(COLUMNS) - 1)), 0.0, 0.5)
    rows = np.zeros((4, len(COLUMNS)))
    rows[:, 0] = (-1, -1, -1, 1)
    assert doubted(model, Rankings(rows[2:], rows[:3], rows[:0])) == (0.5, 1.0, 0.0)
    fusion = load(small_fusion)
    assert list(lines([prepared], [], fusion)) == []
    sure = fusion._replace(head=fusion.head._replace(answerable=model._replace(threshold=0.0)))
    (found,) = lines([prepared], [], sure)
    assert found == Line("fixtures", "world", found.questions, 0.0, 0.0, 0.0) and found.questions > 1
    assert found._replace(false_alarms=0.25, foreign=0.75).precision == 0.75
