"""The most and the least of what a table tells is read from all of its rows."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from retriever.answers.answering import find_answer, reading_of
from retriever.answers.tables.row_counts import row_count
from retriever.answers.tables.superlatives import superlative
from retriever.searcher import Searcher
from tests.searching import searcher_over

LONG = "".join(f"| Hut {number} | {1500 + number} m | 19{number:02} |\n" for number in range(10, 99))
PAGES = {
    "Vess Railway": "The Vess Railway runs along the river.\n\n## Tunnels\n\n"
    "| Tunnel | Length | Opened |\n|---|---|---|\n| Gallows Tunnel | 1,960 m | 1911 |\n"
    "| Kell Tunnel | 2.1 km | 1908 |\n| Otter Tunnel | 310 m | 1931 |\n\n## Stations\n\n"
    "| Station | Passengers |\n|---|---|\n| Dune | 410 |\n| Hexle | 90 |\n| Larkel | 90 |",
    "Vess League": "The Vess League is a league of ten clubs.\n\n## Champions\n\n"
    "| Season | Champion | Top scorer | Goals |\n|---|---|---|---|\n| 1316 | Kell Rovers | Rufus Okon | 24 |\n"
    "| 1317 | Dune Slaters | Caspar Lund | 15 |\n| 1320 | Dune Athletic | Teo Brand | 16 |",
    "Lyne Distillery": "It lies at the mouth of the Lyne.\n\n## Whiskies\n\n"
    "| Name | Age | Peated | Strength | Price |\n|---|---|---|---|---|\n| Lyne Original | 10 years | no | 43% | £38 |\n"
    "| Black Moss | 12 years | yes | 46% | £52 |\n| Dram | 18 years | yes | 51.2% | £96 |",
    "Vess Rescue": "The Vess Rescue brings walkers home. It owns four lamps.\n\n## Callouts\n\n"
    "| Year | Callouts | Deaths |\n|---|---|---|\n| 2018 | 71 | 3 |\n| 2019 | 94 | 1 |\n| 2020 | 52 | 0 |\n"
    "| 2021 | 86 | 4 |\n\n## Lamps\n\n| Lamp | In use since |\n|---|---|\n| Tall lamp | 1926 |\n"
    "| Red lamp | 1968 |\n| Old Bo | 1934 |",
    "Vess Regatta": "The Vess Regatta has three races.\n\n## Races\n\n"
    "| Race | Winner | Winning time |\n|---|---|---|\n| Coopers' race | Ada Orr | 6 min 48 s |\n"
    "| Sound race | Bo Lund | 17 min 12 s |\n| Lantern race | Ida Ness | 6 min 03 s |",
    "Vess weather": "It was measured on the mast.\n\n## Weather of 2022\n\n"
    "| Month | Lowest (°C) | Highest (°C) | Snow (cm) |\n|---|---|---|---|\n| January | -31.4 | -2.0 | 188 |\n"
    "| February | -28.9 | 0.3 | 141 |\n| July | -1.0 | 21.6 | 2 |",
    "Vess huts": "The huts of Vess are open all year.\n\n## Huts\n\n"
    f"| Hut | Elevation | Built |\n|---|---|---|\n{LONG}| Hut Zero | 900 m | 1887 |\n",
}


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    with searcher_over(tmp_path_factory.mktemp("superlatives"), PAGES) as found:
        yield found


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many tunnels does the Vess Railway have?", "3"),
        ("How many champions of the Vess League were from Dune?", None),
        ("How many lamps does the Vess Rescue have?", "four"),
        ("How many lamps of the Vess Rescue were in use since 1934?", "1"),
        ("How many clubs does the Vess League have?", None),
        ("How many days is the Lyne Distillery open?", None),
        ("How many whiskies of the Lyne Distillery are from Kell?", None),
    ],
)
def test_rows_are_counted(searcher: Searcher, question: str, answer: str | None) -> None:
    reading = reading_of(searcher, question)
    found = row_count(searcher.session, reading.asked, reading.passages)
    assert (found and found.candidate.text) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which race of the Vess Regatta had the quickest winning time?", "Lantern race"),
        ("Who won the slowest race of the Vess Regatta?", "Bo Lund"),
        ("Which is the longest tunnel of the Vess Railway?", "Kell Tunnel"),
        ("What is the shortest tunnel of the Vess Railway?", "Otter Tunnel"),
        ("Which was the coldest month of 2022?", "January"), ("Which month of 2022 was the warmest?", "July"),
        ("Which month of 2022 had the second lowest temperature?", "February"),
        ("What is the second longest tunnel of the Vess Railway?", "Gallows Tunnel"),
        ("Which is the 3rd-longest tunnel of the Vess Railway?", "Otter Tunnel"),
        ("Which station of the Vess Railway has the third fewest passengers?", "Dune"),
        ("In which year did the Vess Rescue have the second most callouts?", "2021"),
        ("Which tunnel of the Vess Railway is the oldest?", "Kell Tunnel"),
        ("Which tunnel of the Vess Railway was opened most recently?", "Otter Tunnel"),
        ("How long is the longest tunnel of the Vess Railway?", "2.1 km"),
        ("Which station of the Vess Railway has the most passengers?", "Dune"),
        ("Which top scorer of the Vess League had the most goals?", "Rufus Okon"),
        ("In which year did the Vess Rescue have the most callouts?", "2019"),
        ("Which year of the Vess Rescue had the fewest callouts?", "2020"),
        ("Which lamp of the Vess Rescue is the oldest?", "Tall lamp"),
        ("Which of the Vess huts is the lowest hut?", "Hut Zero"),
        ("Which is the highest of the Vess huts?", "Hut 98"),
        ("What is the oldest whisky of the Lyne Distillery?", "Dram"),
        ("Which whisky is the youngest?", "Lyne Original"),
        ("Which is the most expensive whisky?", "Dram"),
        ("Which is the least expensive whisky?", "Lyne Original"),
        ("How much is the most expensive whisky?", "£96"),
        ("Which whisky is the strongest?", "Dram"),
        ("Which whiskies of the Lyne Distillery are peated?", "Black Moss, Dram"),
        ("Which whiskies are not peated?", "Lyne Original"),
        ("List the whiskies of the Lyne Distillery", "Lyne Original, Black Moss, Dram"),
    ],
)
def test_the_row_with_the_most_answers(searcher: Searcher, question: str, answer: str) -> None:
    found = find_answer(searcher, question).answer
    assert found.text == answer
    cited = found.citations[0]
    (text,) = searcher.session.skb.connection.execute("SELECT text FROM chunk WHERE uri = ?", (cited.uri,)).fetchone()
    assert answer.split(", ")[0] in text[slice(*cited.span)]


@pytest.mark.parametrize(
    "question",
    [
        "Which station of the Vess Railway has the fewest passengers?",
        "Which station of the Vess Railway has the second fewest passengers?",
        "Which is the fourth longest tunnel of the Vess Railway?",
        "Which is the 0th longest tunnel of the Vess Railway?",
        "Which is the longest bridge of the Vess Railway?",
        "How long is the Kell Tunnel at most?",
        "Which is the longest, the Kell Tunnel or the Otter Tunnel?",
        "Is the Kell Tunnel the longest tunnel of the Vess Railway?",
    ],
)
def test_nothing_is_read_that_no_table_tells(searcher: Searcher, question: str) -> None:
    reading = reading_of(searcher.direct, question)
    assert superlative(searcher.session, reading.asked, reading.passages) is None


def test_the_number_of_a_cell_has_the_unit_of_its_column(searcher: Searcher) -> None:
    assert find_answer(searcher, "How warm was the warmest month of 2022?").answer.text == "21.6 °C"
