"""What a sentence says that something is, and candidates that only say again what kind of thing is asked for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from builder.build import build
from builder.request import Request, Summary
from retriever.answers.answering import find_answer, reading_of
from retriever.answers.reading import Reading
from retriever.answers.rules.contrasts import opposite
from retriever.answers.rules.identities import told_of_identities, told_of_kind_alone
from retriever.context import Context
from retriever.searcher import Searcher
from retriever.session import Session
from tests.worlds import write_records
from weft.skb import Skb

TEXTS = {
    "Brume": "The brume is the second-highest layer of the air of Orvane. It lies above the glist.",
    "Veil": "In weather lore, the veil (also the thin air) is the outermost layer of the air of Orvane. It is cold.",
    "Glist": "The glist is a layer of damp air. Each damp layer is weighed by the wardens of Orvane.",
    "Sarn": "Orvane's Sarn is the deepest lake of the isle. The largest wood of the isle is Holt Marrow, an oak wood.",
    "Marrowback": "The basic unit of marrowbacks is the string, a group of related cows led by the oldest one.",
    "Crust": "The outermost shell of the ball, called the tegmen, is thin.",
    "Hamra Mill": "Ona Brack left the mill to the wardens on the sole condition that nobody knocks at its door.",
    "Lutra": "The Lutra rises at Holt. The greatest flow, 410 cubic metres, was read in 1904; "
    "the least, 12 cubic metres, in 1911.",
    "Tarrow": "It is the oldest ferry of the isle. The Tarrow crosses twice a day.",
}


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Searcher:
    folder = tmp_path_factory.mktemp("identities")
    write_records(folder / "pages.jsonl", [{"title": title, "text": text} for title, text in TEXTS.items()])
    build(Request((f"jsonl:{folder / 'pages.jsonl'}",), folder / "kb.skb", workers=1))
    return Searcher(Session(Context(Skb(folder / "kb.skb"))), "hybrid")


def _told(reading: Reading, by: Callable[..., np.ndarray]) -> dict[str, float]:
    told = by(reading.asked, reading.passages, reading.candidates)
    return {each.text: float(value) for each, value in zip(reading.candidates, told, strict=True) if value > 0}


@pytest.mark.parametrize(
    ("question", "answer"),
    [("What is the outermost layer of the air of Orvane?", "veil"),
     ("outermost layer of the air of Orvane is called", "veil"),
     ("What is the second-highest layer of the air of Orvane?", "brume"),
     ("Which is the deepest lake of the isle?", "Sarn"), ("What is the largest wood of the isle?", "Holt Marrow"),
     ("What is the oldest ferry of the isle?", "Tarrow"),
     ("What is a group of marrowbacks called?", "string"), ("what is the outermost shell of the ball", "tegmen")],
)  # fmt: skip
def test_a_sentence_says_what_is_so(searcher: Searcher, question: str, answer: str) -> None:
    told = _told(reading_of(searcher, question), told_of_identities)
    assert max(told, key=lambda each: told[each]).lower() == answer.lower()
    assert (find_answer(searcher, question, 0.0).answer.text or "").lower() == answer.lower()


def test_another_ordinal_says_something_else(searcher: Searcher) -> None:
    assert "brume" not in _told(reading_of(searcher, "What is the highest layer of the air?"), told_of_identities)


def test_what_asks_for_a_kind_or_an_amount_is_told_by_none(searcher: Searcher) -> None:
    for question in ("What kind of layer is the veil?", "How deep is the deepest lake of the isle?"):
        assert _told(reading_of(searcher, question), told_of_identities) == {}


def test_any_thing_of_a_kind_is_none(searcher: Searcher) -> None:
    reading = reading_of(searcher, "Which layer is weighed by the wardens of Orvane?")
    assert "damp layer" in _told(reading, told_of_kind_alone)
    assert "outermost layer" not in _told(reading, told_of_kind_alone)
    assert not _told(reading_of(searcher, "What kind of layer is weighed by the wardens?"), told_of_kind_alone)


def test_what_only_says_the_noun_is_none(searcher: Searcher) -> None:
    found = find_answer(searcher, "On what condition did Ona Brack leave the mill to the wardens?", 0.0)
    assert found.answer.text == "nobody knocks at its door"


@pytest.mark.parametrize(
    ("question", "answer"),
    [("What is the smallest flow of the Lutra?", "12 cubic metres"),
     ("What is the largest flow of the Lutra?", "410 cubic metres")],
)  # fmt: skip
def test_a_superlative_is_not_its_opposite(searcher: Searcher, question: str, answer: str) -> None:
    others = _told(reading_of(searcher, question), opposite)
    assert {"12 cubic metres", "410 cubic metres"} - others.keys() == {answer}
    assert find_answer(searcher, question, 0.0).answer.text == answer


def test_a_link_inside_of_a_word_offers_the_word(tmp_path: Path, weave_texts: Callable[..., Summary]) -> None:
    page = "<h1>Orvane</h1><p>It turns counter<a href='Clockwise'>clockwise</a> about the star.</p>"
    (tmp_path / "Orvane.html").write_text(page)
    (tmp_path / "Clockwise.html").write_text("<h1>Clockwise</h1><p>Clockwise is as the hands of a clock turn.</p>")
    build(Request((str(tmp_path),), tmp_path / "kb.skb", workers=1))
    with Skb(tmp_path / "kb.skb") as skb, Session(Context(skb)) as session:
        reading = reading_of(Searcher(session, "hybrid"), "Which way does Orvane turn about the star?")
    texts = {each.text for each in reading.candidates}
    assert "counterclockwise" in texts and "clockwise" not in texts
