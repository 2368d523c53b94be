"""Who came before or after whom, and as which one, is told by the years of a table or a list."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from retriever.answers.answering import find_answer, reading_of
from retriever.answers.patterns.succession import in_succession, succession_asked
from retriever.searcher import Searcher
from tests.searching import searcher_over

PAGES = {
    "Vess Observatory": "The Vess Observatory stands on Corve Heights.\n\n## Directors\n\n"
    "| Director | From | To | Field |\n|---|---|---|---|\n| Ada Orr | 1888 | 1909 | positions of stars |\n"
    "| Bo Lund | 1909 | 1934 | comets |\n| Ida Ness | 1934 | 1956 | nebulae |\n| Hana Quill | 1956 | | pulsars |\n\n"
    "## Assistants\n\n| Assistant | From | To |\n|---|---|---|\n| Jan Reed | 1905 | 1931 |\n| Ivo Sarn | 1910 | 1920 |",
    "Ida Ness": "Ida Ness was an astronomer from Kell. She painted the sea and kept bees.",
    "Thoon Light": "Thoon Light is a lighthouse.\n\n## Keepers\n\n- Brann Eil, 1863–1880\n- Sefa Munn, 1880–1888\n"
    "- Tolly Ferrow, 1890–1926",
    "The canteen": "The canteen is run by Osric Plume, who was a cook on a ship. He succeeded Brona Keel in 2016.",
}


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    with searcher_over(tmp_path_factory.mktemp("succession"), PAGES) as found:
        yield found


@pytest.mark.parametrize(
    ("question", "answer"),
    [("Who was the director before Ida Ness?", "Bo Lund"),
     ("Who was director of the Vess Observatory right after Bo Lund?", "Ida Ness"),
     ("Who succeeded Ida Ness?", "Hana Quill"),
     ("Who preceded Ida Ness as director?", "Bo Lund"),
     ("successor of Ada Orr", "Bo Lund"),
     ("Who was Hana Quill's predecessor?", "Ida Ness"),
     ("Who was the first director of the Vess Observatory?", "Ada Orr"),
     ("Who was the 3rd director of the Vess Observatory?", "Ida Ness"),
     ("Who was the last director of the Vess Observatory?", "Hana Quill"),
     ("Who was the second keeper of Thoon Light?", "Sefa Munn"),
     ("Who was the keeper before Tolly Ferrow?", "Sefa Munn")],
)  # fmt: skip
def test_the_years_tell_who_came_before_and_after(searcher: Searcher, question: str, answer: str) -> None:
    assert find_answer(searcher, question).answer.text == answer


@pytest.mark.parametrize(
    "question",
    ["Who was the director before Ada Orr?", "Who was the director after Hana Quill?", "Who succeeded Brona Keel?",
     "Who was the assistant after Jan Reed?", "Who was the fifth director of the Vess Observatory?",
     "Who was the 0th director of the Vess Observatory?", "Who was named after Ida Ness?", "Who was the first one?",
     "Who was the cook before Ida Ness?", "Who was the director before Tolly Ferrow?"],
)  # fmt: skip
def test_nobody_is_told_beyond_the_ends_or_where_terms_overlap(searcher: Searcher, question: str) -> None:
    reading = reading_of(searcher, question)
    assert in_succession(searcher.session, reading.asked, reading.passages) is None


def test_no_chunk_is_read_that_is_not_allowed(searcher: Searcher) -> None:
    reading = reading_of(searcher, "Who succeeded Ida Ness?")
    own = [each for each in reading.passages if each.kind == "paragraph"]
    told = in_succession(searcher.session, reading.asked, own)
    assert told is not None
    allowed = searcher.session.chunk_table.chunk_ids[:0]
    assert in_succession(searcher.session, reading.asked, own, allowed) is None


def test_a_page_about_a_thing_is_nobody(searcher: Searcher) -> None:
    assert find_answer(searcher, "Who succeeded Brona Keel?", 0).answer.text != "The canteen"


def test_other_questions_ask_for_no_succession() -> None:
    asked = ["When was she born before Ada Orr?", "Who was Ada Orr?", "Who won the first race?"]
    assert [*map(succession_asked, asked)] == [None, None, None]
