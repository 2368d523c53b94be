"""Amounts are compared with their signs, scales and units, and not at all where they measure different things."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from retriever.answers.answering import find_answer, reading_of
from retriever.answers.tables.superlatives import superlative
from retriever.answers.text.dates import quantities_in
from retriever.searcher import Searcher
from tests.searching import searcher_over

PAGES = {
    "Fir Crate": "The Fir Crate is a crate. It weighs 900 g.",
    "Ivy Crate": "The Ivy Crate is a crate. It weighs 2 kg.",
    "Oak Crate": "The Oak Crate is a crate. It weighs 1,000 g.",
    "Yew Crate": "The Yew Crate is a crate. It weighs 1 kg.",
    "Bay Race": "The Bay Race is a race. It lasts 90 minutes.",
    "Sea Race": "The Sea Race is a race. It lasts 2 hours.",
    "Rye Ferry": "The Rye Ferry is a ferry. It weighs 3 tonnes.",
    "Oat Ferry": "The Oat Ferry is a ferry. It weighs 2,500 kg.",
    "Kell Pond": "The Kell Pond is a pond. It is 90 yards long.",
    "Dune Pond": "The Dune Pond is a pond. It is 85 metres long.",
    "Ash Pole": "The Ash Pole is a pole. It is 90 centimeters long.",
    "Elm Pole": "The Elm Pole is a pole. It is 2 meters long.",
    "Low Orbit": "The Low Orbit is an orbit. It is 900,000 km long.",
    "Far Orbit": "The Far Orbit is an orbit. It is 2 million km long.",
    "Red Tram": "The Red Tram is a tram. Its length is 40 metres.",
    "Old Tram": "The Old Tram is a tram. It is 50 minutes long.",
    "Nether Works": "The Nether Works is a mill. It has 12 league titles and 7 second homes.",
    "Upper Works": "The Upper Works is a mill. It has 9 titles and 30 homes.",
    "Crates of Veldra": "There are several crates.\n\n## Crates\n\n| Crate | Weight | Time |\n|---|---|---|\n"
    "| Fir | 900 g | 90 minutes |\n| Larch | 2 kg | 2 hours |\n| Pine | 1 kg | 30 minutes |",
    "Sacks of Orse": "There are several sacks.\n\n## Sacks\n\n| Sack | Weight |\n|---|---|\n"
    "| Barley | 900 g |\n| Rice | 2 litres |\n| Wheat | 1 kg |",
    "Stations of Hexle": "There are several stations.\n\n## Stations\n\n"
    "| Station | Temperature | Height |\n|---|---|---|\n"
    "| Cedar | −22 °C | 10 m |\n| Dune | -3 °C | 20 m |\n| Elm | 14 °C | -30 m |",
}


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    with searcher_over(tmp_path_factory.mktemp("quantities"), PAGES) as found:
        yield found


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which is heavier, the Fir Crate or the Ivy Crate?", "Ivy Crate"),
        ("Which is lighter, the Fir Crate or the Ivy Crate?", "Fir Crate"),
        ("Is the Fir Crate heavier than the Ivy Crate?", "no"),
        ("Which lasts longer, the Bay Race or the Sea Race?", "Sea Race"),
        ("Which is heavier, the Rye Ferry or the Oat Ferry?", "Rye Ferry"),
        ("Which is longer, the Kell Pond or the Dune Pond?", "Dune Pond"),
        ("Which is longer, the Ash Pole or the Elm Pole?", "Elm Pole"),
        ("Which is longer, the Low Orbit or the Far Orbit?", "Far Orbit"),
        ("Which has more titles, the Nether Works or the Upper Works?", "Nether Works"),
        ("Which has more homes, the Nether Works or the Upper Works?", "Upper Works"),
        ("Which crate of Veldra is the heaviest?", "Larch"),
        ("Which crate of Veldra is the lightest?", "Fir"),
        ("Which is heavier of the crates of Veldra, Fir or Pine?", "Pine"),
        ("Which station of Hexle has the highest temperature?", "Elm"),
        ("Which station of Hexle has the lowest temperature?", "Cedar"),
        ("Which is the lowest of the stations of Hexle by height?", "Elm"),
    ],
)
def test_amounts_are_compared_in_one_unit(searcher: Searcher, question: str, answer: str) -> None:
    assert find_answer(searcher, question).answer.text == answer


@pytest.mark.parametrize(
    "question",
    [
        "Which is heavier, the Oak Crate or the Yew Crate?",
        "Which is longer, the Red Tram or the Old Tram?",
    ],
)
def test_amounts_of_different_measures_are_not_compared(searcher: Searcher, question: str) -> None:
    assert find_answer(searcher, question).answer.text is None


def test_a_column_of_different_measures_has_no_greatest(searcher: Searcher) -> None:
    reading = reading_of(searcher.direct, "Which sack of Orse is the heaviest?")
    assert superlative(searcher.session, reading.asked, reading.passages) is None


@pytest.mark.parametrize(
    ("text", "amounts"),
    [
        ("2 million km, 900,000 kilometers", [(2e9, "length"), (9e8, "length")]),
        ("90 centimeters; 12 inches; 5 ft 11 in", [(0.9, "length"), (0.3048, "length"), (1.8034, "length")]),
        ("12 in Kell", [(12, "")]),
        ("900 g, 2 kg, 3 tonnes", [(0.9, "mass"), (2, "mass"), (3000, "mass")]),
        ("90 minutes; 2 hours and 15 minutes; 6 min 48 s", [(5400, "time"), (8100, "time"), (408, "time")]),
        ("2 sq. miles, 4 million square kilometres", [(5179976.22, "area"), (4e12, "area")]),
        ("9 km², 900 hectares", [(9e6, "area"), (9e6, "area")]),
        ("3 m³; 40 litres; 10 cubic metres", [(3, "volume"), (0.04, "volume"), (10, "volume")]),
        ("-22, −3, 14 °C", [(-22, ""), (-3, ""), (14, "temperature")]),
        ("3-5, 3 - 5 and 3−5", [(3, ""), (5, ""), (3, ""), (5, ""), (3, ""), (5, "")]),
        ("3–5 km, 2 x 4 m", [(3000, "length"), (5000, "length"), (2, "length"), (4, "length")]),
        ("59 °F", [(15, "temperature")]),
        ("90 km/h; 36 kilometres per hour", [(25, "length/time"), (10, "length/time")]),
        ("£2.5 million, -£5, 42p, $3", [(2.5e6, "pounds"), (-5, "pounds"), (0.42, "pounds"), (3, "dollars")]),
        ("9 gallons of 340 workers", [(9, "gallon"), (340, "")]),
    ],
)
def test_an_amount_has_a_sign_a_scale_and_a_unit(text: str, amounts: list[tuple[float, str]]) -> None:
    found = quantities_in(text)
    assert [each.measure for each in found] == [measure for _, measure in amounts]
    assert [each.number for each in found] == pytest.approx([number for number, _ in amounts])
