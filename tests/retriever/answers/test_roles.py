"""Who has a role, and who did something, is told by that person's page too."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from builder.build import build
from builder.request import Request
from retriever.answers.answering import find_answer, reading_of
from retriever.answers.hops.roles import doer, holder, role_asked
from retriever.context import Context
from retriever.searcher import Searcher
from retriever.session import Session
from tests.searching import searcher_over
from weft.skb import Skb

PAGES = {
    "house": "# Clay House\n\nClay House is a pottery studio in Ostrel. It has two kilns, nine wheels and 86 members.",
    "yusuf": "# Yusuf Amber\n\nYusuf Amber is the technician of [Clay House](house.md). He was born in Tolver in 1988.",
    "petra": "# Petra Lund\n\nPetra Lund is a potter and the manager of [Clay House](house.md). She lives in Hexle.\n\n"
    "She invented the [Fog](fog.md) glaze in 2017, after a jar was spilled into a bucket.",
    "fog": "# Fog\n\nFog is a grey glaze of Clay House. A jar of it costs £9.",
    "reed": "# Reed Mill\n\nReed Mill is a film by Edda Vill.\n\nHe burned the old mill and fled to the coast.",
    "inn": "# Blue Inn\n\nThe Blue Inn is beside [Clay House](house.md). It is the technician of a mill that sleeps.",
    "edda": "# Edda Vill\n\nEdda Vill was the head cook of the Blue Inn. She was born in Larkel in 1955.",
    "ilsa": "# Ilsa Kern\n\nIlsa Kern is a weaver. She met a smith.\n\nHe carved the Salt gate of Varn in 1990.",
    "orm": "# Orm Vill\n\nOrm Vill has been the head cook of the Blue Inn since 1990. He was born in Ostrel in 1960.",
}


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    folder = tmp_path_factory.mktemp("roles")
    for name, text in PAGES.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    build(Request((str(folder),), folder / "kb.skb", workers=1))
    with Skb(folder / "kb.skb") as skb, Session(Context(skb)) as session:
        yield Searcher(session, "hybrid")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who is the technician of Clay House?", "Yusuf Amber"), ("who is the technician", "Yusuf Amber"),
        ("Who's the manager of Clay House?", "Petra Lund"),
    ],
)  # fmt: skip
def test_who_has_a_role_is_told_by_the_page_of_that_person(searcher: Searcher, question: str, answer: str) -> None:
    found = find_answer(searcher, question)
    assert found.answer.text == answer
    assert found.answer.citations[0].uri.startswith(answer)


@pytest.mark.parametrize(
    "question",
    [
        "Who is the head cook of the Blue Inn?", "Who is the treasurer of Clay House?", "What is the technician?",
        "Who is the technician of the inn?", "Who is Petra Lund?",
    ],
)  # fmt: skip
def test_nobody_has_a_role_that_no_page_or_two_pages_tell(searcher: Searcher, question: str) -> None:
    assert holder(searcher.session, question, reading_of(searcher, question).passages) is None


@pytest.mark.parametrize(
    "question", ["Who invented Fog?", "who first invented the fog glaze in 2017", "Who is the inventor of Fog?"]
)
def test_who_did_something_is_told_by_the_page_of_that_person(searcher: Searcher, question: str) -> None:
    found = find_answer(searcher, question)
    assert found.answer.text == "Petra Lund" and found.answer.citations[0].uri.startswith("Petra Lund")


@pytest.mark.parametrize(
    "question",
    ["Who invented tea?", "Who spilled a jar?", "Who was Fog?", "Who burned a mill?", "Who carved the Salt gate?"],
)
def test_nobody_did_what_no_sentence_begins_with(searcher: Searcher, question: str) -> None:
    assert doer(searcher.session, question, reading_of(searcher, question).passages) is None


def test_who_has_a_role_leads_on(searcher: Searcher) -> None:
    found = find_answer(searcher, "Where was the technician of Clay House born?")
    assert found.answer.text == "Tolver" and found.hops == (("Who is the technician of Clay House?", "Yusuf Amber"),)


def test_who_did_something_leads_on(searcher: Searcher) -> None:
    found = find_answer(searcher, "Where does the inventor of Fog live?", 0.0)
    assert found.hops[:1] == (("Who is the inventor of Fog?", "Petra Lund"),)


def test_roles_are_nouns_of_people() -> None:
    assert role_asked("Who was the first head cook of the Blue Inn?") == "cook"
    assert role_asked("Who is the river?") == role_asked("Who is Ada Orr?") == role_asked("Where is the cook?") == ""



WORKS = {
    "Low Tide": "Low Tide is a film directed by Bo Marr, with music by Ida Crane and lyrics by Tor Vane.",
    "Salt Road": "Salt Road is a song by Norwegian-Danish singer and painter Nell Hart.",
    "Grey Rain": "Grey Rain is a song by Norwegian band 7 Anchors from their first album.",
    "Ida Crane": "Ida Crane is a composer. She was born in Sarn.",
    "Bo Marr": "Bo Marr is a film director. He was born in Vess.",
    "Nell Hart": "Nell Hart is a singer. She was born in Kell.",
    "7 Anchors": "7 Anchors is a band. Norwegian bands often play in Tolver. It was founded in Ostrel.",
}


@pytest.fixture(scope="module")
def works(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    with searcher_over(tmp_path_factory.mktemp("works"), WORKS) as found:
        yield found


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where was the composer of Low Tide born?", "Sarn"), ("Where was the director of Low Tide born?", "Vess"),
        ("Where was the performer of Salt Road born?", "Kell"),
        ("Where was the performer of Grey Rain founded?", "Ostrel"),
    ],
)  # fmt: skip
def test_by_whom_a_part_of_a_work_is(works: Searcher, question: str, answer: str) -> None:
    assert find_answer(works, question).answer.text == answer
