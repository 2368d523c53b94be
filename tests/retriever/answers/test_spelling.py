"""What no passage has is read as what is spelt nearly so, and shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from retriever.answers.answering import find_answer, reading_of
from retriever.answers.spelling import respelled
from retriever.context import Context
from retriever.searcher import Searcher
from retriever.session import Session
from weft.skb import Skb


@pytest.fixture(scope="module")
def searcher(world: Path) -> Iterator[Searcher]:
    with Skb(world) as skb, Session(Context(skb)) as session:
        yield Searcher(session, "hybrid")


@pytest.mark.parametrize(
    ("question", "read_as", "answer"),
    [
        ("Who designed the Quilon Bridge?", "Who designed the Quillon Bridge?", "Orrin Tasker"),
        ("in which town was orrin taskar born", "in which town was orrin Tasker born", "Ghasmont"),
        ("Could you tell me who designed the Quillon Brigde?", "who designed the Quillon Bridge?", "Orrin Tasker"),
        ("Where was the phisician Wenna Tarquil born?", "Where was the physician Wenna Tarquill born?", "Tamsiderre"),
    ],
)
def test_a_misspelt_name_is_read_as_the_name_that_is_there(
    searcher: Searcher, question: str, read_as: str, answer: str
) -> None:
    found = find_answer(searcher, question)
    assert (found.read_as, found.answer.text) == (read_as, answer)


@pytest.mark.parametrize(
    "question",
    [
        "Who designed the Quillon Bridge?", "Who designed the Brooklyn Bridge?", "Who is Zebulon Quackenbush?",
        "Which bridges are beautiful?", "Which ondrels has Tamsiderre?", "Who?", "",
    ],
)  # fmt: skip
def test_what_is_right_or_like_nothing_stays(searcher: Searcher, question: str) -> None:
    passages = reading_of(searcher, "Who designed the Quillon Bridge?").passages
    assert respelled(searcher.session, question, passages) == question
