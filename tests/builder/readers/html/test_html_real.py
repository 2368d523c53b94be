"""Real pages: both trees agree chunk by chunk, and the chunks hold what people marked as answers."""

from __future__ import annotations

import json
import re
import tarfile
import unicodedata
from collections.abc import Iterator
from itertools import groupby

import pytest

from builder.documents.chunking import join_parts
from builder.documents.records import Chunk, Document
from builder.readers.html.page import parse_page
from tests.paths import DATA

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the real data (WEFT_DATA) is absent")
SORT_KEY = re.compile(r"[0-9]{9,}♠")
BRACKETS = re.compile(r"\[[^\[\]]{0,40}\]")
STRUCTURED = ("table", "list", "infobox", "definition")


def pages(folder: str) -> Iterator[tuple[str, bytes]]:
    if folder == "wikitables":
        with tarfile.open(DATA / folder / "pages.tar.gz") as archive:
            for member in archive:
                file = archive.extractfile(member)
                if file is not None and member.name.endswith(".html"):
                    yield member.name, file.read()
    else:
        for path in sorted((DATA / folder).rglob("*.html")):
            yield path.name, path.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("folder", "number", "step"), [("nq_earth", 19, 1), ("wikipedia_html", 6, 1), ("wikitables", 120, 4)]
)
def test_both_trees_read_a_page_alike(folder: str, number: int, step: int) -> None:
    """Compare every `step`th page by size, so that small and large ones are among them."""
    found = sorted(pages(folder), key=lambda page: (len(page[1]), page[0]))
    assert len(found) == number
    differing = [
        name for name, raw in found[::step] if parse_page(raw, name=name) != parse_page(raw, name=name, tree="bs4")
    ]
    assert differing == []


@pytest.mark.parametrize("folder", ["nq_earth", "wikipedia_html", "wikitables"])
def test_every_link_span_says_its_anchor(folder: str) -> None:
    for name, raw in pages(folder):
        document = parse_page(raw, name=name)
        wrong = [
            link
            for chunk in document.chunks
            for link in chunk.links
            if chunk.text[link.start : link.end] != link.anchor or link.anchor != link.anchor.strip()
        ]
        assert wrong == [], name


def normal(text: str) -> str:
    text = SORT_KEY.sub("", BRACKETS.sub("", unicodedata.normalize("NFKC", text)))
    return "".join(filter(str.isalnum, text.casefold()))


def passages(document: Document) -> Iterator[tuple[str, str]]:
    """Yield kind and text of each chunk, the parts of one table or list as one."""
    start = 0

    def group(numbered: tuple[int, Chunk]) -> int:
        nonlocal start
        number, chunk = numbered
        start = number if chunk.part < 2 else start
        return start

    for _, parts in groupby(enumerate(document.chunks), group):
        chunks = [chunk for _, chunk in parts]
        yield chunks[0].kind, join_parts([chunk.text for chunk in chunks])


def holds(kind: str, text: str, gold: str) -> bool:
    if gold in text:
        return kind in STRUCTURED or len(text) <= 3 * len(gold) + 200
    return len(text) * 2 >= len(gold) and text in gold


def missed_questions() -> tuple[list[str], int]:
    read = {}
    for name, raw in pages("nq_earth"):
        document = parse_page(raw, name=name)
        read[document.title] = [(kind, normal(text)) for kind, text in passages(document)]
    lines = (DATA / "nq_earth" / "questions.jsonl").read_text("utf-8").splitlines()
    questions = [question for question in map(json.loads, lines) if question["match"] == "exact"]
    missed = [
        question["id"]
        for question in questions
        for gold in question["gold"]
        if not any(holds(kind, text, normal(gold["text"])) for kind, text in read[gold["title"]])
    ]
    return missed, len(questions)


def test_chunks_hold_the_answers_that_people_marked() -> None:
    missed, questions = missed_questions()
    assert questions == 76
    assert len(missed) <= 0.03 * questions, missed
