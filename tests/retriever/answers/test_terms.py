"""Who held a role in a year, or from one year to another, by tables, lists and sentences."""

from __future__ import annotations

import pytest

from builder.build import build
from builder.request import Request
from retriever.answers.answering import find_answer, reading_of
from retriever.answers.hops.terms import term_holder, years_asked
from retriever.context import Context
from retriever.searcher import Searcher
from retriever.session import Session
from weft.skb import Skb

PAGES = {
    "light": "# Thoon Light\n\nThoon Light is a lighthouse on the cape of Orse.\n\n## Keepers\n\n"
    "- Brann Eil, 1863–1880\n- Sefa Munn, 1880–1888\n- vacant, 1888–1890\n- Tolly Ferrow, 1890–1926\n"
    "- Ine Ferrow, since 1926\n",
    "school": "# Dunmore School\n\nDunmore School is a school in Kell.\n\n## Head teachers\n\n| Name | From | To |\n"
    "| --- | --- | --- |\n| Ada Orr | 1901 | 1919 |\n| Bo Lund | 1919 | 1933 |\n\n## Caretakers\n\n"
    "| Name | Years |\n| --- | --- |\n| Jan Reed | 1905–1931 |\n",
    "museum": "# Kell Museum\n\nThe museum was opened in 1958. "
    "Hana Quill was the director of the Kell Museum from 1958 to 1979. Tove Sarn (1870–1931) gave it her shells.",
    "ida": "# Ida Brack\n\nIda Brack (1931–1999) was a botanist. "
    "She was the director of the Kell Museum from 1979 to 1990.",
}


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Searcher:
    folder = tmp_path_factory.mktemp("terms")
    for name, text in PAGES.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    build(Request((str(folder),), folder / "kb.skb", workers=1))
    return Searcher(Session(Context(Skb(folder / "kb.skb"))), "hybrid")


@pytest.mark.parametrize(
    ("question", "answer"),
    [("Who kept Thoon Light between 1863 and 1880?", "Brann Eil"),
     ("Who was keeper of Thoon Light in 1900?", "Tolly Ferrow"),
     ("who was the keeper of Thoon Light in 1930", "Ine Ferrow"),
     ("Who was the head teacher of Dunmore School in 1925?", "Bo Lund"),
     ("Who was head teacher of Dunmore School from 1901 to 1919?", "Ada Orr"),
     ("Who was the director of the Kell Museum in 1970?", "Hana Quill"),
     ("Who was director of the Kell Museum from 1979 to 1990?", "Ida Brack")],
)  # fmt: skip
def test_who_held_a_role_is_told_by_the_years(searcher: Searcher, question: str, answer: str) -> None:
    assert find_answer(searcher, question).answer.text == answer


@pytest.mark.parametrize(
    "question",
    ["Who was keeper of Thoon Light in 1880?", "Who was keeper of Thoon Light in 1889?", "Who kept Thoon Light?",
     "Who was the director of the Kell Museum in 1900?", "Who was the caretaker of the Kell Museum in 1910?",
     "Who lived in Kell in 1910?", "Who was the cook of Dunmore School in 1925?"],
)  # fmt: skip
def test_years_alone_tell_nobody(searcher: Searcher, question: str) -> None:
    assert term_holder(question, reading_of(searcher, question).passages) is None


def test_only_questions_about_somebody_in_a_year_ask_for_terms() -> None:
    asked = ["When was she director in 1960?", "Who died in 1960?", "Who led it in 1960?", "Who led it 1960-64?"]
    assert [years_asked(each) for each in asked] == [None, None, (1960, 1960), None]
