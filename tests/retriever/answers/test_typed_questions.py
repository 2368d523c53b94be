"""Questions as they are typed into a search box: what there is most of, what something is made of or comes from."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from retriever.answers.answering import find_answer, reading_of
from retriever.answers.patterns.spans import as_asked
from retriever.answers.questions.directly import asked_directly
from retriever.answers.rules.abbreviations import told_of_abbreviation
from retriever.answers.rules.aspects import told_of_aspect
from retriever.answers.rules.contrasts import below_another_name
from retriever.answers.rules.identities import told_of_identities
from retriever.answers.rules.subjects import told_of_things
from retriever.answers.rules.unlikely import unlikely
from retriever.answers.tables.ordered import in_order
from retriever.answers.tables.superlatives import superlative
from retriever.answers.text.forms import forms_in
from retriever.answers.text.kind_asked import kind_of
from retriever.searcher import Searcher
from tests.searching import searcher_over

PAGES = {
    "Rind of Kell": "The rind of Kell is the hard shell of the moon Kell. The rind is broken up into nine plates. Two "
    "men crossed the plates in 1304.\n\n## Salts\n\n"
    "| Rank | No, salt & sign | | Share (ppm) |\n|---|---|---|---|\n| 1 | 8 | orsite | 460000 |\n"
    "| 2 | 14 | vellite | 277000 |\n| 3 | 3 | tamm | 81000 |\n\n## Short list\n\n"
    "| Commonest salts of the rind | % by weight |\n|---|---|\n| O | 46 |\n| Ve | 28 |\n| Ta | 8 |\n\n"
    "In daylight orsite (O) is white, vellite (Ve) blue and tamm (Ta) grey.",
    "Seas of Kell": "Nine seas lie on the moon Kell. Ordered from largest in size to smallest, they are: Ammer Sea, "
    "Bell Sea, Cold Sea and Dun Sea.",
    "Air of Kell": "The air of Kell contains 78% halm, 21% orsin, and small amounts of other gases. The warmth of the "
    "air comes from two sources in equal parts: the decay of salts, and warmth left over from the making of Kell. The "
    "settlers come from Norland. The air has three layers.\n\n## Layers of the air\n\nFrom top to bottom, the three "
    "layers are:\n\n- Veil: 80 to 700 km\n- Haze: 12 to 80 km\n- Floor: 0 to 12 km",
    "Vell Works": "The Vell Works (V.W., also VWK) is a mill. LUM stands for Lamp Union of Mott. The works "
    "were founded by Ada Orr and Bo Lund in the U.N. district. The first miller is recognized as being Ida Ness, who "
    "wrote of it. Ola Finn became the first Norlander to cross the rind of Kell. Rugs are named after villages of "
    "Norland, while beds are named after towns. The works are named after the eighth bell of Mott.",
    "Planet Orse": "Orse is a planet. The diameter of Orse at its equator is 43 km larger than from pole to pole. The "
    "mean diameter of Orse is 12,742 km. It is circled by Tamm, and the moon Tamm is small.\n\n## Tamm\n\n"
    "Some have seen the Tamm at noon.\n\n| Property | Value |\n|---|---|\n| Diameter | 3,474 km |\n| Mass | 7 tonnes |",
}


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    with searcher_over(tmp_path_factory.mktemp("typed"), PAGES) as found:
        yield found


def told(searcher: Searcher, question: str, by: Callable[..., np.ndarray]) -> dict[str, float]:
    """Return the most that a rule gives to the candidates of a question, by their texts."""
    reading = reading_of(searcher, asked_directly(question))
    values = by(reading.asked, reading.passages, reading.candidates)
    pairs = [*zip([each.text for each in reading.candidates], values.tolist(), strict=True)]
    return dict(sorted(pairs, key=lambda pair: pair[1]))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("most abundant salt of the rind of kell", "orsite"),
        ("the second most common salt of the rind of kell is", "vellite"),
        ("what are the 2 most common salts found in the rind of kell", "orsite, vellite"),
    ],
)
def test_there_is_most_of_what_has_the_greatest_share(searcher: Searcher, question: str, answer: str) -> None:
    reading = reading_of(searcher, asked_directly(question))
    found = superlative(searcher.session, reading.asked, reading.passages)
    assert found is not None and found.candidate.text == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("which is the biggest sea on kell", "Ammer Sea"),
        ("smallest sea of kell", "Dun Sea"),
        ("what is the second largest sea of kell", "Bell Sea"),
        ("which are the two smallest seas on kell", "Dun Sea, Cold Sea"),
        ("which is the deepest sea on kell", None),
        ("which is the largest sea of norland", None),
    ],
)
def test_an_enumeration_in_order_tells_the_most(searcher: Searcher, question: str, answer: str | None) -> None:
    reading = reading_of(searcher, asked_directly(question))
    found = in_order(reading.asked, reading.passages)
    assert (found and found.candidate.text) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("whats the makeup of the air of kell", "78% halm, 21% orsin, and small amounts of other gases"),
        (
            "where does the warmth of the air of kell come from",
            "the decay of salts, and warmth left over from the making of Kell",
        ),
    ],
)
def test_what_something_is_made_of_or_comes_from_is_told_whole(searcher: Searcher, question: str, answer: str) -> None:
    reading = reading_of(searcher, asked_directly(question))
    values = told_of_aspect(reading.asked, reading.passages, reading.candidates)
    best = reading.candidates[int(np.argmax(values))]
    assert values.max() > 0 and as_asked(reading.asked, reading.passages[best.passage].text, best).text == answer


def test_a_name_behind_from_stays_a_name(searcher: Searcher) -> None:
    found = find_answer(searcher, "where do the settlers of kell come from", 0.0)
    assert found.answer.text == "Norland"


def test_a_list_is_read_that_a_passage_introduces(searcher: Searcher) -> None:
    found = find_answer(searcher, "what are the 3 layers of the air of kell", 0.0)
    assert found.answer.text == "Veil, Haze, Floor"


def test_a_table_below_another_name_is_about_that(searcher: Searcher) -> None:
    values = told(searcher, "what is the diameter of orse", below_another_name)
    assert values["3,474 km"] == 1 and values["12,742 km"] == 0
    assert not any(told(searcher, "what is the diameter of tamm", below_another_name).values())


def test_a_difference_is_no_amount(searcher: Searcher) -> None:
    values = told(searcher, "what is the diameter of orse", unlikely)
    assert values["43 km"] == 1 and values["12,742 km"] == 0
    assert told(searcher, "how much larger is the diameter of orse at its equator", unlikely)["43 km"] == 0


def test_what_something_is_done_to_stands_before_the_verb(searcher: Searcher) -> None:
    values = told(searcher, "which part of kell is broken up into plates", told_of_things)
    assert max(values, key=lambda each: values[each]) == "rind"
    assert not any(told(searcher, "what is the rind of kell made of", told_of_things).values())


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("lum stands for", "Lamp Union of Mott"),
        ("what does VWK stand for", None),
        ("full form of V.W.", "Vell Works"),
    ],
)
def test_an_abbreviation_stands_for_what_the_text_says(searcher: Searcher, question: str, answer: str | None) -> None:
    values = told(searcher, question, told_of_abbreviation)
    best = max(values, key=lambda each: values[each])
    assert values[best] == (answer is not None) and answer in (None, best)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("who is considered the first miller", "Ida Ness"),
        ("who was the first norlander person to cross the rind of kell", "Ola Finn"),
    ],
)
def test_the_first_of_a_kind_is_named(searcher: Searcher, question: str, answer: str) -> None:
    values = told(searcher, question, told_of_identities)
    assert values[answer] == max(values.values()) > 0


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("the vell works were founded by", "Ada Orr and Bo Lund"),
        ("what are rugs named after", "villages of Norland"),
        ("the vell works are named after", "eighth bell of Mott"),
    ],
)
def test_what_goes_on_is_no_part_of_an_answer(searcher: Searcher, question: str, answer: str) -> None:
    assert find_answer(searcher, question, 0.0).answer.text == answer


def test_half_of_an_abbreviation_is_no_answer(searcher: Searcher) -> None:
    reading = reading_of(searcher, "In which district were the Vell Works founded?")
    own = next(each for each in reading.candidates if each.text == "U.N.")
    cut = own._replace(text="U", key="u", end=own.start + 1)
    assert unlikely(reading.asked, reading.passages, [cut, own]).tolist() == [1, 0]


def test_a_ship_is_nobody() -> None:
    assert kind_of("aircraft carrier that sank the pier") == ("thing", ("aircraft", "carrier"))
    assert kind_of("mail carrier that found the pier")[0] == "person"
    assert kind_of("Which whale sank the pier?")[0] == "thing"


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        ("she left the town because", "Why she left the town?"),
        ("whats the composition of the rind", "What is the rind composed of"),
        ("wheres the old pier", "where is the old pier"),
        ("the peel of the fruit is called the", "What is the peel of the fruit called?"),
        ("Is the peel of the fruit called zest?", "Is the peel of the fruit called zest?"),
        ("who is considered to be the first miller", "who is the first miller"),
        # What something is known as is its name: "The Reckoner" need not be a page.
        ("who is known as the Reckoner", "who is known as the Reckoner"),
        ("what is the first composition of Ada Orr", "what is the first composition of Ada Orr"),
    ],
)
def test_what_is_typed_is_asked(typed: str, asked: str) -> None:
    assert asked_directly(typed) == asked


def test_a_scale_right_behind_a_number_is_a_part_of_it() -> None:
    text = "It is worth £90million."
    assert "£90million" in [text[each.start : each.end] for each in forms_in(text)]
