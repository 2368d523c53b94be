"""What is told of people who have no page stands on the pages of others, which tell more of somebody else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from retriever.answers.answering import find_answer
from retriever.answers.columns.lives import dates_in_life, days_of, places_of, told_in
from retriever.answers.columns.subjects import Subject
from retriever.searcher import Searcher
from tests.searching import searcher_over

PAGES = {
    "Adel Tove": "Adel Tove (1833 – 1902) was a Vessian explorer. He was born in Tolver, the son of the miller Bo Tove."
    "\n\nAt Kellby he met the Ostrian botanist Signe Orr, and they were married in 1867. She had been born in Stavick"
    " in 1841; she died in Hexle in 1910. Their only child, Ingrith, was born in Larkel and became a singer.",
    "Orm Dask": "Orm Dask (11 January 1868 – 3 March 1912) was a Vessian officer and a poet. He died of fever at Varn,"
    " but was buried at Kellby.\n\nIn 1899 he married Clemence Rue, whose father had died at Tolver. Born on 30"
    " September 1874, she died in Larkel in 1952. Their guest was Ismene Holt (1890–1968).",
    "Tides": "Tides is an opera in four acts by Adel Tove. The conductor was Hjal Reuss, who was born in Ostrel.",
    "Ostrel Mill": "Ostrel Mill is a mill that was built by the engineer Kaj Holm. Holm was a Vessian, and he was born"
    " in Kellby in 1801.",
}
ADA = Subject(("Ada",), "Ada Orr", 1)
BORN, DIED = "Where was Ada born?", "Where did Ada die?"


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    with searcher_over(tmp_path_factory.mktemp("unpaged"), PAGES) as found:
        yield found


@pytest.mark.parametrize(
    ("question", "hop", "answer"),
    [
        ("Where was the wife of Adel Tove born?", "Signe Orr", "Stavick"),
        ("When did Adel Tove's wife die?", "Signe Orr", "1910"),
        ("Where was the child of Adel Tove born?", "Ingrith", "Larkel"),
        ("What nationality was the wife of Adel Tove?", "Signe Orr", "Ostrian"),
        ("Where was the composer of Tides born?", "Adel Tove", "Tolver"),
    ],
)
def test_a_page_tells_of_others_too(searcher: Searcher, question: str, hop: str, answer: str) -> None:
    found = find_answer(searcher, question, 0.3)
    assert [each for _, each in found.hops] == [hop]
    assert found.answer.text == answer


def test_what_is_told_of_others_is_not_told_of_whom_the_page_is_about(searcher: Searcher) -> None:
    assert find_answer(searcher, "Where was Adel Tove born?").answer.text == "Tolver"
    assert find_answer(searcher, "When did Adel Tove die?").answer.text == "1902"
    assert find_answer(searcher, "When was Orm Dask born?").answer.text == "11 January 1868"
    assert find_answer(searcher, "Where did Orm Dask die?", 0.0).answer.text == "Varn"
    assert find_answer(searcher, "Where is Orm Dask buried?", 0.0).answer.text == "Kellby"


def test_a_name_without_a_page_has_the_dates_behind_it(searcher: Searcher) -> None:
    assert find_answer(searcher, "When did Ismene Holt die?", 0.0).answer.text == "1968"


@pytest.mark.parametrize("question", ["Where did the mother of Adel Tove die?", "Who is the mother of Adel Tove?"])
def test_kin_that_no_page_tells_is_withheld(searcher: Searcher, question: str) -> None:
    assert find_answer(searcher, question).answer.text is None


@pytest.mark.parametrize(
    ("text", "question", "place"),
    [
        ("She died in March 1931 in Leith.", DIED, "Leith."), ("She died of Alzheimer's in Kell.", DIED, "Kell."),
        ("She died from Spanish flu at the port of Kell.", DIED, "Kell."), ("She died in May.", DIED, None),
        ("She was born in January 1870 in Łódź.", BORN, "Łódź."), ("She was a native of Kell.", BORN, "Kell."),
    ],
)  # fmt: skip
def test_sentences_tell_the_place_of_a_birth_or_a_death(text: str, question: str, place: str | None) -> None:
    assert [text[start:] for start in told_in(text, question, ADA)] == ([place] if place else [])


@pytest.mark.parametrize(
    ("row", "place"),
    [
        ("Born | Leith, Fife, 3 May 1870", "Leith"), ("Born | Leith, May 3, 1870", "Leith"),
        ("Born | Ada Orr 3 May 1870, Łódź", "Łódź"), ("Born | Leith", "Leith"), ("Birthplace | Kell, 1870", "Kell"),
        ("Born | Ada Mary Orr, 3 May 1870", None), ("Born | Ada Mary Orr 3 May 1870", None),
    ],
)  # fmt: skip
def test_a_row_tells_a_place_behind_or_before_a_date(row: str, place: str | None) -> None:
    assert [row[start:].split(",")[0] for start in places_of(row, BORN, ADA)] == ([place] if place else [])


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Ada Orr (3 May 1870–4 June 1931) was a smith.", ["3 May 1870", "4 June 1931"]),
        ("Ada Orr (1870-1931) was a smith.", ["1870", "1931"]),
        ("Ada Orr (Saint-Denis, 1870 - Kell, 1931) was a smith.", ["1870", "1931"]),
        ("Ada Orr was a mayor (1901–1910).", []), ("Ada Orr (reigned 1901–1910) was a queen.", []),
        ("Spouse | Bo Lund (m. 1890–1900)", []), ("Bo Lund (1860–1920) was her husband.", []),
    ],
)  # fmt: skip
def test_the_first_parenthesis_tells_a_life(text: str, days: list[str]) -> None:
    starts = [start for asks in ("When was Ada born?", "When did Ada die?") for start in days_of(text, asks, ADA)]
    assert len(starts) == len(days) and all(map(text.startswith, days, starts))


@pytest.mark.parametrize(
    "who", ["Her grandmother", "An uncle", "Her twin", "Her parents", "Łucja Żak", "A niece of Bo"]
)
def test_the_death_of_somebody_else_is_not_told_of_whom_a_page_is_about(who: str) -> None:
    text = f"Ada Orr was a painter. {who} died in 1901."
    assert [*dates_in_life(text, "When did Ada Orr die?", ADA)] == []
