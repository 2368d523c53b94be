"""Whole names: an answer that is a part of a name is given whole, and only then."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from retriever.answers.answering import reading_of
from retriever.answers.choices.whole_names import with_whole_name
from retriever.answers.ranker import Ranked
from retriever.searcher import Searcher
from tests.searching import searcher_over

PAGES = {
    "Kell Show": "The Kell Show was created by Grace M. Orr and directed by President Orrin Tasker. It was filmed "
    "by Mélissa Watt on the North Tammel River, at the Bo Lund House and at Kell University College.",
}


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Searcher]:
    with searcher_over(tmp_path_factory.mktemp("names"), PAGES) as found:
        yield found


@pytest.mark.parametrize(
    ("question", "part", "whole"),
    [
        ("Who created the Kell Show?", "M. Orr", "Grace M. Orr"),
        ("Who filmed the Kell Show?", "Watt", "Mélissa Watt"),
        ("What was the Kell Show filmed on?", "North Tammel", "North Tammel River"),
        # A title is no part of a name, and somebody is no house.
        ("Who directed the Kell Show?", "Orrin Tasker", "Orrin Tasker"),
        ("Whose house was the Kell Show filmed at?", "Bo Lund", "Bo Lund"),
        ("What was the Kell Show filmed at?", "Kell University", "Kell University"),
        # A part is asked for.
        ("What is the surname of who filmed the Kell Show?", "Watt", "Watt"),
    ],
)
def test_a_part_of_a_name_is_made_whole(searcher: Searcher, question: str, part: str, whole: str) -> None:
    reading = reading_of(searcher.direct, question)
    best = next(index for index, each in enumerate(reading.candidates) if each.text == part)
    found = with_whole_name(Ranked(reading, np.zeros(len(reading.candidates), np.float32), best, 1.0))
    assert found.candidate.text == whole
