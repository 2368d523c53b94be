"""What asks for several things of a table gets those whose rows say so, what asks how to do something all steps, and
what offers two words that which the page says."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from builder.build import build
from builder.request import Request
from retriever.answers.answering import find_answer, reading_of
from retriever.answers.patterns.either import LEAST, either
from retriever.answers.patterns.steps import steps
from retriever.answers.tables.rows import heads, said_of, selected
from retriever.answers.text.words import content_in, stem_of
from retriever.context import Context
from retriever.searcher import Searcher
from retriever.session import Session
from weft.skb import Skb

PAGE = """# Glazes

The studio mixes its own glazes. Sunniva Obrell invented Fog.

| Glaze | Colour | Finish | Food safe | Fired to |
|---|---|---|---|---|
| Harbour Green | green | glossy | yes | 1,260 °C |
| Fog | grey | matt | yes | 1,260 °C |
| Rustback | brown | matt | no | 1,100 °C |
| Old Penny | copper red | glossy | no | 1,280 °C |

## Shop

| Days | Opens | Closes |
|---|---|---|
| Monday to Wednesday | 10:00 | 18:30 |
| Friday, Saturday | 9:00 | 12:00 |
| Sunday | closed | closed |

## How to glaze a pot

1. Wipe the bisque with a sponge.
2. Wax the foot
3. Dip the pot for three seconds.

## In case of fire

Leave by the outer stairs. Do not use the goods lift.

## First aid

The box hangs beside the sink. For a burn, hold the skin under cool water for 20 minutes. If glaze gets into an eye,
rinse it for ten minutes and see a doctor.

## Club

The children's club is for children from 7 to 12 and costs £9 a session. A glaze firing takes 14 hours and cooling 36.
"""


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    folder = tmp_path_factory.mktemp("glazes")
    (folder / "glazes.md").write_text(PAGE, encoding="utf-8")
    build(Request((str(folder / "glazes.md"),), folder / "kb.skb", workers=1))
    with Skb(folder / "kb.skb") as skb, Session(Context(skb)) as session:
        yield Searcher(session, "hybrid")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which glazes are food safe?", "Harbour Green, Fog"),
        ("Which glazes are not food safe?", "Rustback, Old Penny"),
        ("which glazes are matt", "Fog, Rustback"), ("Which glazes are not matt?", "Harbour Green, Old Penny"),
        ("Which glazes are matt and food safe?", "Fog"), ("Which glazes are fired to 1,260 °C?", "Harbour Green, Fog"),
        ("List the glazes", "Harbour Green, Fog, Rustback, Old Penny"), ("Which glazes are copper red?", "Old Penny"),
    ],
)  # fmt: skip
def test_rows_are_selected_by_values_and_by_yes_and_no(searcher: Searcher, question: str, answer: str) -> None:
    found = find_answer(searcher, question)
    assert found.answer.text == answer
    chunk = searcher.session.skb.chunk(found.answer.citations[0].uri)
    assert chunk is not None and chunk.text[slice(*found.answer.citations[0].span)].startswith(answer.split(",")[0])


@pytest.mark.parametrize(
    "question", ["Which glazes did Sunniva invent?", "Which kilns are food safe?", "Which glazes are poisonous?"]
)
def test_what_no_column_says_selects_no_rows(searcher: Searcher, question: str) -> None:
    assert "," not in (find_answer(searcher, question).answer.text or "")


@pytest.mark.parametrize("question", ["How do I glaze a pot?", "how to glaze a pot", "How should a pot be glazed?"])
def test_how_to_do_something_is_all_steps_below_its_heading(searcher: Searcher, question: str) -> None:
    found = find_answer(searcher, question)
    assert found.answer.text == "Wipe the bisque with a sponge. Wax the foot; Dip the pot for three seconds."


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What should I do if there is a fire?", "Leave by the outer stairs. Do not use the goods lift"),
        ("What must be done in case of fire?", "Leave by the outer stairs. Do not use the goods lift"),
        ("what to do for a burn", "hold the skin under cool water for 20 minutes"),
        ("What do I do when glaze gets into my eye?", "rinse it for ten minutes and see a doctor"),
    ],
)
def test_what_to_do_in_a_case_is_all_that_is_said_for_it(searcher: Searcher, question: str, answer: str) -> None:
    assert find_answer(searcher, question).answer.text == answer


@pytest.mark.parametrize("question", ["What should I do if a kiln breaks?", "What burns?", "What do I do for rain?"])
def test_nothing_is_said_for_other_cases(searcher: Searcher, question: str) -> None:
    assert steps(reading_of(searcher, question)) is None


def test_no_other_steps_are_taken(searcher: Searcher) -> None:
    assert "Wipe" not in (find_answer(searcher, "How do I fire a pot?").answer.text or "")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is Fog food safe?", "yes"), ("Is Old Penny food safe?", "no"), ("is the rustback glaze food safe", "no"),
        ("Is Fog food safe, or not?", "yes"),
    ],
)
def test_a_row_says_whether_it_is_so(searcher: Searcher, question: str, answer: str) -> None:
    found = find_answer(searcher, question)
    chunk = searcher.session.skb.chunk(found.answer.citations[0].uri)
    assert found.answer.text == answer and chunk is not None
    assert " | " in chunk.text[slice(*found.answer.citations[0].span)]


@pytest.mark.parametrize(
    "question", ["Is Fog poisonous?", "Is Midnight food safe?", "Is Fog not food safe?", "Is Fog food safe at 1,400 °?"]
)
def test_no_row_says_what_no_column_and_no_first_cell_says(searcher: Searcher, question: str) -> None:
    assert said_of(reading_of(searcher, question)) is None


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is Fog glossy or matt?", "matt"), ("Fog glaze - is it matt or glossy?", "matt"),
        ("Was Fog invented by Sunniva Obrell or by Tam Weir?", "Sunniva Obrell"),
        ("Is Rustback a brown or a green glaze?", "brown"),
    ],
)  # fmt: skip
def test_of_two_words_that_is_chosen_which_the_page_says(searcher: Searcher, question: str, answer: str) -> None:
    assert find_answer(searcher, question).answer.text == answer


@pytest.mark.parametrize(
    "question", ["Is Midnight glossy or matt?", "Is Fog blue or red?", "What is glossy or matt?", "Is more matt or red"]
)
def test_of_two_words_none_is_chosen_where_no_sentence_has_one_alone(searcher: Searcher, question: str) -> None:
    reading = reading_of(searcher, question)
    said = either(reading.asked, reading.passages)
    assert said is None or said.worth < LEAST


@pytest.mark.parametrize(
    "question", ["Can you tell me how much the children's club costs?", "How much does the children's club cost?"]
)
def test_a_number_of_the_unit_asked_for_answers_and_none_beside_it(searcher: Searcher, question: str) -> None:
    assert (find_answer(searcher, question, 0.0).answer.text or "").startswith("£9")


@pytest.mark.parametrize("question", ["How much does a firing weigh?", "How tall is Sunniva Obrell?"])
def test_no_number_without_a_unit_measures_what_its_sentence_does_not_mean(searcher: Searcher, question: str) -> None:
    found = find_answer(searcher, question)
    assert found.answer.text is None and found.chance == 0


@pytest.mark.parametrize(
    ("heading", "title", "is_head"),
    [
        ("Chief executives", "Kell Cycles", True), ("Former chief executives", "Kell Cycles", True),
        ("Executives", "Kell Cycles", False), ("Chief executives", "Dune Cycles", False), ("", "Kell Cycles", False),
        ("Prizes for chief executives", "Kell Cycles", False), ("Chief executives and mayors", "Kell Cycles", False),
    ],
)  # fmt: skip
def test_a_heading_is_about_what_is_asked(heading: str, title: str, is_head: bool) -> None:
    asked = content_in("Please list the chief executives of Kell Cycles")
    assert heads(heading, title, asked, {stem_of("executives")}) == is_head


CYCLES = """<h1>Kell Cycles</h1><p>Kell Cycles makes wheels.</p>
<h2>Chief executives</h2><ul><li>Ada Orr (1959–1986)</li><li>Bo Lunn</li></ul>
<h2>Former chief executives</h2><ul><li>Mia Vane</li><li>Tam Weir</li></ul>
<h2>Mottos</h2><ul><li>Slow, but sure;</li><li>On and on.</li></ul>
<h2>Wheels</h2><table><caption>Sold by the works</caption><tr><th>Wheel</th><th>Metal</th><th>Cheap</th></tr>
<tr><td rowspan="2">Teal</td><td>iron</td><td>yes</td></tr><tr><td>tin</td><td>no</td></tr>
<tr><td>Grebe</td><td>tin</td><td></td></tr></table>
<h2>Tyres</h2><table><tr><th></th><th>Finch</th><th>Osprey</th></tr>
<tr><th>Hard</th><td>yes</td><td>no</td></tr><tr><th>Wide</th><td>no</td><td>yes</td></tr></table>"""


@pytest.fixture(scope="module")
def cycles(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    folder = tmp_path_factory.mktemp("cycles")
    page = f"<html><title>Kell Cycles</title><body>{CYCLES}</body></html>"
    (folder / "cycles.html").write_text(page, encoding="utf-8")
    build(Request((str(folder / "cycles.html"),), folder / "kb.skb", workers=1))
    with Skb(folder / "kb.skb") as skb, Session(Context(skb)) as session:
        yield Searcher(session, "hybrid")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("List the chief executives of Kell Cycles", "Ada Orr (1959–1986), Bo Lunn"),
        ("list the former chief executives", "Mia Vane, Tam Weir"),
        ("What are the mottos of Kell Cycles?", "Slow, but sure; On and on"),
        ("Which wheels are tin?", "Teal, Grebe"), ("Which wheels are not cheap?", "Teal, Grebe"),
    ],
)  # fmt: skip
def test_all_of_a_list_or_column_is_told(cycles: Searcher, question: str, answer: str) -> None:
    told = selected(reading_of(cycles, question))
    assert told is not None and told.candidate.text == answer


@pytest.mark.parametrize(
    "question", ["Which chief executives resigned?", "List the mottos not of Kell Cycles", "Who are the mayors?"]
)
def test_no_list_of_other_things_is_told(cycles: Searcher, question: str) -> None:
    assert selected(reading_of(cycles, question)) is None


def test_a_table_whose_first_label_is_empty_is_read(cycles: Searcher) -> None:
    for question, answer in (("Is Finch hard?", "yes"), ("Is Osprey hard?", "no")):
        told = said_of(reading_of(cycles, question))
        assert told is not None and told.candidate.text == answer
