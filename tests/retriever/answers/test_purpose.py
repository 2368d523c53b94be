"""What a page about a module or a setting says that it is for, and versions that are asked for."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from retriever.answers.answering import find_answer, reading_of
from retriever.answers.fitting.named_forms import PORT, PORTS, VERSION, VERSIONS
from retriever.answers.options.purpose import subject_of
from retriever.answers.patterns.definitions import SAID
from retriever.answers.rules.unlikely import unlikely
from retriever.searcher import Searcher
from tests.searching import searcher_over

PAGES = {
    "lampin: the lamp input module": "Author: Bo Lund\n\n## Purpose\n\nReads the state of each lamp once in a minute. "
    "Lampin needs a cable.\n\n## Changes\n\nStarting with 8.5.0, lampin supports several cables.\n",
    "$lampinterval": "Type: a setting\n\nDefault: 30\n\nDescription:\nSets how many seconds a lamp stays dark. "
    "It is at most 90.\n\nWhen a lamp is broken, the interval is doubled.\n",
    "lampout: the lamp output module": "Lampout writes to lamps what was told by others of them.\n\n"
    "## Description\n\nEach lamp has a number of its own here.\n",
}  # fmt: skip


@pytest.fixture(scope="module")
def lamps(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    with searcher_over(tmp_path_factory.mktemp("lamps"), PAGES) as found:
        yield found


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What does lampin do?", "Reads the state of each lamp once in a minute"),
        ("What is lampin for?", "Reads the state of each lamp once in a minute"),
        ("What does $lampinterval do?", "Sets how many seconds a lamp stays dark"),
    ],
)
def test_a_page_tells_below_a_heading_or_behind_a_label_what_it_is_for(
    lamps: Searcher, question: str, answer: str
) -> None:
    found = find_answer(lamps, question).answer
    assert found.text == answer
    assert found.citations[0].uri.startswith(("lampin: the lamp input module#Purpose", "$lampinterval"))


def test_a_page_that_begins_with_a_sentence_tells_by_that(lamps: Searcher) -> None:
    assert find_answer(lamps, "What does lampout do?", 0.0).answer.text != "Each lamp has a number of its own here"


def test_what_asks_for_more_is_not_told_so(lamps: Searcher) -> None:
    assert find_answer(lamps, "Since when does lampin support several cables?", 0.0).answer.text != (
        "Reads the state of each lamp once in a minute"
    )


def test_a_title_may_say_what_its_subject_is() -> None:
    titles = {"lampd: the daemon": "lampd", "lampd — lights": "lampd", "lampd(8)": "lampd", "Lamp-lung": "Lamp-lung"}
    assert {title: subject_of(title) for title in titles} == titles


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("Which version introduced several cables?", True), ("What version of lampd is needed?", True),
        ("Which version of the song was first?", False), ("What is a version?", False),
    ],
)  # fmt: skip
def test_a_version_is_asked_for(question: str, asks: bool) -> None:
    assert (VERSIONS.search(question) is not None) == asks


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("8.5.0", True), ("version 8.5", True), ("v2.0rc1", True), ("version 7", True), ("8", False),
        ("following releases", False),
    ],
)  # fmt: skip
def test_a_version_is_told_by_its_looks(text: str, is_one: bool) -> None:
    assert (VERSION.fullmatch(text) is not None) == is_one


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    pages = {
        "Lamp engines": "Lampwork decides on one lamp engine: Wickel. You are free to use a different lamp engine "
        "with it, which takes a day.\n\nThe development server listens on port 5017, and Orsted runs it since 1912.",
        "Piers": "For a query in a half-zone, the lamp told last is used.\n\n## What is a glim?\n\nA glim is deployed "
        "on each pier. It burns oil.\n",
    }  # fmt: skip
    with searcher_over(tmp_path_factory.mktemp("engine"), pages) as found:
        yield found


def test_no_words_of_the_question_answer_it(engine: Searcher) -> None:
    assert find_answer(engine, "Which lamp engine does Lampwork use?", 0.0).answer.text == "Wickel"


def test_what_repeats_the_question_is_unlikely(engine: Searcher) -> None:
    reading = reading_of(engine, "Which lamp engine does Lampwork use?")
    told = unlikely(reading.asked, reading.passages, reading.candidates)
    repeated = [told[index] for index, each in enumerate(reading.candidates) if each.text == "different lamp engine"]
    assert repeated and all(repeated)
    assert not any(told[index] for index, each in enumerate(reading.candidates) if each.text == "Wickel")


@pytest.mark.parametrize(
    ("question", "text", "fits"),
    [
        ("What is the default port of lampd?", "port 5017", True), ("What port does lampd listen on?", "514/udp", True),
        ("Which TCP port is it?", "AirPlay", False), ("Which port did the ship leave?", "1912", False),
    ],
)  # fmt: skip
def test_a_port_is_told_by_its_looks(question: str, text: str, fits: bool) -> None:
    assert (PORTS.search(question) is not None and PORT.fullmatch(text) is not None) == fits


def test_a_port_is_a_number(engine: Searcher) -> None:
    assert find_answer(engine, "What is the default port of the development server?", 0.0).answer.text.endswith("5017")


@pytest.mark.parametrize("question", ["What is a zone?", "What is a glim?"])
def test_what_is_done_or_stands_beside_a_longer_name_defines_nothing(engine: Searcher, question: str) -> None:
    assert find_answer(engine, question).chance < SAID
