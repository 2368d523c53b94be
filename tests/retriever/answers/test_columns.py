"""Columns of candidates are computed for all passages at once, and no passage tells anything of another's words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from retriever.answers import candidates
from retriever.answers.answering import reading_of
from retriever.answers.candidates import laid_out
from retriever.answers.columns.cells import ROWS, rows_of
from retriever.answers.columns.chains import Chains
from retriever.answers.columns.features import COLUMNS, INDEX, features_of
from retriever.answers.columns.fits import FITS, fitting_rows
from retriever.answers.columns.sentences import BESIDE, SAID, said_of
from retriever.answers.passages import Ways
from retriever.answers.reading import Reading
from retriever.context import Context
from retriever.searcher import Searcher
from retriever.session import Session
from weft.skb import Skb

QUESTIONS = (
    "Who designed the Quillon Bridge?", "In which year was the Quillon Bridge opened?",
    "How long is the Quillon Bridge?", "Which town is higher, Ghasmont or Kell?",
)  # fmt: skip


@pytest.fixture(scope="module")
def session(world: Path) -> Iterator[Session]:
    with Skb(world) as skb, Session(Context(skb)) as session:
        yield session


@pytest.fixture(scope="module", params=QUESTIONS)
def reading(session: Session, request: pytest.FixtureRequest) -> Reading:
    return reading_of(Searcher(session, "hybrid"), request.param)


def test_words_and_sentences_are_those_of_each_passage(reading: Reading) -> None:
    laid = laid_out(reading.passages, reading.candidates)
    for row, each in enumerate(reading.candidates):
        passage, at = reading.passages[each.passage], laid.first_words[each.passage]
        first, last = (laid.spans[row] - at).tolist()
        assert (first, last) == passage.words.span(each.start, max(each.end, each.start + 1))
        begin, end = laid.bounds[laid.sentences[row]]
        assert laid.of_passage[laid.sentences[row]] == each.passage
        if each.end > each.start:
            assert begin <= passage.words.starts[first] < end


def test_a_passage_alone_says_the_same_of_its_candidates(reading: Reading) -> None:
    """But for what leads there from others."""
    asked, width = reading.asked, len(reading.asked.stems)
    together = laid_out(reading.passages, reading.candidates)
    n = len(reading.passages)
    ways, chains = Ways(*np.zeros((2, n)), np.zeros((n, width)), np.zeros(n)), Chains(np.zeros((n, width)), {}, {})
    said = said_of(asked, together, ways, chains, reading.candidates) | rows_of(asked, together, reading.candidates)
    for index, passage in enumerate(reading.passages):
        own = [each._replace(passage=0) for each in reading.candidates if each.passage == index]
        if own:
            alone = laid_out([passage], own)
            ways = Ways(*np.zeros((2, 1)), np.zeros((1, width)), np.zeros(1))
            told = said_of(asked, alone, ways, Chains(np.zeros((1, width)), {}, {}), own) | rows_of(asked, alone, own)
            for name in (*SAID, *BESIDE, *ROWS):
                assert said[name][together.rows(index)] == pytest.approx(told[name], abs=1e-9), name


def test_how_much_is_looked_at_at_once_changes_nothing(
    session: Session, reading: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    args = session, reading.asked, reading.passages, reading.ways, reading.candidates
    _, at_once = features_of(*args)
    monkeypatch.setattr(candidates, "MOST_PAIRS", 1)
    laid = laid_out(reading.passages, reading.candidates)
    assert [rows for rows, _ in laid.blocks()] == [
        rows for index in range(len(reading.passages)) if (rows := laid.rows(index)).stop > rows.start
    ]
    _, one_by_one = features_of(*args)
    assert at_once.shape == (len(reading.candidates), len(COLUMNS)) and (at_once[:, INDEX["near_every"]] > 0).any()
    assert (at_once == one_by_one).all()


def test_columns_of_the_candidates_that_are_kept_are_those_among_all(session: Session, reading: Reading) -> None:
    args = session, reading.asked, reading.passages, reading.ways, reading.candidates
    every, among_all = features_of(*args)
    kept, columns = features_of(*args, strict=True)
    assert every.tolist() == list(range(len(reading.candidates))) and 0 < len(kept) <= len(every)
    assert (columns == among_all[kept]).all()


@pytest.mark.parametrize(("measures", "fits", "kept"), [
    (False, [0.9, 0.35, 0.1], [0, 1]), (True, [0.9, 0.35, 0.1], [0]), (True, [0.7, 0.35, 0.1], [0, 1]),
    (False, [0.2, 0.1], [0, 1]), (False, [], []),
])  # fmt: skip
def test_what_fits_least_is_kept_only_where_nothing_fits(
    reading: Reading, measures: bool, fits: list[float], kept: list[int]
) -> None:
    columns = np.zeros((len(fits), len(FITS)), np.float32)
    columns[:, FITS.index("fits")] = fits
    asked = reading.asked._replace(measures=frozenset({"metre"} if measures else ()))
    assert fitting_rows(asked, columns).tolist() == kept
