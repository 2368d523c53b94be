"""Who is whose father, wife or daughter is told by their pages, and hops lead on from there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from retriever.answers.answering import find_answer, reading_of
from retriever.answers.hops.kin.kinship import relatives_in
from retriever.answers.hops.kin.relatives import Asks, kin_asked, relative
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
    "Ulf Dask": "Ulf Dask (born 1958) is a smith.\n\n| Born | 1958, Hexle |\n|---|---|\n"
    "| Spouse | Ida Tarn (m. 1990), Mona Vey (m. 2001) |",
    "Wenna Trask": "Wenna Trask (1860 – 1930) was a queen. She married King Tor in 1890. She married King Jan in 1900.",
    "Cora Vant": "Cora Vant was harbour master of Dune. She was born in 1860, the elder daughter of the architect"
    " Wim Vant and the illustrator Sela Brook. In 1892 she married Luc Dray. After her mother lost her sight, Cora took"
    " down her memories. They had a single child, the aviator Pia Dray.",
    "Sela Brook": "Sela Brook (1834 – 1911) was an illustrator. She drew plants.",
    "Pia Dray": "Pia Dray was an aviator. She was born in 1896, the only child of the harbour master Cora Vant and the"
    " engraver Luc Dray. He died on 3 May 1941.",
    "Eochu Tarn": "Eochu Tarn, son of Lugad Arn, was, by legend and by tradition, a High King of Vess.",
    "Hob Marl": "Hob Marl (1850 – 1910) was a smith. He was the fourth son of a saddler and had two sisters. He married"
    " Ina Stroud, and they had no children. His brother-in-law had a son.",
    "Ulla Sand": "Ulla Sand (1850 – 1910) was a painter. She never married. Her friend had three children.",
    "Wim Vant": "Wim Vant (1829 – 1898) was an architect, the fourth son of a saddler. He had two daughters.",
    "Velm Harbour": "At Velm Harbour lived Joswin Fell, a son of Rurik Fell, and beside him Win Fell, a son of Hal.",
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
        # The order of two parents tells nothing where their pages do.
        ("Who was the mother of Pia Dray?", "Cora Vant"),
        ("Who was the father of Pia Dray?", "Luc Dray"),
        ("Who was the mother of Cora Vant?", "Sela Brook"),
        ("Who were the parents of Cora Vant?", "Wim Vant and the illustrator Sela Brook"),
        ("Who was the father of Eochu Tarn?", "Lugad Arn"),
    ],
)
def test_kin_is_told_by_ones_page(searcher: Searcher, question: str, answer: str) -> None:
    found = find_answer(searcher, question)
    assert found.answer.text == answer
    assert found.answer.citations


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Did Wim Vant have a daughter?", "yes"),
        ("Did Wim Vant have a son?", None),
        ("Did Hob Marl have any children?", "no"),
        ("Did Hob Marl have a son?", "no"),
        ("Did Hob Marl have a brother?", None),
        ("Did Hob Marl have sisters?", "yes"),
        ("Did Hob Marl ever marry?", "yes"),
        ("Was Ulla Sand ever married?", "no"),
        ("Did Ulla Sand have children?", None),
        ("Did Pia Dray have a sister?", "no"),
        ("Was Luc Dray the father of Pia Dray?", "yes"),
        ("Was Wim Vant the father of Pia Dray?", "no"),
        ("Is Pia Dray Cora Vant's daughter?", "yes"),
        ("Was Hob Marl married to Ina Stroud?", "yes"),
        ("Did Bo Lund marry Ida Tarn?", "yes"),
    ],
)
def test_whether_somebody_has_kin(searcher: Searcher, question: str, answer: str | None) -> None:
    assert find_answer(searcher, question).answer.text == answer


def test_hops_lead_on_from_kin(searcher: Searcher) -> None:
    found = find_answer(searcher, "Where did Idrin of Kell's father die?")
    assert (found.answer.text, found.hops[0][1]) == ("Tolver", "Adolp II, Count of Kell")
    found = find_answer(searcher, "Where was the wife of Bo Lund born?")
    assert (found.answer.text, found.hops[0][1]) == ("Kellby", "Ida Tarn")


def test_hops_lead_on_from_a_name_without_a_page(searcher: Searcher) -> None:
    found = find_answer(searcher, "When was the wife of Luc Dray born?")
    assert [*found.hops] == [("Who is the wife of Luc Dray?", "Cora Vant")]
    assert found.answer.text == "1860"


def test_of_several_in_a_row_the_first_leads_on(searcher: Searcher) -> None:
    found = find_answer(searcher, "Where was the wife of Ulf Dask born?")
    assert (found.answer.text, found.hops[0][1]) == ("Kellby", "Ida Tarn")


def test_kin_of_two_steps_is_looked_for_step_by_step(searcher: Searcher) -> None:
    found = find_answer(searcher, "Who is the maternal grandfather of Idrin of Kell?")
    assert (found.answer.text, found.hops[0][1]) == ("Jorun Dune", "Marta of Dune")


def test_another_numeral_is_another_name(searcher: Searcher) -> None:
    found = find_answer(searcher, "Who is the paternal grandfather of Idrin of Kell?")
    assert found.answer.text == "Engelmar II of Kell"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who was the first husband of Wenna Trask?", "King Tor"),
        ("Who was Wenna Trask's second husband?", "King Jan"),
        ("Who was the father of Joswin Fell?", "Rurik Fell"), ("Who was the father of Win Fell?", "Hal"),
    ],
)  # fmt: skip
def test_kin_is_told_of_one_name_and_of_one_of_several(searcher: Searcher, question: str, answer: str) -> None:
    found = relative(searcher.session, question, reading_of(searcher, question).passages)
    assert found is not None and found.text == answer


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("Who was Ada Orr's oldest son?", Asks("son", "Ada Orr")), ("Whom did Ada marry?", Asks("spouse", "Ada")),
        ("Who was Ada Orr's oldest friend?", None),
    ],
)  # fmt: skip
def test_kin_is_asked_for(question: str, asks: Asks | None) -> None:
    assert kin_asked(question) == asks


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
        ("She married Bo Lund in 1860.", "spouse"),
        ("Mia Vess married Bo Lund.", "spouse"),
        ("When Mary Vess married Bo Lund, he left.", "spouse"),
        ("His father Orm married Ida Tarn.", "wife"),
        ("His sister, who married Ida Tarn, was a smith.", "spouse"),
        ("His brother went to Kell and married Ida Tarn.", "wife"),
        ("Bo Lund, who married Ida Tarn, was a smith.", "wife"),
        ("His brother had a son, Tor.", "son"),
        ("Vess's sister had a son, Tor.", "son"),
        ("His parents had a son, Tor.", "son"),
        ("Jan Kell left a son, Tor.", "son"),
        ("In 1900 Jan Kell had a son, Tor.", "son"),
        ("He wed Ida Tarn, and she had a son, Tor.", "son"),
        ("He was the twin of Tor Vess.", "father"),
        ("He was the heir of Tor Vess.", "father"),
        ("His parents were Bo Lund, a smith.", "father"),
        ("His grandfather was the son of Bo Lund.", "father"),
        ("The son of Bo Lund, Tor Kell was his friend.", "father"),
        ("Son of Bo Lund and Ida, she left.", "mother"),
        ("He wrote a novel, The Son of Bo Lund.", "father"),
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
        ("Captain Vess married Ida Tarn.", "wife", ["Ida Tarn"]),
        ("Orm Jan Vess married Ida Tarn, then Édith Żak.", "wife", ["Ida Tarn", "Édith Żak"]),
        ("In May Vess married Ida Tarn.", "wife", ["Ida Tarn"]),
        ("Vess, who married Ida Tarn, was a smith.", "wife", ["Ida Tarn"]),
        ("He and his wife had a son, Tor.", "son", ["Tor"]),
        ("He wed Ida Tarn and had a son, Tor.", "son", ["Tor"]),
        ("Ida Tarn and Vess had a son, Tor.", "son", ["Tor"]),
        ("Survived by a son, Tor, he died in 1901.", "son", ["Tor"]),
        ("Orm Vess's father, Bo Lund, was a smith.", "father", ["Bo Lund"]),
        ("When Orm Vess's father, Bo Lund, died, he left.", "father", ["Bo Lund"]),
        ("His parents were Bo Lund and Ida Tarn.", "father", ["Bo Lund"]),
        ("His parents, Bo Lund, a smith, and Ida Tarn, left.", "mother", ["Ida Tarn"]),
        ("Vess's parents were Queen Ida and King Bo.", "father", ["King Bo"]),
        ("Son of Count Jan, Orm Vess was a poet.", "father", ["Count Jan"]),
        ("The son of Bo Lund and Ida Tarn, Queen consort of Kell, he fled.", "father", ["Bo Lund"]),
        ("He was a nephew of Jan Kell and son of Bo Lund.", "father", ["Bo Lund"]),
    ],
)
def test_kin_is_found_in_rows_and_sentences(text: str, kin: str, found: list[str]) -> None:
    assert [text[each.start : each.end] for each in relatives_in(text, "Orm Vess", -1, kin)][: len(found)] == found
