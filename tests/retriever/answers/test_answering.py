"""Answers over the invented world: found, cited, withheld."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from builder.request import Summary
from retriever.answers.answering import Chosen, citations_of, find_answer, reading_of
from retriever.answers.columns.features import INDEX
from retriever.answers.ranker import Ranked, load_ranker, ranked, share_of
from retriever.answers.text.forms import FORMS
from retriever.answers.text.measures import measures_of
from retriever.answers.training.fit import likenesses
from retriever.context import Context
from retriever.fusion.shipped import MODELS
from retriever.fusion.store import BadFusionFile
from retriever.searcher import Searcher
from retriever.session import Session
from tests.searching import searcher_over
from weft.skb import Skb

DESIGNER = "Who designed the Quillon Bridge?"


@pytest.fixture(scope="module")
def searcher(world: Path) -> Iterator[Searcher]:
    with Skb(world) as skb, Session(Context(skb)) as session:
        yield Searcher(session, "hybrid")


def test_every_citation_is_there(searcher: Searcher) -> None:
    for question in (DESIGNER, "When did the Quillon Bridge open?", "Were Teodric Vauss and Dovrik Amsel both born?"):
        found = find_answer(searcher, question, threshold=0.0)
        assert found.answer.text is not None
        assert found.answer.citations
        for citation in found.answer.citations:
            chunk = searcher.session.skb.chunk(citation.uri)
            said = citation.text or (chunk and chunk.text)
            start, end = citation.span
            assert said and 0 <= start < end <= len(said)


def test_the_first_citation_says_the_answer(searcher: Searcher) -> None:
    found = find_answer(searcher, DESIGNER, threshold=0.0)
    chunk = searcher.session.skb.chunk(found.answer.citations[0].uri)
    assert chunk is not None
    assert found.answer.text is not None
    start, end = found.answer.citations[0].span
    assert found.answer.text in chunk.text[start:end]


def test_a_question_of_nothing_known_is_not_answered(searcher: Searcher) -> None:
    found = find_answer(searcher, "zzzz")
    assert found.answer.text is None
    assert found.answer.citations == ()


def test_nothing_is_answered_below_the_threshold(searcher: Searcher) -> None:
    assert find_answer(searcher, DESIGNER, threshold=1.1).answer.text is None


def test_what_is_disallowed_is_not_read(searcher: Searcher) -> None:
    table = searcher.session.chunk_table
    bridge = searcher.session.skb.page("Quillon Bridge")
    assert bridge is not None
    allowed = table.chunk_ids[table.pages != bridge.id]
    reading = reading_of(searcher, DESIGNER, allowed)
    assert bridge.id not in {passage.page for passage in reading.passages}


def test_choices_are_the_questions_own(searcher: Searcher) -> None:
    reading = reading_of(searcher, "Who was born earlier, Ilsabet Dorrane or Hesper Linnoway?")
    assert {each.text for each in reading.candidates} == {"Ilsabet Dorrane", "Hesper Linnoway"}
    polar = reading_of(searcher, "Does Ghasmont lie higher than Lake Obrath?")
    assert {each.text for each in polar.candidates} == {"yes", "no"}


def test_yes_or_no_cites_the_sentence_that_says_most_of_what_is_asked(searcher: Searcher) -> None:
    found = find_answer(searcher, "Was the Glass Theatre opened by Lisk Amsel?", threshold=0.0)
    assert found.answer.text in ("yes", "no")
    reading = reading_of(searcher, "Is the Quillon Bridge made of Sill limestone?")
    (yes, no), agrees = reading.candidates, reading.features[:, [INDEX["agrees"], INDEX["agrees_not"]]].tolist()
    said = reading.passages[yes.passage].text[yes.start :].split("\n")[0]
    assert "limestone" in said and (yes.text, no.text) == ("yes", "no")
    assert agrees[0][0] > 0 == agrees[0][1] and agrees[1][1] > 0 == agrees[1][0]


def test_numbers_of_another_measure_are_no_candidates(searcher: Searcher) -> None:
    reading = reading_of(searcher, "How tall is the Widow's Viaduct?")
    assert "72 metres" in {each.text for each in reading.candidates}
    assert all(measures_of(each.text) <= {"length"} for each in reading.candidates), "a bare number may measure it"
    assert find_answer(searcher, "How tall is the Widow's Viaduct?").answer.text == "72 metres"


def test_a_cell_is_told_by_its_labels(searcher: Searcher) -> None:
    reading = reading_of(searcher, "What material is the Quillon Bridge of?")
    rows = [row for row, each in enumerate(reading.candidates) if each.text == "Sill limestone"]
    assert reading.features[rows, INDEX["label"]].max() > 0


def test_the_same_question_gives_the_same_answer(searcher: Searcher) -> None:
    first = find_answer(searcher, DESIGNER)
    searcher.session.forget()
    assert find_answer(searcher, DESIGNER) == first


def test_over_entities_the_answer_is_nodes(world: Path) -> None:
    with Skb(world) as skb, Session(Context(skb)) as session:
        found = find_answer(Searcher(session, "hybrid", "entity"), DESIGNER)
        assert found.answer.kind == "nodes"
        assert all(skb.entity(each.uri) is not None for each in found.answer.citations)


def test_how_much_of_a_candidate_the_question_says(tmp_path: Path, weave: Callable[..., Summary]) -> None:
    text = "The old Quillon Bridge is built of Sill limestone, by the Quillon Bridge Plan that Orrin Tasker drew."
    (tmp_path / "Old stones.txt").write_text(text, encoding="utf-8")
    weave(f"text:{tmp_path / 'Old stones.txt'}")
    with Skb(tmp_path / "kb.skb") as skb, Session(Context(skb)) as session:
        reading = reading_of(Searcher(session, "bm25"), "Which stone is the old Quillon Bridge built of?")
    shares: dict[tuple[str, str], float] = {}
    for each, share in zip(reading.candidates, reading.features[:, INDEX["said_share"]].tolist(), strict=True):
        shares[each.text, FORMS[each.form]] = round(share, 3)
    assert shares["Sill limestone", "phrase"] == shares["Orrin Tasker", "name"] == 0
    assert shares["Quillon Bridge Plan", "name"] == 0.667
    assert shares["Old stones", "title"] == 0, "a title is said nowhere"


def test_hits_that_say_something_asked_are_cited_too(tmp_path: Path, weave_texts: Callable[..., Summary]) -> None:
    texts = {
        "Boat": "The old boat of Dray Hollin was painted by Bram Till, and then nobody used it for seven winters.",
        "Bram Till": "Bram Till was born in Pell Ordway in 1190.",
        "Lamp": "A lamp hangs in the market.",
    }
    weave_texts(texts)
    with Skb(tmp_path / "kb.skb") as skb, Session(Context(skb)) as session:
        question = "Where was Bram Till born, who painted the boat of Dray Hollin?"
        reading = reading_of(Searcher(session, "bm25"), question)
        (best,) = [index for index, each in enumerate(reading.candidates) if each.text == "Pell Ordway"]
        cited = citations_of(Chosen(Ranked(reading, np.eye(len(reading.candidates))[best], best, 1.0), 1.0))
    assert [each.uri.split("#")[0] for each in cited] == ["Bram Till", "Boat"]


def test_another_fusion_is_no_ranker_of_answers() -> None:
    with pytest.raises(BadFusionFile):
        load_ranker(MODELS / "mlp.json")


def test_likenesses_are_1_only_for_what_says_the_same(searcher: Searcher) -> None:
    candidates = reading_of(searcher, DESIGNER).candidates
    found = likenesses(candidates, ["orrin tasker."])
    assert {each.text for each, value in zip(candidates, found, strict=True) if value >= 1} == {"Orrin Tasker"}


def test_where_offers_places_alone(searcher: Searcher) -> None:
    where, when = (reading_of(searcher, f"{word} was Orrin Tasker born?").candidates for word in ("Where", "When"))
    assert "Ghasmont" in {each.text for each in where}
    assert not {FORMS[each.form] for each in where} & {"date", "year"}
    assert not {"Wenna Tarquill", "Tasker"} & {each.text for each in where}, "nobody is a place"
    assert "date" in {FORMS[each.form] for each in when}


def test_a_part_of_somebodys_name_is_no_place_and_a_life_no_day(
    tmp_path: Path, weave: Callable[..., Summary]
) -> None:
    pages = {
        "Ilvar Dorn": "<p>Ilvar Dorn (7 May 1868 – 25 October 1949) was a mason. He was born in Marrowby, as"
                      " <a href='Berit Osk.html'>Berit Ansa Osk</a> was.</p>",
        "Berit Osk": "<p>Berit Ansa Osk was a painter. She was born in Marrowby.</p>",
    }  # fmt: skip
    folder = tmp_path / "pages"
    folder.mkdir()
    for title, body in pages.items():
        (folder / f"{title}.html").write_text(f"<html><body><h1>{title}</h1>{body}</body></html>", encoding="utf-8")
    weave(str(folder))
    with Skb(tmp_path / "kb.skb") as skb, Session(Context(skb)) as session:
        searcher = Searcher(session, "hybrid")
        questions = "Where was Ilvar Dorn born?", "When was Ilvar Dorn born?", "When did Ilvar Dorn live?"
        readings = [reading_of(searcher, question) for question in questions]
        where, when, lived = (
            {each.text for each in read.candidates if read.passages[each.passage].title == "Ilvar Dorn"}
            for read in readings
        )
    assert "Marrowby" in where and not {"Osk", "Ansa", "Ansa Osk", "Berit Ansa Osk"} & where
    assert "7 May 1868" in when and "7 May 1868 – 25 October 1949" not in when
    assert "7 May 1868 – 25 October 1949" in lived


@pytest.mark.parametrize(
    "opening", ["Could you tell me ", "I would like to know ", "Please tell me ", "Does anyone know ", "I wonder, "]
)
def test_what_only_says_that_something_is_asked_changes_nothing(searcher: Searcher, opening: str) -> None:
    plain = find_answer(searcher, "who designed the Quillon Bridge?")
    assert plain.answer.text == "Orrin Tasker"
    assert find_answer(searcher, f"{opening}who designed the Quillon Bridge?") == plain


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Were Orrin Tasker and Pia Cassavent both born in Ghasmont?", "yes"),
        ("Were Orrin Tasker and Pia Cassavent both born in Ulmeskar?", "no"),
        ("Were Orrin Tasker and Teodric Vauss both born in Ghasmont?", "no"),
        ("Did Orrin Tasker and Pia Cassavent both come from Ghasmont?", "yes"),
    ],
)
def test_what_is_asked_of_both_is_told_of_each(searcher: Searcher, question: str, answer: str) -> None:
    assert find_answer(searcher, question).answer.text == answer


@pytest.mark.parametrize(("town", "answer"), [("Tamsiderre", "yes"), ("Ulmeskar", "no")])
def test_places_are_in_the_country_that_their_infobox_has(searcher: Searcher, town: str, answer: str) -> None:
    assert find_answer(searcher, f"Are Ghasmont and {town} in the same country?").answer.text == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("List the works of Ilsabet Dorrane.", "Veldra, The Reed Bride, Nine Lamps"),
        ("Which countries does the Ishkemmel cross?", "Kellumbra, Ostrevane"),
        ("Name the towns on the Veldra", "Tamsiderre, Pell Ordway"),
        ("In which town did eleven foremen set up the Guild of Deep Surveyors?", "Ghasmont"),
    ],
)
def test_what_asks_for_several_is_told_all_of_a_list(searcher: Searcher, question: str, answer: str) -> None:
    assert find_answer(searcher, question, 0.0).answer.text == answer


def test_where_somebody_was_born_is_what_is_said_right_behind_it(
    tmp_path: Path, weave_texts: Callable[..., Summary]
) -> None:
    texts = {
        "Sunniva Obrell": "Sunniva Obrell (born 1973 in Larkholm) teaches beginners at Clay Hall in Ostwick."
                          " She studied at Wren College and sells jars at the Winter Fair in Dunmere.",
        "Clay Hall": "Clay Hall is a pottery in Ostwick. Sunniva Obrell teaches there.",
    }  # fmt: skip
    weave_texts(texts)
    with Skb(tmp_path / "kb.skb") as skb, Session(Context(skb)) as session:
        searcher = Searcher(session, "hybrid")
        born, studied = (
            find_answer(searcher, f"Where {what}?", 0.0).answer.text
            for what in ("was Sunniva Obrell born", "did Sunniva Obrell study")
        )
    assert (born, studied) == ("Larkholm", "Wren College")


@pytest.mark.parametrize(("year", "is_told"), [("1207", True), ("1811", False)])
def test_another_years_sentence_is_no_answer(searcher: Searcher, year: str, is_told: bool) -> None:
    found = find_answer(searcher, f"Which bridge did Orrin Tasker finish in {year}?")
    assert (found.chance > 0) == is_told


def test_the_surest_answer_has_most_of_the_softmax(searcher: Searcher) -> None:
    reading = reading_of(searcher, DESIGNER)
    found = ranked(load_ranker(), reading)
    assert found is not None
    keys = [each.key for each in found.reading.candidates]
    shares = [share_of(found._replace(best=keys.index(key))) for key in dict.fromkeys(keys)]
    assert sum(shares) == pytest.approx(1.0) and max(shares) == share_of(found) > 0.3
    answered = find_answer(searcher, DESIGNER)
    assert answered.confidence == pytest.approx(answered.chance * answered.share) and answered.confidence > 0


def test_no_candidate_ends_with_an_article(tmp_path: Path) -> None:
    texts = {"Sluice": 'Once the "lower" gate is shut, "upper" gates open. Vitamin A keeps in the "dry" store.'}
    with searcher_over(tmp_path, texts) as searcher:
        offered = {each.text for each in reading_of(searcher, "sluice gates").candidates}
    assert "Once the" not in offered
    assert "Vitamin A" in offered
