"""What links between the files of one source lead to."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from builder.documents import Document
from builder.sources.formats import ReadOptions
from builder.sources.inputs import Item, Source
from builder.sources.plain_text import items, parse
from builder.sources.text_titles import TitleIndex

FILES = {
    "a/index.html": "<html><title>The Harbour</title><body><p>Ships.</p></body></html>",
    "a/light.md": "# Overview\n\nThe lamp.",
    "b/light.md": "---\ntitle: Overview\n---\n\nThe lens.",
    "b/note.txt": "Tide tables\n\nHigh water at noon, low water at six.",
    "plan.htm": "<html><body><h1>Plan <b>B</b></h1><p>Dig.</p></body></html>",
    "empty.html": "",
    "data.csv": "1,2",
}


def write(folder: Path, files: Mapping[str, str]) -> list[tuple[str, Path]]:
    for place, text in files.items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_text(text, encoding="utf-8")
    return [(place, folder / place) for place in sorted(files)]


def test_a_link_target_is_a_files_title_and_its_place_where_an_earlier_file_has_it(tmp_path: Path) -> None:
    index = TitleIndex(write(tmp_path, FILES))
    assert {place: index.target(place) for place in FILES} == {
        "a/index.html": "The Harbour",
        "a/light.md": "Overview",
        "b/light.md": "Overview (b/light.md)",
        "b/note.txt": "Tide tables",
        "plan.htm": "Plan B",
        "empty.html": "Empty.html",
        "data.csv": None,
    }


@pytest.mark.parametrize(
    ("address", "target"),
    [
        ("../a/light.md", "Overview"),
        ("light.md#lens", "Overview (b/light.md)"),
        ("/plan.htm?x=1#top", "Plan B"),
        ("../plan%2Ehtm", "Plan B"),
        ("../a/", "The Harbour"),
        ("../a/index.html", "The Harbour"),
        ("../../../plan.htm", "Plan B"),
        ("gone.html", None),
        ("https://x.org/plan.htm", None),
        ("//x.org/plan.htm", None),
        ("mailto:plan.htm", None),
        ("#top", None),
        ("../data.csv", None),
    ],
)
def test_a_relative_address_is_resolved_against_its_files_folder(
    tmp_path: Path, address: str, target: str | None
) -> None:
    index = TitleIndex(write(tmp_path, FILES))
    assert dict(index.targets("b/light.md", [address])) == ({} if target is None else {address: target})


def test_a_title_given_beside_a_file_counts_where_the_file_says_none(tmp_path: Path) -> None:
    index = TitleIndex(write(tmp_path, FILES), given={"empty.html": "Nothing", "plan.htm": "Other"})
    assert (index.target("empty.html"), index.target("plan.htm")) == ("Nothing", "Plan B")


def test_markdown_links_to_files_of_one_title_are_told_apart(tmp_path: Path) -> None:
    write(tmp_path, FILES | {"b/light.md": "# Overview\n\n[one](../a/light.md), [me](light.md)."})
    write(tmp_path, {"c.md": "# Contents\n\n[one](a/light.md) and [two](b/light.md)."})
    found = {
        entry.place: parse(entry.place, entry.payload)
        for entry in items(Source("docs", "text", tmp_path), ReadOptions())
        if isinstance(entry, Item)
    }
    targets = {
        place: [link.target for chunk in document.chunks for link in chunk.links]
        for place, document in found.items()
        if isinstance(document, Document)
    }
    assert targets["c.md"] == ["Overview", "Overview (b/light.md)"]
    assert targets["b/light.md"] == ["Overview"]
