"""Labels and terms stand in one chunk with what they are above, in every format that has them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from builder.documents.chunking import Line, cut_definitions, join_parts, line_chunks
from builder.documents.labels import LONGEST_RUN, join_labels
from builder.documents.records import Chunk, Link
from builder.request import Summary
from tests.worlds import page, rows, write_pages

Weave = Callable[..., Summary]
LONG = "The lamp of Thoon burns whale oil. " * 15


def paragraphs(*texts: str) -> list[Chunk]:
    return [Chunk(-1, "paragraph", 0, text) for text in texts]


def texts(chunks: list[Chunk]) -> list[str]:
    return [chunk.text for chunk in join_labels(chunks)]


@pytest.mark.parametrize(
    "label",
    ["Example:", "Note", "See also", "例：", "Parameter names and their values are:", "Version 3.2 says:",
     "[-b|--border width|-B width of the lamp]", "--lazy-light-of-the-harbour=VALUE and more"],
)  # fmt: skip
def test_a_label_is_the_first_line_of_what_follows(label: str) -> None:
    assert texts(paragraphs("It burns.", label, "Light it.")) == ["It burns.", f"{label}\nLight it."]


@pytest.mark.parametrize(
    "text",
    ["It burns.", "Does it burn?", "Schoolchildren know it. They say:", "a line of more than four words", "x" * 41,
     "y" * 90 + ":", "Default: none", "New in version 3.1", "- of the lamp and its wick", "--lazy is slow. It is, too"],
)  # fmt: skip
def test_other_lines_are_chunks_of_their_own(text: str) -> None:
    assert texts(paragraphs(text, "Light it.")) == [text, "Light it."]


def test_labels_above_each_other_are_joined_but_short_lines_are_not() -> None:
    assert texts(paragraphs("See also", "Help with lamps:", "Ask Ada.")) == ["See also\nHelp with lamps:\nAsk Ada."]
    assert texts(paragraphs("Ada", "Bo", "Cy lights it.")) == ["Ada", "Bo\nCy lights it."]
    assert texts(paragraphs("-a, --all the lamps there are", "-b, --both of the lamps there are", "Lights it.")) == [
        "-a, --all the lamps there are",
        "-b, --both of the lamps there are\nLights it.",
    ]
    many = texts(paragraphs(*["Example:"] * 1000))
    assert max(map(len, many)) <= LONGEST_RUN + 20 and "\n".join(many) == "\n".join(["Example:"] * 1000)


def test_a_label_stays_in_its_section_and_above_no_table() -> None:
    label = Chunk(0, "paragraph", 0, "Note")
    for other in (Chunk(1, "paragraph", 0, "It burns."), Chunk(0, "table", 0, "a | b"), Chunk(0, "list", 2, "oil")):
        assert join_labels([label, other]) == (label, other)
    assert join_labels([label]) == (label,)


def test_links_of_both_keep_their_words() -> None:
    label = Chunk(-1, "paragraph", 0, "Oil:", (Link(0, 3, "Oil", "", "Oil"),))
    code = Chunk(-1, "list", 1, "by Ada", (Link(3, 6, "Ada", "", "Ada"),))
    (chunk,) = join_labels([label, code])
    assert chunk == Chunk(-1, "list", 1, "Oil:\nby Ada", (Link(0, 3, "Oil", "", "Oil"), Link(8, 11, "Ada", "", "Ada")))


def lines(*texts: str) -> list[Line]:
    return [Line(text) for text in texts]


def parts(given: list[Line], limit: int = 2000) -> list[list[str]]:
    return [[line.text for line in part] for part in cut_definitions(given, limit)]


def test_long_entries_stand_alone_and_short_ones_together() -> None:
    given = lines("a", "  one", "b", "  two", "c", f"  {LONG}", "d", "  four", "e", f"  {LONG}")
    assert parts(given) == [
        ["a", "  one", "b", "  two"], ["c", f"  {LONG}"], ["d", "  four"], ["e", f"  {LONG}"]
    ]  # fmt: skip
    assert parts(given[:4]) == [["a", "  one", "b", "  two"]]


def test_terms_that_share_a_definition_stay_with_it() -> None:
    given = lines("-h", f"  {LONG}", "-v", "--verbose", f"  {LONG}", "-q")
    assert parts(given) == [["-h", f"  {LONG}"], ["-v", "--verbose", f"  {LONG}"], ["-q"]]


def test_a_long_entry_is_cut_between_lines_but_behind_no_term() -> None:
    given = lines("level", "  the level", "    low", "      little", "    high", "      much", "      more")
    assert parts(given, limit=29) == [
        ["level", "  the level", "    low", "      little"], ["    high", "      much"], ["      more"]
    ]  # fmt: skip
    assert parts(lines("level", f"  {LONG}", "    low"), limit=30)[0][0] == "level"


def test_a_list_without_terms_and_lines_without_definitions_are_kept() -> None:
    for given in (lines("  one", "  two"), lines("a: one", "b: two"), lines("a: one", "  two", "b")):
        assert parts(given) == [[line.text for line in given]]
    assert [chunk.part for chunk in line_chunks(-1, "definition", lines("a", "  one"))] == [0]


def test_the_parts_of_a_definition_list_join_to_the_whole() -> None:
    given = [line for n in range(60) for line in lines(f"term {n}", "  says " + "this " * (n * 7 % 130))]
    found = list(line_chunks(-1, "definition", given))
    assert [chunk.part for chunk in found] == list(range(1, len(found) + 1))
    assert join_parts([chunk.text for chunk in found]) == "\n".join(line.text for line in given)
    assert all(not chunk.text.startswith(" ") and " says" in chunk.text.split("\n")[-1] for chunk in found)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.html", f"<h1>Lamp</h1><dl><dt>wick<dd>{LONG}<dt>oil<dd>{LONG}</dl><p>Note</p><p>It burns.</p>"),
        ("a.md", f"# Lamp\n\nwick\n: {LONG}\n\noil\n: {LONG}\n\n## Use\n\nExample:\n\n    light it\n"),
        ("a.rst", f"Lamp\n====\n\nwick\n  {LONG}\n\noil\n  {LONG}\n\nExample:\n\n::\n\n  light it\n"),
    ],
)
def test_every_format_keeps_terms_and_labels_with_texts(tmp_path: Path, weave: Weave, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    weave(tmp_path / name)
    found = [str(text) for (text,) in rows(tmp_path / "kb.skb", "SELECT text FROM chunk ORDER BY position")]
    assert [(each[:4].strip(" :\n"), len(each) > 20) for each in found[:2]] == [("wick", True), ("oil", True)]
    assert len(found) == 3 and found[2].split("\n")[0] in ("Note", "Example:") and "\n" in found[2]


def test_the_lines_of_an_encyclopedia_stay_apart(tmp_path: Path, weave: Weave) -> None:
    write_pages(tmp_path / "wiki", {"Veldra.html": page("Veldra", "<p>Veldra may refer to:</p><ul><li>A river</ul>")})
    weave(tmp_path / "wiki")
    assert rows(tmp_path / "kb.skb", "SELECT text FROM chunk ORDER BY position") == [
        ("Veldra may refer to:",), ("A river",)
    ]  # fmt: skip
