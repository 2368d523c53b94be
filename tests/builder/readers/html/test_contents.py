"""A table of contents is told by its links to later sections of its page, whatever its markup."""

from __future__ import annotations

import pytest

from builder.readers.html.page import parse_page

SECTIONS = "".join(
    f"<h2 id='{name}'>{number}. {name.title()}</h2><p>All about {name}.</p>"
    for number, name in enumerate(("oil", "wicks", "glass", "repairs"), 1)
)
TEXTS = ["All about oil.", "All about wicks.", "All about glass.", "All about repairs."]


def _texts(body: str) -> list[str]:
    document = parse_page(f"<html><head><title>Lamp</title></head><body><h1>Lamp</h1>{body}</body></html>")
    return [chunk.text for chunk in document.chunks]


@pytest.mark.parametrize("contents", [
    "<div><a>Contents</a><div><div><a href='#oil'>1. Oil</a></div><div><a href='#wicks'>2. Wicks</a></div>"
    "<div><a href='#glass'>3. Glass</a></div><div><a href='#repairs'>4. Repairs</a></div></div></div>",
    "<ul><li><a href='#oil'>Oil</a><li><a href='#wicks'>Wicks</a><li><a href='#glass'>Glass</a></ul>",
    "<p><a href='#oil'>OIL</a><br><a href='#wicks'>Wicks:</a><br><a href='#repairs'>Repairs</a></p>",
])  # fmt: skip
def test_links_to_most_sections_are_left_out(contents: str) -> None:
    shown = _texts(f"<p>A lamp glows.</p>{contents}{SECTIONS}")
    assert [text for text in shown if text != "Contents"] == ["A lamp glows.", *TEXTS]


@pytest.mark.parametrize("kept", [
    "<ul><li>Oil<li>Wicks<li>Glass<li>Repairs</ul>",
    "<ul><li><a href='#oil'>Oil</a><li><a href='#wicks'>Wicks</a></ul>",
    "<ul><li><a href='#oil'>Oil</a><li><a href='#wicks'>Wicks</a><li><a href='#glass'>Glass</a> and more</ul>",
    "<ul><li><a href='o.html#oil'>Oil</a><li><a href='o.html#wicks'>Wicks</a><li><a href='o.html#glass'>Glass</a></ul>",
])  # fmt: skip
def test_other_lists_are_text(kept: str) -> None:
    first, *others = _texts(kept + SECTIONS)
    assert first.startswith("Oil") and others == TEXTS


def test_what_names_some_of_many_sections_is_text() -> None:
    many = "".join(f"<h2>Part {number}</h2><p>Text {number}.</p>" for number in range(5))
    chosen = "<ul><li><a href='#oil'>Oil</a><li><a href='#wicks'>Wicks</a><li><a href='#glass'>Glass</a></ul>"
    assert _texts(chosen + SECTIONS + many)[0] == "Oil\nWicks\nGlass"


def test_links_behind_their_sections_are_text() -> None:
    chosen = "<ul><li><a href='#oil'>Oil</a><li><a href='#wicks'>Wicks</a><li><a href='#glass'>Glass</a></ul>"
    assert _texts(SECTIONS + chosen)[-1] == "Oil\nWicks\nGlass"


INDEX = (
    "<dl><dt>lamp</dt><dd><a href='lamps.html#oil'>Oil lamps</a></dd>"
    "<dt>wick</dt><dd><a href='wicks.html'>Wicks</a></dd></dl>"
)
FILES = {"lamps.html": "Lamps", "wicks.html": "Wicks"}


def _indexed(body: str, title: str = "Index") -> list[str]:
    page = f"<html><head><title>{title}</title></head><body><h1>{title}</h1>{body}</body></html>"
    document = parse_page(page, files=FILES)
    return [chunk.text for chunk in document.chunks]


def test_an_index_of_terms_and_links_is_left_out() -> None:
    assert _indexed(INDEX) == [] == _indexed(f"<h2>Index</h2>{INDEX}", "Torches")


def test_what_an_index_says_beside_links_is_text() -> None:
    assert _indexed(INDEX, "Torches") == ["lamp\n  Oil lamps\nwick\n  Wicks"]
    told = INDEX.replace("</a></dd>", "</a> need care.</dd>")
    assert len(_indexed(told)) == 1 and len(_indexed("<p>An index tells where a thing is said.</p>")) == 1


def test_menus_of_latex2html_are_left_out() -> None:
    links = "".join(f"<li><a href='{name}.html'>{name.title()}</a></li>" for name in ("oil", "wicks", "glass"))
    line = "<b>Next:</b> <a href='oil.html'>Oil</a> <b>Up:</b> <a href='top.html'>Lamps</a>"
    menus = f"<div class='navigation'>{line}</div><ul class='ChildLinks'>{links}</ul>"
    assert _texts(f"{menus}<p>A lamp glows.</p>{SECTIONS}") == ["A lamp glows.", *TEXTS]
    text = "Ships without a compass are steered by {} along the whole of the coast at night."
    kept = text.format("<a href='lamps.html'>lamps</a>")
    assert _texts(f"<div class='navigation'><p>{kept}</p></div>{SECTIONS}") == [text.format("lamps"), *TEXTS]
