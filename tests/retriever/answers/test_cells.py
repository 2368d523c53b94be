"""A cell of a table is told by the labels of its row and column, the other cells of its row, and what stands above."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from retriever.answers.answering import find_answer, reading_of
from retriever.answers.columns.features import INDEX
from retriever.searcher import Searcher
from tests.searching import searcher_over

PAGES = {
    "Kestrel": "The Kestrel is a cart of three kinds.\n\n## Kinds\n\n"
    "| | Kestrel City | Kestrel Long | Kestrel Trade |\n|---|---|---|---|\n| Price | 4,290 crowns | 4,790 crowns |"
    " 5,650 crowns |\n| Weight | 34 kg | 38 kg | 43 kg |\n| Range | 70 km | 65 km | 50 km |",
    "Vess League": "The Vess League is a league of ten clubs.\n\n## Champions\n\n"
    "| Season | Champion | Runner-up | Top scorer | Goals |\n|---|---|---|---|---|\n"
    "| 1316 | Kell Rovers | Dune Athletic | Rufus Okon | 24 |\n"
    "| 1317 | Dune Slaters | Kell Rovers | Caspar Lund | 15 |\n"
    "| 1320 | Dune Athletic | Dune Slaters | Teo Brand | 16 |",
    "Kell": "Kell is a town. Trams ran through it from 1304 until 1352, and a ferry has crossed the river since 1290.",
}


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    with searcher_over(tmp_path_factory.mktemp("cells"), PAGES) as found:
        yield found


@pytest.mark.parametrize(
    ("question", "cell"),
    [
        ("What is the price of the Kestrel Long?", "4,790 crowns"),
        ("What does the Kestrel Trade weigh?", "43 kg"),
        ("Who was the top scorer in the season in which Dune Slaters were champions?", "Caspar Lund"),
        ("Who was the top scorer when Dune Slaters were runner-up?", "Teo Brand"),
        ("Which club was champion in 1320?", "Dune Athletic"),
    ],
)
def test_most_is_told_of_the_cell_that_is_asked_for(searcher: Searcher, question: str, cell: str) -> None:
    reading = reading_of(searcher.direct, question)
    best = [reading.candidates[row] for row in (reading.features[:, INDEX["cell_best"]] > 0).nonzero()[0]]
    whole = [reading.candidates[row] for row in (reading.features[:, INDEX["is_cell"]] > 0).nonzero()[0]]
    assert {each.text for each in best} & {each.text for each in whole} == {cell}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the price of the Kestrel Long?", "4,790 crowns"),
        ("When did trams stop running in Kell?", "1352"),
        ("When did trams start running in Kell?", "1304"),
    ],
)
def test_answers_come_from_that_cell_and_that_end(searcher: Searcher, question: str, answer: str) -> None:
    assert find_answer(searcher, question, 0.0).answer.text == answer
