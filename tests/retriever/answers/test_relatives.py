"""Who is whose father, wife or daughter is told by their pages, and hops lead on from there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from retriever.answers.answering import find_answer
from retriever.answers.hops.kinship import relatives_in
from retriever.searcher import Searcher
from tests.searching import searcher_over

PAGES = {
    "Idrin of Kell": "Idrin of Kell (1201 – 1260) was a duchess. She was the second daughter of Count Adolp II of"
    " Kell and his wife Marta of Dune. In 1220 she married Otmar, Lord of Vess, the only son of Wolmar Hask.",
    "Adolp II, Count of Kell": "Adolp II, Count of Kell (1170 – 1231), was a ruler. He was the eldest son of"
    " Engelmar II of Kell and of the Vessian noblewoman Ilsa Brand. He died in Tolver.",
    "Engelmar III of Kell": "Engelmar III of Kell (1199 – 1240) was the younger son of Bruno of Kell. He died in"
    " Ostrel.",
    "Marta of Dune": "Marta of Dune (1175 – 1250) was a poet. Her father, the smith Jorun Dune, died in Hexle. She"
    " was born in Larkel.",
    "Bo Lund": "Bo Lund (born 1960) is a Vessian painter. He is married to the sculptor, Ida Tarn. Lund's brother was"
    " Carl Lund.",
    "Ida Tarn": "Ida Tarn (born 1962) is a sculptor. She was born in Kellby.",
}


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    with searcher_over(tmp_path_factory.mktemp("relatives"), PAGES) as found:
        yield found


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who is the father of Idrin of Kell?", "Adolp II, Count of Kell"),
        ("Who was Idrin of Kell's mother?", "Marta of Dune"),
        ("Who did Idrin of Kell marry?", "Otmar, Lord of Vess"),
        ("Who was the mother of Adolp II, Count of Kell?", "Ilsa Brand"),
        ("Who is Bo Lund married to?", "Ida Tarn"),
        ("Who is Bo Lund's wife?", "Ida Tarn"),
        ("Who is the brother of Bo Lund?", "Carl Lund"),
        ("Who is the father of Marta of Dune?", "Jorun Dune"),
        ("Who was the father of Count Adolp II?", "Engelmar II of Kell"),
        ("When did Adolp II die?", "1231"),
    ],
)
def test_kin_is_told_by_ones_page(searcher: Searcher, question: str, answer: str) -> None:
    found = find_answer(searcher, question)
    assert found.answer.text == answer
    assert found.answer.citations


def test_hops_lead_on_from_kin(searcher: Searcher) -> None:
    found = find_answer(searcher, "Where did Idrin of Kell's father die?")
    assert (found.answer.text, found.hops[0][1]) == ("Tolver", "Adolp II, Count of Kell")
    found = find_answer(searcher, "Where was the wife of Bo Lund born?")
    assert (found.answer.text, found.hops[0][1]) == ("Kellby", "Ida Tarn")


def test_kin_of_two_steps_is_looked_for_step_by_step(searcher: Searcher) -> None:
    found = find_answer(searcher, "Who is the maternal grandfather of Idrin of Kell?")
    assert (found.answer.text, found.hops[0][1]) == ("Jorun Dune", "Marta of Dune")


def test_another_numeral_is_another_name(searcher: Searcher) -> None:
    found = find_answer(searcher, "Who is the paternal grandfather of Idrin of Kell?")
    assert found.answer.text == "Engelmar II of Kell"


@pytest.mark.parametrize(
    ("text", "kin"),
    [
        ("In 1220 he married Ada, the only daughter of Bo Lund.", "father"),
        ("He was taught by Tor Hask, son of Bo Lund.", "father"),
        ("She was the daughter of Bo Lund.", "father"),
        ("He was the son of Bo Lund and his wife Ida.", "wife"),
        ("He was the son of Bo Lund and studied under Ida Tarn.", "mother"),
        ("His wife started Lund Works.", "wife"),
        ("Tor Hask married Ida Tarn.", "wife"),
        ("He was a son of the king of Kell.", "father"),
        ("Jan Vess's father, Bo Lund, died.", "father"),
        ("He was born in the village of Kell.", "father"),
        ("Born to Bo Lund and his wife Ida, he left.", "wife"),
        ("His sister became the wife of Bo Lund.", "spouse"),
    ],
)
def test_what_is_said_of_others_tells_nothing(text: str, kin: str) -> None:
    assert relatives_in(text, "Orm Vess", -1, kin) == []


@pytest.mark.parametrize(
    ("text", "kin", "found"),
    [
        ("Father | Bo Lund (1900–1960)\nMother | Ida Tarn", "father", ["Bo Lund"]),
        ("Spouse | Ida Tarn (m. 1903)", "wife", ["Ida Tarn"]),
        ("Parents | Bo Lund; Ida Tarn", "mother", ["Ida Tarn"]),
        ("Children | Tor, Ada", "child", ["Tor, Ada"]),
        ("He was married twice, first in 1854 to Ida Tarn and then to Ada Orr.", "wife", ["Ida Tarn", "Ada Orr"]),
        ("The singer Mia Vess was his elder sister.", "sister", ["Mia Vess"]),
        ("He left a son, Tor, and two daughters, Ada and Ida.", "daughter", ["Ada and Ida"]),
        ("He was born to Prince Bo and Princess Ida of Kell.", "mother", ["Princess Ida of Kell"]),
        ("He was the son of Queen Ida and King Bo IV.", "father", ["King Bo IV"]),
        ("Vess (Orm, son of Bo) was a son of Bo Lund, 2nd Earl of Kell.", "father", ["Bo Lund, 2nd Earl of Kell"]),
        ("He was the widower of the Vessian painter Ida Tarn.", "wife", ["Ida Tarn"]),
        ("He was the twin brother of Ida Vess.", "sister", ["Ida Vess"]),
        ("Tor, the youngest, stayed in Kell and married Ada; he wed Ida Tarn.", "wife", ["Ida Tarn"]),
        ("He was the son of Bo Lund, a smith, and, as he said, a liar, and of Ida Tarn.", "mother", ["Ida Tarn"]),
        ("He was the father of the poet Mia van der Hask.", "child", ["Mia van der Hask"]),
    ],
)
def test_kin_is_found_in_rows_and_sentences(text: str, kin: str, found: list[str]) -> None:
    assert [text[each.start : each.end] for each in relatives_in(text, "Orm Vess", -1, kin)][: len(found)] == found
