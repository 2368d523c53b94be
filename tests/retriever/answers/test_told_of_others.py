"""What is told of somebody or something else is no answer, nor what is offered by none of a question's own words."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import weft
from interfaces.api.knowledge_base import KnowledgeBase
from retriever.answers.answering import DOUBTFUL

INFOBOX = '<h1>{0}</h1><table class="infobox"><tr><th colspan="2">{0}</th></tr>{1}</table><p>{2}</p>'
ROW = "<tr><th>{}</th><td>{}</td></tr>"
PAGES = {
    "Lethburg": INFOBOX.format("Lethburg", ROW.format("Mayor", "Cornelia Fask"), "Lethburg is a city on the Osk."),
    "Keldrow": INFOBOX.format("Keldrow", ROW.format("Altitude", "610 m"),
                              'Keldrow is a spa. Trains run to <a href="Lethburg.html">Lethburg</a>.'),
    "Ambrose Pell": INFOBOX.format(
        "Ambrose Pell",
        f"{ROW.format('Died', '6 November 1909, Keldrow')}"
        f"{ROW.format('Alma mater', '<a href=Lethburg.html>Lethburg</a>')}",
        "Ambrose Pell was an astronomer.",
    ),
    "Corvane Heights": "<h1>Corvane Heights</h1><p>Corvane Heights is an observatory.</p>"
    "<h2>What is not allowed</h2><ul><li>Drones and fireworks.</li><li>Mobile telephones near the dome.</li></ul>"
    "<h2>Main domes</h2><ul><li>Brindle: the largest, built in 1891.</li><li>Marta: for the smaller lens.</li>"
    "<li>Colander: for radio.</li></ul>"
    "<h2>Air</h2><p>The air of the dome has 79% nitrogen, 20% oxygen and 1% of others. "
    "In 5 to 6 nights a year smoke comes in. The disc of crown glass came from Sarne in 1893.</p>",
}  # fmt: skip
FACTS = """
<http://x/Ysolt_Merriman> <http://x/birthPlace> <http://x/Keldrow> .
<http://x/Ambrose_Pell> <http://x/partner> <http://x/Ysolt_Merriman> .
<http://x/Ambrose_Pell> <http://x/deathCause> "influenza" .
"""


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    folder = tmp_path_factory.mktemp("others")
    (folder / "pages").mkdir()
    for title, html in PAGES.items():
        (folder / "pages" / f"{title}.html").write_text(f"<html><body>{html}</body></html>", encoding="utf-8")
    (folder / "facts.nt").write_text(FACTS, encoding="utf-8")
    weft.build(folder / "pages", rdf=folder / "facts.nt", output=folder / "kb.skb", all_relations=True)
    with weft.open(folder / "kb.skb") as opened:
        yield opened


def test_no_passage_is_cited_for_a_fact_of_somebody_else(kb: KnowledgeBase) -> None:
    found = kb.ask("Where was Ysolt Merriman born?")
    assert found.answer == "Keldrow"
    assert [each.text for each in found.citations] == ["Ysolt Merriman | birthPlace | Keldrow"]


@pytest.mark.parametrize(
    "question",
    ["What did Ambrose Pell die of?", "cause of death of Ambrose Pell", "From which illness did Ambrose Pell die?"],
)
def test_the_cause_of_a_death_is_asked_for_in_several_ways(kb: KnowledgeBase, question: str) -> None:
    assert kb.ask(question).answer == "influenza"


def test_the_row_of_another_page_is_no_answer(kb: KnowledgeBase) -> None:
    assert kb.ask("Who is the mayor of Lethburg?").answer == "Cornelia Fask"
    assert kb.ask("Who is the mayor of Keldrow?").answer is None


def test_where_somebody_studied_is_no_birthplace(kb: KnowledgeBase) -> None:
    found = kb.ask("Where was Ambrose Pell born?", threshold=0.0)
    assert (found.answer, found.chance) == ("Lethburg", 0.0)
    assert kb.ask("Where did Ambrose Pell die?").answer == "Keldrow"


@pytest.mark.parametrize("question", ["Are drones allowed?", "Can I bring a drone?"])
def test_a_heading_forbids_what_stands_below_it(kb: KnowledgeBase, question: str) -> None:
    assert kb.ask(question, threshold=0.0).answer == "no"
    assert kb.ask("Are drones forbidden?").answer != "no"


@pytest.mark.parametrize(
    "question", ["Was the disc of crown glass brought by mules or by boat?", "Is the disc round or square?"]
)
def test_a_choice_is_answered_by_one_of_its_two_or_not_at_all(kb: KnowledgeBase, question: str) -> None:
    assert kb.ask(question).answer is None


@pytest.mark.parametrize(
    ("question", "answer"),
    [("What are the three main domes of Corvane Heights?", "Brindle, Marta, Colander"),
     ("Name the 3 main domes of Corvane Heights", "Brindle, Marta, Colander"),
     ("What are the main domes of Corvane Heights?",
      "Brindle: the largest, built in 1891; Marta: for the smaller lens; Colander: for radio")],
)  # fmt: skip
def test_as_many_as_a_question_says_are_named_without_what_is_said_of_them(
    kb: KnowledgeBase, question: str, answer: str
) -> None:
    assert kb.ask(question).answer == answer


def test_a_list_of_another_number_is_not_meant(kb: KnowledgeBase) -> None:
    assert kb.ask("What are the five main domes of Corvane Heights?").answer != "Brindle, Marta, Colander"


@pytest.mark.parametrize(
    ("question", "answer"),
    [("What percentage of the air is oxygen?", "20%"), ("Per cent of nitrogen in the air", "79%")],
)
def test_a_percentage_stands_before_what_has_it(kb: KnowledgeBase, question: str, answer: str) -> None:
    assert kb.ask(question, threshold=0.0).answer == answer


@pytest.mark.parametrize("question", ["How do I clean a dome of Corvane Heights?", "domes Corvane Heights visit"])
def test_how_something_is_done_and_a_phrase_are_told_for_sure_or_not_at_all(kb: KnowledgeBase, question: str) -> None:
    unsure = kb.ask(question, threshold=0.0)
    assert unsure.answer is not None and unsure.chance > 0.01 and unsure.confidence < DOUBTFUL
    withheld = kb.ask(question, threshold=0.01)
    assert withheld.answer is None and withheld.reason is not None
    assert "(confidence 0.0" in withheld.reason and withheld.reason.endswith(" below 0.10)")


@pytest.mark.parametrize(
    "question",
    ["Who shared a house with Ambrose Pell, who died of influenza?", "What did the patron of Ambrose Pell die of?"],
)
def test_who_is_said_to_have_died_is_not_asked_for_the_cause(kb: KnowledgeBase, question: str) -> None:
    assert kb.ask(question).answer != "influenza"
