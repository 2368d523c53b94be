"""Questions: what they ask for, which words remain beside the names, and what is encoded of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from retriever.context import Context
from retriever.question.reader import (
    ASKING,
    SURE,
    answer_type,
    asked_stems,
    content_stems,
    read_question,
    sure_of,
    without,
)
from retriever.searcher import Searcher
from retriever.session import Session
from retriever.types import QueryMention
from tests.searching import searcher_over
from weft.skb import Skb
from weft.text.normalise import STOP_WORDS, normalized, words_of
from weft.text.stems import stem

ANSWER_TYPES = {
    "Who tuned the harp?": "person",
    "By whom was it tuned?": "person",
    "Whose harp is it?": "person",
    "The harp was tuned by WHOM": "person",
    "When was it tuned?": "time",
    "In which year was the toll doubled?": "time",
    "On what date?": "time",
    "What century saw it?": "time",
    "Where is the weir?": "place",
    "Which town has a mint?": "place",
    "In what county does it lie?": "place",
    "How many posts are there?": "number",
    "How tall is the tower?": "number",
    "How was it built?": None,
    "What language is sung there?": "language",
    "Which of the rivers is longer?": "rivers",
    "Which film was it?": "film",
    "What is the oldest mill?": None,
    "What was the oldest mill?": None,
    "Name the oldest mill.": None,
    "Whoever whenever somewhere": None,
    # the first that asks
    "Who knew when it was tuned?": "person",
    "When did the man who tuned it die?": "time",
    "Where did they find how many posts?": "place",
    "Which language did the man who came speak?": "language",
    "Which bell rings when the tide turns?": "bell",
    "How is the person found who kept it?": None,
    "": None,
    "?": None,
}
"""Questions and the kind of thing that they ask for."""


@pytest.mark.parametrize("question", ANSWER_TYPES)
def test_the_question_word_tells_what_is_asked_for(question: str) -> None:
    assert answer_type(question) == ANSWER_TYPES[question]
    if ANSWER_TYPES[question] is not None:
        assert answer_type(question.upper()) == ANSWER_TYPES[question] == answer_type(question.lower())


def _mention(text: str, name: str) -> QueryMention:
    start = text.index(name)
    return QueryMention(start, start + len(name), name, np.array([1]), np.ones(1, np.float32), "name")


@pytest.mark.parametrize(
    ("question", "names", "stems"),
    [
        ("Who directed the film?", [], ["direct", "film"]),
        ("Which director directs, and what did the Directors direct?", [], ["direct"]),
        ("Who directed Film of the Ash?", ["Film of the Ash"], ["direct"]),
        ("Which ash is in the Ash Mill?", ["Ash Mill"], ["ash"]),
        ("Where was Zoë's café opened in 1207?", ["Zoë"], ["cafe", "open", "1207"]),
        ("How many of the most well known are the same?", [], ["well"]),
        ("Is it a b or c?", [], []),
        ("Is Sill the mill beside Quorn?", ["Sill", "Quorn"], ["mill", "besid"]),
        ("", [], []),
        ("?!…", [], []),
    ],
)
def test_the_content_words_outside_the_names_remain(question: str, names: list[str], stems: list[str]) -> None:
    mentions = [_mention(question, name) for name in names]
    assert list(asked_stems(question, mentions)) == stems


def test_stems_say_what_a_question_is_about() -> None:
    words = ["The", "toll-gate's", "Tolls", "tolls", "x", "many", "Café", "1207"]
    plain = [word for each in words for word in words_of(each)]
    kept = [stem(word) for word in plain if word not in STOP_WORDS and word not in ASKING and len(word) > 1]
    assert content_stems(words) == tuple(sorted(set(kept), key=kept.index)) == ("toll", "gate", "cafe", "1207")


def test_names_are_taken_out() -> None:
    text = "Is Sill the mill beside Quorn or Sill Weir?"
    mentions = [_mention(text, name) for name in ("Quorn", "Sill", "Sill Weir")]
    assert without(text, mentions) == "Is  the mill beside  or ?"
    assert without(text, ()) == text


def test_only_what_is_surely_a_name_takes_its_words_out_of_what_is_asked() -> None:
    text = "Which river of Quorn is deepest?"
    likely, unlikely = _mention(text, "Quorn"), _mention(text, "river")
    shared = likely._replace(entities=np.array([1, 2]), weights=np.array([SURE / 2, SURE / 2], np.float32))
    unlikely = unlikely._replace(weights=np.array([SURE - 0.1], np.float32))
    assert sure_of([unlikely, likely]) == (likely,)
    assert sure_of([shared]) == (shared,), "whichever of its meanings is meant, it is a name"


def test_a_word_that_is_a_title_too_is_asked_about(session: Session) -> None:
    question = read_question(session, "Which river flows under the Quillon Bridge?", "chunk").question
    names = {each.name: float(each.weights.sum()) for each in question.mentions}
    assert names["river"] < SURE <= names["Quillon Bridge"]
    assert stem("river") in question.asked and stem("bridge") not in question.asked


@pytest.fixture
def session(world: Path) -> Iterator[Session]:
    with Skb(world) as opened:
        yield Session(Context(opened))


QUESTION = "Who tuned the harp of the Quillon Bridge?"


def test_a_question_is_read_once_for_all(session: Session) -> None:
    query = read_question(session, QUESTION, "chunk")
    assert (query.question.text, query.searched, query.unit) == (QUESTION, QUESTION, "chunk")
    assert query.question.answer_type == "person"
    assert [each.name for each in query.question.mentions] == ["Quillon Bridge"]
    assert query.question.asked == asked_stems(QUESTION, query.question.mentions) == (stem("tuned"), "harp")
    assert read_question(session, QUESTION, "entity").unit == "entity"


@pytest.mark.parametrize("text", [QUESTION, "Where is a mill?", "Quillon Bridge", "", "?"])
def test_the_question_is_encoded_whole_and_without_its_names(session: Session, text: str) -> None:
    query = read_question(session, text, "chunk").question
    plain = text.replace("Quillon Bridge", "")
    expected = session.encode([text, plain])
    assert query.vectors.row_keys() + query.vectors_asked.row_keys() == expected.row_keys()
    assert len(query.vectors) == len(query.vectors_asked) == 1
    for vector in (query.vectors, query.vectors_asked):
        assert vector.lengths() == pytest.approx(1, abs=1e-5) or not vector.any()
    assert not read_question(session, "Quillon Bridge", "chunk").question.vectors_asked.any()


@pytest.mark.parametrize("allowed", [None, np.array([2, 5]), np.empty(0, np.int64)], ids=["all", "two", "none"])
def test_what_may_be_ranked_passes_through(session: Session, allowed: np.ndarray | None) -> None:
    query = read_question(session, QUESTION, "chunk", allowed)
    assert query.allowed is allowed
    assert query.question is read_question(session, QUESTION, "chunk").question, "and changes nothing else"


def test_a_question_with_marks_apart_is_read_composed(tmp_path: Path) -> None:
    pages = {"Zürich Tower": "Émile Élan built it.", "Geneva Tower": "Somebody else built it."}
    with searcher_over(tmp_path, pages) as searcher:
        for method in ("bm25", "hybrid", "related"):
            own = Searcher(searcher.session, method)
            for text in ("Who built the Zürich Tower?", "Émile Élan"):
                apart = own.rank(normalized("NFD", text), 5)
                assert apart.ids.tolist() == own.rank(text, 5).ids.tolist()
                assert apart.scores.tolist() == own.rank(text, 5).scores.tolist()
