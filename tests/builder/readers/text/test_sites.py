"""Markdown of site generators and hosts, and HTML within Markdown."""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.documents.records import Document
from builder.readers.text.extensions.html import html_texts
from builder.readers.text.extensions.sites import plain_sites
from builder.readers.text.files import document_of
from tests.builder.readers.text.test_plain_text import documents, links
from tests.growth import Run, check_growth


def told(text: str) -> list[tuple[str, str]]:
    return [(chunk.kind, chunk.text) for chunk in document_of(text, "lamp.md", {}).chunks]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (":::tip My tip\nTrim it.\n:::\nIt glows.", ["My tip:", "Trim it.", "It glows."]),
        (":::note[Of oil]\n\nIt burns.\n\n:::", ["Of oil:", "It burns."]),
        ("::: warning\nIt burns.\n:::", ["Warning:", "It burns."]),
        ("> [!NOTE]\n> It burns.", ["Note:", "It burns."]),
        ("> [!warning]- Hot oil\n> It burns.", ["Hot oil:", "It burns."]),
        ("> A lamp\n> [!NOTE]", ["A lamp [!NOTE]"]),
        ("import Tabs from '@theme/Tabs';\n\n{/* hidden */}\n\nIt burns.", ["It burns."]),
        ("import it from there", ["import it from there"]),
        ("[TOC]\n\n[[_TOC_]]\n\nIt burns.", ["It burns."]),
        ('{% include toc.html %}\n\n{{< figure src="x.png" >}}\n\nIt burns.', ["It burns."]),
        ("{% highlight ruby %}\nputs 1\n  puts 2\n{% endhighlight %}", ["puts 1\n  puts 2"]),
        ("```\n:::tip\n[TOC]\n```", [":::tip\n[TOC]"]),
        ("```\n[TOC]\n```js\n[TOC]\n````\n[TOC]\n\nIt burns.", ["[TOC]\n```js\n[TOC]", "It burns."]),
        ("A line\n:::", ["A line :::"]),
    ],
)
def test_what_site_generators_add_is_a_label_or_no_text(text: str, expected: list[str]) -> None:
    assert [said for _, said in told(text)] == expected


def test_html_in_markdown_has_headings_texts_and_links(tmp_path: Path) -> None:
    text = (
        '<h1 align="center">\n  <img src="l.png"/>\n  Lamp <em>book</em>\n</h1>\n\n<p><b>Bright</b>, see '
        '<a class="x" href="oil.md">the oil</a>. CO<sub>2</sub></p>\n\n<h2>Use</h2>\n\n'
        'Read <a href="oil.md#whale">of oil</a>'
        " and <a name='z'>more</a>.\n"
    )
    (tmp_path / "lamp.md").write_text(text)
    (tmp_path / "oil.md").write_text("# Oil\n\nIt burns.")
    page = documents(tmp_path)["lamp.md"]
    assert isinstance(page, Document) and page.title == "Lamp book"
    assert [section.title for section in page.sections] == ["Use"]
    assert [(chunk.section, chunk.text) for chunk in page.chunks] == [
        (-1, "Bright, see the oil. CO2"),
        (0, "Read of oil and more."),
    ]
    assert links(page) == [("the oil", "Oil", ""), ("of oil", "Oil", "whale")]


def test_a_picture_is_a_heading_by_its_description() -> None:
    assert document_of("# ![Lamp book](lamp.png)\n\nIt glows.", "l.md", {}).title == "Lamp book"


@pytest.mark.parametrize(
    "run",
    [
        Run("<!-- a\n", "<div>\n", "</script>\n"),
        Run("<script>\n", "<div>\n", "-->\n"),
        Run("<style>\n", "<div>\n", "</script>\n"),
        Run("<a href=x>"),
        Run("<a x "),
        Run("x", "<div>\n<a href="),
        Run(" ", "<div>\n<a href"),
        Run("x", "<div>\n<a href=x>"),
        Run("<h1>"),
        Run("</script "),
    ],
    ids=str,
)
def test_html_is_read_in_linear_time(run: Run) -> None:
    check_growth(lambda text: [*html_texts(run.before + text.replace(run.behind, "") * 10 + run.behind)], run)


@pytest.mark.parametrize(
    "run", [Run(":::tip\n"), Run("> [!NOTE]\n"), Run("{%"), Run("{{<"), Run("{/*"), Run("import 'a")], ids=str
)
def test_sites_are_read_in_linear_time(run: Run) -> None:
    check_growth(lambda text: plain_sites(text * 10), run)


def test_links_without_a_suffix_and_with_a_path_lead_to_files(tmp_path: Path) -> None:
    text = (
        "# Lamp\n\n[oil](./oil), [parts](parts/), [parts again](parts), [none](nothing), [site](https://lamps.example/oil).\n\n"
        "[[parts/wick|a wick]], [[wick]], ![[lamp.png]] and ![[parts/wick]]\n"
    )
    (tmp_path / "parts").mkdir()
    for name, title in (("oil.md", "Whale oil"), ("parts/README.md", "All parts"), ("parts/wick.md", "The wick")):
        (tmp_path / name).write_text(f"# {title}\n\nIt burns.\n")
    (tmp_path / "lamp.md").write_text(text)
    page = documents(tmp_path)["lamp.md"]
    assert isinstance(page, Document)
    assert [link[:2] for link in links(page)] == [
        ("oil", "Whale oil"),
        ("parts", "All parts"),
        ("parts again", "All parts"),
        ("a wick", "The wick"),
        ("wick", "The wick"),
        ("parts/wick", "The wick"),
    ]
    assert page.chunks[-1].text == "a wick, wick, and parts/wick"


def test_what_mkdocstrings_describes_keeps_its_name_and_loses_its_options() -> None:
    text = "# Lamps\n\n::: lamps.Lamp.__init__\n    options:\n        filters:\n\nIt burns.\n\n    code\n"
    document = document_of(text, "a.md", {})
    assert [(chunk.kind, chunk.text) for chunk in document.chunks] == [
        ("paragraph", "lamps.Lamp.__init__"),
        ("paragraph", "It burns."),
        ("code", "code"),
    ]


def test_vitepress_shows_what_front_matter_says() -> None:
    text = "---\ntitle: Lamps\ndescription: How to light.\n---\n\n{{ $frontmatter.description }}\n\n{{ other }}\n"
    assert [chunk.text for chunk in document_of(text, "a.md", {}).chunks] == ["How to light.", "{{ other }}"]


def test_an_admonition_of_an_unknown_kind_has_its_title() -> None:
    text = "::: advice Hot oil\nStand back.\n:::\n"
    assert [chunk.text for chunk in document_of(text, "a.md", {}).chunks] == ["Hot oil:", "Stand back."]
