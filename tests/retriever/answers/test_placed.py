"""Who won, or came second, is told by a table of results, and what a cell tells by the labels of row and column."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from retriever.answers.answering import find_answer
from retriever.searcher import Searcher
from tests.searching import searcher_over

PAGES = {
    "1951 Kell Cup": """The 1951 Kell Cup was a race of yachts in Dunmere.

## Qualifying

| Pos | Skipper | Country |
|---|---|---|
| 1 | Bo Lund | Vess |
| 2 | Mia Orde | Norland |

## Classification

| Pos | Skipper | Country | Time |
|---|---|---|---|
| 1 | Ida Crane | Norland (NOR) | 3:41 |
| 2 | Tor Vane | Vess (VES) | 3:55 |
| 3 | Bo Lund | Vess (VES) | 4:02 |
""",
    "1953 Dune Regatta": """The 1953 Dune Regatta was a race on Lake Orse.

| Rank | Lane | Sailor | Time |
|---|---|---|---|
|  | 3 | Ada Brun | 3:41.43 |
|  | 4 | Ole Marn | 3:43.42 |
|  | 2 | Kaia Holt | 3:47.01 |
| 4 | 1 | Nils Ask | 3:49.52 |
""",
    "Kell Rovers": """Kell Rovers is a club in Kell.

| Chairman | Mark Rigg |
|---|---|
| Colours | Black and orange |
""",
    "Ove Strand": "Ove Strand (born 1950) is a former footballer who played as a central defender for Vess.",
    "Satin Ring": "Satin Ring is a Norwegian pop rock group, which sang at the Harbour Festival of Dune in 1950.",
    "Halcium": "Halcium is a metal. Lamps of halcium hold the heavy radioactive isotope tersium.",
    "Lucy Tarn": "Lucy Tarn is a 1956 novel by Ivor Shawe.",
    "Rich Marn": "Rich Marn is a 1969 novel written by Ivor Shawe and printed in Kell.",
    "Poor Marn": "Poor Marn is a 1970 novel written by Ida Crane.",
    "Sarn": """Sarn is a town in Vess.

## Climate

| Month | Jan | Feb | Mar | Apr | May | Jun | Jul | Aug | Sep | Oct | Nov | Dec | Year |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
| Mean sunshine hours | 1 | 28 | 93 | 180 | 279 | 300 | 281 | 217 | 120 | 62 | 30 | 2 | 1593 |
| Average rainfall (mm) | 41 | 42 | 43 | 44 | 45 | 46 | 47 | 48 | 49 | 50 | 51 | 52 | 558 |
""",
    "Towns of Vess": """
| Name | Population in 2005 | Population in 2010 | Growth |
|---|---|---|---|
| Larkel | 38,900 | 53,100 | 14,200 |
| Hexle | 29,300 | 39,100 | 9,800 |
""",
}


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    with searcher_over(tmp_path_factory.mktemp("placed"), PAGES) as found:
        yield found


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which skipper won the 1951 Kell Cup?", "Ida Crane"),
        ("Which skipper came second in the 1951 Kell Cup?", "Tor Vane"),
        ("Which country won the 1951 Kell Cup?", "Norland"),
        ("Which skipper won the qualifying of the 1951 Kell Cup?", "Bo Lund"),
        ("How many hours of sunshine does Sarn have in July?", "281"),
        ("How many hours of sunshine does Sarn have in a year?", "1593"),
        ("How many people lived in Larkel in 2010?", "53,100"),
        ("How many people lived in Larkel in 2005?", "38,900"),
        # Medals stand in the place of the first ranks.
        ("Which sailor came second in the 1953 Dune Regatta?", "Ole Marn"),
        ("What was the winning time of the 1953 Dune Regatta?", "3:41.43"),
        ("Who is the chairman of the Kell Rovers football club?", "Mark Rigg"),
        ("What genre of music does Satin Ring play?", "pop rock"),
        ("What isotope do the lamps of Halcium hold?", "tersium"),
        ("Were Lucy Tarn and Rich Marn written by the same person?", "yes"),
        ("Were Lucy Tarn and Poor Marn written by the same person?", "no"),
        ("Were Lucy Tarn and Rich Marn made by the same author?", "yes"),
        ("Did the same man write Lucy Tarn and Rich Marn?", "yes"),
        ("What position did Ove Strand play?", "central defender"),
    ],
)
def test_what_a_table_tells(searcher: Searcher, question: str, answer: str) -> None:
    assert find_answer(searcher, question).answer.text == answer


def test_another_year_has_another_winner(searcher: Searcher) -> None:
    assert find_answer(searcher, "Which skipper won the 1957 Kell Cup?").answer.text is None
