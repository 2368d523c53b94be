"""No chunk is endless: a long text is cut into parts, by every reader alike, and nothing of it is lost."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from builder.documents.chunking import LONGEST, cut_long
from builder.documents.records import Chunk, Link
from builder.request import Summary
from retriever.datasets.gold import GoldResolver, run_text, runs
from retriever.datasets.question_files import GoldItem, Question
from tests.worlds import link, page, rows
from weft.skb import Skb

Weave = Callable[..., Summary]
SENTENCE = "The lamp of Thoon burns whale oil. "
LONG = (SENTENCE * 1500).strip()
WIKITEXT = (
    "<mediawiki xml:lang='en'><siteinfo><base>https://en.wikipedia.org/wiki/A</base></siteinfo>"
    "<page><title>Lamp</title><ns>0</ns><id>1</id><revision><id>1</id><text>{}</text></revision></page></mediawiki>"
)
READERS = {
    "a.html": lambda text: page("Lamp", text),
    "a.xml": WIKITEXT.format,
    "a.txt": lambda text: f"Lamp\n====\n\n{text}\n",
    "a.md": lambda text: f"# Lamp\n\n{text}\n",
    "a.rst": lambda text: f"Lamp\n====\n\n{text}\n",
    "a.jsonl": lambda text: json.dumps({"title": "Lamp", "text": text}) + "\n",
    "nq.jsonl": lambda text: json.dumps(
        {"example_id": 1, "document_title": "Lamp", "document_html": page("Lamp", text)}
    ),
}


def cut(text: str, kind: str = "paragraph", links: tuple[Link, ...] = ()) -> list[Chunk]:
    return list(cut_long([Chunk(-1, kind, 0, text, links)]))


@pytest.mark.parametrize("name", READERS)
def test_a_long_paragraph_is_cut_behind_sentences(tmp_path: Path, weave: Weave, name: str) -> None:
    (tmp_path / name).write_text(READERS[name](LONG), encoding="utf-8")
    weave(tmp_path / name)
    found = rows(tmp_path / "kb.skb", "SELECT part, text FROM chunk ORDER BY position")
    assert [part for part, _ in found] == [1, 2, 3]
    assert all(len(str(text)) <= LONGEST and str(text).endswith("oil.") for _, text in found)
    assert " ".join(str(text) for _, text in found) == LONG


@pytest.mark.parametrize(
    ("kind", "text", "joint"),
    [
        ("paragraph", "lamp oil " * 5000, " "),
        ("paragraph", "x" * 50_000, ""),
        ("paragraph", "灯は油を燃やす。" * 6000, ""),
        ("paragraph", "One. " + "lamp " * 9000, " "),
        ("caption", SENTENCE * 1500, " "),
        ("code", "    light(lamp)\n" * 3000, "\n"),
        ("code", "light(lamp); " * 4000, " "),
        ("definition", "lamp: what burns\n  oil: what is burnt\n" * 1200, "\n"),
        ("list", "word " * 9000, " "),
    ],
)
def test_the_parts_of_a_text_are_the_text(kind: str, text: str, joint: str) -> None:
    text = text.rstrip()
    parts = cut(text, kind)
    assert [chunk.part for chunk in parts] == list(range(1, len(parts) + 1))
    assert all(LONGEST / 2 <= len(chunk.text) <= LONGEST for chunk in parts[:-1])
    assert joint.join(chunk.text for chunk in parts) == text


@pytest.mark.parametrize("length", [LONGEST, LONGEST + 1])
def test_only_what_is_too_long_is_cut(length: int) -> None:
    assert len(cut("x" * length)) == 1 + (length > LONGEST)


def test_blanks_alone_are_no_part() -> None:
    assert [(chunk.part, chunk.text) for chunk in cut("lamp" + " " * 50_000)] == [(0, "lamp" + " " * 19_996)]


def test_links_stand_in_the_part_where_they_begin() -> None:
    text = "word " * 3999 + "lamps of oil and more " + "word " * 100
    at = text.index("lamps")
    links = (
        Link(0, 4, "First", "", "word"),
        Link(at, at + 12, "Lamp", "top", "lamps of oil"),
        Link(at + 13, at + 16, "And", "", "and"),
    )
    first, second = cut(text, links=links)
    assert first.links == (links[0], Link(at, at + 5, "Lamp", "top", "lamps"))
    assert second.links == (Link(7, 10, "And", "", "and"),)
    assert [second.text[each.start : each.end] for each in second.links] == ["and"]


def test_a_long_row_goes_on_in_the_parts_of_its_table() -> None:
    long = "oil " * 6000
    chunks = [
        Chunk(-1, "table", 1, "Year | What\n1999 | lamp"),
        Chunk(-1, "table", 2, f"Year | What\n2000 | {long.strip()}"),
        Chunk(-1, "table", 3, "Year | What\n2001 | wick"),
        Chunk(-1, "paragraph", 0, "Behind it."),
    ]
    assert [chunk.part for chunk in cut_long(chunks)] == [1, 2, 3, 4, 0]


def test_gold_is_found_in_all_parts_of_a_cut_text(tmp_path: Path, weave: Weave) -> None:
    (tmp_path / "a.html").write_text(page("Lamp", LONG, "Another one."), encoding="utf-8")
    (tmp_path / "b.html").write_text(page("Wick", "x" * 60_000), encoding="utf-8")
    weave(tmp_path)
    with Skb(tmp_path / "kb.skb") as skb:
        resolver = GoldResolver(skb, "chunk")
        for title, text, n_chunks in (("Lamp", LONG, 3), ("Wick", "x" * 60_000, 3)):
            question = Question("q", "?", (GoldItem(title=title, text=text),))
            assert len(resolver.gold_set(question).items[0]) == n_chunks
        wick = skb.page("Wick")
        assert wick is not None
        assert [len(run_text(run)) for run in runs(skb.chunks_of_page(wick.id))] == [60_002]


def test_links_of_a_long_page_are_kept(tmp_path: Path, weave: Weave) -> None:
    (tmp_path / "a.html").write_text(page("Lamp", f"{link('Oil')} {LONG} {link('Thoon')}."), encoding="utf-8")
    weave(tmp_path / "a.html")
    found = rows(
        tmp_path / "kb.skb",
        "SELECT part, substr(text, start + 1, length(anchor)), anchor, target FROM link"
        " JOIN chunk ON chunk.id = chunk_id",
    )
    assert found == [(1, "Oil", "Oil", "Oil"), (3, "Thoon", "Thoon", "Thoon")]
