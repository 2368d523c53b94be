"""Fusions scored on kinds of corpora that they have not seen: which questions, and what the table says."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.corpora import Source
from benchmarks.leave_out import (
    MEASURES,
    SEVERAL,
    SIGNALS,
    Line,
    Prepared,
    lines,
    parser,
    prepared,
    sample,
    show,
    summary,
)
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


@pytest.fixture
def fixtures(world: Path, tmp_path: Path) -> Source:
    (tmp_path / "skbs").mkdir()
    (tmp_path / "skbs" / "fixtures-tfidf.skb").symlink_to(world)
    return Source("fixtures", (), questions=FIXTURES / "questions.jsonl")


def test_what_is_learned_does_not_depend_on_what_is_scored(fixtures: Source, tmp_path: Path) -> None:
    few, many, none = (
        prepared(fixtures, "fixtures", "tfidf", parser().parse_args([str(tmp_path), "--most", "12", *more]), 0)
        for more in (("--scored", "6"), ("--scored", "30"), ("--only", "manuals"))
    )
    assert [len(each.questions) for each in (few, many, none)] == [6, 30, 0]
    learned = [[each.key for each in one.corpora[0].judged] for one in (few, many, none)]
    assert learned[0] == learned[1] == learned[2] and 6 <= len(learned[0]) <= 12
    assert {each.question for each in many.questions if each.gold} <= set(many.proposed)


def test_questions_over_several_long_pages_are_a_group_of_their_own(
    fixtures: Source, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = [json.loads(line) for line in (FIXTURES / "questions.jsonl").read_text(encoding="utf-8").splitlines()]
    known = [each for each in asked if each["gold"]][:20]
    kinds = ["written", SEVERAL] * 10
    lines = [json.dumps(each | {"type": kind}) for each, kind in zip(known, kinds, strict=True)]
    (tmp_path / "fixtures.jsonl").write_text("\n".join(lines), encoding="utf-8")
    monkeypatch.setattr("benchmarks.corpora.LEARNED", tmp_path)
    options = parser().parse_args([str(tmp_path), "--most", "12"])
    found = prepared(fixtures, "fixtures", "tfidf", options, 9)
    assert [each.group for each in found.corpora] == ["fixtures", "fixtures", SEVERAL]
    assert len(found.corpora[2].judged) == 10 and found.corpora[2].domain == "fixtures"
