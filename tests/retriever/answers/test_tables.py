"""Rows of one table are compared; rules that forbid, numbers beside dates, and names with words that compare."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from builder.build import build
from builder.request import Request
from retriever.answers.answering import Found, find_answer, reading_of
from retriever.answers.choices.alternatives import OR
from retriever.answers.choices.counts import counted_in
from retriever.answers.text.measures import measures_asked
from retriever.context import Context
from retriever.searcher import Searcher
from retriever.session import Session
from tests.worlds import write_records
from weft.skb import Skb

HUTS = """# Huts

| Hut | Altitude | Beds | Built | Season |
| --- | --- | --- | --- | --- |
| Gannet Hut | 1,480 m | 30 | 1934 | all year |
| Wren Hut | 1,975 m | 22 | 1899 | May to October |
| Kestrel Bivouac | 3,120 m | 9 | 1976 | always open |

## Equipment

| Item | Number | Weight each |
| --- | --- | --- |
| Vacuum mattress | 5 | 7.2 kg |
| Oxygen bottle | 10 | 3.4 kg |

## Teams

| Team | Leader | Rescuers |
| --- | --- | --- |
| North | Sigrun Vale | 19 |
| South | Anselm Crowe | 16 |

## Rules

Smoking is forbidden indoors and on the terrace. Boots stay in the porch.
The kitchen of Gannet Hut is closed on Mondays.
"""
TEXTS = {
    "9 Lanterns": "9 Lanterns is a film of 1961.",
    "Harn": "Harn is a village. Its population in 2011 was 400.",
    "Lode": "Lode is a village. Its population in 2001 was 9,000.",
    "Ash Mill": "In 1912 the workers went on strike. The Ash Mill employs 80 workers.",
    "Oak Mill": "In 1905 workers built a chapel. The Oak Mill employs 700 workers.",
    "First Harn Bank": "First Harn Bank is a bank with 900 employees.",
    "Orr Bank": "Orr Bank is a bank with 50 employees.",
    "Lode Flood": "The Great Lode Flood of 1788 ruined the fen. It caused 340 deaths and damage of 2 million crowns.",
    "Ada Orr": "Ada Orr worked at Dunmere. She failed to sell her house in Dunmere. She died of cholera in 1931.",
    "Orse Yard": "The Orse Yard builds boats. Its staff grew from just 12 to 45 in 1990.",
    "Tarn Estate": "The Tarn Estate is a farm. It covers 900 hectares.",
    "A Lamp for Ada": "A Lamp for Ada is a film of 1950.",
    "Skerry": "Skerry is an island. It has an area of 900 hectares.",
    "Fell hare": "The Fell hare is a hare. It is the smallest hare known, and females are slightly heavier than males.",
    "Sound ferry": "The Sound ferry crosses Kell Sound. Dogs travel free on it.",
    "Holm": "Holm is an island. It has an area of 20 square kilometres.",
}


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    folder = tmp_path_factory.mktemp("tables")
    (folder / "huts.md").write_text(HUTS, encoding="utf-8")
    write_records(folder / "pages.jsonl", [{"title": title, "text": text} for title, text in TEXTS.items()])
    build(Request((str(folder / "huts.md"), f"jsonl:{folder / 'pages.jsonl'}"), folder / "kb.skb", workers=1))
    with Skb(folder / "kb.skb") as skb, Session(Context(skb)) as session:
        yield Searcher(session, "hybrid")


@pytest.fixture
def ask(searcher: Searcher) -> Callable[[str], Found]:
    # Below the default threshold: what is told decides here, not how sure a ranker is of it.
    return lambda question: find_answer(searcher, question, 0.3)


@pytest.fixture
def read(searcher: Searcher) -> Callable[[str], str]:
    return lambda uri: getattr(searcher.session.skb.chunk(uri), "text", "")


@pytest.mark.parametrize(
    ("question", "answer", "cited"),
    [
        ("Which hut has more beds, Gannet Hut or Wren Hut?", "Gannet Hut", "30"),
        ("Which is higher, Gannet Hut or the Kestrel Bivouac?", "Kestrel Bivouac", "3,120 m"),
        ("Is Wren Hut higher than the Kestrel Bivouac?", "no", "1,975 m"),
        ("Is the Kestrel Bivouac higher than Wren Hut?", "yes", "3,120 m"),
        ("Which is older, Gannet Hut or Wren Hut?", "Wren Hut", "1899"),
        ("Which hut was built first, Gannet Hut or Wren Hut?", "Wren Hut", "1899"),
        ("Is Gannet Hut older than Wren Hut?", "no", "1934"),
        ("Which weighs more, a vacuum mattress or an oxygen bottle?", "vacuum mattress", "7.2 kg"),
        ("Which is lighter, the vacuum mattress or the oxygen bottle?", "oxygen bottle", "3.4 kg"),
        ("Does the North team have more rescuers than the South team?", "yes", "19"),
        ("Which team has fewer rescuers, North or South?", "South", "16"),
        ("Are male Fell hares heavier than the females?", "no", "females are slightly heavier"),
        ("Are female Fell hares heavier than the males?", "yes", "females are slightly heavier"),
        ("Do I have to pay for my dog on the Sound ferry?", "no", "travel free"),
        ("Is smoking allowed on the terrace?", "no", "forbidden"),
        ("Is smoking forbidden on the terrace?", "yes", "forbidden"),
        ("Is the kitchen of Gannet Hut open on Mondays?", "no", "closed"),
        ("Is the kitchen of Gannet Hut closed on Mondays?", "yes", "closed"),
        ("Which village has the larger population, Harn or Lode?", "Lode", "9,000"),
        ("Which mill has more workers, Ash Mill or Oak Mill?", "Oak Mill", "700"),
        ("Which bank has more employees, First Harn Bank or Orr Bank?", "First Harn Bank", "900"),
        ("Which island has the larger area, Skerry or Holm?", "Holm", "20 square"),
        ("Which island has the smaller area, Holm or Skerry?", "Skerry", "900 hectares"),
        ("Which film was made first, 9 Lanterns or A Lamp for Ada?", "A Lamp for Ada", "1950"),
        ("How many deaths did the Great Lode Flood cause?", "340", "340"),
        ("In what year did Ada Orr die of cholera?", "1931", "1931"),
        ("How many staff did the Orse Yard have in 1990?", "45", "45"),
        ("How much land does the Tarn Estate cover?", "900 hectares", "900"),
    ],
)
def test_what_a_row_or_a_sentence_tells_is_the_answer(
    ask: Callable[[str], Found], read: Callable[[str], str], question: str, answer: str, cited: str
) -> None:
    found = ask(question).answer
    assert found.text == answer
    first = found.citations[0]
    text = read(first.uri)
    assert cited in text[slice(*first.span)]


def test_an_article_is_a_part_of_a_title_behind_or() -> None:
    assert OR.split("9 Lanterns or A Lamp for Ada") == ["9 Lanterns", "A Lamp for Ada"]
    assert OR.split("a vacuum mattress or an oxygen bottle") == ["a vacuum mattress", "oxygen bottle"]


def test_nobody_is_a_number_or_a_season(searcher: Searcher) -> None:
    reading = reading_of(searcher, "Who kept the Wren Hut?")
    assert not {"22", "1899", "1,975 m", "May to October"} & {each.text for each in reading.candidates}
    reading = reading_of(searcher, "When is the Wren Hut open?")
    assert "May to October" in {each.text for each in reading.candidates}


def test_a_clause_about_something_else_refuses_nothing(ask: Callable[[str], Found]) -> None:
    assert ask("Did Ada Orr teach at Dunmere?").answer.text is None


@pytest.mark.parametrize(
    ("question", "noun"),
    [
        ("Which has more employees today, A or B?", "employees"),
        ("Which has the larger number of workers, A or B?", "workers"),
        ("Which is more common, A or B?", ""),
        ("Which has at least two wagons, A or B?", ""),
        ("Which is the larger island, A or B?", ""),
    ],
)
def test_the_noun_whose_numbers_are_compared(question: str, noun: str) -> None:
    assert counted_in(question) == noun


@pytest.mark.parametrize(
    "question", ["How much rain falls in Costa Rica?", "How much payload can it carry?", "How much land did he sell?"]
)
def test_a_word_that_begins_like_a_price_asks_for_none(question: str) -> None:
    assert len(measures_asked(question)) > 1
