"""How many people live somewhere is told by what counts inhabitants, and by no other number of people."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from retriever.answers.answering import find_answer
from retriever.searcher import Searcher
from tests.searching import searcher_over

PAGES = {
    "Skarrow": (
        "Skarrow is a small harbour. At the last count it had 2,340 inhabitants, fewer than in its heyday.\n\n"
        "The storm of 1872 carried away the pier and drowned nineteen people."
    ),
    "Tollen": "Tollen is an island. About 260 people live on it. The ferry takes 180 people to Tollen each day.",
    "Kelby": "Kelby is a port. It has 1850 inhabitants. Its population in 1790 was small.",
    "Dray": "Dray is a village of 640 people on the Vel.",
    "Vessia": (
        "Vessia is a country.\n\n## Towns\n\n| Town | Population | River |\n|---|---|---|\n"
        "| Castrel | 27,900 | Vesk |\n| Pellow | 41,200 | Ash |"
    ),
    "Castrel": "Castrel is a town in Vessia. In 1912 its mines employed 4,100 people.",
    "Orse": "Orse is a port. The museum of Orse receives 130,000 people a year.",
}


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    with searcher_over(tmp_path_factory.mktemp("populations"), PAGES) as found:
        yield found


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many people live in Skarrow?", "2,340"),
        ("What is the population of Skarrow?", "2,340"),
        ("How many people live on Tollen?", "260"),
        ("How many inhabitants has Dray?", "640"),
        ("How many people live in Kelby?", "1850 inhabitants"),
        ("What is the population of Castrel?", "27,900"),
        ("How many people live in Orse?", None),
        ("How many people drowned in Skarrow in the storm of 1872?", "nineteen"),
    ],
)
def test_populations(searcher: Searcher, question: str, answer: str | None) -> None:
    assert find_answer(searcher, question).answer.text == answer
