"""Comparisons by amounts, and numbers as they are read: whole, with their sign, apart from dates."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from builder.build import build
from builder.request import Request
from retriever.answers.abstention import chance
from retriever.answers.answering import Found, find_answer, reading_of
from retriever.answers.choices.comparatives import AMOUNTS, RECENT
from retriever.answers.choices.values import _amounts
from retriever.answers.columns.features import INDEX
from retriever.answers.ranker import load_ranker, score
from retriever.answers.reading import best_of
from retriever.context import Context
from retriever.searcher import Searcher
from retriever.session import Session
from tests.worlds import write_records
from weft.skb import Skb

TEXTS = {
    "Marlin Queen": "Launched in 1850, the Marlin Queen is a ship of 900 tonnes. She makes 9 knots with 12 sails.",
    "Teal Duke": "Launched in 1900, the Teal Duke is a ship of 200 tonnes. She makes 21 knots with 8 sails.",
    "Arn Bridge": "Opened in 1890, the Arn Bridge, 418 metres long with 30 arches, crosses the Arn.",
    "Bel Bridge": "Opened in 1700, the Bel Bridge is 1.2 kilometres long and has 9 arches.",
    "Kelda": "At Kelda the coldest temperature ever measured was -58.4 degrees. Its ice is 1.1 metres thick. "
    "It covers 900 square kilometres and has a population of 40.",
    "Gull Works": "The Gull Works, a foundry of 1851, has 41,000 bricks in its stack and keeps 340 workers.",
    "Ness Mill": "Ness Mill turns out 90,000 yards a year. It employs 85 workers.",
    "Grey Tarn": "The Grey Tarn is 12 metres deep.",
    "Lines": "The branch to Quenby, surveyed in 1840, opened in 1872. The branch to Holm, planned in 1851, opened in "
    "1865. In 1986 the sheds were built. The stables had been built in 1901.",
    "Glazes": "The red glaze was mixed in 1950 and costs 4 crowns. The blue glaze was mixed in 1962, for 3 crowns.",
    "Climbs": "The peak was first climbed in 1902 by a woman, Ada Orr. In 1874 a man, Bo Lund, had turned back.",
    "Orme": "At Orme the coldest temperature ever measured was -20 degrees. "
    "It covers 20 square kilometres and has a population of 7,000.",
}


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    folder = tmp_path_factory.mktemp("amounts")
    write_records(folder / "pages.jsonl", [{"title": title, "text": text} for title, text in TEXTS.items()])
    build(Request((f"jsonl:{folder / 'pages.jsonl'}",), folder / "kb.skb", workers=1))
    with Skb(folder / "kb.skb") as skb, Session(Context(skb)) as session:
        yield Searcher(session, "hybrid")


@pytest.fixture
def ask(searcher: Searcher) -> Callable[[str], Found]:
    return lambda question: find_answer(searcher, question)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which ship is heavier, Marlin Queen or Teal Duke?", "Marlin Queen"),
        ("Which ship is lighter, Marlin Queen or Teal Duke?", "Teal Duke"),
        ("Which ship is faster, Marlin Queen or Teal Duke?", "Teal Duke"),
        ("Which place is colder, Kelda or Orme?", "Kelda"),
        ("Which place is warmer, Kelda or Orme?", "Orme"),
        ("Which ship is older, Marlin Queen or Teal Duke?", "Marlin Queen"),
        ("Which bridge is longer, Arn Bridge or Bel Bridge?", "Bel Bridge"),
        ("Which bridge was opened first, Arn Bridge or Bel Bridge?", "Bel Bridge"),
        ("Is the Arn Bridge longer than the Bel Bridge?", "no"),
        ("Which was opened first, the bridge with 9 arches or the bridge with 30 arches?", "bridge with 9 arches"),
        ("Which is older, the foundry with 340 workers or the ship of 200 tonnes?", "foundry with 340 workers"),
        ("Can the Marlin Queen set fewer sails than the Teal Duke?", "no"),
        ("Which has more workers, the Gull Works or Ness Mill?", "Gull Works"),
        ("Which has more workers, Ness Mill or the Gull Works?", "Gull Works"),
        ("Which has fewer workers, Ness Mill or the Gull Works?", "Ness Mill"),
        ("Which bridge has more arches, the Bel Bridge or the Arn Bridge?", "Arn Bridge"),
        ("Which place has the larger population, Kelda or Orme?", "Orme"),
        ("Which place has the smaller population, Orme or Kelda?", "Kelda"),
        ("Does Ness Mill have more workers than the Gull Works?", "no"),
    ],
)
def test_amounts_of_one_measure_are_compared(ask: Callable[[str], Found], question: str, answer: str) -> None:
    found = ask(question)
    assert found.answer.text == answer
    assert len({citation.uri for citation in found.answer.citations}) >= 2


@pytest.mark.parametrize("word", ["broader", "hotter", "cheaper"])
def test_a_comparison_of_what_no_page_tells_is_not_answered(ask: Callable[[str], Found], word: str) -> None:
    found = ask(f"Which bridge is {word}, Arn Bridge or Bel Bridge?")
    assert found.answer.text is None
    assert found.nearest


def test_nothing_is_compared_by_numbers_of_other_things(ask: Callable[[str], Found]) -> None:
    assert ask("Which has more windows, the Gull Works or Ness Mill?").answer.text is None


def test_two_rows_of_one_table_are_compared(tmp_path: Path) -> None:
    rows = "| Free List | 18 | Ada Orr |\n| Green Alp | 2 | Bo Lunn |\n"
    table = f"| Party | Seats | Leader |\n| --- | --- | --- |\n{rows}"
    (tmp_path / "council.md").write_text(f"# Council\n\nIt has two parties.\n\n{table}", encoding="utf-8")
    build(Request((str(tmp_path / "council.md"),), tmp_path / "kb.skb", workers=1))
    with Skb(tmp_path / "kb.skb") as skb, Session(Context(skb)) as session:
        searcher = Searcher(session, "hybrid")
        for question, answer in (
            ("Which party has more seats in the Council, the Free List or Green Alp?", "Free List"),
            ("Which party has fewer seats in the Council, the Free List or Green Alp?", "Green Alp"),
            ("Which party has more bells, the Free List or Green Alp?", None),
        ):
            assert find_answer(searcher, question).answer.text == answer


def test_who_has_a_role_is_compared_by_the_row(tmp_path: Path) -> None:
    rows = "| Moira Pell | Head teacher | 1964 | 1992 |\n| Owen Prout | Secretary | 1959 | 2001 |\n"
    table = f"| Name | Role | Born | Joined |\n| --- | --- | --- | --- |\n{rows}"
    (tmp_path / "staff.md").write_text(f"# Staff\n\nThe school has two of them.\n\n{table}", encoding="utf-8")
    build(Request((str(tmp_path / "staff.md"),), tmp_path / "kb.skb", workers=1))
    with Skb(tmp_path / "kb.skb") as skb, Session(Context(skb)) as session:
        searcher = Searcher(session, "hybrid")
        for question, answer in (
            ("Who joined first, the secretary or the head teacher?", "head teacher"),
            ("Who joined later, Owen Prout or the head teacher?", "Owen Prout"),
            ("Who is older, Owen Prout or Moira Pell?", "Owen Prout"),
        ):
            assert find_answer(searcher, question).answer.text == answer


@pytest.mark.parametrize(
    "question",
    ["Which of the glazes is more durable, the red glaze or the blue glaze?",
     "Which was closed first, the branch to Quenby or the branch to Holm?"],
)  # fmt: skip
def test_what_nothing_tells_of_both_is_not_compared(ask: Callable[[str], Found], question: str) -> None:
    assert ask(question).answer.text is None


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which opened first, the branch to Quenby or the branch to Holm?", "branch to Holm"),
        ("Which was built first, the sheds or the stables?", "stables"),
        ("Which was mixed later, the red glaze or the blue glaze?", "blue glaze"),
    ],
)  # fmt: skip
def test_of_several_dates_that_counts_which_tells_what_is_asked(
    ask: Callable[[str], Found], question: str, answer: str
) -> None:
    assert ask(question).answer.text == answer


def test_a_man_or_a_woman_are_no_things_to_compare(searcher: Searcher) -> None:
    reading = reading_of(searcher, "Who climbed the peak first, a man or a woman?")
    assert not reading.features[:, INDEX["form_choice"]].any()


def test_an_amount_of_another_measure_is_no_answer(searcher: Searcher) -> None:
    reading, ranker = reading_of(searcher, "How deep is the Grey Tarn?"), load_ranker()
    scores = score(ranker, reading)
    assert reading.candidates[best_of(reading, scores)].text == "12 metres" and chance(ranker, reading, scores) > 0.5
    for measures, is_none in (({"mass"}, True), ({"length", "time"}, False), ({"count"}, False)):
        asked = reading.asked._replace(measures=frozenset(measures))
        assert (chance(ranker, reading._replace(asked=asked), scores) == 0) == is_none


def test_a_number_keeps_its_sign(ask: Callable[[str], Found]) -> None:
    found = ask("What is the coldest temperature ever measured at Kelda?")
    assert "-58.4 degrees" in (found.answer.text, *(text for text, _ in found.others))


def test_what_is_most_recent_is_no_amount() -> None:
    for text in ("Which opened most recently, Kell or Dune?", "Is Kell more recent than Dune?"):
        assert RECENT.search(text) and not AMOUNTS.search(text)
    assert AMOUNTS.search("Which has most arches?") and not RECENT.search("Which has most arches?")


def test_a_unit_right_behind_a_number_is_heeded() -> None:
    text = "The 500m bridge of £5m weighs 300kg, of which 12 tonnes are lamps."
    assert _amounts(text, frozenset(("mass",)), "") == [(300.0, "mass"), (12000.0, "mass")]
    assert _amounts(text, frozenset(("length",)), "") == [(500.0, "length")]
