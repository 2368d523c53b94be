"""Pages of which no tree is made, nested too deep or too costly, are read as flat text by Beautiful Soup."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from itertools import groupby

import pytest

from builder.documents.records import Document
from builder.readers.html.flat import FLAT, parse_flat
from builder.readers.html.head import is_mediawiki
from builder.readers.html.page import parse_page
from builder.readers.html.parsing_cost import simplified
from builder.readers.links.html_titles import title_of_page
from builder.storage.process_pool import Workers
from tests.builder.readers.html.test_html_cases import CASES, Case, read_cases

DEEP = "read as flat text: elements are nested too deep"
PAGE = """<html lang="en"><head><title>Oil lamp - Lights</title><meta property="og:site_name" content="Lights">
<link rel="canonical" href="https://lights.example/oil.html">
<body><nav>Home</nav><header><a href="x.html">Lights</a></header><h1>Oil lamp</h1><p>An <a href="oil.html">oil</a> lamp.
<h2>Parts</h2><p>First.<p>Second.<ul><li>A <b>wick</b><li>A bowl<ul><li>of <a href="clay.html">clay</a></ul></ul>
<table><tr><th>Year<th>Place<tr><td>1251<td><a href="/wiki/Grindle">Grindle</a></table><pre>one
  two</pre><dl><dt>Oil<dd>burns</dl><script>no()</script><!-- no --><div hidden>no</div><p style="display: none">no</p>
<h3>Bowl</h3>Clay.<br>Brass.<h2></h2><footer>Imprint</footer>"""


def flat(html: str, **options: object) -> Document:
    return parse_flat(html, "a reason", **options)  # type: ignore[arg-type]


def written(document: Document) -> list[str]:
    """Return the document's chunks, each with its section, kind and links."""
    titles = [section.title for section in document.sections]
    return [
        f"{titles[chunk.section] if chunk.section >= 0 else ''}|{chunk.kind}: {chunk.text}"
        + "".join(f" [{link.anchor} {link.start}-{link.end} {link.target}]" for link in chunk.links)
        for chunk in document.chunks
    ]


def test_a_page_keeps_title_sections_texts_and_links() -> None:
    document = flat(PAGE, files={"oil.html": "Oil", "clay.html": "Clay"}, name="lamp.html")
    assert (document.title, document.url, document.language, document.note) == (
        "Oil lamp", "https://lights.example/oil.html", "en", "read as flat text: a reason"
    )  # fmt: skip
    assert [(section.title, section.level, section.parent) for section in document.sections] == [
        ("Parts", 2, -1), ("Bowl", 3, 0)
    ]  # fmt: skip
    assert written(document) == [
        "|paragraph: An oil lamp. [oil 3-6 Oil]",
        "Parts|paragraph: First.",
        "Parts|paragraph: Second.",
        "Parts|list: A wick",
        "Parts|list: A bowl",
        "Parts|list: of clay [clay 3-7 Clay]",
        "Parts|table: Year | Place",
        "Parts|table: 1251 | Grindle [Grindle 7-14 Grindle]",
        "Parts|code: one\n  two",
        "Parts|definition: Oil\n  burns",
        "Bowl|paragraph: Clay.\nBrass.",
    ]
    assert not document.named_by_title


WIKI = """<div id="siteNotice">no</div><h1 id="firstHeading">Sill <i>limestone</i></h1><div id="mw-content-text">
<div class="hatnote">no</div><p>It is from <a href="/wiki/Grindle_Falls">the falls</a>.<sup
class="reference">[1]</sup></p>
<div class="navbox">no</div><h2><span class="mw-headline">Use</span></h2><p>Bridges.</div><div id="catlinks">no</div>"""


def test_a_page_of_a_wiki_leaves_out_what_its_tree_would() -> None:
    document = flat(WIKI, wiki=True, name="sill.html")
    assert (document.title, [section.title for section in document.sections]) == ("Sill limestone", ["Use"])
    assert written(document) == [
        "|paragraph: It is from the falls. [the falls 11-20 Grindle Falls]",
        "Use|paragraph: Bridges.",
    ]


def test_a_title_that_is_never_ended_ends_before_the_first_block() -> None:
    document = flat("<h1>Oil <i>lamp</i><p>It glows.")
    assert (document.title, written(document)) == ("Oil lamp", ["|paragraph: It glows."])


@pytest.mark.parametrize(
    ("html", "chunks"),
    [
        ("<p>1 < 2 &lt; 3 &amp; 4", ["|paragraph: 1 < 2 < 3 & 4"]),
        ("<p>a <a href=/wiki/B>b<p>c</a>", ["|paragraph: a b", "|paragraph: c"]),
        ("<table><tr><td>a<td><td><p>b</p><p>c</p></table>d", ["|table: a | b c", "|paragraph: d"]),
        ("<table><tr><td>a<table><tr><td>b</table>c</table>", ["|table: a", "|table: b", "|table: c"]),
        (f"<table><tr><td><p>{'a ' * 1000}<p>b", [f"|table: {'a ' * 999}a", "|table: b"]),
        ("<header><main><p>a</main></header>", ["|paragraph: a"]),
        ("<article><header>a</header><aside>b</aside></article><aside>c</aside>", ["|paragraph: a", "|paragraph: b"]),
        ("<p>a<a href=b", ["|paragraph: a"]),
        ("<p>a<!-- b", ["|paragraph: a"]),
        ("<p>a<script>b", ["|paragraph: a"]),
        ('<p>a<img alt="b > c">d', ["|paragraph: ad"]),
        (f"<p>a<h2>{'b ' * 600}</h2>", ["|paragraph: a", f"|paragraph: {'b ' * 599}b"]),
        ("<ul><li>a" * 5000, ["|list: a"] * 5000),
    ],
)
def test_texts_are_parted_at_blocks(html: str, chunks: list[str]) -> None:
    assert [text.partition(" [")[0] for text in written(flat(f"<h1>T</h1>{html}"))] == chunks


@pytest.mark.parametrize(
    ("html", "simple"),
    [
        ("<P  CLASS=a ONCLICK='x' Href='a\"b' href=c>", '<p class="a" href="a&quot;b">'),
        ("<a <b>", "<a><b>"),
        ("a < b <1 </ c", "a &lt; b &lt;1 &lt;/ c"),
        ("<p alt='<i>'>x</p >", "<p>x</p>"),
        ("<?xml?><!doctype html><![CDATA[x]]>y", "y"),
        ("<!-- <p> -->a<!---->b<!-- c --!>d", "abd"),
        ("<style>p > a</STYLE>b", "b"),
        ("<p hidden>", '<p hidden="">'),
    ],
)
def test_tags_are_completed(html: str, simple: str) -> None:
    assert simplified(html) == simple


AGREEING = [
    pytest.param(case, id=f"{name}-{case.name}")
    for name in ("navigation", "own-titles", "boxes") for case in read_cases(CASES / f"{name}.case")
]  # fmt: skip


def words_by_section(document: Document) -> list[tuple[int, list[str]]]:
    """Return the words of each run of chunks in one section."""
    runs = groupby(document.chunks, key=lambda chunk: chunk.section)
    return [(section, " ".join(chunk.text for chunk in chunks).split()) for section, chunks in runs]


@pytest.mark.parametrize("case", AGREEING)
def test_titles_sections_and_words_are_those_of_a_tree(case: Case) -> None:
    by_tree, by_walk = parse_page(case.input, title="T"), flat(case.input, title="T", wiki=is_mediawiki(case.input))
    assert (by_walk.title, by_walk.sections) == (by_tree.title, by_tree.sections)
    assert words_by_section(by_walk) == words_by_section(by_tree)


NESTED = {
    "div": ("<div>", 799),
    "span": ("<span>", 799),
    "sup": ("<sup>", 399),
    "items": ("<ul><li>", 160),
    "lists": ("<ul>", 798),
    "definitions": ("<dl><dd>", 266),
    "terms": ("<dl><dt>", 160),
    "definition lists": ("<dl>", 399),
    "tables": ("<table><tr><td>", 199),
    "infoboxes": ("<table class=infobox><tr><td>", 200),
    "boxes": ("<div class=infobox>", 399),
    "captions": ("<figcaption>", 399),
    "thumbs": ("<div class=thumbcaption>", 399),
    "events": ("<div class=vevent><table><tr><td>", 160),
    "galleries": ("<ul class=gallery><li>", 266),
    "headings": ("<h2><div>", 199),
}


@pytest.mark.parametrize(("tags", "most"), NESTED.values(), ids=NESTED)
def test_a_tree_is_read_up_to_a_depth_and_flat_text_beyond(tags: str, most: int) -> None:
    assert parse_page(f"<p></p>{tags * most}x", title="T").note is None
    beyond = parse_page(f"<p></p>{tags * (most + 1)}x", title="T")
    assert (beyond.note, beyond.chunks[-1].text) == (DEEP, "x")


def outcome(html: str) -> str | None:
    return parse_page(html, title="T").note


def in_a_thread(html: str) -> str | None:
    notes: list[str | None] = []
    thread = threading.Thread(target=lambda: notes.append(outcome(html)))
    thread.start()
    thread.join()
    return notes[0]


def called_deep(html: str, calls: int = 100) -> str | None:
    return called_deep(html, calls - 1) if calls else outcome(html)


@pytest.mark.parametrize("read", [outcome, in_a_thread, called_deep])
@pytest.mark.parametrize(("tags", "most"), NESTED.values(), ids=NESTED)
def test_the_depth_is_the_same_whatever_calls(tags: str, most: int, read: Callable[[str], str | None]) -> None:
    assert sys.getrecursionlimit() == 1000
    assert [read(f"<p></p>{tags * n}x") for n in (most, most + 1)] == [None, DEEP]


def test_a_worker_process_reads_the_same() -> None:
    pages = ["<div>" * n + "x" for n in (799, 800)]
    with Workers(1, 60) as workers:
        assert [note for _, note in workers.map(outcome, pages)] == [None, DEEP]


@pytest.mark.parametrize("n", [10, 5_000, 19_000])
def test_a_link_to_such_a_page_has_its_title(n: int) -> None:
    page = "<title>Lamp - Site</title><h1>Oil lamp</h1>" + "<div>" * n + "x"
    assert title_of_page(page.encode(), "lamp.html") == parse_page(page, name="lamp.html").title == "Oil lamp"


def test_invalid_bytes_are_noted_beside_it() -> None:
    document = parse_page(b"<meta charset=utf-8><p>Caf\xe9" + b"<div>" * 800, title="T")
    assert (document.note or "").startswith(FLAT)
    assert document.note == f"{DEEP}; 1 invalid UTF-8 byte replaced"
