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
LIDO = """# Lido

The lido is a heated pool out of doors.

## Opening hours

| | April and May | June to August |
|---|---|---|
| Monday | closed | 10:00–20:00 |
| Tuesday to Saturday | 12:00–18:00 | 07:00–20:00 |

## Swimming lessons at the lido

| Day | Hours |
|---|---|
| Monday | 16:00–16:45 |
| Thursday | 17:00–17:45 |
"""
SPA = """# Spa

The spa has a sauna and two baths.

## Opening hours

| Days | Morning | Afternoon and evening |
|---|---|---|
| Mon–Thu | closed | 13:00–20:30 |
| Fri | 09:00–12:30 | 13:30–20:30 |
| Sat–Sun | 10:00–13:00 | 2–5 |
"""
BAR = """# Anchor bar

The bar stands on the quay.

## Opening hours

| Day | Hours |
|---|---|
| Daily except Monday and Friday | 18:00–01:00 |
| Friday | 6 pm to 12 am |

## Cleaning rota

| Day | Hours |
|---|---|
| Monday | 7–9 |
| Sunday | 7–9 |
"""
TOWN = """# Where to go in Ostwick

## Places

| Place | Open | Closed | Telephone |
|---|---|---|---|
| Gallery, Mill Lane | Tue, Wed, Fri 10 am to 5 pm; Sat 10 am to 1 pm | Mon, Thu, Sun | 01960 440 018 |
| Post office | Mon to Fri 9 am to 12.30 pm and 2 to 5.30 pm, Sat 9 am to noon | | 01960 440 019 |
| Open-air baths | daily 7 am to 8.30 pm | Christmas Day, bank holidays | 01960 440 020 |
| Model railway | Sundays from Easter to October, 2 to 4 pm | | 01960 440 021 |
"""


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    folder = tmp_path_factory.mktemp("hours")
    (folder / "clinic.md").write_text(CLINIC, encoding="utf-8")
    for name, text in (("boatyard", BOATYARD), ("lido", LIDO), ("spa", SPA), ("bar", BAR), ("town", TOWN)):
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    build(Request((str(folder),), folder / "kb.skb", workers=1))
    with Skb(folder / "kb.skb") as skb, Session(Context(skb)) as session:
        yield Searcher(session, "hybrid")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is the gallery open on Thursdays?", "no"), ("is the gallery in Ostwick open on Fridays", "yes"),
        ("When does the gallery open on Saturday?", "10 am"),
        ("When is the gallery open on a Wednesday?", "10 am to 5 pm"),
        ("What time does the post office shut on Saturdays?", "noon"), ("Is the post office open on Sundays?", "no"),
        ("When is the post office open on Mondays?", "9 am to 12.30 pm and 2 to 5.30 pm"),
        ("Is the post office open at 1 pm on Monday?", "no"), ("Are the baths open on Christmas Day?", "no"),
        ("Are the baths closed on bank holidays?", "yes"), ("Are the baths open on Mondays at 9 pm?", "no"),
        ("Is the post office open on Christmas Day?", None), ("Is the model railway open on Sundays?", None),
        ("When does the bakery open on Saturday?", None),
    ],
)  # fmt: skip
def test_rows_of_places_have_days_in_their_cells(
    told: Callable[[str], str | None], question: str, answer: str | None
) -> None:
    assert told(question) == answer


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
        ("How late is the Thornhithe branch open on Friday?", "5.30 pm"),
        ("until when is the dispensary open on saturdays", "noon"),
        ("When does the boatyard close on a Tuesday in July?", "17.30"),
        ("How late is the spa open on Friday?", "20:30"),
        ("What time does the lido open on Saturdays in August?", "07:00"),
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
        ("Is the lido open on Mondays in July?", "yes"), ("Is the lido open on Mondays in May?", "no"),
        ("Is the spa open on Wednesday evening?", "yes"), ("Is the spa open on Wednesday morning?", "no"),
        ("Is the spa open at 1 pm on Friday?", "no"), ("Is the spa open on Sunday afternoon?", "yes"),
        ("Is the Anchor bar open on Friday?", "yes"), ("Is the Anchor bar open on Monday?", "no"),
        ("Is the Anchor bar open after 11 pm on Saturday?", "yes"),
        ("Is the Anchor bar open at 2 am on Saturday?", "no"),
        ("Is the spa open before 9 on Friday?", "no"), ("Is the spa open until 8 pm on Friday?", "yes"),
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
        "Who opens the shop on Monday?", "Is the boatyard open on Monday?", "When is the lido open on Saturday?",
        "Is the lido open on Friday night?", "Is the spa open at six on Friday?", "Is the spa not open on Friday?",
        "Was the spa first open on a Monday?", "Can I open a locker at the spa on Sunday?",
        "Is the spa garden open on Friday?", "Is the spa open on Easter Monday?", "When is the spa closed on Friday?",
        "How late is the main clinic open on Wednesday?",
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
        ("Monday to Saturday (closed Sunday)", [0, 1, 2, 3, 4, 5]), ("Mon-Fri 9-5 Sat 9-12", [0, 1, 2, 3, 4, 5]),
        ("1st Sunday of the month", []),
        ("daily", [0, 1, 2, 3, 4, 5, 6]), ("weekdays", [0, 1, 2, 3, 4]), ("weekends and Fridays", [4, 5, 6]),
    ],
)  # fmt: skip
def test_the_days_of_a_cell(text: str, days: list[int]) -> None:
    assert sorted(days_in(text)) == days


@pytest.mark.parametrize(
    ("text", "months"),
    [("in July", [6]), ("Sept to Nov", [8, 9, 10]), ("November–February", [0, 1, 10, 11]), ("a marked decade", []),
     ("Mart", []), ("May it be open?", []), ("on a monday in may", [4])],
)  # fmt: skip
def test_the_months_of_a_text(text: str, months: list[int]) -> None:
    assert sorted(months_in(text)) == months


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("9 to 5", [(540, 1020)]), ("9 to 5 pm", [(540, 1020)]), ("2 to 5.30 pm", [(840, 1050)]),
        ("10 a.m. – noon", [(600, 720)]), ("14:00-17:30", [(840, 1050)]), ("8 pm until midnight", [(1200, 1440)]),
        ("9–12, 14–17", [(540, 720), (840, 1020)]), ("closed", []), ("noon", []), ("1–5", [(780, 1020)]),
        ("9.00–12.00 and 1.30–5.00", [(540, 720), (810, 1020)]), ("18:00–01:00", [(1080, 1500)]),
        ("6 pm to 12 am", [(1080, 1440)]), ("midnight to 6 am", [(0, 360)]), ("06:00–09:00", [(360, 540)]),
        ("9 am - 5pm, telephone 10–12", [(540, 1020)]),
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
