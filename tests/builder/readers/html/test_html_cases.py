"""HTML pages in small: each block of `html/*.case` is a page and the document that it is.

A block, set apart by lines of `---`, has these parts, each begun by its word at a line's start:

    name:     one word, unique
    label:    what the case shows, in one sentence
    file:     the file's name (optional)
    title:    the title given beside the page (optional)
    maker:    MediaWiki, where the page is a piece that does not show it (optional)
    input:    the HTML, on the lines below
    output:   the document, on the lines below
    bs4:      the document that Beautiful Soup gives, where the HTML is malformed and it differs (optional)

A document is written line by line: `title`, `url`, `language`, `modified` and `note` where there is one,
`statement KIND KEY = VALUE`, `section LEVEL TITLE < PARENT`, `KIND [PART] § SECTION: TEXT` with `⏎` for
line breaks, and below a chunk its links, `ANCHOR @START -> TARGET # FRAGMENT`. A page that cannot be read
is `BadPage: REASON`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from builder.documents.chunking import Line, cut_lines, join_parts, line_chunks
from builder.documents.records import Chunk, Document, Link, Section
from builder.readers.html.head import is_mediawiki
from builder.readers.html.page import BadPage, parse_page
from tests import paths

CASES = paths.CASES / "html"
PART = re.compile(r"^(name|label|file|title|maker|input|output|bs4):", re.M)


class Case(NamedTuple):
    name: str
    label: str
    file: str
    title: str | None
    wiki: bool | None
    input: str
    outputs: dict[str, str]


def read_cases(path: Path) -> Iterator[Case]:
    for block in re.split(r"^---\n", path.read_text("utf-8"), flags=re.M):
        pieces = PART.split(block)
        part = {key: value.strip("\n ") for key, value in zip(pieces[1::2], pieces[2::2], strict=True)}
        output = part["output"]
        outputs = {"selectolax": output, "bs4": part.get("bs4", output)}
        file, title = part.get("file", ""), part.get("title")
        wiki = part["maker"] == "MediaWiki" if "maker" in part else None
        yield Case(part["name"], part["label"], file, title, wiki, part["input"], outputs)


def written(document: Document) -> Iterator[str]:
    for field in ("title", "url", "language", "modified", "note"):
        if getattr(document, field):
            yield f"{field} {getattr(document, field)}"
    for kind, key, value in document.statements:
        yield f"statement {kind} {key} = {value}" if key else f"statement {kind} {value}"
    for section in document.sections:
        yield written_section(section, document.sections)
    for chunk in document.chunks:
        yield from written_chunk(chunk, document.sections)


def written_section(section: Section, sections: tuple[Section, ...]) -> str:
    parent = f" < {sections[section.parent].title}" if section.parent >= 0 else ""
    return f"section {section.level} {section.title}{parent}"


def written_chunk(chunk: Chunk, sections: tuple[Section, ...]) -> Iterator[str]:
    part = f" {chunk.part}" if chunk.part else ""
    section = f" § {sections[chunk.section].title}" if chunk.section >= 0 else ""
    yield f"{chunk.kind}{part}{section}: {chunk.text}".replace("\n", "⏎")
    for start, end, target, fragment, anchor in chunk.links:
        assert chunk.text[start:end] == anchor
        yield f"    {anchor} @{start} -> {target}".replace("\n", "⏎") + (f" # {fragment}" if fragment else "")


def parsed(case: Case, tree: str) -> str:
    try:
        document = parse_page(case.input, name=case.file, title=case.title, tree=tree, wiki=case.wiki)
    except BadPage as error:
        return f"BadPage: {error}"
    return "\n".join(written(document))


FILES = sorted(CASES.glob("*.case"))
ALL = [pytest.param(case, id=f"{path.stem}-{case.name}") for path in FILES for case in read_cases(path)]


@pytest.mark.parametrize("tree", ["selectolax", "bs4"])
@pytest.mark.parametrize("case", ALL)
def test_page_is_read_as_written(case: Case, tree: str) -> None:
    assert parsed(case, tree) == case.outputs[tree], case.label


def test_only_malformed_pages_differ_between_the_trees() -> None:
    differing = {path.stem for path in FILES for case in read_cases(path) if len(set(case.outputs.values())) > 1}
    assert differing <= {"malformed"}


@pytest.mark.parametrize(
    ("page", "is_wiki"),
    [
        ("<p class=mw-headline>A", True),
        ("<p class='wikitable'>A", True),
        ('<p class="a wikitable sortable">A', True),
        ('<body id="bodyContent">A', True),
        ('<i class="icon-mediawiki">A', False),
        ("<i class=fa-mediawiki>A", False),
        ('<i class="a brand_mediawiki">A', False),
        ('<table class="my-wikitable sortable">A', False),
        ('<table class="wikitable-like">A', False),
    ],
)
def test_a_wiki_is_known_by_whole_names(page: str, is_wiki: bool) -> None:
    assert is_mediawiki(page) == is_wiki


def test_there_is_a_case_for_every_kind_of_markup() -> None:
    names = [case.name for path in FILES for case in read_cases(path)]
    assert len(names) >= 60
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("raw", "text", "note"),
    [
        ("<p>Café</p>".encode(), "Café", None),
        ("<html><p>Café</p>".encode("utf-16-le"), "Café", None),
        ("<html><p>Café</p>".encode("utf-16-be"), "Café", None),
        ("\n<html><p>Café</p>".encode("utf-16-le"), "Café", None),
        (" \r\n\t<html><p>Café</p>".encode("utf-16-le"), "Café", None),
        (" \r\n\t<html><p>Café</p>".encode("utf-16-be"), "Café", None),
        ("<meta charset=gbk><p>月亮</p>".encode("gbk"), "月亮", None),
        ("<meta charset=shift_jis><p>月は</p>".encode("shift_jis"), "月は", None),
        (b"\xef\xbb\xbf<p>Caf\xc3\xa9</p>", "Café", None),
        ("\ufeff<p>Café</p>".encode("utf-16-le"), "Café", None),
        (b'<meta charset="iso-8859-1"><p>Caf\xe9</p>', "Café", None),
        (b'<META CONTENT="text/html; charset=windows-1252"><p>\x93C\x94</p>', "“C”", None),
        (b'<meta charset="iso-8859-1"><p>\x93C\x94 \x80 5</p>', "“C” € 5", None),
        (b'<meta charset="latin1"><p>\x93C\x94</p>', "“C”", None),
        (b'<meta charset="us-ascii"><p>C\x92s</p>', "C’s", None),
        (b'<meta charset="iso-8859-9"><p>\x93\xdd\x94</p>', "“İ”", None),
        ("<meta charset=gb2312><p>镕</p>".encode("gbk"), "镕", None),
        ("<meta charset=shift_jis><p>①</p>".encode("cp932"), "①", None),
        (b'<meta charset="iso-8859-1"><p>a\x81b</p>', "a\ufffdb", "1 invalid CP1252 characters replaced"),
        (b'<meta charset="utf-16"><p>Caf\xc3\xa9</p>', "Café", None),
        (b'<meta charset="hex"><p>Caf\xc3\xa9</p>', "Café", None),
        (b'<meta charset="undefined"><p>Caf\xc3\xa9</p>', "Café", None),
        (b'<meta charset="no-such-code"><p>Caf\xc3\xa9</p>', "Café", None),
        (b"<meta charset=utf-8><p>Caf\xe9 \xff!</p>", "Caf\ufffd \ufffd!", "2 invalid UTF-8 bytes replaced"),
        (b"<meta charset=utf-8><p>Caf\xe9</p>", "Caf\ufffd", "1 invalid UTF-8 byte replaced"),
        (b"<p>Gr\xf6\xdfe</p>", "Größe", "not UTF-8; read as Latin-1"),
        (b"<p>\x93Gr\xf6\xdfe\x94</p>", "“Größe”", "not UTF-8; read as Windows-1252"),
        (b"<meta charset=hex><p>Gr\xf6\xdfe</p>", "Größe", "not UTF-8; read as Latin-1"),
        ("<p>Größe".encode() + b"\xff</p>", "Größe\ufffd", "1 invalid UTF-8 byte replaced"),
    ],
)
def test_bytes_are_decoded_as_the_page_says(raw: bytes, text: str, note: str | None) -> None:
    document = parse_page(raw, title="T")
    assert [chunk.text for chunk in document.chunks] == [text]
    assert document.note == note


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"%PDF-1.7 <p>x</p>", "it is a PDF file"),
        (b"PK\x03\x04 <p>x</p>", "it is a zip archive"),
        (b"\x1f\x8b <p>x</p>", "it is a gzip file"),
        (b"<p>x</p>" + bytes(range(256)) * 40, "of its 10248 characters are control characters"),
        (b"<p>x</p>" + b"\0" * 400, "400 of its 408 characters are control characters"),
    ],
)
def test_what_is_no_text_is_refused(raw: bytes, reason: str) -> None:
    with pytest.raises(BadPage, match=reason):
        parse_page(raw, title="T")


def lines(*texts: str) -> list[Line]:
    return [Line(text) for text in texts]


def test_parts_begin_with_the_header_and_hold_every_row_once() -> None:
    parts = cut_lines(lines("head", "one", "two", "three"), header=1, limit=13)
    assert [[line.text for line in part] for part in parts] == [["head", "one", "two"], ["head", "three"]]


def test_a_row_above_the_limit_stays_whole_and_a_large_header_is_not_repeated() -> None:
    parts = cut_lines(lines("a" * 8, "b" * 30, "c", "d"), header=1, limit=10)
    assert [[line.text for line in part] for part in parts] == [["a" * 8, "b" * 30], ["c", "d"]]


def test_what_fits_is_one_chunk_and_links_move_with_their_lines() -> None:
    link = Link(0, 1, "B", "", "b")
    (chunk,) = line_chunks(3, "list", [Line("aa"), Line("b", (link,))], limit=4)
    assert chunk == Chunk(3, "list", 0, "aa\nb", (Link(3, 4, "B", "", "b"),))
    first, second = line_chunks(3, "list", [Line("aa"), Line("b", (link,))], limit=3)
    assert (first.part, second.part, second.links) == (1, 2, (link,))


def test_parts_join_to_the_whole_with_the_header_once() -> None:
    rows = lines("Caption", "Year | Ship", *(f"{year} | Gull" for year in range(1900, 2100)))
    parts = list(line_chunks(-1, "table", rows, header=2))
    assert len(parts) > 1
    assert join_parts([part.text for part in parts]) == "\n".join(row.text for row in rows)
