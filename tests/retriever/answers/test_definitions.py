"""What asks only who or what something is, is answered by what says so."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from builder.request import Summary
from retriever.answers.answering import find_answer, reading_of
from retriever.answers.patterns.definitions import IN, WITHIN, looked_up
from retriever.context import Context
from retriever.searcher import Searcher
from retriever.session import Session
from retriever.types import Citation
from tests.growth import Run, check_growth
from tests.searching import searcher_over
from weft.skb import Skb


@pytest.fixture(scope="module")
def searcher(world: Path) -> Iterator[Searcher]:
    with Skb(world) as skb, Session(Context(skb)) as session:
        yield Searcher(session, "hybrid")


ENGINEER = "an engineer who changed the waterways of two countries"
HORN = "a brass horn without valves, 3.4 metres long and coiled twice about the player"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who is Orrin Tasker?", ENGINEER), ("who was orrin tasker", ENGINEER), ("Orrin Tasker", ENGINEER),
        ("Who’s Orrin Tasker?", ENGINEER), ("Tell me about Orrin Tasker.", ENGINEER),
        ("What do you know about Orrin Tasker?", ENGINEER), ("Describe Orrin Tasker", ENGINEER),
        ("What is a halmophone?", HORN), ("What does halmophone mean?", HORN),
        ("What is the Quillon Bridge?", "The Quillon Bridge carries the salt road over the Veldra in Tamsiderre"),
        ("What is lamp-lung?", "the wasting cough of the lamp trade"),
    ],
)  # fmt: skip
def test_it_is_defined_by_its_page_or_by_a_sentence(searcher: Searcher, question: str, answer: str) -> None:
    found = find_answer(searcher, question)
    assert found.answer.text == answer
    assert answer in _cited(searcher.session.skb, found.answer.citations[0])


@pytest.mark.parametrize(
    "question",
    [
        "Who is the designer of the Quillon Bridge?", "What is the motto of the Lanternwrights' Guild?", "Who is it?",
        "What is the Quillon Bridge made of?", "Who was Orrin Tasker's wife?", "What was Orrin Tasker known for?",
        "Who designed the Quillon Bridge?", "Who is Chairman?", "What is the weather?", "When is Lantern Night?",
        "Tamsiderre population", "What is the Quillon Bridge of Tamsiderre?", "Orrin Tasker of Ghasmont", "What is ∑?",
        "What is that?", "Who?", "what does it mean", "Who is in Tamsiderre?",
    ],
)  # fmt: skip
def test_what_asks_more_is_no_definition(searcher: Searcher, question: str) -> None:
    assert reading_of(searcher, question).asked.defines == ""


def test_somebody_of_whom_nothing_says_who_it_is_is_nobody_else(searcher: Searcher) -> None:
    found = find_answer(searcher, "Who is Jem Arkwell?")
    assert found.answer.text is None and found.chance == 0
    assert any("Jem Arkwell" in _cited(searcher.session.skb, each) for each in found.nearest)


def _cited(skb: Skb, citation: Citation) -> str:
    chunk = skb.chunk(citation.uri)
    assert chunk is not None
    return chunk.text[slice(*citation.span)]


def test_terms_labels_and_what_breaks_a_first_sentence(tmp_path: Path, weave_texts: Callable[..., Summary]) -> None:
    texts = {
        "Ilvar Dorn": "Ilvar Dorn (/ɪlvɑː/; Old Marrowian: Ilvār; 3 May 1880 – 1931) was a mason of bridges.",
        "Brewing": "Kettles are of copper. Sparging is the rinsing of the grain with hot water. Wort: what is boiled."
                   "\n\nThe sweet liquor, an unfermented beer, is cooled at night.",
        "Sewald Ferry": "Run by two brothers since 1871, it is slow. Sewald Ferry is not deep.",
    }  # fmt: skip
    weave_texts(texts)
    with Skb(tmp_path / "kb.skb") as skb, Session(Context(skb)) as session:
        searcher = Searcher(session, "hybrid")
        told = {
            question: find_answer(searcher, question).answer.text
            for question in ("Who is Ilvar Dorn?", "What is sparging?", "What is wort?", "What is sweet liquor?")
        }
    assert list(told.values()) == [
        "a mason of bridges", "the rinsing of the grain with hot water", "what is boiled", "an unfermented beer",
    ]  # fmt: skip


def test_which_sentence_of_a_page_defines_it(tmp_path: Path, weave: Callable[..., Summary]) -> None:
    pages = {
        "Who Is She": "<p>Who Is She is a song about a miller.</p>",
        "List of songs about Sorrel": "<p>Sorrel is a plant of wet meadows with sour leaves. Many sing of it.</p>",
        "Security": "<p>While Lockwork is written with care, keys of doors are to be kept apart.</p>",
        "The Lantern": "<p>The Lantern is the name of:</p><ul><li>a play</li><li>an inn</li></ul>",
    }
    folder = tmp_path / "pages"
    folder.mkdir()
    for title, body in pages.items():
        (folder / f"{title}.html").write_text(f"<html><body><h1>{title}</h1>{body}</body></html>", encoding="utf-8")
    weave(str(folder))
    with Skb(tmp_path / "kb.skb") as skb, Session(Context(skb)) as session:
        searcher = Searcher(session, "hybrid")
        told = {title: find_answer(searcher, f"What is {title}?").answer.text for title in pages}
    assert told == {
        "Who Is She": "a song about a miller",
        "List of songs about Sorrel": "Sorrel is a plant of wet meadows with sour leaves",
        "Security": "While Lockwork is written with care, keys of doors are to be kept apart",
        "The Lantern": None,
    }


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where is the Quillon Bridge?", "Tamsiderre"),
        ("where is cape thoon light located", "Cape Thoon, Saffrine Strait"),
        ("Where is Orrin's Ladder?", "the Ishkemmel"), ("Where is Mount Aldessy situated?", "Ostrevane"),
    ],
)  # fmt: skip
def test_where_something_is_its_page_tells(searcher: Searcher, question: str, answer: str) -> None:
    found = find_answer(searcher, question)
    assert found.answer.text == answer
    assert answer in _cited(searcher.session.skb, found.answer.citations[0])


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("The theatre is on Old Street 12 in Kell.", ["Kell"]), ("It is in Łódź.", ["Łódź"]),
        ("It is in Kell and Dune, near 12 Low Road.", ["Kell and Dune", "12 Low Road"]),
        ("It is in Kell, Dune 45.", ["Kell"]),
        ("It is at Cape Thoon, the Isle of Orse", ["Cape Thoon, the Isle of Orse"]),
        ("It is in May 1850, by O'Hara at O'Hara-on-Sea.", ["O'Hara-on-Sea"]),
    ],
)  # fmt: skip
def test_a_place_is_a_whole_name(text: str, places: list[str]) -> None:
    assert [found[1] for found in IN.finditer(text)] == places


@pytest.mark.parametrize("pattern", [IN, WITHIN], ids=["in", "within"])
@pytest.mark.parametrize("repeated", ["Ada ", "Ada, ", "Ada-", "the ", "in Ada, ", "in the Ada and "])
def test_a_long_run_of_names_is_read_in_time_that_grows_with_it(repeated: str, pattern: re.Pattern[str]) -> None:
    check_growth(lambda text: [*pattern.finditer(text)], Run(repeated, "in "))


def test_something_lies_within_what_has_a_small_name() -> None:
    found = WITHIN.search("It is a museum of mining in the former salt store of Kell Bay, and open.")
    assert found is not None and found[1] == "the former salt store of Kell Bay"
    assert WITHIN.search("It is in the dark of a cellar.") is None


def test_a_place_of_a_small_name_is_told(tmp_path: Path, weave_texts: Callable[..., Summary]) -> None:
    text = "The Vessary Museum is a museum in the former salt store of Vessary. Its curator is Ada Orr."
    weave_texts({"Vessary Museum": text})
    with Skb(tmp_path / "kb.skb") as skb, Session(Context(skb)) as session:
        found = find_answer(Searcher(session, "hybrid"), "Where is the Vessary Museum?")
    assert found.answer.text == "the former salt store of Vessary"


TERMS = """The handbook of a dome.

## Glossary

Goat gate
: The main entrance, so called because of its weighted latch.

Salting
: Spreading grit on the paths. Real salt is not used, since it corrodes the antennas.

`-n`, `--dry-run`
: Tell what would be done.

## Errors

| Code | Since | Meaning | What to do |
|---|---|---|---|
| E14 | 2019 | The dome is stuck | Turn it by hand |
| E15 | 2020 | The slit is open | Close it |

## 3.1. dome_timeout

Type: number

Says after how many seconds the dome closes by itself. It is not used in summer.

## 3.2. slit_timeout

Type: number. Unlike dome_timeout it is always used.

## Prices

| Cake | Price |
|---|---|
| Comet pie | 9 crowns |
"""


@pytest.fixture(scope="module")
def handbook(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    with searcher_over(tmp_path_factory.mktemp("handbook"), {"Handbook": TERMS}) as found:
        yield found


@pytest.mark.parametrize(
    ("question", "answer"),
    [("What is the goat gate?", "The main entrance, so called because of its weighted latch"),
     ('meaning of "salting"', "Spreading grit on the paths. Real salt is not used, since it corrodes the antennas"),
     ("What does salting mean?", "Spreading grit on the paths. Real salt is not used, since it corrodes the antennas"),
     ("What does the option --dry-run do?", "Tell what would be done"), ("What is -n for?", "Tell what would be done"),
     ("What does E14 mean?", "The dome is stuck"), ("what does the error E15 mean", "The slit is open"),
     ("What does $dome_timeout do?", "Says after how many seconds the dome closes by itself"),
     ("What is dome_timeout for?", "Says after how many seconds the dome closes by itself"),
     ("What does E16 mean?", None), ("What is a comet pie?", None), ("What is other_timeout for?", None)],
)  # fmt: skip
def test_a_term_is_looked_up_in_lists_of_definitions_and_tables(
    handbook: Searcher, question: str, answer: str | None
) -> None:
    told = looked_up(reading_of(handbook, question))
    assert (told and told.candidate.text) == answer
    if answer:
        found = find_answer(handbook, question).answer
        assert found.text == answer
        assert answer.split(". ")[0] in _cited(handbook.session.skb, found.citations[0])
