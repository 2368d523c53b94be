"""Rules for candidates: causes, other parts of a sentence, rows of other pages, and what hardly answers anything."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from builder.build import build
from builder.request import Request
from retriever.answers.answering import find_answer, reading_of
from retriever.answers.questions.directly import asked_directly
from retriever.answers.rules.added import MOST_JUDGED, with_rules
from retriever.answers.rules.beside import measured_in_parentheses, outside, told_by_kind, told_in_parentheses
from retriever.answers.rules.causes import told_of_causes
from retriever.answers.rules.contrasts import of_another_page, of_another_part
from retriever.answers.rules.objects import told_by_verb
from retriever.answers.rules.prepositions import told_by_preposition
from retriever.answers.rules.subjects import told_of_subjects
from retriever.answers.rules.unlikely import unlikely
from retriever.context import Context
from retriever.searcher import Searcher
from retriever.session import Session
from tests.searching import searcher_over
from weft.skb import Skb

PAGES = {
    "walk": "<h1>Walks</h1><p>The lowest fall near Corsk Hill is 14 metres high. Corsk Hill (594 m) is bare. A "
    "path of 6 miles leads up.</p><ul><li>Corsk Tower (1.5 km), 14 metres high</li></ul>",
    "dogs": "<h1>Dogs</h1><p>Brandy found the lost surveyor Hamish Orton in 2021. Moss was found by Ada Vale.</p>",
    "mills": "<h1>Mills</h1><p>The sails of the Tarn Mill must be reefed at 65 km/h, those of Old Bess at 50 km/h.</p>",
    "gulf": "<h1>Gulf of Orse</h1><p>The tides of the Gulf of Orse are caused by the joint pull of two moons, Tem and "
    "Ulo. Unlike other gulfs it is shallow. Its catch fell, a fall ascribed less to fishing than to the spread of a "
    "comb jelly. The catch, which stood at 640,000 tonnes, was counted by the wardens.</p>",
    "hask": "<h1>Hask</h1><p>The hask is a blue fish. The blue of the hask is not due to pigment but to the scattering "
    "of light in its scales. The boatmen most at risk of its sting are eel fishers; the risk of a sting is high. "
    "The hask never eats weed. "
    "The sails of Hask were made of blue hemp.</p>",
    "rot": "<h1>Lamp rot</h1><table class='infobox'><tr><th>Causes</th><td>Salin mould</td></tr><tr><th>Cure</th>"
    "<td>Sorrel tea</td></tr></table><p>Lamp rot is a disease of the lungs.</p>",
    "vell": "<h1>Vell of Orse</h1><p>Vell of Orse, called the Reckoner, was queen of Orse from 1601 until her death. "
    "The nickname of the Reckoner refers to the queen's habit of counting coins. She feared a cold, dry wind named the "
    "harrick.</p>",
    "ash": "<h1>Orrin ash</h1><p>The wind blew the ash of Orrin to the north-east. The ore, in its rare clear form, "
    "which jewellers call moonflint, is dear. It was found by Bo Lund's men under a widow's cord.</p>"
    "<table><tr><th>District</th><th>Zinc</th><th>Iron</th></tr>"
    "<tr><td>Orrin</td><td>21</td><td>2</td></tr><tr><td>Lesk</td><td>9</td><td>4</td></tr></table>",
    "farm": "<h1>Orse farms</h1><p>Wheat takes 46 percent of the fields, maize 21 percent, barley 12 percent and beet "
    "7 percent. A field of wheat has 3 hectares, one of maize 9 hectares, and yields 40 percent more.</p>",
    "tomm": "<h1>Orla Tomm</h1><p>Her book, Somebody Went to Sea, was dictated to her nephew Bror over one winter. Her "
    "boat was rubbed with tar and painted with a gull. Before the Kell War, letters went by boat across Lake Orse. The "
    "letters were sorted not by town but by weight, 46,000 of them a day.</p>",
    "lamps": "<h1>Lamps of Orse</h1><p>Three lamps were made there: the hand lamp (1832), the zane (1834) and the "
    "prall (1877).</p><p>The team of Orse plays its home games at the Ghall Stadium in Lesk. Its school stands in "
    "Vell, Norland, near the river Amm.</p>",
    "ice": "<h1>Ice of Orse</h1><p>Since the birds cannot take off from level ground, islanders throw them from the "
    "wall of Orse. Do not use tap water in the lamp of Orse, for its lime chokes the wick. The mole, as it is called, "
    "was left, as it would have cost 22,000 crowns to mend. The longest storm of Orse lasted six days and five hours; "
    "it cost 4 pounds and 3 days of work.</p><p>Wardens of Orse are paid on the 27th of each month. The wardens eat "
    "at 4 p.m. on the pier.</p>",
    "trams": "<h1>Trams of Kell</h1><p>Since the great fair, horse trams have run in Kell. The owner of the trams of "
    "Kell had no choice but to sell the old mill.</p>",
    "yard": "<h1>Orse yard</h1><p>The yard of Orse, founded in 1880 by Einar Holt, closed in 2003.</p>",
    "club": "<h1>Boat club of Orse</h1><p>The head of the club is Ida Ness, who decides on races; the treasurer, Odo "
    "Finch, deals with dues and berths; the boatswain, Garr Loam, mends the boats.</p><p>Nobody drowned when the pier "
    "fell in 1702, since the whole town was at the fair in Lesk.</p>",
}


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Searcher:
    folder = tmp_path_factory.mktemp("rules")
    for name, page in PAGES.items():
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
    build(Request((str(folder),), folder.parent / "rules.skb", workers=1))
    return Searcher(Session(Context(Skb(folder.parent / "rules.skb"))), "hybrid")


def told(searcher: Searcher, question: str, by: Callable[..., np.ndarray]) -> dict[str, float]:
    """Return the candidates of which a rule says something, and what it says."""
    reading = reading_of(searcher, question)
    values = by(reading.asked, reading.passages, reading.candidates)
    return {each.text: float(value) for each, value in zip(reading.candidates, values, strict=True) if value}


@pytest.mark.parametrize(
    ("question", "answer"),
    [("What causes the tides of the Gulf of Orse?", "joint pull of two moons"),
     ("why did the catch of the gulf of orse fall", "spread of a comb jelly"),
     ("Why is the hask blue?", "scattering of light in its scales")],
)  # fmt: skip
def test_a_sentence_gives_the_cause(searcher: Searcher, question: str, answer: str) -> None:
    causes = told(searcher, question, told_of_causes)
    assert max(causes, key=lambda each: causes[each]) == answer
    assert find_answer(searcher, question).answer.text == answer


def test_a_denied_cause_is_none(searcher: Searcher) -> None:
    causes = told(searcher, "Why is the hask blue?", told_of_causes)
    assert {value for each, value in causes.items() if each.startswith("pigment")} == {-1}
    assert told(searcher, "How blue is the hask?", told_of_causes) == {}


def test_a_row_of_another_page_is_of_something_else(searcher: Searcher) -> None:
    assert "Salin mould" in told(searcher, "What causes earthquakes in the Orse valley?", of_another_page)
    assert told(searcher, "What causes lamp rot?", of_another_page) == {}
    assert find_answer(searcher, "What causes lamp rot?").answer.text == "Salin mould"


def test_a_number_of_another_part_is_of_something_else(searcher: Searcher) -> None:
    question = "What percentage of the fields of Orse is wheat?"
    others = told(searcher, question, of_another_part)
    assert {"21 percent", "12 percent", "7 percent"} <= others.keys() and "46 percent" not in others
    assert find_answer(searcher, question, 0.0).answer.text == "46 percent"
    others = told(searcher, "How many hectares has a field of wheat of Orse?", of_another_part)
    assert "9 hectares" in others and "3 hectares" not in others and "40 percent" not in others


def test_who_did_something_stands_before_the_verb(searcher: Searcher) -> None:
    found = told(searcher, "Who found the lost surveyor in 2021?", told_of_subjects)
    assert found["Brandy"] > 0 > found["Hamish Orton"] and "Ada Vale" not in found
    assert find_answer(searcher, "Who found the lost surveyor in 2021?", 0.0).answer.text == "Brandy"
    for question in ("Who was found in 2021?", "Who met Hamish Orton in 2021?"):
        assert told(searcher, question, told_of_subjects) == {}


def test_what_a_part_leaves_out_was_said_before(searcher: Searcher) -> None:
    for name, own, other in (("Old Bess", "50 km/h", "65 km/h"), ("the Tarn Mill", "65 km/h", "50 km/h")):
        question = f"At what speed must the sails of {name} be reefed?"
        others = told(searcher, question, of_another_part)
        assert other in others and own not in others
        assert find_answer(searcher, question, 0.0).answer.text == own


def test_what_stands_in_no_sentence_counts_for_the_first_one(searcher: Searcher) -> None:
    reading = reading_of(searcher, "What percentage of the fields of Orse is wheat?")
    assert any(each.start >= reading.passages[each.passage].bounds[0][1] for each in reading.candidates)
    passages = [each._replace(bounds=each.bounds[:1]) for each in reading.passages]
    found = of_another_part(reading.asked, passages, reading.candidates)
    assert len(found) == len(reading.candidates)


def test_relative_clauses_first_words_and_things_answer_hardly(searcher: Searcher) -> None:
    found = told(searcher, "Why is the catch of the gulf of Orse small?", unlikely)
    assert any(each.startswith("which stood") for each in found) and "Unlike" in found
    found = told(searcher, "who is most at risk of a sting of the hask", unlikely)
    assert "scales" in found and "eel fishers" not in found


def test_a_part_of_a_word_and_a_label_answer_hardly(searcher: Searcher) -> None:
    assert find_answer(searcher, "which direction did the wind blow the ash of orrin", 0.0).answer.text == "north-east"
    question = "what is the rare clear form of the ore of Orrin called"
    found = told(searcher, question, unlikely)
    assert {"District", "Zinc", "Iron", "widow"} <= found.keys() and not {"moonflint", "Bo Lund"} & found.keys()
    assert find_answer(searcher, question, 0.0).answer.text == "moonflint"


def test_what_somebody_was_is_no_reason(searcher: Searcher) -> None:
    found = told(searcher, "Why is Vell called the Reckoner?", unlikely)
    assert any(each.startswith("queen of Orse") for each in found)
    assert find_answer(searcher, "Why is Vell called the Reckoner?", 0.0).answer.text.startswith("queen's habit")


def test_a_term_is_defined_by_what_is_named_so(searcher: Searcher) -> None:
    assert find_answer(searcher, "what is the harrick").answer.text == "a cold, dry wind"


@pytest.mark.parametrize(
    ("question", "answer"),
    [("To whom did Orla Tomm dictate her book?", "Bror"), ("What was Orla Tomm's boat rubbed with?", "tar"),
     ("What were the sails of Hask made from?", "blue hemp"),
     ("what was the boat of orla tomm painted with to be known", "gull")],
)  # fmt: skip
def test_what_is_asked_by_a_preposition_stands_behind_it(searcher: Searcher, question: str, answer: str) -> None:
    found = told(searcher, question, told_by_preposition)
    assert max(found, key=lambda each: found[each]) == answer
    assert find_answer(searcher, question, 0.0).answer.text == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [("What does the lime in tap water choke?", "wick"), ("What did the wind blow to the north-east?", "ash"),
     ("What did Vell of Orse fear?", "cold"), ("What does the lime in tap water clog?", "wick")],
)  # fmt: skip
def test_an_object_stands_behind_its_verb(searcher: Searcher, question: str, answer: str) -> None:
    found = told(searcher, question, told_by_verb)
    assert max(found, key=found.__getitem__).startswith(answer), found


def test_what_stands_behind_another_or_a_passive_verb_is_no_object(searcher: Searcher) -> None:
    for question in ("Who feared a cold wind?", "What should the wick be choked with?", "On what did Orla Tomm feed?"):
        assert told(searcher, question, told_by_verb) == {}
    assert "weed" not in told(searcher, "What does the hask eat?", told_by_verb)
    assert not {"tar", "gull"} & set(told(searcher, "What did Orla Tomm paint?", told_by_verb))
    assert "wick" not in told(searcher, "What does the lime in tap water clean?", told_by_verb)


def test_no_preposition_is_asked_by_elsewhere(searcher: Searcher) -> None:
    assert told(searcher, "Who wrote to Bror?", told_by_preposition) == {}
    assert told(searcher, "By what year did the pier fall?", told_by_preposition) == {}


@pytest.mark.parametrize(
    "question",
    ["Which flood had the highest death toll?", "What is the leading cause of death?", "What was his cause of death?",
     "Who recorded the cause of death?", "On what ground was the final played?"],
)  # fmt: skip
def test_what_asks_for_something_else_stays_as_it_is(question: str) -> None:
    assert asked_directly(question) == question


def test_somebody_of_another_clause_does_something_else(searcher: Searcher) -> None:
    question = "Who sees to berths in the boat club of Orse?"
    others = told(searcher, question, of_another_part)
    assert {"Ida Ness", "Garr Loam"} <= others.keys() and "Odo Finch" not in others
    assert find_answer(searcher, question, 0.0).answer.text == "Odo Finch"


def test_phrases_before_a_sentence_and_places_are_nobody(searcher: Searcher) -> None:
    found = told(searcher, "Who carried letters by boat in Orse?", unlikely)
    assert {"Before the Kell War", "Lake Orse"} <= found.keys() and "Bror" not in found


def test_no_count_is_a_manner(searcher: Searcher) -> None:
    found = told(searcher, "How were the letters of Orla Tomm sorted?", unlikely)
    assert any(each.startswith("46,000") for each in found) and "weight" not in found


@pytest.mark.parametrize(
    "asks", ["Why did nobody drown", "For what reason did nobody drown", "How come nobody drowned"]
)
def test_a_reason_is_asked_for_in_other_words(searcher: Searcher, asks: str) -> None:
    answer = find_answer(searcher, f"{asks} when the pier of Orse fell?").answer.text
    assert answer is not None and answer.startswith("whole town was at the fair")


def test_a_name_has_the_noun_asked_for(searcher: Searcher) -> None:
    found = told(searcher, "orse team home stadium", told_by_kind)
    assert found.keys() == {"Ghall Stadium"} and 0.3 <= found["Ghall Stadium"] <= 1
    assert told(searcher, "Which club plays at the Ghall Stadium?", told_by_kind) == {}
    assert find_answer(searcher, "orse team home stadium", 0.0).answer.text == "Ghall Stadium"


def test_a_parenthesis_is_of_what_stands_before_it(searcher: Searcher) -> None:
    found = told(searcher, "When was the zane lamp of Orse made?", told_in_parentheses)
    assert found == {"1832": -1, "1834": 1, "1877": -1}
    assert find_answer(searcher, "When was the zane lamp of Orse made?", 0.0).answer.text == "1834"
    assert told(searcher, "When were lamps made in Orse?", told_in_parentheses) == {}


def test_the_parenthesis_behind_a_name_measures_it(searcher: Searcher) -> None:
    found = told(searcher, "How high is Corsk Hill?", measured_in_parentheses)
    assert found == {"594 m": 1}
    assert find_answer(searcher, "How high is Corsk Hill?", 0.0).answer.text == "594 m"
    # How far off it stands is told beside how high it is.
    assert told(searcher, "How high is Corsk Tower?", measured_in_parentheses) == {}
    for question in ("How heavy is Corsk Hill?", "How high is Corsk Hill Tower?", "How high is the hill?"):
        assert told(searcher, question, measured_in_parentheses) == {}


def test_a_town_lies_in_a_state_and_no_state_in_a_town(searcher: Searcher) -> None:
    found = told(searcher, "Which town is the school of Orse in?", outside)
    assert "Norland" in found and "Vell" not in found
    found = told(searcher, "Which state is the school of Orse in?", outside)
    assert "Vell" in found and "Norland" not in found
    assert told(searcher, "Where is the school of Orse?", outside) == {}


@pytest.mark.parametrize(
    ("question", "answer"),
    [("Why do islanders of Orse throw the birds from the wall?", "birds cannot take off from level ground"),
     ("Why must I not use tap water in the lamp of Orse?", "its lime chokes the wick"),
     ("Why was the mole of Orse left?", "it would have cost 22,000 crowns to mend")],
)  # fmt: skip
def test_a_reason_stands_before_or_behind_a_comma(searcher: Searcher, question: str, answer: str) -> None:
    causes = told(searcher, question, told_of_causes)
    assert max(causes, key=lambda each: causes[each]) == answer
    assert find_answer(searcher, question, 0.0).answer.text == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [("How long did the longest storm of Orse last?", "six days and five hours"),
     ("When in the month do wardens of Orse get paid?", "the 27th of each month"),
     ("At what time do the wardens of Orse eat on the pier?", "4 p.m.")],
)  # fmt: skip
def test_an_amount_and_a_day_are_whole(searcher: Searcher, question: str, answer: str) -> None:
    assert find_answer(searcher, question, 0.0).answer.text == answer


def test_a_time_since_when_and_what_is_not_denied_are_no_causes(searcher: Searcher) -> None:
    causes = told(searcher, "Why do horse trams run in Kell?", told_of_causes)
    assert not {"great fair", "sell the old mill"} & causes.keys()


def test_a_part_of_a_word_is_no_answer(searcher: Searcher) -> None:
    assert {"north", "east"} & told(searcher, "where did the wind blow the ash of orrin", unlikely).keys()


def test_no_candidate_escapes_the_rules(searcher: Searcher) -> None:
    reading = reading_of(searcher, "who is most at risk of a sting of the hask")
    thing = next(index for index, each in enumerate(reading.candidates) if each.text == "scales")
    scores = with_rules(reading.taken([thing] * (MOST_JUDGED + 6)), np.zeros(MOST_JUDGED + 6, np.float32))
    assert scores.max() < 0


@pytest.mark.parametrize(
    ("question", "answer"),
    [("When did the yard of Orse close?", "2003"), ("When was the yard of Orse closed?", "2003"),
     ("When was the yard of Orse founded?", "1880")],
)  # fmt: skip
def test_a_founding_is_no_closing(searcher: Searcher, question: str, answer: str) -> None:
    assert find_answer(searcher, question, 0.0).answer.text == answer


NORLAND = {
    "Norland": "Norland is ruled by a steward, who is chosen in Lake Harr by the Norlandish court. The Norlander Osk "
    "was one. The quay of Norland is made of grey slate and was towed over Lake Orse."
}


def test_an_adjective_of_a_name_in_the_question_answers_only_what_asks_for_one(tmp_path: Path) -> None:
    with searcher_over(tmp_path, NORLAND) as searcher:
        found = told(searcher, "Which official of Norland is chosen by the court?", unlikely)
        assert "Norlandish" in found and "steward" not in found
        for question in ("Which language is spoken in Norland?", "Which official is chosen by the court?"):
            assert "Norlandish" not in told(searcher, question, unlikely)


def test_no_place_is_a_kind_of_stuff(tmp_path: Path) -> None:
    with searcher_over(tmp_path, NORLAND) as searcher:
        found = told(searcher, "What is the quay of Norland made of?", unlikely)
        assert "Lake Orse" in found and "grey slate" not in found
        assert "Lake Orse" not in told(searcher, "Over what was the quay of Norland towed?", unlikely)


def test_no_label_of_a_table_below_its_caption_answers(tmp_path: Path) -> None:
    page = "<h1>Ores</h1><table><caption>Rock of Norland</caption><tr><th>Ore</th><th>Share</th><th>Miners</th></tr>"
    rows = "".join(f"<tr><td>{ore}</td><td>4</td><td>20</td></tr>" for ore in ("Tin", "Zinc"))
    (tmp_path / "ores.html").write_text(f"{page}{rows}</table><p>The rock of Norland is old.</p>")
    build(Request((str(tmp_path / "ores.html"),), tmp_path / "kb.skb", workers=1))
    with Skb(tmp_path / "kb.skb") as skb, Session(Context(skb)) as session:
        found = told(Searcher(session, "hybrid"), "Which ore has the rock of Norland?", unlikely)
    assert {"Share", "Miners"} <= found.keys() and "Tin" not in found
