"""What of HTML can be repeated or nested takes time and room linear in the page."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from builder.documents.records import Document, Section
from builder.readers.html.page import BadPage, parse_page
from builder.readers.html.parsing_cost import without_crowds_of_options
from builder.readers.html.tree import is_too_deep
from builder.source_layer.rows import chunk_rows, section_rows, section_uris

LINK = "<a href='/wiki/A'>"
NEIGHBORS = "<a rel=next href=b>x</a><a rel=prev href=c>y</a>"
INFOBOX = "<table class='infobox'><tr><th>K</th><td>"
MANY = {
    "empty paragraphs in a cell": lambda n: f"<table><tr><td>x{'<p></p>' * n}y</td><td>z</td></tr></table>",
    "empty paragraphs in a cell's link": lambda n: (
        f"<table class='wikitable'><tr><td>x{LINK}{'<p></p>' * n}y</a></td><td>z</td></tr></table>"
    ),
    "empty paragraphs in an item": lambda n: f"<ul><li>x{'<p></p>' * n}y</li></ul>",
    "empty blocks in an item": lambda n: f"<ul><li>x{'<div> </div>' * n}y</li></ul>",
    "line breaks in an infobox": lambda n: f"{INFOBOX}x{'<br>' * n}y</td></tr></table>",
    "line breaks at an infobox's links": lambda n: (
        f"{INFOBOX}x{LINK}{'<br>' * n}y</a>{'<br>' * n}{LINK}z</a></td></tr></table>"
    ),
    "items in an infobox": lambda n: f"{INFOBOX}{'<ul><li>a</ul>' * n}</td></tr></table>",
    "line breaks": lambda n: f"<p>x{'<br>' * n}y",
    "equal headings": lambda n: "<h2>A</h2><p>x</p>" * n,
    "equal headings below equal headings": lambda n: "<h2>A</h2><h3>B</h3>" * n,
    "headings that are numbered already": lambda n: "".join(f"<h2>A</h2><h2>A ({i})</h2>" for i in range(n)),
    "first headings": lambda n: "<h1>A</h1>" * n,
    "sections in sections": lambda n: ("<section><h2>A</h2>" * 100 + "</section>" * 100) * (n // 100),
    "notes": lambda n: "<p>x" + "<div><h3>Note</h3><p>x</p></div><p>y" * n,
    "notes in notes": lambda n: ("<div><h3>Note</h3><p>x</p>" * 100 + "</div>" * 100 + "<p>y") * (n // 100),
    "lists in lists": lambda n: ("<ul><li>x" * 120 + "</ul>" * 120) * (n // 120),
    "definitions in definitions": lambda n: ("<dl><dt>q<dd>x" * 120 + "</dl>" * 120) * (n // 120),
    "headings in lists in lists": lambda n: ("<ul><li>" * 120 + "<h2>x</h2>" + "</ul>" * 120) * (n // 120),
    "code in definitions": lambda n: "<dl><dt>q<dd>" + "<pre>x\n  y</pre><p>z</p>" * n + "</dl>",
    "tables in tables": lambda n: ("<table><tr><td>x<td>" * 60 + "</table>" * 60) * (n // 60),
    "wide cells": lambda n: "<table>" + "<tr><td colspan=65534 rowspan=65534>x<td>y</tr>" * n + "</table>",
    "high cells": lambda n: "<table>" + ("<tr>" + "<td rowspan=65534>x" * 60 + "</tr>") * (n // 60) + "</table>",
    "links": lambda n: "<p>" + f"{LINK}a</a> " * n,
    "neighbors": lambda n: "<p>x<p>" + NEIGHBORS * n,
    "lines of neighbors": lambda n: "<p>x" + f"<p>{NEIGHBORS}" * n,
    "lines of neighbors in lines": lambda n: ("<div>" + f"<div>{NEIGHBORS}" * 100 + "</div>" * 101) * (n // 100),
    "lines far within lines": lambda n: (
        f"<div>{NEIGHBORS}{'<span>' * 17}" * 20 + f"{'</span>' * 17}</div>" * 20
    ) * (n // 100),
    "tables of contents": lambda n: "<p>x" + "<div class=toc><a href=b>y</a></div>" * n,
    "tables of contents in tables of contents": lambda n: (
        ("<div class=toc><p>x<a href=b>y</a>" * 100 + "</div>" * 100) * (n // 100)
    ),
    "menus in menus": lambda n: (
        "<div class=footer-text>x" + ("<div class=sphinxsidebar>x<a href=b>y</a>" * 100 + "</div>" * 100) * (n // 100)
    ),
    "headers in headers": lambda n: ("<div class=header><a href=b>y</a>" * 100 + "</div>" * 100) * (n // 100),
    "lines of a site": lambda n: "<p>x" + "<p><a href=b>Home</a> <a href=c>Index</a>" * n,
    "lines of a site in lines of a site": lambda n: (
        ("<div><a href=b>Home</a><a href=c>Index</a>" * 100 + "</div>" * 100) * (n // 100)
    ),
    "navigation in navigation": lambda n: ("<div class=navheader>x" * 100 + "</div>" * 100) * (n // 100),
    "indexes in a search page": lambda n: (
        "<main><h1 id=search-documentation>S</h1><form></form>" + "<div class=indexdiv><a class=indexterm href=b>y" * n
    ),
    "segments": lambda n: "<div class=seglistitem>" + "<div class=seg>x</div>" * n,
    "segments in segments": lambda n: ("<div class=seglistitem>x" * 100 + "</div>" * 100) * (n // 100),
    "links left open": lambda n: "<p>" + f"{LINK}a " * n,
    "raised numbers": lambda n: "<p>1" + "<sup>2</sup>" * n,
    "formulas": lambda n: "<p>" + "<math alttext='x'><mi>x</mi></math>" * n,
    "options": lambda n: "<p>x<select>" + "<option>y" * n,
    "gaps as characters": lambda n: f"<ul><li>x{chr(0xFDD4) * n}{LINK}y</a></ul>",
    "commas as characters": lambda n: f"<p>x{chr(0xFDD3) * n}{LINK}y</a>",
    "figures in figures": lambda n: ("<figure><figcaption>x" * 100 + "</figcaption></figure>" * 100) * (n // 100),
    "hidden parts": lambda n: "<p>x" + ("<div hidden>y" * 100 + "</div>" * 100) * (n // 100),
    "lines of preformatted text": lambda n: "<pre>" + f"1. {'Oil ' * 15}\n{'Wick ' * 5}.\n\n" * n + "</pre>",
    "characters in a paragraph": lambda n: "<p>" + "Word word. " * n,
}


def read(text: str) -> tuple[Document, int]:
    """Return a page's document and the characters of all its rows."""
    document = parse_page(text, name="page.html")
    sections = section_rows(document.title, document)
    written = sum(len(row.uri) + len(row.path_text) for row in sections)
    return document, written + sum(len(row.uri) + len(row.text) for row in chunk_rows("P", sections, document))


def seconds(text: str) -> float:
    start = time.process_time()
    read(text)
    return time.process_time() - start


@pytest.mark.parametrize("many", MANY.values(), ids=MANY)
def test_eight_times_as_many_take_no_more_than_some_eight_times_as_long(many: Callable[[int], str]) -> None:
    small, large = many(600), many(4_800)
    base = max(seconds(small) for _ in range(2)) + 0.005
    assert any(seconds(large) / base < 24 for _ in range(2))


@pytest.mark.parametrize("many", MANY.values(), ids=MANY)
def test_what_is_written_is_no_more_than_some_times_the_page(many: Callable[[int], str]) -> None:
    text = many(1_200)
    assert read(text)[1] < 12 * len(text) + 10_000


def test_a_very_long_heading_is_text_and_repeated_by_no_uri() -> None:
    document, written = read(f"<h1>P</h1><h2>{'Long ' * 2_000}</h2>" + "<h3>x</h3><p>y</p>" * 100)
    assert [(chunk.kind, len(chunk.text)) for chunk in document.chunks[:1]] == [("paragraph", 9_999)]
    assert written < 20_000


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<p " + " ".join(f"a{i}" for i in range(1_001)) + ">x</p>", "an element has more than 1000 attributes"),
        (
            "<p " + " ".join(f"a{i}='>'" for i in range(1_001)) + ">x</p>",
            "an element has more than 1000 attributes",
        ),
        (
            "".join(f"<font size={i}>" for i in range(100)) + "<p>x" * 2_500,
            "too many formatting elements are left open",
        ),
        (
            "".join(f"<Font size={i}>" for i in range(100)) + "<P>x" * 2_500,
            "too many formatting elements are left open",
        ),
        (
            "<P " + " ".join(f"A{i}" for i in range(1_001)) + ">x</P>",
            "an element has more than 1000 attributes",
        ),
        ("<p>x<svg><div>" + "<path/>" * 19_000, "elements are nested too deep"),
        ("<p>x<svg></svg>" + "<div/>" * 19_000, "elements are nested too deep"),
        ("<p>x" + "<div>" * 800, "elements are nested too deep"),
    ],
    ids=["attributes", "quoted attributes", "formatting", "Formatting", "Attributes", "no drawing", "later", "walk"],
)
def test_what_no_tree_is_made_of_in_linear_time_is_read_as_flat_text(text: str, reason: str) -> None:
    document = parse_page(text, title="T")
    assert (document.note, document.chunks[0].text[:1]) == (f"read as flat text: {reason}", "x")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "".join(f"<font size={i}>" for i in range(100)) + "<p>x" * 25_000,
            "too many formatting elements are left open",
        ),
        ("<p>x<svg></svg>" + "<div/>" * 20_000, "elements are nested too deep"),
        ("<p>x" + "<div>" * 100_000, "elements are nested too deep"),
        ("<b>x" * 600_000, "elements are nested too deep"),
    ],
    ids=["formatting", "elements", "many elements", "characters"],
)
def test_what_is_too_large_even_for_that_is_refused(text: str, reason: str) -> None:
    with pytest.raises(BadPage, match=f"{reason}, and it has more than 20,000 tags or 2,000,000 characters"):
        parse_page(text, title="T")


@pytest.mark.parametrize(
    "text",
    [
        "<p>x</p><script>if (a<b && " + "c && " * 2_000 + "d) {}</script>",
        "<p>x</p><!-- <p " + "a " * 2_000 + "-->",
        "<p>x<img alt='" + "a " * 2_000 + "'></p>",
        "<p>x</p><svg>" + "<path d='M 1 2'/>" * 20_000 + "</svg>",
        "<p>x</p><h2 id='a''>It's" + " a word" * 2_000 + "</h2>",
        '<p>x</p><h2 id="a"">A "quoted' + " word" * 2_000 + '"</h2>',
        "<table>" + "<tr><td><font size=2><b>x" * 2_000 + "</table>",
        "".join(f"<p><font size={i}>x</font></p>" for i in range(2_000)),
    ],
    ids=["script", "comment", "value", "drawing", "stray quote", "stray quotes", "left open alike", "closed"],
)
def test_what_only_looks_like_it_is_read(text: str) -> None:
    assert parse_page(text, title="T").chunks[0].text.startswith("x")


DEEP = 20_000
# Each has elements of one name in one another, though they look closed or the drawing seems to go on.
NESTED = {
    "HTML in a drawing": "<svg><foreignObject>" + "<section/>" * DEEP,
    "in capitals": "<SVG><FOREIGNOBJECT>" + "<SECTION/>" * DEEP,
    "description": "<svg><desc>" + "<section/>" * DEEP,
    "title": "<svg><title>" + "<x-part/>" * DEEP,
    "text of a formula": "<math><mtext>" + "<section/>" * DEEP,
    "operator": "<math><mo>" + "<section/>" * DEEP,
    "annotation": "<math><semantics><annotation-xml encoding='text/html'>" + "<section/>" * DEEP,
    "annotation, written otherwise": '<math><annotation-xml encoding="TEXT&#47;html">' + "<section/>" * DEEP,
    "an end that counts for nothing": "<svg><desc><section></desc>" + "<article/>" * DEEP,
    "drawing in a drawing": "<svg><desc><svg><desc></desc></svg>" + "<section/>" * DEEP,
    "behind a drawing": "<svg></svg>" + "<section/>" * DEEP,
    "behind a drawing with an open part": "<svg><g></svg>" + "<section/>" * DEEP,
    "behind an empty drawing": "<svg/>" + "<section/>" * DEEP,
    "behind a comment": "<!--<svg>-->" + "<section/>" * DEEP,
    "behind an empty comment": "<!-->" + "<section>" * DEEP + "-->",
    "ends in comments": "<section><!--</section>-->" * DEEP,
    "a value's slash": "<svg>" + "<g a=b/>" * DEEP,
    "a quoted slash": "<svg>" + "<g a='/>'>" * DEEP,
}


@pytest.mark.parametrize("text", NESTED.values(), ids=NESTED)
def test_elements_that_only_look_closed_are_nested(text: str) -> None:
    assert is_too_deep(text)


NOT_NESTED = {
    "title": "<svg><title>A</title>" + "<path d='M 1 2'/>" * DEEP,
    "description": "<svg><g><desc>A <b>b</b></desc>" + '<path d="M 1 2" />' * DEEP,
    "HTML in a drawing": "<svg>" + "<foreignObject><div>x</div></foreignObject><path id=a />" * DEEP,
    "empty parts": "<svg>" + "<foreignObject/><title/><desc/><path/>" * DEEP,
    "formula": "<math>" + "<mi>x</mi><mspace/><mo>+</mo>" * DEEP,
    "meaning of a formula": "<math><annotation-xml encoding='MathML-Content'>" + "<apply><times/></apply>" * DEEP,
    "icons": "<svg><title>a</title><use href='#a'/></svg><section>x</section>" * DEEP,
    "comments": "<p>x<!-- <section> -->" * DEEP,
    "addresses": "<svg>" + "<use href='http://a.example/b/'/>" * DEEP,
}


@pytest.mark.parametrize("text", NOT_NESTED.values(), ids=NOT_NESTED)
def test_drawings_and_formulas_of_many_parts_are_not_nested(text: str) -> None:
    assert not is_too_deep(text)


def test_a_tag_of_megabytes_is_looked_at_once() -> None:
    text = "<svg>" + "<p>" * DEEP + "<g " + "a='b' /=" * 200_000 + "/>" + "<g a" + "=" * 1_000_000 + "/>"
    assert not is_too_deep(text)


@pytest.mark.parametrize("name", ["option", "OPTION", "Option", "oPTION", "Optgroup", "OPTgroup"])
def test_options_beyond_number_are_no_elements_however_they_are_written(name: str) -> None:
    assert without_crowds_of_options(f"<p>x<select><{name}>y</{name}>z") == f"<p>x<select><{name}>y</{name}>z"
    assert without_crowds_of_options(f"<{name} a=b>y</{name}>" * 6_000) == " y " * 6_000


def test_options_beyond_number_hide_nothing_that_follows() -> None:
    document = parse_page("<p>x<select>" + "<option>y</option>" * 6_000 + "</select> z</p>", title="T")
    assert [chunk.text for chunk in document.chunks] == ["x z"]


def test_a_span_of_thousands_of_digits_is_one_of_the_most() -> None:
    cells = f"<tr><td rowspan={'9' * 5_000}>1901<td colspan={'0' * 5_000}1>Gull</tr><tr><td>Rose</tr>"
    document = parse_page(f"<table class=wikitable><tr><th>Year<th>Ship</tr>{cells}</table>", title="T")
    assert [chunk.text for chunk in document.chunks] == ["Year | Ship\n1901 | Gull\n | Rose"]


@pytest.mark.parametrize(
    ("titles", "uris"),
    [
        (["A", "A", "A"], ["P#A", "P#A (2)", "P#A (3)"]),
        (["A (2)", "A", "A"], ["P#A (2)", "P#A", "P#A (3)"]),
        (["A", "A", "A (2)", "A"], ["P#A", "P#A (2)", "P#A (2) (2)", "P#A (3)"]),
    ],
)
def test_equal_headings_are_numbered_past_what_is_taken(titles: list[str], uris: list[str]) -> None:
    assert section_uris("P", [Section(title, 2, -1) for title in titles]) == uris
