"""Questions over several hops without a language model: what is described, and the answer by way of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from builder.request import Summary
from retriever.answers import reading
from retriever.answers.answering import find_answer, reading_of
from retriever.answers.hops import asking, bridge
from retriever.answers.hops.entities import entity_named
from retriever.answers.hops.kin.steps import in_steps
from retriever.answers.hops.nested import descriptions
from retriever.answers.ranker import ranker_of
from retriever.context import Context
from retriever.searcher import Searcher
from retriever.session import Session
from retriever.types import QueryMention
from tests.searching import searcher_over
from weft.skb import Skb


@pytest.fixture(scope="module")
def searcher(world: Path) -> Iterator[Searcher]:
    with Skb(world) as skb, Session(Context(skb)) as session:
        yield Searcher(session, "hybrid")


def described(text: str, *names: str) -> list[tuple[str, str]]:
    """Return what each description asks, and the question with Y in its place."""
    weights = np.array([1.0], np.float32)
    mentions = [
        QueryMention(text.index(name), text.index(name) + len(name), name, np.array([number]), weights, "name")
        for number, name in enumerate(names, 1)
    ]
    return [(each.asks, each.filled(text, "Y")) for each in descriptions(text, mentions)]


@pytest.mark.parametrize(
    ("text", "name", "asks", "filled"),
    [
        ("Where did Ada Orr's husband die?", "Ada Orr", "Who is the husband of Ada Orr?", "Where did Y die?"),
        ("How deep is the Boaters' lake?", "Boaters", "What is the lake of the Boaters?", "How deep is Y?"),
        ("For what did Ada Orr's last pupil get a medal?", "Ada Orr", "Who is the last pupil of Ada Orr?",
         "For what did Y get a medal?"),
        ("For how many nights did Ada Orr's play run?", "Ada Orr", "What is the play of Ada Orr?",
         "For how many nights did Y run?"),
        ("Who is the mother of the director of film Reed (Film)?", "Reed (Film",
         "Who is the director of film Reed?", "Who is the mother of Y?"),
        ("Where was the mother of the director of Reed born?", "Reed", "Who is the director of Reed?",
         "Where was the mother of Y born?"),
        ("When did nurses soothe Ada Orr's husband?", "Ada Orr", "Who is the husband of Ada Orr?",
         "When did nurses soothe Y?"),
        ("Where did the man who kept Reed Light die. He was old", "Reed Light", "Who is the man who kept Reed Light?",
         "Where did Y die. He was old"),
        ("what was Ada Orr's wife's job", "Ada Orr", "Who is the wife of Ada Orr?", "what was Y's job"),
        ("In what year did the wife of the man who kept Reed Light take over an inn?", "Reed Light",
         "Who is the man who kept Reed Light?", "In what year did the wife of Y take over an inn?"),
        ("When did trains reach the town where the Reed stands?", "Reed", "What is the town where the Reed stands?",
         "When did trains reach Y?"),
        ("Where was the founder who built the Reed born?", "Reed", "Who is the founder who built the Reed?",
         "Where was Y born?"),
        ("Who was Ada Orr's wife betrayed by?", "Ada Orr", "Who is the wife of Ada Orr?", "Who was Y betrayed by?"),
        ("Which country is the maker of the Reed from?", "Reed", "Who is the maker of the Reed?",
         "Which country is Y from?"),
        ("What nationality is the maker of the Reed?", "Reed", "Who is the maker of the Reed?",
         "What nationality is Y?"),
        ("Was Ada Orr's wife born in Kell?", "Ada Orr", "Who is the wife of Ada Orr?", "Was Y born in Kell?"),
        ("how old is the man who kept Reed Light", "Reed Light", "Who is the man who kept Reed Light?", "how old is Y"),
        ("Who is Ada Orr's mother-in-law?", "Ada Orr", "Who is the spouse of Ada Orr?", "Who is Y's mother?"),
        ("On which island was the captain born who sailed the Reed?", "Reed", "Who is the captain who sailed the Reed?",
         "On which island was Y born?"),
        ("in which town did the man who kept Reed Light run an inn", "Reed Light",
         "Who is the man who kept Reed Light?", "in which town did Y run an inn"),
        # Nobody's page has the name.
        ("When did the husband of Nell Fenn die?", None, "Who is the husband of Nell Fenn?", "When did Y die?"),
        ("Where was the designer of the Long Arm born?", None, "Who is the designer of the Long Arm?",
         "Where was Y born?"),
    ],
)  # fmt: skip
def test_what_is_described(text: str, name: str | None, asks: str, filled: str) -> None:
    assert described(text, *filter(None, [name]))[0] == (asks, filled)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Who designed the Reed Bridge?", "Reed Bridge"),
        ("Who is the designer of the Reed Bridge?", "Reed Bridge"),
        ("What is the name of Ada Orr's husband?", "Ada Orr"),
        ("Who is the older, Ada Orr's husband or Bram Till?", "Ada Orr"),
        ("Is Ada Orr the designer of the Reed Bridge?", "Reed Bridge"),
        ("Are the directors of Reed (Film) and Salt from the same country?", "Reed (Film"),
        ("What is the name of Reed Bridge?", "Reed Bridge"),
        ("When did Reed Bridge become a member of CORB?", "Reed Bridge"),
        ("Who is the designer of the Reed Bridge in Kell?", "Reed Bridge"),
        ("who was the designer of Reed Bridge that was opened in 1894", "Reed Bridge"),
    ],
)
def test_what_asks_no_more_than_that_is_one_hop(text: str, name: str) -> None:
    assert described(text, name) == []


def test_the_last_description_is_answered_first() -> None:
    text = "Who is the wife of the man who taught the composer of Reed?"
    assert [asks for asks, _ in described(text, "Reed")][:2] == [
        "Who is the composer of Reed?", "Who is the man who taught the composer of Reed?",
    ]  # fmt: skip


def test_what_a_name_means_need_not_be_sure() -> None:
    text = "Where was the treasurer of the Walkers born?"
    start = text.index("Walkers")
    mention = QueryMention(start, start + 7, "walkers", np.array([3]), np.array([0.3], np.float32), "name")
    (found,) = descriptions(text, [mention])
    assert (found.asks, found.filled(text, "Y")) == ("Who is the treasurer of the Walkers?", "Where was Y born?")
    assert not len(found.anchors)


def test_kin_of_one_step_is_not_taken_apart() -> None:
    assert in_steps("father") == in_steps("last pupil") == ()
    assert in_steps("Paternal Grandfather") == ("father", "father")


def test_an_answer_tells_the_way_to_it(searcher: Searcher) -> None:
    found = find_answer(searcher, "In which town was the designer of the Quillon Bridge born?")
    assert found.answer.text == "Ghasmont"
    assert found.hops == (("Who is the designer of the Quillon Bridge?", "Orrin Tasker"),)
    first, second, *_ = found.answer.citations
    chunks = [searcher.session.skb.chunk(each.uri) for each in (first, second)]
    said = [chunk.text[slice(*each.span)] for chunk, each in zip(chunks, (first, second), strict=True) if chunk]
    assert "Ghasmont" in said[0]
    assert "Orrin Tasker" in said[1]
    assert first.uri.startswith("Orrin Tasker")
    assert second.uri.startswith("Quillon Bridge")


def test_two_descriptions_are_answered_one_after_the_other(searcher: Searcher) -> None:
    question = "How many inhabitants has the birthplace of the naturalist who described the Obrath eel?"
    found = find_answer(searcher, question, 0.4)
    assert found.answer.text == "640"
    assert [answer for _, answer in found.hops] == ["Hesper Linnoway", "Dray Hollin"]


def test_what_is_described_must_be_what_the_noun_says(searcher: Searcher) -> None:
    # Its page names a lake where the stone is from; nothing carved stands there.
    assert find_answer(searcher, "What is carved on the bow of the Patient Margin?", 0.0).hops == ()


@pytest.mark.parametrize("asked", ["Where", "When"])
def test_no_way_leads_back_to_whom_it_came_by(searcher: Searcher, asked: str) -> None:
    # The page of his wife tells of her father without a name, and of him with one.
    found = find_answer(searcher, f"{asked} was Orrin Tasker's father-in-law born?")
    assert found.answer.text is None
    assert "Orrin Tasker" not in [answer for _, answer in found.hops]


def test_only_what_may_be_read_leads_on(searcher: Searcher) -> None:
    filtered = Searcher(searcher.session, "hybrid")
    page = [chunk for chunk in searcher.session.skb.chunks(searcher.session.chunk_table.chunk_ids.tolist())
            if not chunk.uri.startswith("Quillon Bridge")]  # fmt: skip
    filtered.allowed = np.array(sorted(chunk.id for chunk in page), np.int64)
    found = find_answer(filtered, "In which town was the designer of the Quillon Bridge born?", 0.0)
    assert all("Quillon Bridge" not in each.uri.split("#")[0] for each in found.answer.citations)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Was the designer of the Quillon Bridge born in Ghasmont?", "yes"),
        ("Was the designer of the Quillon Bridge born in Tamsiderre?", "no"),
        ("Was Orrin Tasker's wife born in Tamsiderre?", "yes"),
        ("Did the composer of the opera Veldra study with Šavrénka Tolmi?", "yes"),
    ],
)
def test_yes_or_no_is_asked_of_who_is_described(searcher: Searcher, question: str, answer: str) -> None:
    found = find_answer(searcher, question)
    assert found.answer.text == answer
    assert len(found.hops) == 1


def test_no_second_best_answer_is_followed(tmp_path: Path, weave_texts: Callable[..., Summary]) -> None:
    texts = {
        "Casimir Dole": "Casimir Dole (1822 – 1899) was a shipbuilder. He married Henrike Aust in 1850. Ilka Sorren was"
                        " his daughter.",
        "Ilka Sorren": "Ilka Sorren (1 May 1852 – 14 February 1931) was a singer. Her father was Casimir Dole.",
    }  # fmt: skip
    weave_texts(texts)
    with Skb(tmp_path / "kb.skb") as skb, Session(Context(skb)) as session:
        searcher = Searcher(session, "hybrid")
        wife, daughter = (
            find_answer(searcher, f"When did the {kin} of Casimir Dole die?", 0.0) for kin in ("wife", "daughter")
        )
    assert wife.hops == (), "his wife has no page"
    assert daughter.hops == (("Who is the daughter of Casimir Dole?", "Ilka Sorren"),)
    assert daughter.answer.text == "14 February 1931"


def test_much_that_is_described_costs_few_readings(searcher: Searcher, monkeypatch: pytest.MonkeyPatch) -> None:
    read = []
    monkeypatch.setattr(asking, "read", lambda *given: read.append(1) or reading.read(*given))
    find_answer(searcher, "Where did " + "Orrin Tasker's wife, the designer of the Quillon Bridge, " * 10 + "die?")
    assert 0 < len(read) <= bridge.MOST_READ


def test_a_name_without_a_page_is_looked_for_on_all_pages(tmp_path: Path, weave_texts: Callable[..., Summary]) -> None:
    texts = {
        "Ada Orr": "Ada Orr was a painter. She was born in Ghasmont Ferry on 3 May 1880, and died in Kellumbra.",
        "Railways of the Veldra": "The first trains reached Ghasmont Ferry in 1871, and Tamsiderre in 1874.",
    }
    weave_texts(texts)
    with Skb(tmp_path / "kb.skb") as skb, Session(Context(skb)) as session:
        question = "When did trains reach Ada Orr's birthplace?"
        plain = Searcher(session, "hybrid(hops=no)").ranker
        way, described, _ = bridge.bridged(session, plain, ranker_of(session), question, {}, None)
    assert way is not None and not way.is_sure
    assert [(hop.asks, hop.answer) for hop in way.hops] == [("What is the birthplace of Ada Orr?", "Ghasmont Ferry")]
    assert way.last.candidate.text == "1871"
    assert list(described) == [], "nothing says that it is a birthplace"


def test_the_beginning_of_an_anchor_is_what_the_anchor_links_to(tmp_path: Path, weave: Callable[..., Summary]) -> None:
    pages = {
        "Ilvar Dorn": "<p>Ilvar Dorn, a knight, was the son of <a href='Sewald IV, Count of Dorn.html'>Sewald IV, Count"
                      " of Dorn</a>, and of Berit Osk.</p>",
        "Sewald IV, Count of Dorn": "<p>Sewald IV, Count of Dorn, was a count. He died in Tamsiderre in 1188.</p>",
    }  # fmt: skip
    folder = tmp_path / "pages"
    folder.mkdir()
    for title, body in pages.items():
        (folder / f"{title}.html").write_text(f"<html><body><h1>{title}</h1>{body}</body></html>", encoding="utf-8")
    weave(str(folder))
    with Skb(tmp_path / "kb.skb") as skb, Session(Context(skb)) as session:
        read = reading_of(Searcher(session, "hybrid"), "Who is the father of Ilvar Dorn?")
        (short,) = (each for each in read.candidates if each.text == "Sewald IV" and read.passages[each.passage].links)
        assert short.entity == 0
        entity = entity_named(session, read.passages, short)
        assert session.uris("entity", [entity]) == ["Sewald IV, Count of Dorn"]


def test_a_row_leads_to_the_page_that_it_links_to(tmp_path: Path, weave: Callable[..., Summary]) -> None:
    pages = {
        "Vess Rescue": "<table class='infobox'><tr><th>Founder</th><td><a href='Ada Orr.html'>Ada Orr</a></td></tr>"
                       "</table><p>The Vess Rescue brings walkers home.</p>",
        "Ada Orr": "<table class='infobox'><tr><th>Born</th><td>9 June 1898, Lower Hallin</td></tr></table>"
                   "<p>Ada Orr was a doctor in Skarrow.</p>",
    }  # fmt: skip
    (tmp_path / "pages").mkdir()
    for title, body in pages.items():
        html = f"<html><body><h1>{title}</h1>{body}</body></html>"
        (tmp_path / "pages" / f"{title}.html").write_text(html, encoding="utf-8")
    weave(str(tmp_path / "pages"))
    with Skb(tmp_path / "kb.skb") as skb, Session(Context(skb)) as session:
        found = find_answer(Searcher(session, "hybrid"), "Where was the founder of the Vess Rescue born?")
    assert found.answer.text == "Lower Hallin"
    assert [answer for _, answer in found.hops] == ["Ada Orr"]


@pytest.mark.parametrize(
    "question",
    ["Which university did the mason of Tollgate Bridge attend?", "Where was the mason of Tollgate Bridge born?"],
)
def test_whom_a_question_asks_about_is_no_answer(tmp_path: Path, weave: Callable[..., Summary], question: str) -> None:
    path = tmp_path / "Tollgate Bridge.txt"
    path.write_text(
        "Tollgate Bridge is a bridge of four arches in Marrowby. The mason in charge was Piers Halloway."
        " It was opened by the mayor on 3 June 1888.", encoding="utf-8",
    )  # fmt: skip
    weave(f"text:{path}")
    with Skb(tmp_path / "kb.skb") as skb, Session(Context(skb)) as session:
        searcher = Searcher(session, "hybrid")
        mason = find_answer(searcher, "Who was the mason of Tollgate Bridge?", 0.0).answer.text
        found = find_answer(searcher, question)
    assert mason == "Piers Halloway"
    assert found.answer.text is None
    assert "Piers Halloway" not in dict(found.others)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who coached the 1951 Kell Cup winners?", "Otto Prane"),
        ("When was the winner of the Kell Cup in 1964 founded?", "1902"),
    ],
)
def test_who_won_is_a_hop(tmp_path: Path, question: str, answer: str) -> None:
    pages = {
        "Kell Cup": "The Kell Cup is a football cup.\n\n## Finals\n\n| Year | Winner | Runner-up |\n|---|---|---|\n"
        "| 1951 | Dune Miners | Kell Rovers |\n| 1964 | Orse Athletic | Dune Miners |",
        "Dune Miners": "Dune Miners are a football club. They were founded in 1888. Otto Prane coached them.",
        "Orse Athletic": "Orse Athletic are a football club. They were founded in 1902. Ida Lund coached them.",
    }
    with searcher_over(tmp_path, pages) as searcher:
        found = find_answer(searcher, question)
    assert found.answer.text == answer and len(found.hops) == 1
