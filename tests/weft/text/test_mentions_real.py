"""Mentions found in text from which the links were taken away, compared with those links."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from bs4 import BeautifulSoup, Tag

from tests.paths import DATA, ROOT
from weft.text.mentions import Gazetteer, Mention
from weft.text.names import link_target
from weft.text.tokens import word_counts

PAGES = ROOT / "fixtures" / "encyclopedia"

Anchor = tuple[int, int, str]


class Page(NamedTuple):
    """A page's title and its paragraphs as plain text with the links that stood in them."""

    title: str
    paragraphs: list[tuple[str, list[Anchor]]]

    def links(self) -> set[str]:
        return {target for _, anchors in self.paragraphs for _, _, target in anchors}


class Found(NamedTuple):
    page: Page
    text: str
    anchors: list[Anchor]
    mention: Mention

    def is_linked_here(self) -> bool:
        return any(
            target == self.mention.target and start < self.mention.end and self.mention.start < end
            for start, end, target in self.anchors
        )

    def is_linked_elsewhere(self) -> bool:
        """Tell whether this place leads to another page."""
        return not self.is_linked_here() and any(
            start < self.mention.end and self.mention.start < end for start, end, _ in self.anchors
        )


def paragraph(element: Tag) -> tuple[str, list[Anchor]]:
    parts: list[str] = []
    anchors: list[Anchor] = []
    length = 0
    for text in element.find_all(string=True):
        if text.find_parent(["style", "script", "sup"]):
            continue
        parent = text.find_parent("a")
        target = link_target(str(parent.get("href", "")), "encyclopedia.example") if parent else None
        if target:
            anchors.append((length, length + len(text), target.title))
        parts.append(text)
        length += len(text)
    return "".join(parts), anchors


def read_page(path: Path) -> Page | None:
    soup = BeautifulSoup(path.read_text("utf-8"), "lxml")
    heading, body = soup.find("h1"), soup.select_one(".mw-parser-output")
    if heading is None or body is None:
        return None
    return Page(heading.get_text(), [paragraph(element) for element in body.find_all(["p", "li"])])


@pytest.fixture(scope="module")
def pages() -> list[Page]:
    found = [page for path in sorted(PAGES.glob("*.html")) if (page := read_page(path))]
    if len(found) < 40:
        pytest.skip("fixtures/encyclopedia is absent")
    return found


@pytest.fixture(scope="module")
def mentions(pages: list[Page]) -> list[Found]:
    names = {page.title for page in pages} | {target for page in pages for target in page.links()}
    counts = word_counts(text for page in pages for text, _ in page.paragraphs)
    gazetteer = Gazetteer([(name, name) for name in names], counts)
    return [
        Found(page, text, anchors, mention)
        for page in pages
        for text, anchors in page.paragraphs
        for mention in gazetteer.find(text, page.title)
    ]


def share(of: Iterator[bool]) -> float:
    values = list(of)
    return sum(values) / len(values)


def test_a_mention_names_a_page_that_the_page_links_or_spells_out(mentions: list[Found]) -> None:
    right = (
        found.mention.target in found.page.links()
        or any(found.mention.target in text for text, _ in found.page.paragraphs)
        for found in mentions
    )
    assert share(right) >= 0.9


def test_a_mention_names_a_page_that_the_page_links(mentions: list[Found]) -> None:
    assert share(found.mention.target in found.page.links() for found in mentions) >= 0.75


def test_a_mention_seldom_stands_where_a_link_leads_elsewhere(mentions: list[Found]) -> None:
    """What remains is a name that several pages share, one of them without parenthesis, and redirects."""
    assert share(found.is_linked_elsewhere() for found in mentions) <= 0.07


def test_most_links_that_spell_their_title_are_found(pages: list[Page], mentions: list[Found]) -> None:
    spelled = {
        (page.title, target)
        for page in pages
        for text, anchors in page.paragraphs
        for start, end, target in anchors
        if text[start:end] == target and target != page.title
    }
    found = {(found.page.title, found.mention.target) for found in mentions}
    assert len(spelled & found) / len(spelled) >= 0.8


@pytest.fixture(scope="module")
def two_wiki() -> dict[str, str]:
    path = DATA / "2wiki" / "corpus.jsonl"
    if not path.exists():
        pytest.skip("2wiki is absent: set WEFT_DATA to the folder of real data")
    records = map(json.loads, path.read_text("utf-8").splitlines())
    return {record["title"]: record["text"] for record in records}


def test_the_second_page_of_two_hops_is_mentioned_on_the_first(two_wiki: dict[str, str]) -> None:
    gazetteer = Gazetteer([(title, title) for title in two_wiki], word_counts(two_wiki.values()))
    pairs = []
    for line in (DATA / "2wiki" / "questions.jsonl").read_text("utf-8").splitlines():
        question = json.loads(line)
        if question["type"] in ("compositional", "inference") and len(question["gold"]) == 2:
            pairs.append([gold["title"] for gold in question["gold"]])
    targets = {
        title: {mention.target for mention in gazetteer.find(two_wiki[title], title)}
        for title in {title for pair in pairs for title in pair}
    }
    # Which of the two comes first is not said.
    reached = (first in targets[second] or second in targets[first] for first, second in pairs)
    assert share(reached) >= 0.85
