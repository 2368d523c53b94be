"""Fusions scored on kinds of corpora that they have not seen: which questions, and what the table says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.leave_out import MEASURES, SIGNALS, Line, Prepared, lines, sample, show, summary
from retriever.context import Context
from retriever.datasets.question_files import Question, read_questions
from retriever.fusion.store import load
from retriever.session import Session
from tests.conftest import FIXTURES
from weft.skb import Skb


def questions(**kinds: int) -> list[Question]:
    return [Question(f"{kind} {n}", f"{kind}?", (), type=kind) for kind, many in kinds.items() for n in range(many)]


def test_of_each_kind_as_many_are_taken_and_from_all_over_the_file() -> None:
    chosen = sample(questions(heading=100, name=100, faq=3), 30)
    assert Counter(each.type for each in chosen) == {"heading": 10, "name": 10, "faq": 3}
    own = [each.id for each in chosen if each.type == "heading"]
    assert (own[0], own[-1]) == ("heading 0", "heading 99") and len(set(own)) == 10
    assert sample(chosen, 1000) == chosen


@pytest.fixture
def world_prepared(world: Path) -> Iterator[Prepared]:
    asked = [each for each in read_questions(FIXTURES / "questions.jsonl") if each.gold][::20]
    with Skb(world) as skb:
        yield Prepared("world", "fixtures", Session(Context(skb)), asked, ())


def test_hybrid_stands_beside_the_best_single_signal(world_prepared: Prepared, small_fusion: Path) -> None:
    found = list(lines(world_prepared, [load(small_fusion), load(small_fusion)]))
    whole = [line for line in found if line.kind == "all"]
    assert [line.measure for line in whole] == list(MEASURES)
    for line in found:
        assert line.signal in SIGNALS and 0 <= line.best <= 1
        assert line.hybrid[0] == line.hybrid[1] == line.mean
        assert line.low <= line.mean - line.best <= line.high
    assert sum(line.questions for line in found if line.kind != "all" and line.measure == "hit@1") == whole[0].questions
    assert show(whole[0]).startswith("| fixtures | world | tfidf | all | ")


def test_the_summary_is_a_mean_over_corpora() -> None:
    one = Line("notes", "a", "tfidf", "all", 10, "hit@1", "bm25", 0.4, (0.5, 0.7), 0.0, 0.3)
    other = one._replace(corpus="b", best=0.6, hybrid=(0.8,))
    ignored = one._replace(kind="faq", best=0.0)
    assert list(summary([one, other, ignored])) == ["| notes | tfidf | 2 | hit@1 | 0.500 | 0.700 | +0.200 |"]
