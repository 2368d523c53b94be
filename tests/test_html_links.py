"""Relative links between the HTML files of one source lead to their pages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from builder.build import Summary
from tests.worlds import dumped, rows

Weave = Callable[..., Summary]


def page(title: str, body: str, head: str = "") -> str:
    return f"<html><head>{head}</head><body><h1>{title}</h1>{body}</body></html>"


def write(folder: Path, pages: dict[str, str]) -> Path:
    for name, text in pages.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def links(tmp_path: Path) -> list[tuple[object, ...]]:
    return rows(tmp_path / "kb.skb", "SELECT anchor, target, fragment FROM link ORDER BY chunk_id, start")


def cited(tmp_path: Path) -> list[tuple[object, ...]]:
    return rows(
        tmp_path / "kb.skb",
        "SELECT page.uri, entity.uri FROM cites JOIN chunk ON chunk.id = chunk_id JOIN page ON page.id = chunk.page_id"
        " JOIN entity ON entity.id = entity_id WHERE entity.page_id IS NOT NULL ORDER BY 1, 2",
    )


@pytest.mark.parametrize(
    ("href", "target", "fragment"),
    [
        ("lamp.html", "lamp.light", ""),
        ("./lamp.html", "lamp.light", ""),
        ("lamp.html#how%20to", "lamp.light", "how to"),
        ("lamp.html?v=2#a", "lamp.light", "a"),
        (" lamp.html ", "lamp.light", ""),
        ("oil%20&amp;%20gas.html", "Oil", ""),
        ("sub/", "Below", ""),
        ("sub", "Below", ""),
        ("sub/index.html#x", "Below", "x"),
        ("lamp", "lamp.light", ""),
        ("sub/../lamp.html", "lamp.light", ""),
        ("/lamp.html", "lamp.light", ""),
    ],
)
def test_a_relative_link_leads_to_the_page_of_its_file(
    tmp_path: Path, weave: Weave, href: str, target: str, fragment: str
) -> None:
    write(
        tmp_path / "book",
        {
            "start.html": page("Start", f'<p>See <a href="{href}">this</a>.</p>'),
            "lamp.html": page("lamp.light", "<p>It glows.</p>"),
            "oil & gas.html": page("Oil", "<p>It burns.</p>"),
            "sub/index.html": page("Below", "<p>It is deep.</p>"),
        },
    )
    weave(tmp_path / "book")
    assert links(tmp_path) == [("this", target, fragment)]
    assert cited(tmp_path) == [("Start", target)]


@pytest.mark.parametrize(
    "href",
    ["gone.html", "#part", "start.html", "start.html#part", "https://lamps.example/lamp.html", "mailto:a@b.c",
     "../lamp.html/x", "lamp.css", "", "javascript:void(0)", "//lamps.example/lamp.html"],
)  # fmt: skip
def test_what_leads_to_no_other_file_is_no_link(tmp_path: Path, weave: Weave, href: str) -> None:
    body = f'<p>See <a href="{href}">this</a>.</p>'
    write(tmp_path / "book", {"start.html": page("Start", body), "lamp.html": page("Lamp", "<p>It glows.</p>")})
    weave(tmp_path / "book")
    assert links(tmp_path) == []


@pytest.mark.parametrize(
    ("base", "found"),
    [("sub/", [("this", "Inner", "")]), ("https://lamps.example/", []), ("", [("this", "Outer", "")])],
)
def test_a_base_is_where_links_begin(tmp_path: Path, weave: Weave, base: str, found: list[tuple[str, ...]]) -> None:
    head = f'<base href="{base}">' if base else ""
    write(
        tmp_path / "book",
        {
            "start.html": page("Start", '<p>See <a href="a.html">this</a>.</p>', head),
            "a.html": page("Outer", "<p>Out.</p>"),
            "sub/a.html": page("Inner", "<p>In.</p>"),
        },
    )
    weave(tmp_path / "book")
    assert links(tmp_path) == found


def test_a_link_reaches_its_own_page_among_those_of_one_title(tmp_path: Path, weave: Weave) -> None:
    write(
        tmp_path / "book",
        {
            "start.html": page("Start", '<p>See <a href="a/x.html">one</a> and <a href="b/x.html">two</a>.</p>'),
            "a/x.html": page("Overview", "<p>The first.</p>"),
            "b/x.html": page("Overview", '<p>The second, not <a href="../a/x.html">the first</a>.</p>'),
        },
    )
    weave(tmp_path / "book")
    assert cited(tmp_path) == [
        ("Overview (b/x.html)", "Overview"),
        ("Start", "Overview"),
        ("Start", "Overview (b/x.html)"),
    ]


def test_an_update_reads_a_page_again_when_the_title_that_it_links_to_changed(tmp_path: Path, weave: Weave) -> None:
    pages = {
        "start.html": page("Start", '<p>See <a href="lamp.html">this</a>.</p>'),
        "lamp.html": page("Lamp", "<p>It glows.</p>"),
        "other.html": page("Other", "<p>It stays.</p>"),
    }
    write(tmp_path / "book", pages)
    weave(tmp_path / "book")
    write(tmp_path / "book", {"lamp.html": page("Lantern", "<p>It glows.</p>")})
    assert weave(tmp_path / "book").documents == {"read": 2, "unchanged": 1}
    assert links(tmp_path) == [("this", "Lantern", "")]
    updated = dumped(tmp_path / "kb.skb")
    (tmp_path / "kb.skb").unlink()
    weave(tmp_path / "book")
    assert dumped(tmp_path / "kb.skb") == updated


def test_wikis_saved_as_files_are_linked_too(tmp_path: Path, weave: Weave) -> None:
    body = (
        '<div class="mw-parser-output">'
        '<p>See <a href="wiki/Lamp.html">it</a> and <a href="/wiki/Oil">oil</a>.</p></div>'
    )
    write(
        tmp_path / "wiki", {"Start.html": page("Start", body), "wiki/Lamp.html": page("The lamp", "<p>It glows.</p>")}
    )
    weave(tmp_path / "wiki")
    assert links(tmp_path) == [("it", "The lamp", ""), ("oil", "Oil", "")]
