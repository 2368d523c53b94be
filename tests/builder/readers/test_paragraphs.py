"""The text of a record of JSON Lines is cut at its blank lines, and its links and gold remain."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from builder.documents.paragraphs import paragraphs_of
from builder.documents.records import Chunk, Link
from retriever.datasets.gold import GoldResolver
from retriever.datasets.question_files import GoldItem, Question
from tests.worlds import rows, write_records
from weft.skb import Skb

TEXT = "Ondrel is a port.\n\nIts lamp burns oil.\n \nOpening hours\n\nThe lamp is lit at dusk."


def _cut(text: str, *anchors: str) -> list[tuple[int, str, list[str]]]:
    links = tuple(
        Link(start, start + len(anchor), "T", "", anchor) for anchor in anchors if (start := text.index(anchor)) >= 0
    )
    found = paragraphs_of(Chunk(-1, "paragraph", 0, text, links))
    return [(each.part, each.text, [each.text[link.start : link.end] for link in each.links]) for each in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One.", [(0, "One.")]),
        ("One.\nand more.", [(0, "One.\nand more.")]),
        ("\n\nOne.\n\n", [(0, "\n\nOne.\n\n")]),
        ("One.\n\nTwo.", [(1, "One."), (2, "Two.")]),
        ("One.\r\n\r\nTwo.\n\t\n\n  Three.", [(1, "One."), (2, "Two."), (3, "  Three.")]),
        ("Hours\n\nFrom ten to five.", [(0, "Hours\n\nFrom ten to five.")]),
        (TEXT, [(1, "Ondrel is a port."), (2, "Its lamp burns oil."), (3, "Opening hours\nThe lamp is lit at dusk.")]),
    ],
)
def test_blank_lines_divide_paragraphs(text: str, expected: list[tuple[int, str]]) -> None:
    assert [(part, own) for part, own, _ in _cut(text)] == expected


def test_links_stay_on_their_words() -> None:
    assert _cut("A port.\n\nThe lamp of Thoon.\n\nAt dusk it is lit.", "port", "Thoon", "dusk") == [
        (1, "A port.", ["port"]), (2, "The lamp of Thoon.", ["Thoon"]), (3, "At dusk it is lit.", ["dusk"]),
    ]  # fmt: skip
    assert _cut("The lamp\n\nof Thoon.\n\nIt is lit.", "lamp\n\nof") == [
        (1, "The lamp\n\nof Thoon.", ["lamp\n\nof"]), (2, "It is lit.", []),
    ]  # fmt: skip


def test_a_record_is_a_chunk_a_paragraph(tmp_path: Path, weave: Callable[..., object]) -> None:
    link = {"start": TEXT.index("dusk"), "end": TEXT.index("dusk") + 4, "target": "Dusk"}
    records = [{"title": "Ondrel", "text": TEXT, "links": [link]}, {"title": "Dusk", "text": "It is late."}]
    weave(write_records(tmp_path / "records.jsonl", records))
    found = rows(tmp_path / "kb.skb", "SELECT uri, part, text FROM chunk ORDER BY id")
    assert [row[:2] for row in found] == [("Dusk##1", 0), ("Ondrel##1", 1), ("Ondrel##2", 2), ("Ondrel##3", 3)]
    ((chunk, start, end),) = rows(tmp_path / "kb.skb", 'SELECT chunk_id, start, "end" FROM link')
    assert str(found[int(str(chunk)) - 1][2])[int(str(start)) : int(str(end))] == "dusk"
    with Skb(tmp_path / "kb.skb") as skb:
        whole = Question("1", "?", (GoldItem(title="Ondrel", text=TEXT),))
        assert len(GoldResolver(skb, "chunk").gold_set(whole).items[0]) == 3, "gold that is a record is found by each"


def test_many_blank_lines_and_links_take_linear_time() -> None:
    n = 40_000
    text = "ab\n\n" * n
    links = tuple(Link(4 * number, 4 * number + 2, "T", "", "ab") for number in range(n))
    start = time.process_time()
    assert len(paragraphs_of(Chunk(-1, "paragraph", 0, text, links))) == n
    paragraphs_of(Chunk(-1, "paragraph", 0, "a" + " \n" * n + " " * n + "b"))
    assert time.process_time() - start < 5
