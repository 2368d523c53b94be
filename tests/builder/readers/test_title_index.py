"""What links between the files of one source lead to."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import pytest

from builder.documents.records import Document
from builder.readers.links.file_heads import HEAD, FileHead, read_head, title_at_sight, title_of
from builder.readers.links.text_links import linked_files
from builder.readers.links.title_index import TitleIndex
from builder.readers.registry import ReadOptions
from builder.readers.source import Item, Source
from builder.readers.text.files import items, parse

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


MANY: dict[str, Callable[[int], str]] = {
    "blanks behind an opened address": lambda n: "](" + " " * n + "x",
    "blanks behind opened addresses": lambda n: ("](" + " " * 30 + "x") * (n // 30),
    "ends of lines behind an opened address": lambda n: "](" + "\n" * n + "<x",
    "opened addresses": lambda n: "](" * n,
    "dots in an opened address": lambda n: "](" + ".md" * n,
    "definitions": lambda n: "[a]:\n" * n,
    "blanks in a definition": lambda n: "[a]:" + " \t" * n,
    "opened wiki links": lambda n: "[[" * n,
    "wiki links to nothing": lambda n: "".join(f"[[no {i}]]\n" for i in range(n // 10)),
    "opened references": lambda n: ":doc:`x<" * (n // 8),
    "blanks before a target": lambda n: (" " * 30 + ".. _a: x") * (n // 30),
    "blanks behind a target": lambda n: ".. _a: x" + " " * n + "y",
    "brackets": lambda n: "<x" * n + ">`",
}


@pytest.mark.parametrize("name", ["a.md", "a.rst"])
@pytest.mark.parametrize("many", MANY.values(), ids=MANY)
def test_links_are_found_in_time_linear_in_the_text(tmp_path: Path, many: Callable[[int], str], name: str) -> None:
    index = TitleIndex(write(tmp_path, {name: "# A"}))

    def seconds(n: int) -> float:
        text = many(n)
        start = time.process_time()
        linked_files(text, name, index)
        return time.process_time() - start

    base = max(seconds(2_000) for _ in range(2)) + 0.002
    assert any(seconds(16_000) / base < 24 for _ in range(2))


@pytest.mark.parametrize("is_read", [False, True])
def test_a_wiki_link_is_looked_up_and_not_searched_for(tmp_path: Path, is_read: bool) -> None:
    index = TitleIndex([("a.md", *write(tmp_path, {"a.md": "# A"})[0][1:])])
    if is_read:
        index.target("a.md")
    queries: list[str] = []
    index._shelf.set_trace_callback(queries.append)
    linked_files("[[gone]]", "a.md", index)
    index._shelf.set_trace_callback(None)
    plans = [row[3] for query in queries for row in index._shelf.execute(f"EXPLAIN QUERY PLAN {query}")]
    assert plans and all(plan.startswith("SEARCH") for plan in plans)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("before", range(8))
@pytest.mark.parametrize("character", ["É", "灯", "🏮"])
def test_a_head_that_is_cut_within_a_character_is_read_as_its_file(
    tmp_path: Path, encoding: str, before: int, character: str
) -> None:
    (tmp_path / "a.md").write_bytes(f"# Éire\n\n{'x' * before}{character * HEAD}".encode(encoding))
    assert TitleIndex([("a.md", tmp_path / "a.md")]).target("a.md") == "Éire"


@pytest.mark.parametrize("before", range(3))
def test_a_page_head_that_is_cut_within_a_character_is_read_as_its_file(before: int) -> None:
    data = f"<title>Éire</title><p>{'x' * before}{'灯' * 1_000}".encode()
    head = read_head(io.BytesIO(data), 1_000)
    assert 998 <= len(head) <= 1_000
    assert title_of(FileHead("a.html", head, True)) == "Éire"


def test_a_short_file_is_read_to_its_end() -> None:
    assert read_head(io.BytesIO(b"\xc3\x89ir\xc3"), 5) == b"\xc3\x89ir\xc3"
    assert read_head(io.BytesIO(b"\xc3\x89ir\xc3"), 4) == b"\xc3\x89ir"


def test_titles_of_many_files_are_all_read(tmp_path: Path) -> None:
    files = write(tmp_path, {f"{number:04}.md": f"# Title {number}" for number in range(1_100)})
    index = TitleIndex(files)
    assert [index.target(place) for place, _ in files] == [f"Title {number}" for number in range(1_100)]


HEADINGS = [
    "Lamp", "Lamp  of\tOndrel ", "été 灯, (2)!", "Lamp ##", "Lamp {#lamp}", "Lamp #", "*Lamp*", "A_b", "A ~~b~~",
    "`a`", "[Lamp]", "[[Lamp]]", "![a](b.png)", "A & b", "A &amp; b", "A <b>", r"A \* b", "A | B", "", " ", "   Lamp",
    "\u3164", "-", "A\0b", "A\x0bb", "A\ufdd0b", "A\u2028b", "l" * 150, "l " * 600, "Lamp\\", "A: b",
    "http://a.b/c", "Lamp^1^",
]  # fmt: skip
BEHIND = [
    "", "\n", "\n\nText.\n\n# Other", "\n---|---\n1|2", "\n===", "\n---", "\n: meaning", "\n\n[Lamp]: b.md",
    "\r\nText.", "\n    code", "\n```\n# b", "\n{: .note}", "\n\n*[Lamp]: light",
]  # fmt: skip
BEFORE = [
    "# ", "#\t", "### ", "###### ", "####### ", "#", " # ", "\n# ", "\ufeff# ", "---\ntitle: Front\n---\n# ", "- # ",
    "> # ",
]  # fmt: skip


@pytest.mark.parametrize("before", BEFORE)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_title_that_is_told_at_sight_is_the_one_that_is_parsed(before: str, encoding: str) -> None:
    for heading in HEADINGS:
        for behind in BEHIND:
            head = FileHead("a.md", f"{before}{heading}{behind}".encode(encoding), False)
            assert title_at_sight(head) in ("", title_of(head)), head.data


def test_a_title_that_is_told_at_sight_needs_no_parser(tmp_path: Path) -> None:
    parsed: list[str] = []

    def parse_heads(
        function: Callable[[FileHead], str], heads: Iterable[FileHead]
    ) -> Iterator[tuple[FileHead, str]]:
        for head in heads:
            parsed.append(head.place)
            yield head, function(head)

    files = FILES | {"c.md": "# A [lamp]", "d.md": "## The lamp (2), é \n\nIt shines.", "e.txt": "# Lens\n\nClear."}
    index = TitleIndex(write(tmp_path, files), map_heads=parse_heads)
    titles = [index.target(place) for place in ("a/light.md", "c.md", "d.md")]
    assert titles == ["Overview", "A [lamp]", "The lamp (2), é"]
    assert set(parsed) == {place for place in files if not place.endswith(".csv")} - {"d.md"}
