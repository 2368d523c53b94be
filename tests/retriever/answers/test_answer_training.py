"""Training of the ranker of answers over the invented world: practice, what teaches, and the same ranker again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from retriever.answers.abstention import signs_of
from retriever.answers.answering import reading_of
from retriever.answers.ranker import load_ranker
from retriever.answers.reading import INPUTS
from retriever.answers.training.fit import (
    MOST_WRONG,
    answer_corpus,
    fit,
    other_pages,
    practice_corpus,
    reading_beside,
    sampled_rows,
)
from retriever.answers.training.practice import practice_questions
from retriever.answers.training.signs import signs_in, told_by
from retriever.context import Context
from retriever.datasets.gold import GoldResolver
from retriever.datasets.question_files import questions_of
from retriever.fusion.store import dumps
from retriever.searcher import Searcher
from retriever.session import Session
from weft.skb import Skb

DESIGNER = "Who designed the Quillon Bridge?"


@pytest.fixture(scope="module")
def searcher(world: Path) -> Iterator[Searcher]:
    with Skb(world) as skb, Session(Context(skb)) as session:
        yield Searcher(session, "hybrid")


def test_practice_takes_the_answer_out_of_a_chunk(searcher: Searcher) -> None:
    made = list(practice_questions(searcher.session, 10, 3))
    again = list(practice_questions(searcher.session, 10, 3))
    assert [each.text for each in made] == [each.text for each in again] != []
    for question in made:
        texts = [chunk.text for chunk in searcher.session.skb.chunks(question.gold.tolist())]
        assert any(question.answer in text for text in texts)


def test_training_gives_the_same_ranker_again(searcher: Searcher, tmp_path: Path) -> None:
    record = {"id": "1", "question": DESIGNER, "answers": ["Orrin Tasker"], "gold": [{"title": "Quillon Bridge"}]}
    asked = answer_corpus("one", "", searcher, questions_of([record]))
    corpora = [asked, practice_corpus("practice", searcher, 30)]
    ranker = fit(corpora)
    assert dumps(ranker) == dumps(fit(corpora))
    path = tmp_path / "answers.json"
    path.write_text(dumps(ranker), encoding="utf-8")
    loaded = load_ranker(path)
    inputs = asked.questions[0].inputs
    assert inputs.shape[1] == len(INPUTS)
    assert np.array_equal(loaded.model.first.score(inputs), ranker.model.first.score(inputs))  # type: ignore[attr-defined]


def test_what_teaches_ranking_alone_keeps_the_rows_it_teaches_with(searcher: Searcher) -> None:
    record = {"id": "1", "question": DESIGNER, "answers": ["Orrin Tasker"], "gold": [{"title": "Quillon Bridge"}]}
    (whole,) = answer_corpus("one", "", searcher, questions_of([record])).questions
    (kept,) = answer_corpus("one", "", searcher, questions_of([record]), abstain=0).questions
    assert whole.signs is not None and whole.without is not None and kept.signs is kept.without is None
    rows = sampled_rows(whole.text, whole.answers)
    assert np.array_equal(kept.inputs, whole.inputs) and np.array_equal(kept.inputs, whole.signs.inputs[rows])
    assert np.array_equal(kept.answers, whole.answers)


def test_what_stands_beside_the_gold_teaches_abstention_where_it_does_not_say_the_answer(searcher: Searcher) -> None:
    gold = [{"title": "Quillon Bridge", "text": "Width | 13.5 m"}]
    records = [
        {"id": "1", "question": "How wide is the Quillon Bridge?", "answers": ["13.5 m"], "gold": gold},
        {"id": "2", "question": DESIGNER, "answers": ["Orrin Tasker"], "gold": gold},
    ]
    questions = list(questions_of(records))
    width, designer = answer_corpus("two", "", searcher, questions).questions
    assert width.beside is not None and width.without is not None
    assert designer.beside is None, "other passages say who designed it"
    (own,) = GoldResolver(searcher.session.skb, "chunk").gold_set(questions[0]).items
    beside = reading_beside(searcher, questions[0], [*own])
    assert beside is not None
    assert np.array_equal(beside.inputs, width.beside.inputs)
    without = reading_of(searcher, width.text, other_pages(searcher.session, np.array([*own])))
    assert np.array_equal(without.inputs, width.without.inputs)
    kept, left_out = ({each.title for each in reading.passages} for reading in (beside, without))
    assert "Quillon Bridge" in kept - left_out


@pytest.mark.parametrize("question", [DESIGNER, "How wide is the Quillon Bridge?", "Who was born in Ghasmont in 1790?"])
def test_signs_that_are_kept_tell_what_the_whole_reading_tells(searcher: Searcher, question: str) -> None:
    reading, random = reading_of(searcher, question), np.random.default_rng(0)
    signs = signs_in(reading)
    assert signs is not None and np.array_equal(signs.inputs, reading.inputs)
    for _ in range(20):
        scores = random.integers(-3, 3, len(reading.candidates)).astype(np.float32)
        assert np.array_equal(told_by(signs, lambda inputs, own=scores: own), signs_of(reading, scores))


def test_signs_of_what_offers_nothing_are_none(searcher: Searcher) -> None:
    reading = reading_of(searcher, DESIGNER)
    assert signs_in(reading.taken([])) is None


def test_right_candidates_teach_before_some_of_the_wrong_ones() -> None:
    answers = np.tile(np.array([0, 0.2, 0.6, 1, 0.999], np.float32), 2 * MOST_WRONG)
    rows = sampled_rows("Which?", answers)
    right, wrong = rows[: 2 * MOST_WRONG], rows[2 * MOST_WRONG :]
    assert (answers[right] == 1).all() and len(wrong) == MOST_WRONG
    assert set(answers[wrong].tolist()) == {0, np.float32(0.2)} and len(set(rows.tolist())) == len(rows)
    assert np.array_equal(rows, sampled_rows("Which?", answers))
