"""Tables whose labels have units, whose rows are named by their second column, or whose columns are days."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from retriever.answers.answering import THRESHOLD, find_answer
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
