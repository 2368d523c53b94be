"""Telephone numbers and addresses of what a question names, by rows, lines and sentences."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from retriever.answers.answering import find_answer, reading_of
from retriever.answers.patterns.contacts import contact
from retriever.searcher import Searcher
from tests.searching import searcher_over

PAGE = """The baths stand in Mill Lane.

## Direct lines

| Who | Telephone | Address |
|---|---|---|
| Reception | 01632 960400 | hello@baths.example |
| Café | 01632 960431 | cafe@baths.example |
| Ticket kiosk | 01632 960417 | |

## At night

Ring the guard on 01632 960499. The guard has a second line, 01632 960498, for alarms.
"""


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    with searcher_over(tmp_path_factory.mktemp("contacts"), {"Contact": PAGE}) as found:
        yield found


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the phone number of the café?", "01632 960431"), ("telephone of the ticket kiosk", "01632 960417"),
        ("ticket kiosk phone", "01632 960417"),
        ("email address of reception", "hello@baths.example"), ("What number do I ring for the café?", "01632 960431"),
    ],
)  # fmt: skip
def test_a_contact_is_told_by_its_row(searcher: Searcher, question: str, answer: str) -> None:
    found = find_answer(searcher, question).answer
    assert found.text == answer
    chunk = searcher.session.skb.chunk(found.citations[0].uri)
    assert chunk is not None and answer in chunk.text[slice(*found.citations[0].span)]


@pytest.mark.parametrize(
    "question",
    ["phone number of the guard", "phone number of the library", "What is the phone number?", "Who rings the café?",
     "phone number of the contact page", "How many guests had a telephone?", "Who invented the telephone?"],
)  # fmt: skip
def test_no_contact_is_told_where_several_or_none_are_meant(searcher: Searcher, question: str) -> None:
    assert contact(reading_of(searcher, question)) is None
