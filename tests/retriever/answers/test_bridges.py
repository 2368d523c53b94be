"""What no passage says alone is read onward: names beside what is asked lead to the passages that say the rest."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from retriever.answers.answering import find_answer, reading_of
from retriever.answers.asked import asked_of
from retriever.answers.bridges.names import bridging_names, mentions_of, said_below_titles
from retriever.answers.bridges.onward import DESCRIBES, MOST, read_onward
from retriever.answers.columns.chains import chains_between
from retriever.answers.columns.features import INDEX
from retriever.answers.passages import Passage, read_passages
from retriever.answers.reading import Reading
from retriever.question.reader import query_of, question_of
from retriever.searcher import Searcher
from retriever.types import Query
from tests.searching import searcher_over

INN = "In which year was the inn opened where the judge of the eel trial stayed?"
RIVERS = {
    f"Brook {name}": f"Brook {name} is a brook with trout on Mount {name}. Its judge of fish opened an inn in a year."
    for name in "Arl Bem Cosk Dorn Ell Fam Gant Holl Imm Jast Korr Lunn Morr Nask".split()
}
PAGES = {
    "Eel trial": "The eel trial was heard at Dunmar in 1928.\n\nThe judge of the trial, Alban Thirk, took rooms at the"
    " Grey Heron on Monday and walked to court.\n\nThe trial lasted nine days. The judge heard forty witnesses.",
    "Dunmar": "Dunmar is a town.\n\nThe mill was built in 1702.\n\nThe Grey Heron, the oldest inn of all, was"
    " licensed in 1611.\n\nHythe Street has a saddler.\n\nMonday is market day.",
    "Wenther": "The Wenther is a river. In Dunmar it is crossed by a bridge of seven arches.\n\nIts eels are caught in"
    " weirs. The judge of the eel show is Ada Penn.",
    "Orse Hall": "Orse Hall was designed by Ottoline Varg.",
    "Loom fire": "The Blue Loom, where the weaver of the royal sash worked, burnt down. Theresa May put the fire out.",
    "Trades": "Cloth was made by hand at the Blue\nLoom, which had forty hands.\n\nCorskmoor has no hands.\n\nIn May"
    " the Blue Loomis was sold to Theresa May of Pell.",
    "Ottoline Varg": "Ottoline Varg was an architect from Merle.\n\nShe is buried at Corsk.",
} | RIVERS  # fmt: skip


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    with searcher_over(tmp_path_factory.mktemp("bridges"), PAGES) as found:
        yield found


def hits_of(searcher: Searcher, text: str, k: int = 8) -> tuple[Query, list[Passage]]:
    """Return the passages of the best k hits alone."""
    session = searcher.session
    query = query_of(question_of(session, text), "chunk")
    return query, read_passages(session, query, searcher.rank(text, k), asked_of(session, query.question))


def led_by(reading: Reading, name: str) -> set[str]:
    """Return the texts of the passages that a name leads to."""
    return {
        reading.passages[each.target].text
        for passage in reading.passages
        for each in passage.bridges
        if passage.text[each.start : each.end] == name
    }


def test_a_name_leads_to_a_passage_that_is_no_hit(searcher: Searcher) -> None:
    query, hits = hits_of(searcher, INN, 3)
    asked = asked_of(searcher.session, query.question)
    assert not any("licensed" in each.text for each in hits), "no hit says so"
    found = read_onward(searcher.session, query, asked, hits)
    (inn,) = [each for each in found[len(hits) :] if "licensed" in each.text]
    sources = [each for each in found if any(found[bridge.target] is inn for bridge in each.bridges)]
    assert any("took rooms" in each.text for each in sources)
    assert 0 < inn.chance < max(each.chance for each in sources)
    assert [each.chunk for each in found[: len(hits)]] == [each.chunk for each in hits], "hits stay where they are"
    assert len(found) <= len(hits) + MOST


def test_the_answer_stands_where_a_name_leads(searcher: Searcher) -> None:
    assert find_answer(searcher, INN, 0.0).answer.text == "1611"


def test_the_sentence_with_the_name_is_cited_second(searcher: Searcher) -> None:
    answer, bridge, *_ = find_answer(searcher, INN, 0.0).answer.citations
    texts = [searcher.session.skb.chunk(each.uri).text[slice(*each.span)] for each in (answer, bridge)]
    assert "licensed in 1611" in texts[0] and "took rooms at the Grey Heron" in texts[1]


def test_what_is_said_before_a_name_counts_behind_it(searcher: Searcher) -> None:
    reading = reading_of(searcher, INN)
    assert any("licensed" in text for text in led_by(reading, "Grey Heron"))
    chains = chains_between(reading.passages, reading.asked)
    (inn,) = [index for index, each in enumerate(reading.passages) if "licensed" in each.text]
    assert chains.led[inn][reading.asked.stems.index("judg")] > 0
    assert chains.by_name["grey heron"][inn] @ reading.asked.every > 0


def test_names_are_those_of_the_sentences_that_say_most(searcher: Searcher) -> None:
    query, hits = hits_of(searcher, INN)
    asked = asked_of(searcher.session, query.question)
    names = bridging_names(searcher.session, hits, said_below_titles(hits, asked), asked)
    assert {"Alban Thirk", "Grey Heron"} <= {each.text for each in names}
    assert "Monday" not in {each.text for each in names}
    assert [each.worth for each in names] == sorted((each.worth for each in names), reverse=True)


WEAVER = "How many hands had the house where the weaver of the royal sash worked?"


def test_a_name_leads_on_without_its_article_and_over_line_ends(searcher: Searcher) -> None:
    led = led_by(reading_of(searcher, WEAVER), "The Blue Loom")
    assert [text for text in led if "forty" in text] and not [text for text in led if "Loomis" in text]


def test_a_surname_may_be_a_month(searcher: Searcher) -> None:
    query, hits = hits_of(searcher, "Where does she live who put out the fire where the weaver of the sash worked?")
    asked = asked_of(searcher.session, query.question)
    names = bridging_names(searcher.session, hits, said_below_titles(hits, asked), asked)
    assert "Theresa May" in {each.text for each in names}
    assert not {"May", "In May"} & {each.text for each in names}


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("Washington, D.C.", "To Washington, D.C. by train", True), ("Washington, D.C.", "Washington, D.C.s", False),
        ("東京駅", "私は東京駅に行く", True), ("The Grey Heron", "the Grey  Heron's", True),
        ("The The", "the The", True), ("C++", "in C++, as", True), ("Orr", "Orrin", False),
    ],
)  # fmt: skip
def test_mentions_are_whole(name: str, text: str, found: bool) -> None:
    assert bool(mentions_of(name).search(text)) == found


@pytest.mark.parametrize(
    ("question", "describes"),
    [
        ("When was the inn opened where he stayed?", True), ("He wrote Reeds. When was it?", True),
        ("Which inn is old?", False), ("Where did Dr. Smith live?", False), ("When was St. Orr's built?", False),
        ("It opened in 1611. Who owns it?", True), ("Who is who?", False),
    ],
)  # fmt: skip
def test_what_describes_something(question: str, describes: bool) -> None:
    assert bool(DESCRIBES.search(question)) == describes


def test_no_more_passages_are_read_onward_than_so_many(searcher: Searcher) -> None:
    question = "What is the year when the brook's judge of fish opened the inn where trout rise?"
    query, hits = hits_of(searcher, question, 1)
    found = read_onward(searcher.session, query, asked_of(searcher.session, query.question), hits)
    assert len(found) == len(hits) + MOST


def test_nobody_is_led_on_to_where_he_stands(searcher: Searcher) -> None:
    reading = reading_of(searcher, "What was old about the inn where the judge of the eel trial stayed?")
    inn = next(index for index, each in enumerate(reading.passages) if "licensed" in each.text)
    leads = {
        each.passage: reading.features[row, INDEX["leads_on"]]
        for row, each in enumerate(reading.candidates) if each.text == "Grey Heron"
    }  # fmt: skip
    assert len(leads) > 1 and leads.pop(inn) == 0 and max(leads.values()) > 0


def test_a_name_means_its_page_without_a_link(searcher: Searcher) -> None:
    query, hits = hits_of(searcher, "Where is the architect of Orse Hall buried?")
    asked = asked_of(searcher.session, query.question)
    (varg,) = [each for each in bridging_names(searcher.session, hits, said_below_titles(hits, asked), asked)
               if each.text == "Ottoline Varg"]  # fmt: skip
    (entity,) = searcher.session.skb.entities([varg.entity])
    assert entity.name == "Ottoline Varg"


@pytest.mark.parametrize(
    "question",
    [
        "Was the judge of the eel trial at the Grey Heron?", "Is the Grey Heron or the mill older?",
        "What is the Grey Heron?", "How many witnesses did the judge of the trial hear?",
    ],
)  # fmt: skip
def test_nothing_is_read_onward_where_that_tells_nothing(searcher: Searcher, question: str) -> None:
    query, hits = hits_of(searcher, question)
    found = read_onward(searcher.session, query, asked_of(searcher.session, query.question), hits)
    assert [each.chunk for each in found] == [each.chunk for each in hits]
    assert not any(each.bridges for each in found)


def test_only_what_is_allowed_is_read_onward(searcher: Searcher) -> None:
    session = searcher.session
    chunks = session.chunk_table.chunk_ids
    barred = {each.id for each in session.skb.chunks(chunks.tolist()) if "licensed" in each.text}
    allowed = np.array([each for each in chunks.tolist() if each not in barred], np.int64)
    reading = reading_of(searcher, INN, allowed)
    assert reading.passages and not any("licensed" in each.text for each in reading.passages)
