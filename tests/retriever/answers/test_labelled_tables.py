"""Tables whose labels have units, whose rows are named by their second column, or whose columns are days."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from retriever.answers.answering import THRESHOLD, find_answer, reading_of
from retriever.answers.tables.superlatives import superlative
from retriever.searcher import Searcher
from tests.searching import searcher_over

PAGES = {
    "Harbour office of Tolm": "The harbour office of Tolm has a staff of three.\n\n## Staff\n\n"
    "| Name | Job | Wage (crowns a week) |\n|---|---|---|\n| Odda Fenn | harbour master | 48 |\n"
    "| Piet Loom | pilot | 52 |\n| Sarra Quill | clerk | 31 |\n\n## Inhabitants\n\n"
    "| Year | Inhabitants |\n|---|---|\n| 1850 | 2,310 |\n| 1958 | 14,050 |\n| 1990 | 10,870 |",
    "Lamp stove": "The lamp stove has three settings.\n\n## Settings\n\n"
    "| Setting | Heat (kW) | Fan noise (dB) |\n|---|---|---|\n| Ember | 2.4 | 24 |\n| Night | 3.0 | 19 |\n"
    "| Gale | 8.0 | 42 |",
    "Walks of the Ennit Club": "The club walked three times.\n\n## Walks\n\n"
    "| Date | Route | Length (km) | Walkers |\n|---|---|---|---|\n| 18 June | Ferry Way | 16.5 | 44 |\n"
    "| 9 July | Three Quarries | 19.0 | 18 |\n| 8 October | Skerrow Point | 14.0 | 61 |",
    "The Salt Novels": "The Salt Novels are a series of three novels.\n\n## Volumes\n\n"
    "| No. | Title | Year | Copies sold in first year |\n|---|---|---|---|\n| 1 | The Drowned Bell | 1953 | 1,900 |\n"
    "| 2 | Nine Arches | 1966 | 31,200 |\n| 3 | The Blind Side | 1971 | 27,400 |",
    "Quernlog": "Quernlog is a tool that keeps a log of tides.\n\n## Options\n\n"
    "| Option | Default | Meaning |\n|---|---|---|\n| `-k`, `--keep DAYS` | 400 | Keep period used by prune |\n"
    "| `-w`, `--width COLS` | 96 | Width of printed lines |\n"
    "| `-n`, `--dry-run` | off | Show what would be done without writing anything |",
    "Rillo washing machine": "The Rillo washing machine has three programmes.\n\n## Errors\n\n"
    "| Code | Meaning | What to do |\n|---|---|---|\n| E14 | Load out of balance | Spread the laundry evenly |\n"
    "| E20 | Pump blocked | Clean the filter |",
    "Moons of Dovanne": "Dovanne has three moons.\n\n## Size and orbit\n\n"
    "| Moon | Diameter (km) | Distance (thousand km) | Discovered |\n|---|---|---|---|\n| Pell | 212 | 145 | 1902 |\n"
    "| Immerell | 2,960 | 585 | 1784 |\n| Far Tobin | 87 | 4,210 | 1966 |",
    "Night Kitchen": "The Night Kitchen cooks for people.\n\n## Money\n\n"
    "| Spending in 2023 | Marks |\n|---|---|\n| Food | 61,000 |\n| Wages | 104,200 |\n| Total | 165,200 |",
    "Quill Herons": "The Quill Herons are a club. The top scorer is Fenn Abery with 34 goals, ahead of Lotte Cax with "
    "27.\n\n## Matches\n\n| Date | Opponent | Start |\n|---|---|---|\n| 13 April | Brindle Dockers | 19:00 |\n"
    "| 4 May | Pen Seals | 15:30 |\n\n## Fees\n\n| Group | Yearly fee (marks) |\n|---|---|\n| Children | 60 |\n"
    "| Adults | 140 |",
    "Kell Inn": "The Kell Inn has three rooms. Ada Orr (born in 1990) let 12 rooms there, while Bo Lund let 34 rooms."
    "\n\n## Rooms\n\n| Room | Number |\n|---|---|\n| Blue room | 4 |\n| Red room | 7 |\n| Green room | 9 |",
    "Kell League": "The Kell League has two clubs.\n\n## Table\n\n"
    "| Club | Won (W) | Lost (L) |\n|---|---|---|\n| Kell Rovers | 12 | 3 |\n| Dune Slaters | 7 | 8 |",
    "Kell houses": "Kell has three houses.\n\n## Houses\n\n| Name | Condition | Beds |\n|---|---|---|\n"
    "| Kell House | Old | 40 |\n| Old Mill | New | 12 |\n| New Mill | Old | 20 |",
    "Lens Museum": "The Lens Museum shows lenses.\n\n## Opening hours\n\n"
    "| Period | Tuesday–Friday | Saturday and Sunday |\n|---|---|---|\n"
    "| 1 April – 30 September | 10:00–18:00 | 10:00–19:00 |\n| 1 October – 31 March | 11:00–16:00 | 10:00–17:00 |",
}


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    with searcher_over(tmp_path_factory.mktemp("labelled"), PAGES) as found:
        yield found


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is Sarra Quill's wage?", "31 crowns a week"),
        ("What does Sarra Quill earn?", "31 crowns a week"),
        ("What is the length of the route Three Quarries?", "19.0 km"),
        ("How many crowns a week does the pilot earn?", "52"),
        ("Who earns the most?", "Piet Loom"),
        ("Who earns the least?", "Sarra Quill"),
        ("In which year did Tolm have the most people?", "1958"),
        ("Is the fan of the lamp stove louder on Ember than on Night?", "yes"),
        ("Is the fan of the lamp stove quieter on Gale than on Night?", "no"),
        ("In 2023, were there more walkers on Ferry Way than on Three Quarries?", "yes"),
        ("Which was longer, the Ferry Way walk or the Skerrow Point walk?", "Ferry Way walk"),
        ("Which sold better in its first year, Nine Arches or The Blind Side?", "Nine Arches"),
        ("Which is the best-selling of the Salt Novels?", "Nine Arches"),
        ("What is the default value of --keep?", "400"),
        ("What is the default setting for --width?", "96"),
        ("What should I do when the washing machine displays E14?", "Spread the laundry evenly"),
        ("What should I do if the pump of the Rillo washing machine is blocked?", "Clean the filter"),
        ("Which is the smallest of Dovanne's moons?", "Far Tobin"),
        ("What did the Night Kitchen spend the most on in 2023?", "Wages"),
        ("Who has scored more goals, Lotte Cax or Fenn Abery?", "Fenn Abery"),
        ("Who scored fewer goals, Lotte Cax or Fenn Abery?", "Lotte Cax"),
        ("How much do grown-ups pay the Quill Herons a year?", "140 marks"),
        ("How many games were won by Kell Rovers?", "12"),
        ("Who let more rooms, Ada Orr or Bo Lund?", "Bo Lund"),
        ("Which has more beds, Old Mill or New Mill?", "New Mill"),
        ("What time does the Lens Museum shut on a Saturday in January?", "17:00"),
        ("When does the Lens Museum close on Wednesdays in July?", "18:00"),
    ],
)
def test_a_cell_or_a_row_answers(searcher: Searcher, question: str, answer: str) -> None:
    found = find_answer(searcher, question)
    assert found.answer.text == answer and found.chance >= THRESHOLD


def test_nothing_but_an_option_answers_which_flag(searcher: Searcher) -> None:
    found = find_answer(searcher, "Which flag of Quernlog shows what would be done without writing?", 0.0)
    assert found.answer.text in ("-n", "--dry-run")
    assert all(each.startswith("-") for each, _ in found.others)


def test_when_asks_for_the_day_and_not_for_the_time_of_it(searcher: Searcher) -> None:
    assert find_answer(searcher, "When do the Quill Herons play the Dockers?", 0.0).answer.text == "13 April"
    assert find_answer(searcher, "At what time do the Quill Herons play the Dockers?", 0.0).answer.text == "19:00"


@pytest.mark.parametrize("question", ["Which is the cheapest room of the Kell Inn?", "Which is its oldest room?"])
def test_a_number_that_is_no_amount_tells_no_superlative(searcher: Searcher, question: str) -> None:
    reading = reading_of(searcher, question)
    assert superlative(searcher.session, reading.asked, reading.passages) is None
