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
from retriever.answers.rules.added import added_by_rules, decided, with_rules
from retriever.answers.training import listwise
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
from retriever.fusion.dense import Network
from retriever.fusion.models import Networks, new_model
from retriever.fusion.store import dumps
from retriever.learning.table import Table
from retriever.searcher import Searcher
from retriever.session import Session
from weft.skb import Skb


def scored(network: Network, features: np.ndarray) -> np.ndarray:
    model = new_model("mlp")
    assert isinstance(model, Networks)
    model.networks = (network,)
    return model.score(features)


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
        used = decided(scores + signs.added, reading.features)
        assert np.array_equal(told_by(signs, lambda inputs, own=scores: own), signs_of(reading, used))


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


@pytest.mark.parametrize("question", [DESIGNER, "How wide is the Quillon Bridge?", "Which rivers flow into the Ister?"])
def test_what_rules_add_is_kept_as_it_is_used(searcher: Searcher, question: str) -> None:
    reading = reading_of(searcher, question)
    added = added_by_rules(reading)
    for scores in np.random.default_rng(0).normal(0, 3, (20, len(added))).astype(np.float32):
        used = with_rules(reading, scores)
        assert used[np.argmax(used)] == pytest.approx((scores + added)[np.argmax(used)], abs=1e-4)
        assert np.argmax(used) == np.argmax(scores + added)


def test_a_network_learns_beside_what_is_added_to_its_scores() -> None:
    """What rules say is told by the offset; without it the network has to say it itself."""
    random = np.random.default_rng(0)
    n, each = 400, 6
    features = random.normal(0, 1, (n * each, 3)).astype(np.float32)
    right = np.zeros((n, each), np.bool_)
    right[np.arange(n), random.integers(0, each, n)] = True
    right = right.ravel()
    features[:, 0] += 4 * right
    table = Table(features, right, np.repeat(np.arange(n), each), ("told", "noise", "other"))
    offset = np.where(right, np.float32(20), np.float32(0))
    with_offset, without = (listwise.fit(table, 0, offset=each) for each in (offset, None))
    spread = [np.ptp(scored(each, features)) for each in (with_offset, without)]
    assert spread[0] < spread[1] / 2, "all is said already"
    against = listwise.fit(table, 0, offset=np.where(right, np.float32(-3), np.float32(0)))
    learned, unaware = ((scored(each, features) - 3 * right).reshape(n, -1).argmax(1) for each in (against, without))
    best = right.reshape(n, each).argmax(1)
    assert np.mean(learned == best) > np.mean(unaware == best) + 0.1, "what is against is outweighed"
