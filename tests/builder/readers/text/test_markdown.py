"""What a Markdown file says beyond the plainest markup: nested blocks, links that are defined apart, HTML, titles."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest

from builder.documents.records import Document
from builder.readers.links.file_heads import HEAD, read_head
from builder.readers.text.files import document_of, head_title, parse, title_at_sight
from builder.readers.text.front_matter import split_front_matter
from builder.readers.text.markdown import LONGEST_HEADING
from tests.builder.readers.text.test_plain_text import documents, links, markdown, passages


def kinds_and_texts(text: str) -> list[tuple[str, str]]:
    return [(kind, text) for _, kind, text in passages(markdown(text))]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("- Install:\n\n  ```bash\n  pip  install weft\n  weft build pages\n  ```\n- Search",
         ["Install:", "  pip  install weft", "  weft build pages", "Search"]),
        ("1. Run\n   ~~~\n   if a:\n       b = 1\n\n   c\n   ~~~\n   and read.",
         ["Run", "  if a:", "      b = 1", "", "  c", "  and read."]),
        ("- A\n\n      indented  code\n      # more\n\n  after", ["A", "  indented  code", "  # more", "  after"]),
        ("- ```\n  code\n  ```", ["  code"]),
        ("- A\n  - B\n    ```\n    c\n    ```\n  under A", ["A", "  B", "    c", "  under A"]),
        ("- A\n\n  | x | y |\n  |---|---|\n  | 1 | *2* |\n- B", ["A", "  x | y", "  1 | 2", "B"]),
        ("- A\n  > said\n  > so\n- B", ["A said so", "B"]),
        ("- A\n\n  B\n\n  <b>C</b>\n", ["A B C"]),
        ("- # A\n  B", ["A B"]),
        ("> - a\n>   - b\n> - c", ["a", "  b", "c"]),
        ("Term\n: meaning\n\n      code\n\n: - a\n  - b\n", ["Term", "  meaning", "    code", "    a", "    b"]),
        ("- [x] done\n- [ ] open\n- [x](a.md) link", ["done", "open", "x link"]),
        ("- a\n-\n- b", ["a", "b"]),
    ],
)  # fmt: skip
def test_what_an_item_holds_are_lines_of_the_list(text: str, lines: list[str]) -> None:
    (chunk,) = markdown(text).chunks
    assert chunk.kind in ("list", "definition")
    assert chunk.text.split("\n") == lines


def test_lines_that_all_begin_with_a_label_are_a_list() -> None:
    text = "Opening hours: 10 to *5*\nBadge [deposit](d.md): 5 crowns  \nSee: the pier"
    assert kinds_and_texts(text) == [("list", "Opening hours: 10 to 5\nBadge deposit: 5 crowns\nSee: the pier")]
    assert kinds_and_texts("Note: the pier\nis shut.") == [("paragraph", "Note: the pier is shut.")]


def test_links_within_an_item_stand_where_their_anchors_are() -> None:
    table = "  | [a](a.md) | b |\n  |---|---|\n  | 1 | [c](c.md) |"
    page = markdown(f"- A\n  > see [the  pier](pier.md)\n  - [[Lamp]]\n\n{table}")
    assert links(page) == [("the pier", "Pier", ""), ("Lamp", "Lamp", ""), ("a", "A", ""), ("c", "C", "")]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[the pier][P  1]\n\n[p 1]: pier.md", "the pier"),
        ("[pier][]\n\n[Pier]:\n  pier.md\n  'A title'", "pier"),
        ("> [pier]\n\n- a\n\n  [pier]: <pier.md>\n  (A\n  title)", "pier"),
        ("[`pier`]\n\n> [`pier`]: pier.md#top", "pier"),
        ("[a [b]](pier.md)", "a [b]"),
        ("[a\nb]( <pier.md>\n'c' )", "a b"),
        ("[see <https://x.org/a.md> now](pier.md)", "see https://x.org/a.md now"),
    ],
)
def test_links_that_are_defined_apart_lead_to_their_files(text: str, shown: str) -> None:
    assert [(anchor, target) for anchor, target, _ in links(markdown(text))] == [(shown, "Pier")]


@pytest.mark.parametrize(
    "definition",
    ["[p]: the%20pier.md", "[p]:\n  the%20pier.md", "> [p]: <the pier.md#lamp>", "[p]:\n<the pier.md>\n'Title'"],
)
def test_a_definition_leads_to_the_title_of_its_file(tmp_path: Path, definition: str) -> None:
    (tmp_path / "a.md").write_text(f"# A\n\nSee [it][p].\n\n{definition}\n", encoding="utf-8")
    (tmp_path / "the pier.md").write_text("# Long Pier\n\nText.", encoding="utf-8")
    page = documents(tmp_path)["a.md"]
    assert isinstance(page, Document)
    assert [target for _, target, _ in links(page)] == ["Long Pier"]


@pytest.mark.parametrize(
    ("text", "shown", "targets"),
    [
        ("[[1]](https://x.org) and [[2]](b.md)", "[1] and [2]", ["B"]),
        ("[see [[Lamp]]](b.md)", "[see Lamp](b.md)", ["Lamp"]),
        ("`[[Lamp]]` [[ ]]", "[[Lamp]] [[ ]]", []),
        ("[[Lamp|the *lamp*]] ![[Lamp]]", "the *lamp* Lamp", ["Lamp", "Lamp"]),
    ],
)
def test_a_wiki_link_is_one_only_where_nothing_else_is_meant(text: str, shown: str, targets: list[str]) -> None:
    page = markdown(text)
    assert page.chunks[0].text == shown
    assert [target for _, target, _ in links(page)] == targets


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<pre>\nOne <me@x.org>\n\nTwo\n</pre>", [("paragraph", "One me@x.org"), ("paragraph", "Two")]),
        ("<details><summary>A</summary>\n\nSo *b*.\n\n</details>", [("paragraph", "A"), ("paragraph", "So b.")]),
        ("<script>\nvar a;\n\nvar b;\n</script>\nText", [("paragraph", "Text")]),
        ("<!-- never closed\n\nText", [("paragraph", "<!-- never closed"), ("paragraph", "Text")]),
        ("<div>a < b, c > d &amp; [e](e.md)</div>", [("paragraph", "a < b, c > d & e")]),
        ("a <!-- b --> c <? d ?> e <span class='x'>f</span>", [("paragraph", "a c e f")]),
    ],
)  # fmt: skip
def test_html_shows_its_text(text: str, expected: list[tuple[str, str]]) -> None:
    assert kinds_and_texts(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("![Map](a.png){width=50%}\n![](b.png 'The *Pier*')", [("caption", "Map The *Pier*")]),
        ("![Map of *all*][m] text\n\n[m]: a.png", [("paragraph", "text")]),
        ("[![Map](a.png)](b.md)", []),
        ("A well-\nknown, semi-\nFinal, end-\n*to*-end.", [("paragraph", "A well-known, semi- Final, end-to-end.")]),
        ("A well-  \n   known pier.", [("paragraph", "A well-known pier.")]),
        ("line\\\nbreak  \nhere", [("paragraph", "line break here")]),
        ("    \tcode\n\n```\n\ta\n```", [("code", "\tcode"), ("code", "\ta")]),
        ("|a|b|\n|-|-|\n|c|\n||d|", [("table", "a | b\nc\n | d")]),
        ("| | |\n|-|-|\n|c|`d|`|", [("table", "c | `d")]),
        ("```{code-block} python\na\n```", [("code", "a")]),
    ],
)
def test_other_markup_leaves_what_it_says(text: str, expected: list[tuple[str, str]]) -> None:
    assert kinds_and_texts(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(lamps/oil)=\n\nText.\n% not this\n+++\nMore.", [("paragraph", "Text."), ("paragraph", "More.")]),
        ("See {doc}`oil`, {ref}`the *wick* <wick>`\nand {meth}`~lamp.light`.",
         [("paragraph", "See oil, the *wick* and light.")]),
        ("- {kbd}`Ctrl-C` ends\n\n|{a}`b`|\n|-|\n|{c:d}`e`|", [("list", "Ctrl-C ends"), ("table", "b\ne")]),
        ("```{note}\n:class: tip\n\nIt *glows*.\n- a\n- b\n```", [("paragraph", "It glows."), ("list", "a\nb")]),
        ("```{admonition} Why [oil]?\n---\nclass: tip\n---\nIt burns.\n```\n\n[oil]: oil.md",
         [("paragraph", "Why oil?"), ("paragraph", "It burns.")]),
        ("````{tip}\n```{warning} Hot\n```\n```sh\nlight\n```\n````", [("paragraph", "Hot"), ("code", "light")]),
        (":::{tip}\nA\n:::\n::::{tab-set} x\n:::{tab-item} B\nC\n:::\n::::",
         [("paragraph", "A"), ("paragraph", "B"), ("paragraph", "C")]),
        ("```{versionadded} 2.0\nWith *wick*.\n```\n```{deprecated} 3.0\n```",
         [("paragraph", "Added in version 2.0: With wick."), ("paragraph", "Deprecated since version 3.0")]),
        ("```{toctree}\n:maxdepth: 2\n\noil\n```\n```{contents}\n:local:\n```\nText.", [("paragraph", "Text.")]),
        ("```{code-block} python\n:caption: Lamp\n---\na = 1\n```", [("code", "---\na = 1")]),
        ("- a\n\n  ```{hint}\n  It glows.\n  ```\n\n  ```{index} a\n  ```\n- b", [("list", "a It glows.\nb")]),
    ],
)  # fmt: skip
def test_myst_shows_what_its_directives_and_roles_say(text: str, expected: list[tuple[str, str]]) -> None:
    assert kinds_and_texts(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Of all lamps\n% of oil (see below)=\n+++", [("paragraph", "Of all lamps % of oil (see below)= +++")]),
        ("(a b)=\n\n(c)= d", [("paragraph", "(a b)="), ("paragraph", "(c)= d")]),
        ("`{a}` {b} `c` \\{d}`e` {f g}`h`", [("paragraph", "{a} {b} c {d}e {f g}h")]),
        ("::: wick\nIt glows.\n:::", [("paragraph", "::: wick It glows. :::")]),
        ("```{r}\n% a\n```\n% b", [("code", "% a"), ("paragraph", "% b")]),
        ("    (a)=\n\n```\n{doc}`b`\n```", [("code", "(a)="), ("code", "{doc}`b`")]),
    ],
)
def test_what_only_looks_like_myst_is_text(text: str, expected: list[tuple[str, str]]) -> None:
    assert kinds_and_texts(text) == expected


def test_a_label_above_the_title_leaves_it_the_title() -> None:
    page = markdown("(lamp)=\n\n## The {doc}`lamp`\n\nText.")
    assert (page.title, page.sections) == ("The lamp", ())


@pytest.mark.parametrize(
    "text",
    [">" * 500 + " lamp\nlens", "- " * 500 + "lamp\n\n  lens", "1. " * 500 + "lamp\nlens",
     "[^a]: " * 500 + "lamp\n\nlens", "Term\n" + ": " * 500 + "lamp\n\nlens", "> - " * 300 + "lamp\n> lens",
     "".join("  " * depth + "- lamp\n" for depth in range(100)) + "lens", "[" * 500 + "lamp" + "](a)" * 500 + "lens",
     "*" * 500 + "lamp" + "*" * 500 + "lens", "![" * 500 + "lamp" + "](a)" * 500 + "lens",
     "<div>" * 500 + "lamp\n\nlens", ":::{note}\n" * 500 + "lamp\n\nlens",
     "".join(f"{'`' * depth}{{tip}}\n" for depth in range(200, 2, -1)) + "lamp\n\nlens"],
)  # fmt: skip
def test_text_that_is_nested_very_deep_is_kept(text: str) -> None:
    said = " ".join(text for _, _, text in passages(markdown("# Title\n\n" + text)))
    assert "lens" in said
    assert said.count("lamp") == text.count("lamp") or text.startswith("![")


def test_code_points_that_mark_links_are_no_marks_in_a_text() -> None:
    page = markdown("\ufdd0a\ufdd5b\ufdd1 [\ufdd1c\ufdd2](c.md) \ufdd6d\n\n- \ufdd6e  f\n\n`\ufdd0`")
    assert [chunk.text for chunk in page.chunks] == ["ab c d", "e f"]
    assert links(page) == [("c", "C", "")]


def test_a_heading_without_end_is_text() -> None:
    long = "word " * (LONGEST_HEADING // 4)
    page = markdown(f"{long}\n===\n\n## {long}\n\nText.")
    assert (page.title, page.sections) == ("Page", ())
    assert [chunk.text for chunk in page.chunks] == [long.strip(), long.strip(), "Text."]


def test_a_heading_keeps_braces_that_are_no_attributes() -> None:
    page = markdown("# The set {a, b}\n\n## Pier {#pier .old}\n\nx\n\n## Lamp {: #lamp }\n\ny")
    assert (page.title, [each.title for each in page.sections]) == ("The set {a, b}", ["Pier", "Lamp"])


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("## Pier ##", "Pier"),
        ("## Pier #########  ", "Pier"),
        ("# Pier # {#pier}", "Pier"),
        ("## [Pier](pier.md) - 1901 ## {: #pier .old }", "Pier - 1901"),
        ("## C# {#c}", "C#"),
        ("## Pier \\## {#pier}", "Pier ##"),
        ("## Pier # 9 {#pier}", "Pier # 9"),
        ("Pier ##\n---", "Pier ##"),
        ("Pier ## {#pier}\n---", "Pier ##"),
    ],
)
def test_a_heading_loses_the_signs_that_close_it(heading: str, title: str) -> None:
    assert [each.title for each in markdown(f"# T\n\nx\n\n{heading}\n\ny").sections] == [title]


def test_a_heading_of_closing_signs_alone_is_none() -> None:
    assert markdown("# T\n\nx\n\n## ## {#pier}\n\ny").sections == ()


@pytest.mark.parametrize(
    ("lines", "values"),
    [
        ("title: >\n  The long\n  pier\nn: 1", {"title": ["The long pier\n"], "n": ["1"]}),
        ("Title: 'It''s'\ntags:\n- a\n- b # no", {"title": ["It's"], "tags": ["a", "b"]}),
        ("date: 2024-03-01\nversion: 1.10\nok: yes", {"date": ["2024-03-01"], "version": ["1.10"], "ok": ["yes"]}),
        ("a: {b: c}\nd: [[e], f, null]\ng:\nh: ~", {"a": [], "d": ["f"], "g": [], "h": []}),
        ("x: &x [1, 2]\ny: *x", {"x": ["1", "2"], "y": ["1", "2"]}),
        ("# only a comment", {}),
    ],
)  # fmt: skip
def test_front_matter_is_yaml_with_values_as_they_are_written(lines: str, values: dict[str, list[str]]) -> None:
    assert split_front_matter(f"---\n{lines}\n---\nText.") == (values, "Text.", "", "")


PROSE = "Words of a text. " * 4000
TITLED = {
    "a heading": f"# Lamp\n\n{PROSE}",
    "a heading behind the head": f"{PROSE}\n\n# Lamp\n\nText.",
    "a heading with a link that is defined behind the head": f"# The [Lamp]\n\n{PROSE}\n\n[lamp]: lamp.md\n",
    "a heading with a link that is defined": "# The [Lamp]\n\nText.\n\n[lamp]: lamp.md\n",
    "a heading across the end of the head": f"{PROSE[: HEAD - 8]}\n\n# Lamp of brass\n\n{PROSE}",
    "a heading in a fence that the head cuts": f"```\n{PROSE}\n# Not\n```\n\n# Lamp\n",
    "front matter": f"---\ntitle: Lamp\n---\n\n# Lens\n\n{PROSE}",
    "front matter that is too long": "---\n" + "key: value\n" * 5000 + f"title: Lamp\n---\n\n# Lens\n\n{PROSE}",
    "front matter of long characters": "---\ntitle: Lamp\nx: " + "\U0001f600" * 7900 + f"\n---\n\n# Lens\n\n{PROSE}",
    "front matter that cannot be read": f"---\ntitle: A: B\n---\n\n# Lens\n\n{PROSE}",
    "a character that the head cuts": "# Lämp\n\n" + "ä" * HEAD,
    "a second heading": f"## Lens\n\n{PROSE}\n\n# Lamp",
    "no heading": PROSE,
}  # fmt: skip


@pytest.mark.parametrize("suffix", [".md", ".txt"])
@pytest.mark.parametrize("text", TITLED.values(), ids=TITLED)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "utf-16-be"])
def test_the_title_that_links_find_is_the_documents(text: str, suffix: str, encoding: str) -> None:
    data = text.encode(encoding)
    document = parse(f"a_file{suffix}", (data, (), None, (), None))
    assert isinstance(document, Document)
    assert document.title == head_title(read_head(BytesIO(data), HEAD), f"a_file{suffix}")


def test_a_heading_that_is_not_the_title_is_a_section() -> None:
    document = document_of(TITLED["a heading behind the head"], "a_file.md", {}, title="A file")
    assert (document.title, [each.title for each in document.sections]) == ("A file", ["Lamp"])


@pytest.mark.parametrize(
    ("text", "title", "sections"),
    [
        ("# 2.0.0 (2024-01-01)\n\nBrighter.\n\n# v1.0.0\n\nFirst.", "Changes", ["2.0.0 (2024-01-01)", "v1.0.0"]),
        ("## Unreleased\n\nBrighter.\n\n## 1.0\n\nFirst.", "Changes", ["Unreleased", "1.0"]),
        ("# 2.0 lamps\n\nBrighter.\n\n## Oil\n\nIt burns.", "2.0 lamps", ["Oil"]),
        ("# Lamps\n\nBrighter.\n\n# Oil\n\nIt burns.", "Lamps", ["Oil"]),
    ],
)
def test_a_list_of_releases_is_not_called_as_its_first(text: str, title: str, sections: list[str]) -> None:
    document = document_of(text, "changes.md", {})
    assert (document.title, [each.title for each in document.sections]) == (title, sections)
    assert head_title(text.encode(), "changes.md") == title
    assert title_at_sight(text.encode(), "changes.md") in ("", title)
