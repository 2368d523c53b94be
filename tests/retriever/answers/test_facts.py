"""Facts as answers: what a relation or an attribute says points to where a passage says it, or answers itself."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

import weft
from interfaces.api.knowledge_base import KnowledgeBase

PAGES = {
    "Dunmore School": "Dunmore School is a school in Port Allan. Owen Mbeki is its head. It was founded in 1871.",
    "Sable Head Lighthouse": "It is 38 m tall, built of grey granite by Marian Teague. It was lit on 3 May 1861.",
    "Marian Teague": "Marian Teague was an engineer. She was born in Orse. She taught Owen Lund. She jumped 5.65 m.",
}
SCHOOL, LIGHT, TEAGUE = "<http://x/Dunmore_School>", "<http://x/Sable_Head_Lighthouse>", "<http://x/Marian_Teague>"
FACTS = f"""
{SCHOOL} <http://x/motto> "Learn and row" .
{SCHOOL} <http://x/colour> "red" .
{SCHOOL} <http://x/colour> "white" .
{LIGHT} <http://x/material> "granite" .
{LIGHT} <http://x/designer> {TEAGUE} .
{LIGHT} <http://x/height> "38"^^<http://www.w3.org/2001/XMLSchema#integer> .
{LIGHT} <http://x/lit> "1861-05-03"^^<http://www.w3.org/2001/XMLSchema#date> .
{TEAGUE} <http://x/height> "1.84"^^<http://www.w3.org/2001/XMLSchema#decimal> .
{TEAGUE} <http://x/teacher> <http://x/Bo_Ferrow> .
{TEAGUE} <http://x/birthPlace> <http://x/Orse> .
"""


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    """Give three pages with facts about them."""
    folder = tmp_path_factory.mktemp("facts")
    (folder / "pages").mkdir()
    for title, text in PAGES.items():
        (folder / "pages" / f"{title}.md").write_text(f"# {title}\n\n{text}\n", encoding="utf-8")
    (folder / "facts.nt").write_text(FACTS, encoding="utf-8")
    weft.build(folder / "pages", rdf=folder / "facts.nt", output=folder / "kb.skb", all_relations=True)
    with weft.open(folder / "kb.skb") as opened:
        yield opened


@pytest.mark.parametrize(
    ("question", "answer", "text", "triple"),
    [
        ("Of what material is the Sable Head Lighthouse?", "granite", "granite by", "material | granite"),
        ("Who designed the Sable Head Lighthouse?", "Marian Teague", "by Marian", "designer | Marian Teague"),
        ("How tall is the Sable Head Lighthouse?", "38 m", "38 m tall", "height | 38"),
        ("When was the Sable Head Lighthouse lit?", "3 May 1861", "lit on 3 May", "lit | 1861-05-03"),
        ("Where was Marian Teague born?", "Orse", "born in Orse", "birthPlace | Orse"),
    ],
)
def test_a_fact_points_to_where_it_is_said(
    kb: KnowledgeBase, question: str, answer: str, text: str, triple: str
) -> None:
    found = kb.ask(question)
    first, second = found.citations
    assert found.answer == answer and found.chance >= 0.9
    assert text in first.text[slice(*first.span)] and second.text.endswith(triple)


def test_what_no_passage_says_is_answered_by_the_fact(kb: KnowledgeBase) -> None:
    for question in ("What is the motto of Dunmore School?", "Dunmore School's motto", "motto of dunmore school"):
        found = kb.ask(question)
        (cited,) = found.citations
        assert found.answer == "Learn and row"
        assert (cited.uri, cited.title, cited.text) == (
            "Dunmore School", "Dunmore School", "Dunmore School | motto | Learn and row",
        )  # fmt: skip


@pytest.mark.parametrize(
    ("question", "wrong"),
    [
        ("Who did Marian Teague teach?", "Bo Ferrow"),
        ("How high did Marian Teague jump?", "1.84"),
        ("What was the first motto of Dunmore School?", "Learn and row"),
        ("What is the colour of Dunmore School?", "red"),
        ("Who is the head of Dunmore School?", "Learn and row"),
        ("When was the Sable Head Lighthouse designed?", "Marian Teague"),
        ("What was the trade of the designer of the Sable Head Lighthouse?", "Marian Teague"),
        ("How old was the Sable Head Lighthouse when it was lit?", "1861-05-03"),
        ("How old was the Sable Head Lighthouse when it was lit?", "3 May 1861"),
    ],
)
def test_other_questions_are_not_answered_by_it(kb: KnowledgeBase, question: str, wrong: str) -> None:
    assert kb.ask(question).answer != wrong


def test_a_fact_is_a_hop(kb: KnowledgeBase) -> None:
    found = kb.ask("Where was the designer of the Sable Head Lighthouse born?")
    assert found.answer == "Orse"
    assert tuple(found.hops[0]) == ("Who is the designer of the Sable Head Lighthouse?", "Marian Teague")


STATED = {
    ("Ada Lund", "birthPlace"): "Corsk", ("Ada Lund", "birthDate"): "1881-07-23", ("Ada Lund", "child"): "Bo Lund",
    ("Pell Coaches", "foundedIn"): "1949", ("Pell Coaches", "owner"): "Runa Orr", ("Runa Orr", "spouse"): "Tor Hill",
    ("Runa Orr", "occupation"): "dentist", ("Mona Birk", "occupation"): "baker", ("Mona Birk", "birthDate"): "1901",
}  # fmt: skip


@pytest.fixture(scope="module")
def stated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    """Give pages that name some who have no page, and triples about these."""
    folder = tmp_path_factory.mktemp("stated")
    (folder / "pages").mkdir()
    (folder / "pages" / "Pell.md").write_text(
        "# Pell\n\nThe new pier was designed by the engineer Ada Lund. It cost 940 crowns.\n\n"
        "Pell Coaches run the bus to Orse. The harbour freezes in winter.\n\n"
        "The record of the Pell mile, 4:02, was set by Mona Birk in 1925, when Ida Gale won.\n", encoding="utf-8",
    )  # fmt: skip
    rows = [{"subject": subject, "predicate": key, "object": value} for (subject, key), value in STATED.items()]
    (folder / "facts.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    weft.build(folder / "pages", triples=folder / "facts.jsonl", output=folder / "kb.skb")
    with weft.open(folder / "kb.skb") as opened:
        yield opened


@pytest.mark.parametrize(
    ("question", "answer"),
    [("When was Ada Lund born?", "1881-07-23"), ("When was Pell Coaches founded?", "1949"),
     ("In what year was Pell Coaches founded?", "1949"), ("Who owns Pell Coaches?", "Runa Orr"),
     ("When was Pell Coaches established?", "1949"), ("What is Runa Orr's job?", "dentist"),
     ("Who is Runa Orr's husband?", "Tor Hill"), ("Who was Runa Orr married to?", "Tor Hill")],
)  # fmt: skip
def test_dates_of_triples_are_dates(stated: KnowledgeBase, question: str, answer: str) -> None:
    assert stated.ask(question).answer == answer


@pytest.mark.parametrize(
    ("question", "answer", "triple"),
    [
        ("Where was the engineer who designed the new pier born?", "Corsk", "Ada Lund | birthPlace | Corsk"),
        ("When was the engineer who designed the pier born?", "1881-07-23", "Ada Lund | birthDate | 1881-07-23"),
        ("What was the job of the woman who set the record of the Pell mile?", "baker",
         "Mona Birk | occupation | baker"),
    ],
)  # fmt: skip
def test_a_fact_answers_about_what_a_passage_names(
    stated: KnowledgeBase, question: str, answer: str, triple: str
) -> None:
    found, name = stated.ask(question), triple.split(" | ")[0]
    assert (found.answer, [hop.answer for hop in found.hops]) == (answer, [name])
    fact, hop, *_ = found.citations
    assert (fact.text == triple and f"by the engineer {name}" in hop.text) or f"set by {name}" in hop.text


def test_one_fact_leads_to_another(stated: KnowledgeBase) -> None:
    found = stated.ask("Who is the spouse of the owner of Pell Coaches?")
    assert found.answer == "Tor Hill"
    cited = [each.text for each in found.citations]
    assert cited == ["Runa Orr | spouse | Tor Hill", "Pell Coaches | owner | Runa Orr"]
