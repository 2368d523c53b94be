"""Chains: what stands on the way to a passage counts as said there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from retriever.answers.answering import reading_of
from retriever.answers.asked import Asked, flags
from retriever.answers.columns.chains import chains_between, led_between, left_open
from retriever.answers.columns.features import INDEX
from retriever.answers.reading import Reading
from retriever.answers.text.words import stems_in
from retriever.context import Context
from retriever.searcher import Searcher
from retriever.session import Session
from weft.skb import Skb

TWO_HOPS = "What was the designer of the Quillon Bridge born into?"


@pytest.fixture(scope="module")
def reading(world: Path) -> Iterator[Reading]:
    with Skb(world) as skb, Session(Context(skb)) as session:
        yield reading_of(Searcher(session, "hybrid"), TWO_HOPS)


def titled(reading: Reading) -> np.ndarray:
    return np.array([flags(stems_in(each.title), reading.asked) for each in reading.passages])


def designer(reading: Reading) -> int:
    """Return the entity that the page of the bridge links to beside "designed"."""
    pages = [each for each in reading.passages if each.title == "Quillon Bridge"]
    before = [(link.entity, page.text[max(0, link.start - 20) : link.start]) for page in pages for link in page.links]
    return next(entity for entity, text in before if "design" in text.lower())


def test_what_stands_beside_a_link_is_said_before_what_it_leads_to(reading: Reading) -> None:
    asked, led = reading.asked, led_between(reading.passages, reading.asked)
    rows = [index for index, each in enumerate(reading.passages) if each.entity == designer(reading)]
    assert rows, "the page of the designer is read"
    before = titled(reading)[rows] @ asked.every
    assert (led[rows] @ asked.every > before).all()
    for stem in ("design", "quillon"):
        assert (led[rows][:, asked.stems.index(stem)] == 1).all(), stem
    rest = left_open(led[rows[0]], asked)
    assert rest.sum() == pytest.approx(1) and rest[asked.stems.index("design")] == 0
    assert asked.stems[int(rest.argmax())] == "birth", "which born tells"


def test_a_chain_begins_with_a_title_and_never_says_less(reading: Reading) -> None:
    led, titles = led_between(reading.passages, reading.asked), titled(reading)
    assert (led >= titles).all() and (led <= 1 + 1e-6).all()
    linked = {link.entity for each in reading.passages for link in each.links}
    unlinked = [index for index, each in enumerate(reading.passages) if each.entity not in linked]
    assert (led[unlinked] == titles[unlinked]).all()


def test_nothing_is_left_open_where_all_is_said(reading: Reading) -> None:
    asked: Asked = reading.asked
    assert not left_open(np.ones(len(asked.stems)), asked).any()
    assert left_open(np.zeros(len(asked.stems)), asked) == pytest.approx(asked.every / asked.every.sum())


def test_a_link_leads_on_by_what_its_page_means(reading: Reading) -> None:
    chains = chains_between(reading.passages, reading.asked)
    own = [each.means.max(0) for each in reading.passages if each.entity == designer(reading)]
    assert chains.onward[designer(reading)] == pytest.approx(np.max(own, axis=0))
    column = reading.features[:, INDEX["leads_on"]]
    named = np.array([each.entity == designer(reading) for each in reading.candidates])
    elsewhere = np.array([reading.passages[each.passage].entity != designer(reading) for each in reading.candidates])
    assert column[named & elsewhere].max() > 0 and not column[named & ~elsewhere].any()
