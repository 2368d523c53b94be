"""Opening hours: whether, from when and until when, by tables of days, of branches and of seasons."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from builder.build import build
from builder.request import Request
from retriever.answers.answering import find_answer, reading_of
from retriever.answers.asked import asked_of
from retriever.answers.patterns.hours import opening
from retriever.answers.patterns.times import days_in, hours_in, months_in
from retriever.context import Context
from retriever.question.reader import linked_question
from retriever.searcher import Searcher
from retriever.session import Session
from weft.skb import Skb

CLINIC = """# Opening hours

## Main clinic

| Day | Consultations | Dispensary |
|---|---|---|
| Monday, Tuesday, Thursday, Friday | 8.15 am to 6.45 pm | 9 am to 5.30 pm |
| Wednesday | 8.15 am to 8 pm (late evening) | 9 am to 5.30 pm |
| Saturday | 9 am to 1 pm | 9 am to noon |
| Sunday | by arrangement | closed |

## Thornhithe branch

| Day | Hours |
|---|---|
| Monday, Tuesday, Thursday | 9 am to 12.30 pm |
| Wednesday | closed |
| Friday | 2 to 5.30 pm |
"""
BOATYARD = """# Boatyard

The boatyard has a crane, a slip and a loft for sails.

## When the boatyard is open

| Season | Days | Hours |
|---|---|---|
| April to September | every day | 9.30–17.30 |
| October to March | Wednesday to Sunday | 10–16 |

## Shop

| Days | Opens | Closes |
|---|---|---|
| Monday to Wednesday | 10:00 | 18:30 |
| Friday, Saturday | 9:00 | 12:00 |
| Sunday | closed | closed |
"""


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    folder = tmp_path_factory.mktemp("hours")
    (folder / "clinic.md").write_text(CLINIC, encoding="utf-8")
    (folder / "boatyard.md").write_text(BOATYARD, encoding="utf-8")
    build(Request((str(folder),), folder / "kb.skb", workers=1))
    with Skb(folder / "kb.skb") as skb, Session(Context(skb)) as session:
        yield Searcher(session, "hybrid")


@pytest.fixture
def told(searcher: Searcher) -> Callable[[str], str | None]:
    def answer(question: str) -> str | None:
        found = opening(reading_of(searcher, question))
        return found and found.candidate.text

    return answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When is the shop open on Tuesday?", "10:00 to 18:30"), ("opening hours, shop, Saturdays", "9:00 to 12:00"),
        ("What times is the shop open on Sundays?", "closed"),
        ("When is the dispensary open on Saturday?", "9 am to noon"),
        ("What hours is the Thornhithe branch open on Friday?", "2 to 5.30 pm"),
        ("When is the boatyard open on Friday in November?", "10–16"),
    ],
)  # fmt: skip
def test_hours_are_told_from_opening_to_closing(searcher: Searcher, question: str, answer: str) -> None:
    found = find_answer(searcher, question).answer
    assert found.text == answer
    chunk = searcher.session.skb.chunk(found.citations[0].uri)
    assert chunk is not None and answer.split()[0].split("–")[0] in chunk.text[slice(*found.citations[0].span)]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When does the shop close on Friday?", "12:00"), ("What time does the shop open on Monday?", "10:00"),
        ("How late is the main clinic open on Wednesday?", "8 pm"),
        ("until when is the dispensary open on saturdays", "noon"),
        ("When does the boatyard close on a Tuesday in July?", "17.30"),
    ],
)  # fmt: skip
def test_one_end_is_told_where_it_alone_is_asked_for(
    told: Callable[[str], str | None], question: str, answer: str
) -> None:
    assert told(question) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is the Thornhithe branch open on Wednesdays?", "no"), ("Is Thornhithe closed on Wednesday?", "yes"),
        ("Is the Thornhithe branch open on Friday morning?", "no"),
        ("Is the Thornhithe branch open on Friday afternoon?", "yes"), ("Is the shop open on Thursday?", "no"),
        ("Is the main clinic open at 7 pm on a Wednesday?", "yes"),
        ("Is the main clinic open at 7 pm on a Tuesday?", "no"),
        ("Is the boatyard open on Mondays in November?", "no"), ("is the boatyard open on a monday in may", "yes"),
    ],
)  # fmt: skip
def test_whether_it_is_open_follows_from_the_hours(searcher: Searcher, question: str, answer: str) -> None:
    assert find_answer(searcher, question).answer.text == answer


@pytest.mark.parametrize(
    "question",
    [
        "When is the shop open?", "When is the shop open on Thursday?", "When is the museum open on Sunday?",
        "When is the shop open on Monday and Friday?", "Is the main clinic open on Sunday?",
        "Is the Harbour Museum open on Sunday?", "When does the boatyard close on Wednesday?",
        "Who opens the shop on Monday?", "Is the boatyard open on Monday?",
    ],
)  # fmt: skip
def test_nothing_is_told_of_other_days_places_and_seasons(told: Callable[[str], str | None], question: str) -> None:
    assert told(question) is None


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Monday to Friday, Sunday", [0, 1, 2, 3, 4, 6]), ("Sunday to Thursday", [0, 1, 2, 3, 6]),
        ("Friday to Monday", [0, 4, 5, 6]), ("Mon–Fri", [0, 1, 2, 3, 4]), ("Tues-Thurs; Sat & Sun", [1, 2, 3, 5, 6]),
        ("Monday to Wednesday and Fridays", [0, 1, 2, 4]), ("Money, month, sunny", []), ("", []),
        ("daily", [0, 1, 2, 3, 4, 5, 6]), ("weekdays", [0, 1, 2, 3, 4]), ("weekends and Fridays", [4, 5, 6]),
    ],
)  # fmt: skip
def test_the_days_of_a_cell(text: str, days: list[int]) -> None:
    assert sorted(days_in(text)) == days


@pytest.mark.parametrize(
    ("text", "months"),
    [("in July", [6]), ("Sept to Nov", [8, 9, 10]), ("November–February", [0, 1, 10, 11]), ("a marked decade", [])],
)
def test_the_months_of_a_text(text: str, months: list[int]) -> None:
    assert sorted(months_in(text)) == months


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("9 to 5", [(540, 1020)]), ("9 to 5 pm", [(540, 1020)]), ("2 to 5.30 pm", [(840, 1050)]),
        ("10 a.m. – noon", [(600, 720)]), ("14:00-17:30", [(840, 1050)]), ("8 pm until midnight", [(1200, 1440)]),
        ("9–12, 14–17", [(540, 720), (840, 1020)]), ("closed", []), ("noon", []),
    ],
)  # fmt: skip
def test_the_hours_of_a_cell(text: str, hours: list[tuple[int, int]]) -> None:
    assert hours_in(text) == hours


@pytest.mark.parametrize(
    ("question", "is_polar"),
    [("Are you open on Sunday?", True), ("Do you have to pay?", True), ("Can you name its owner?", False),
     ("Could you please tell me its owner?", False)],
)  # fmt: skip
def test_a_question_to_you_may_ask_for_yes_or_no(searcher: Searcher, question: str, is_polar: bool) -> None:
    assert asked_of(searcher.session, linked_question(searcher.session, question)).is_polar is is_polar
