"""Answers about identifiers: what another option's entry tells is none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from retriever.answers.answering import find_answer
from retriever.answers.rules.entries import entries_of
from retriever.searcher import Searcher
from tests.growth import Run, check_growth
from tests.searching import searcher_over

MANUAL = """Settings of the gauge.

## Limits

`client_limit` (default: 50)
: How many clients may read the gauge at once.

`event_limit` (default: $client_limit)
: How many events a client may send. A value of 300 is sensible where client_limit is high.

`fail_under`
: A share of readings, such as 100 percent, below which a run fails.

`precision`
: The number of digits that fail_under is compared by. The default is 2.

## reading_delay

Waits 7 seconds before each reading.

`rounding`
: Digits shown.

  drift_share is compared after rounding: with two digits, 99.5 is less than 99.51.

`drift_share : int`
: The least share of readings that drift. It is 3 unless another one is set.
"""
PAGES = {"Gauge": MANUAL, "COVID-19": "COVID-19 is a disease caused by a virus. It began in 2019.", "France":
         "France is a country. The capital of France is Paris. Node.js listens on port 3000."}  # fmt: skip


@pytest.fixture(scope="module")
def manual(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    with searcher_over(tmp_path_factory.mktemp("gauge"), PAGES) as found:
        yield found


@pytest.mark.parametrize(
    ("question", "answer"),
    [("What is the default of client_limit?", "50"), ("client_limit", "How many clients may read the gauge at once"),
     ("CLIENT_LIMIT setting", "How many clients may read the gauge at once"),
     ("What is precision?", "The number of digits that fail_under is compared by. The default is 2"),
     ("reading_delay", "Waits 7 seconds before each reading"),
     ("How many seconds does reading_delay wait?", "7 seconds"),
     ("What is drift_share?", "The least share of readings that drift. It is 3 unless another one is set"),
     ("COVID-19", "a disease caused by a virus"), ("The capital of France is ____.", "Paris"),
     ("no_such_setting", None), ("What is the default of no_such_setting?", None),
     ("How many seconds does no_such_delay wait before each reading?", None)],
)  # fmt: skip
def test_an_answer_is_told_of_the_identifier(manual: Searcher, question: str, answer: str | None) -> None:
    assert find_answer(manual, question).answer.text == answer


def test_entries_end_with_the_next_term() -> None:
    text = "-a, --all\n  All:\n    --any\n      Takes any.\n    --none\n      Takes none.\n-b\n-c\n  Other --all.\n"
    told = {name: [text[start:end] for start, end in entries_of(text, name)] for name in ("--all", "--any", "-b", "-x")}
    assert told == {
        "--all": [text[: text.index("-b")]], "--any": ["    --any\n      Takes any.\n"],
        "-b": ["-b\n-c\n  Other --all.\n"], "-x": [],
    }  # fmt: skip
    text = "fail_under: A share: 0 by default.\nprecision (int): Digits of fail_under.\n  More.\nother: None."
    told = {name: [text[start:end] for start, end in entries_of(text, name)] for name in ("fail_under", "precision")}
    assert told == {
        "fail_under": ["fail_under: A share: 0 by default.\n"],
        "precision": ["precision (int): Digits of fail_under.\n  More.\n"],
    }  # fmt: skip
    assert entries_of("no list with --all", "--all") == [] and entries_of("", "--all") == []


def test_entries_take_time_linear_in_the_text() -> None:
    check_growth(lambda text: entries_of(text, "--all"), Run("--all\n  all\n"))
