"""Yes/no questions and comparisons are judged by what rows and sentences of the pages tell."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import weft
from retriever.answers.choices.alternatives import about
from retriever.answers.choices.claims import Claim, content
from retriever.answers.choices.comparison import THAN
from retriever.answers.choices.signs import sign_of

PAGES = {
    "Ada Finch": ({"Born": "1580, Harrowgate", "Died": "1641, Ostwick"}, "She built locks for the town of Dunmere."),
    "Osk": ({}, "Osk was a clerk. He was born in Dunmere and died in Harrowgate."),
    "Old Osk": ({"Born": "2 May 1512, Harrowgate"}, "He kept the gate."),
    "Ostwick": ({"Founded": "1120", "Mayor": "Pell Orrow"}, "Ostwick is a town in the Vale of Merrow."),
    "Mara Kell": ({"Born": "3 June 1760, Ostwick"}, "Mara Kell was an architect. She designed the South Bridge."),
    "North Bridge": (
        {"Designer": "Tam Orrow", "Opened": "4 May 1790", "Length": "212 metres", "Location": "Ostwick"},
        "The North Bridge is a bridge.",
    ),
    "South Bridge": ({"Designer": "Mara Kell", "Opened": "1802", "Length": "150 metres"}, "It crosses the Vey."),
    "Harbour School": ({"Founded": "1785, Ostwick", "Founder": "Tam Orrow"}, "The Harbour School is a school."),
    "Kingsley College": ({"Established": "1699"}, "Kingsley College is a school for clerks."),
    "Weir Hall": ({"Founder": "Mara Kell, Osk"}, "Weir Hall was opened in 1770 by Tam Orrow and Pell Orrow."),
    "Pell Orrow": (
        {"Spouse": "Ada Finch", "Residence": "Dunmere"},
        "Pell Orrow was not born in Ostwick. His sister was born in Harrowgate. He lived in Dunmere. "
        "Pell Orrow married Ilsa Vane, who was born in Kell Ferry.",
    ),
    "Ilsa Vane": ({"Born": "Old Merrow", "Died": "9 May 1840, near Ostwick"}, "She moved from Harrowgate to Dunmere."),
    "Long Weir": ({"Length": "1.5 km"}, "Long Weir holds back the Vey."),
    "Weir Gate": (
        {"Material": "oak"},
        "The Weir Gate has seven lamps and 21 bars. Ilsa Vane refused the Merrow Prize. It lost 12 bars in 1802.",
    ),
    "Weir Trial": (
        {},
        "Ned Corrie and Abel Marsh were heard at the Weir Trial, and so was Cass Marsh. Corrie was not fined. "
        "In 1811 Ned Corrie was offered the Gannet Medal, and declined it. Marsh was not jailed.",
    ),
    "Weir Band": (
        {"Duration": "22 minutes", "Made": "1714"},
        "The Weir Band toured Osmark in 1778 but has never played in Kell Ferry. "
        "The Weir Band lives in Dunmere and travels to Pellmouth by boat.",
    ),
    "Vey Suite": ({"Duration": "41 minutes", "Made": "1731"}, "The Vey Suite was first played in 1722 by 90 players."),
    "Merrow Hall": ({}, "Merrow Hall is a hall in Kell Ferry. Mara Kell drew up the plans without a fee."),
    "Fell Hut": (
        {},
        "Dogs may sleep in the porch of the Fell Hut but not in the dormitory. Guests cook in the kitchen of the Fell"
        " Hut, not in the hall. The shop of the Fell Hut is open on weekdays from 10:00 to 15:00.",
    ),
    "Lock House": ({}, "Lock House was built between 1700 and 1720. It was designed by Tam Orrow in the Weir War."),
}


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[weft.KnowledgeBase]:
    folder = tmp_path_factory.mktemp("statements")
    for title, (rows, text) in PAGES.items():
        table = "".join(f"<tr><th>{label}</th><td>{value}</td></tr>" for label, value in rows.items())
        (folder / f"{title}.html").write_text(
            f"<title>{title}</title><h1>{title}</h1><table class='infobox'>{table}</table><p>{text}</p>"
        )
    path = Path(f"{folder}.skb")
    weft.build(folder, output=path)
    with weft.open(path) as opened:
        yield opened


@pytest.mark.parametrize(
    ("question", "answer", "cited"),
    [
        ("Was Ada Finch born in Harrowgate?", "yes", "Born | 1580, Harrowgate"),
        ("Was Ada Finch born in Ostwick?", "no", "Born | 1580, Harrowgate"),
        ("Did Ada Finch die in Ostwick?", "yes", "Died | 1641, Ostwick"),
        ("Did Ada Finch die in Harrowgate?", "no", "Died | 1641, Ostwick"),
        ("Was Ada Finch born in 1590?", "no", "Born | 1580, Harrowgate"),
        ("Was Osk born in Dunmere?", "yes", "He was born in Dunmere and died in Harrowgate."),
        ("Was Osk born in Ostwick?", "no", "He was born in Dunmere and died in Harrowgate."),
        ("Was Mara Kell born in 1761?", "no", "Born | 3 June 1760, Ostwick"),
        ("Did Mara Kell design the South Bridge?", "yes", "She designed the South Bridge."),
        ("Did Mara Kell design the North Bridge?", "no", "Designer | Tam Orrow"),
        ("Was the North Bridge designed by Mara Kell?", "no", "Designer | Tam Orrow"),
        ("Was the Harbour School founded in 1790?", "no", "Founded | 1785, Ostwick"),
        ("Was the Harbour School founded by Mara Kell?", "no", "Founder | Tam Orrow"),
        ("Was the Harbour School founded by Tam Orrow?", "yes", "Founder | Tam Orrow"),
        ("Is the North Bridge in Ostwick?", "yes", "Location | Ostwick"),
        ("Is the North Bridge longer than the South Bridge?", "yes", "Length | 212 metres"),
        ("Is the South Bridge longer than the North Bridge?", "no", "Length | 150 metres"),
        ("Was the North Bridge opened after the South Bridge?", "no", "Opened | 4 May 1790"),
        ("Is the Harbour School older than Kingsley College?", "no", "Founded | 1785, Ostwick"),
        ("Which is older, the Harbour School or Kingsley College?", "Kingsley College", "Established | 1699"),
    ],
)
def test_what_is_told_of_a_thing_decides_and_is_cited(
    kb: weft.KnowledgeBase, question: str, answer: str, cited: str
) -> None:
    found = kb.ask(question)
    assert (found.answer, found.citations[0].text[slice(*found.citations[0].span)]) == (answer, cited)


def test_a_place_that_lies_in_the_claimed_one_speaks_not_against_it(kb: weft.KnowledgeBase) -> None:
    assert kb.ask("Was Mara Kell born in the Vale of Merrow?").answer != "no"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Was Weir Hall founded by Osk?", "yes"),
        ("Was Weir Hall founded by Ada Finch?", "no"),
        ("Was Weir Hall opened by Tam Orrow?", "yes"),
        ("Was Weir Hall opened by Mara Kell?", "no"),
        ("Was Mara Kell born on 3 June 1760?", "yes"),
        ("Was Mara Kell born on 4 June 1760?", "no"),
        ("Was the North Bridge opened in May 1790?", "yes"),
        ("Was the North Bridge opened in June 1790?", "no"),
        ("Is Pell Orrow the mayor of Ostwick?", "yes"),
        ("Is Mara Kell the mayor of Ostwick?", "no"),
        ("Is Mara Kell older than Ada Finch?", "no"),
        ("Was Ada Finch born before Mara Kell?", "yes"),
    ],
)
def test_statements_are_judged(kb: weft.KnowledgeBase, question: str, answer: str) -> None:
    assert kb.ask(question, threshold=0).answer == answer


@pytest.mark.parametrize(
    ("part", "claimed", "word", "label", "value", "sign"),
    [
        ("place", "Ostwick", "born", "Born", "1580, Ostwick", 1),
        ("place", "Ostwick", "born", "Born", "1580, New Ostwick", 0),
        ("place", "Ostwick", "born", "Born", "near Dunmere", 0),
        ("place", "Ostwick", "born", "", " in Dunmere", -1),
        ("place", "Ostwick", "died", "", " in the Weir War", 0),
        ("place", "Vale of Merrow", "born", "Born", "Dunmere", 0),
        ("place", "Weir War", "died", "Died", "1641, Dunmere", 0),
        ("place", "Ostwick", "lived", "Lived", "Dunmere", 0),
        ("agent", "Osk", "founded", "Founders", "Mara Kell, Osk", 1),
        ("agent", "Ada Finch", "founded", "Founders", "Mara Kell, Osk", -1),
        ("agent", "Osk Finch", "founded", "Founder", "Osk", 0),
        ("agent", "Osk", "founded", "Founded", "Ostwick, 1580", 0),
        ("agent", "Osk", "visited", "", " by Mara Kell", 0),
        ("object", "South Bridge", "designed", "", " the North Bridge", 0),
    ],
)
def test_a_value_speaks_for_a_name_or_against_it(
    part: str, claimed: str, word: str, label: str, value: str, sign: int
) -> None:
    preposition = {"place": "in", "agent": "by"}.get(part, "")
    claim = Claim(claimed, content(claimed), (0, 0, 0), part, preposition, 0, word, False, frozenset((0,)))
    assert sign_of(claim, value, label, f"Was it {word} {preposition} {claimed}?", ()) == sign


@pytest.mark.parametrize(
    ("claimed", "word", "label", "value", "sign"),
    [
        ((1790, 0, 0), "opened", "Opened", "4 May 1790", 1),
        ((1790, 5, 4), "opened", "Opened", "May 1790", 0),
        ((1790, 6, 0), "opened", "Opened", "4 May 1790", -1),
        ((1791, 0, 0), "opened", "Opened", "1790; 1791", 1),
        ((1710, 0, 0), "built", "", " between 1700 and 1720", 0),
        ((1710, 0, 0), "built", "Built", "1700–1720", 0),
        ((1710, 0, 0), "born", "Born", "c. 1700", 0),
        ((1710, 0, 0), "visited", "Visited", "1700", 0),
    ],
)
def test_a_value_speaks_for_a_date_or_against_it(
    claimed: tuple[int, int, int], word: str, label: str, value: str, sign: int
) -> None:
    claim = Claim("", frozenset(), claimed, "date", "in", 0, word, False, frozenset((0,)))
    assert sign_of(claim, value, label, "", ()) == sign


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Was Pell Orrow born in Ostwick?", "no"),
        ("Is the North Bridge shorter than Long Weir?", "yes"),
        ("Which is longer, the North Bridge or Long Weir?", "Long Weir"),
        ("Is Weir Hall older than the North Bridge?", "yes"),
        ("Were Ada Finch and Old Osk born in the same town?", "yes"),
        ("Were Ada Finch and Mara Kell born in the same town?", "no"),
        ("Did Ada Finch and Osk die in the same town?", "no"),
        ("Does the Weir Gate have seven lamps?", "yes"),
        ("Did the Weir Band tour Osmark in 1778?", "yes"),
        ("Has the Weir Band played in Kell Ferry?", "no"),
        ("Which is longer, the Weir Band or the Vey Suite?", "Vey Suite"),
        ("Which is older, the Weir Band or the Vey Suite?", "Weir Band"),
        ("Was Ned Corrie fined at the Weir Trial?", "no"),
        ("Did Ilsa Vane accept the Merrow Prize?", "no"),
        ("Did Ned Corrie accept the Gannet Medal?", "no"),
        ("Was the North Bridge not designed by Mara Kell?", "yes"),
        ("Was the North Bridge not designed by Tam Orrow?", "no"),
        ("Wasn't the North Bridge designed by Tam Orrow?", "yes"),
        ("Did Mara Kell draw up the plans of Merrow Hall?", "yes"),
        ("Did Mara Kell get a fee for the plans of Merrow Hall?", "no"),
        ("May dogs sleep in the dormitory of the Fell Hut?", "no"),
        ("May dogs sleep in the porch of the Fell Hut?", "yes"),
        ("Do guests cook in the kitchen of the Fell Hut?", "yes"),
        ("Do guests cook in the hall of the Fell Hut?", "no"),
        ("Is the shop of the Fell Hut open at weekends?", "no"),
        ("Is the shop of the Fell Hut open on weekdays?", "yes"),
    ],
)
def test_denials_and_units_are_heeded(kb: weft.KnowledgeBase, question: str, answer: str) -> None:
    assert kb.ask(question, threshold=0).answer == answer


@pytest.mark.parametrize(
    "question",
    [
        # The page of another thing says it, or another number stands there.
        "Is the South Bridge made of oak?",
        "Was Dunmere founded by Ada Finch?",
        "Does the Weir Gate have nine lamps?",
        "Does the Weir Gate have 24 bars?",
        # It may be another Marsh.
        "Was Abel Marsh jailed at the Weir Trial?",
        # Another clause has the place.
        "Does the Weir Band live in Pellmouth?",
        # Nothing tells what Osk studied, nor how high the bridges are.
        "Did Osk study at the Harbour School?",
        "Is the North Bridge higher than the South Bridge?",
    ],
)
def test_what_no_sentence_says_whole_is_left_open(kb: weft.KnowledgeBase, question: str) -> None:
    found = kb.ask(question)
    assert (found.answer, found.chance) == (None, 0.0)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Is the Kell River longer than the Dune?", ("Kell River", "Dune")),
        ("Is the Kell Tower a taller tower than the Dune Tower?", ("Kell Tower", "Dune Tower")),
        ("Does Kell have more seats than Dune?", ("Kell", "Dune")),
    ],
)
def test_a_comparative_is_no_part_of_a_name(question: str, names: tuple[str, str]) -> None:
    found = THAN.match(question)
    assert found is not None and found.groups() == names


def test_a_name_is_of_whole_words() -> None:
    titles = ("Kellogg Works", "Joanna Lund", "Kell Works (mill)")
    pages: Any = [SimpleNamespace(title=title, heading="", entity=0) for title in titles]
    question: Any = SimpleNamespace(mentions=[])
    assert [about(name, question, pages) for name in ("Kell", "Ann", "Kell Works", "Lund")] == [(2,), (), (2,), (1,)]
