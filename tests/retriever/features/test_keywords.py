"""Keywords: which questions are some, and what ranks first for them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from builder.build import build
from builder.request import Request
from retriever.context import Context
from retriever.explanation import explain
from retriever.features.keywords import BM25, COVER, UNDER, WORTH, are_keywords, keywords_gained
from retriever.features.matrix import FIRST
from retriever.rankers.hybrid import Hybrid
from retriever.searcher import Searcher
from retriever.session import Session
from weft.skb import Skb

PAGES = {
    "Signals": "## Buoys\n\nA signal is sent each hour.\n\n## Lamps\n\nThe lamp of a buoy is dimmed while the mooring "
    "is hauled. Hauling a mooring takes two boats, and the lamp is dimmed again for each of them.\n",
    "Moorings": "## Mooring\n\nEach one has a number.\n\n## Numbers\n\nNumbers are painted on both sides.\n",
    "Dimmed lights": "## Dimmed\n\nNothing is dimmed by day.\n\n## Hauled\n\nRopes are hauled by hand.\n",
}  # fmt: skip
KEYWORDS = "mooring dimmed hauled"


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    folder = tmp_path / "manual"
    folder.mkdir()
    for title, text in PAGES.items():
        (folder / f"{title}.md").write_text(f"# {title}\n\n{text}", encoding="utf-8")
    build(Request((str(folder),), tmp_path / "kb.skb", workers=1))
    with Skb(tmp_path / "kb.skb") as opened:
        yield Session(Context(opened))


def rows(**columns: list[float]) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    raw = np.zeros((len(columns["bm25"]), len(FIRST)), np.float32)
    for name, values in columns.items():
        raw[:, FIRST.index(name)] = values
    return raw


@pytest.mark.parametrize("text", ["buoy", "mooring dimmed hauled", "Buoy, lamp; mooring", "often first seen"])
def test_a_few_words_that_ask_nothing_are_keywords(text: str) -> None:
    assert are_keywords(text)


@pytest.mark.parametrize(
    "text", ["", "??", "buoy lamp?", "the buoy", "where buoy", "lamp of a buoy", "one two three four five six seven"]
)
def test_questions_phrases_and_long_texts_are_not(text: str) -> None:
    assert not are_keywords(text)
    assert keywords_gained(text, rows(bm25=[1.0], cover=[1.0])) is None


def test_more_of_the_words_gains_more_and_the_best_candidate_nothing() -> None:
    raw = rows(bm25=[10.0, 5.0, 0.0], cover=[1.0, 0.5, 0.0], under_title=[0.3, 0.6, 0.0])
    assert list(raw[:, BM25]) == [10, 5, 0] and list(raw[:, COVER]) == [1, 0.5, 0] and raw[:, UNDER].max() < 0.7
    gained = keywords_gained(KEYWORDS, raw)
    assert gained is not None and gained.tolist() == pytest.approx([0, -WORTH, -2 * WORTH])


def test_what_a_title_and_heading_say_is_not_asked_by_keywords() -> None:
    assert keywords_gained(KEYWORDS, rows(bm25=[10.0, 5.0], cover=[1.0, 0.5], under_title=[0.0, 1.0])) is None


def test_candidates_without_any_of_the_words_gain_alike() -> None:
    gained = keywords_gained(KEYWORDS, rows(bm25=[0.0, 0.0], cover=[0.0, 0.0]))
    assert gained is not None and gained.tolist() == [0, 0]
    assert keywords_gained(KEYWORDS, rows(bm25=[], cover=[])) is None


def test_the_text_with_all_words_comes_before_headings_with_one(session: Session) -> None:
    searcher = Searcher(session, "hybrid(hops=no)")
    found = searcher.rank(KEYWORDS, 3)
    assert session.uris("chunk", found.ids.tolist())[0] == "Signals#Lamps##1"
    assert isinstance(searcher.ranker, Hybrid)
    scored = searcher.ranker.scored(session, searcher.query(KEYWORDS))
    alone = scored.candidates.pool.ids[[(scored.scores - scored.gained["words"]).argmax()]]
    assert session.uris("chunk", alone.tolist()) == ["Dimmed lights#Hauled##1"]


def test_an_explanation_tells_what_keywords_add(session: Session) -> None:
    searcher = Searcher(session, "hybrid")
    first, *others = explain(searcher, KEYWORDS, searcher.rank(KEYWORDS, 3))
    (words,) = [each for each in first if each.name == "words"]
    assert words.contribution > WORTH
    assert all(each.contribution < words.contribution for own in others for each in own if each.name == "words")


def test_a_heading_still_finds_its_section(session: Session) -> None:
    assert session.uris("chunk", Searcher(session, "hybrid").rank("dimmed lights", 1).ids.tolist()) == [
        "Dimmed lights#Dimmed##1"
    ]
