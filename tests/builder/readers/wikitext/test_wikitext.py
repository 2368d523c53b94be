"""Wikitext in small, each block of `wikitext/*.case` a page and the document that it is, and whole dumps.

The blocks are like those of `test_html_cases`, with these parts more:

    date:         the day of the page's last change (optional)
    language:     the wiki's language (optional)
    namespaces:   its namespaces as `NUMBER=NAME, ...` (optional)
"""

from __future__ import annotations

import bz2
import gzip
import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

import mwparserfromhell
import pytest
from mwparserfromhell.parser import CTokenizer, tokens
from mwparserfromhell.parser.tokenizer import Tokenizer

from builder.documents.records import Document, Link, Redirect, Reject, Statement
from builder.readers.html.page import parse_page as parse_html
from builder.readers.registry import ReadOptions
from builder.readers.source import Cut, Item, Source, format_of
from builder.readers.wikitext import dump as wikitext_dump
from builder.readers.wikitext.expand import TAKE, expand, resolve
from builder.readers.wikitext.guard import guarded
from builder.readers.wikitext.links import link, trail_of
from builder.readers.wikitext.page import parse_page
from builder.readers.wikitext.site import Site, read_namespaces, redirect_target
from builder.readers.wikitext.state import Call, Page, Rules
from builder.readers.wikitext.tags import extension_tag
from builder.readers.wikitext.to_html import without_addresses, without_quotes
from tests import paths
from tests.builder.readers.html.test_html_cases import written

DATA = paths.DATA / "wikitext"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="the real data (WEFT_DATA) is absent")
PART = re.compile(r"^(name|label|title|date|language|namespaces|input|output):", re.M)
LEFT_OVER = re.compile(r"\{\{|\}\}|\[\[|\]\]|''|</?[a-z]+[^<>]*>|\{\||\|\}|__[A-Z]+__")


class Case(NamedTuple):
    name: str
    label: str
    title: str
    date: str
    site: Site
    input: str
    output: str


def read_cases(path: Path) -> Iterator[Case]:
    for block in re.split(r"^---\n", path.read_text("utf-8"), flags=re.M):
        pieces = PART.split(block)
        part = {key: value.strip("\n ") for key, value in zip(pieces[1::2], pieces[2::2], strict=True)}
        names = dict(pair.split("=") for pair in part.get("namespaces", "0=").split(", "))
        site = read_namespaces(Site(part.get("language")), {int(key): name for key, name in names.items()})
        yield Case(
            part["name"],
            part["label"],
            part.get("title", "T"),
            part.get("date", ""),
            site,
            part["input"],
            part["output"],
        )


FILES = sorted((paths.CASES / "wikitext").glob("*.case"))
ALL = [pytest.param(case, id=f"{path.stem}-{case.name}") for path in FILES for case in read_cases(path)]


@pytest.mark.parametrize("case", ALL)
def test_page_is_read_as_written(case: Case) -> None:
    document = parse_page(case.input, title=case.title, date=case.date, site=case.site)
    assert "\n".join(written(document)) == case.output, case.label


def test_there_is_a_case_for_every_kind_of_markup() -> None:
    names = [(path.stem, case.name) for path in FILES for case in read_cases(path)]
    assert len(names) >= 90
    assert len(names) == len(set(names))


def test_a_long_list_is_cut_between_items() -> None:
    document = parse_page("\n".join(f"* {letter * 600}" for letter in "abcd"), title="T")
    assert [(chunk.part, chunk.text[0], len(chunk.text)) for chunk in document.chunks] == [
        (1, "a", 1802),
        (2, "d", 600),
    ]


@pytest.mark.parametrize(
    ("line", "plain"),
    [
        ("L'''été'' est", "L'été est"),
        ("L'''été'' est ''là'''", "Lété est là"),
        ("''''a'''", "'a"),
        ("''''''a'''''", "'a"),
        ("'''a", "a"),
        ("rock 'n' roll", "rock 'n' roll"),
    ],
)
def test_apostrophes_among_marks_stay(line: str, plain: str) -> None:
    assert without_quotes(line) == plain


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[http://a.example the site], [http://b.example].", "the site, ."),
        ("[//a.example a [b] c] [mailto:a@b.example d]", "a [b c] d"),
        ("[http://a.example a [http://b.example b] c]", "a [http://b.example b c]"),
        ("[http://a.example a\nb] [http://c.example d]", "[http://a.example a\nb] d"),
        ("[http://a.example " + "a " * 5000 + "]", "a " * 5000),
        ("[http://a.example a, [b] [http:// ]", "a, [b [http:// ]"),
    ],
)
def test_of_external_links_their_words_stay(text: str, shown: str) -> None:
    assert without_addresses(text) == shown


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("#REDIRECT [[moon]]", "Moon"),
        ("#redirect:[[Moon#Far side|x]]\n{{R from y}}", "Moon"),
        ("# Redirect [[ Far_side ]]", "Far side"),
        ("#WEITERLEITUNG [[Mond]]", "Mond"),
        ("#перенаправление [[Луна]]", "Луна"),
        ("#Moon [[Moon]]", None),
        ("A #REDIRECT [[Moon]]", None),
    ],
)
def test_a_redirect_says_where_to(text: str, target: str | None) -> None:
    assert redirect_target(text) == target


LONG = {
    "brackets": "[[" * 100_000,
    "braces": "{{" * 100_000,
    "open templates": "{{a|" * 50_000,
    "open links": "[[a|" * 50_000,
    "open arguments": "{{{a|" * 40_000,
    "open references": "<ref>a" * 30_000,
    "open tables": "{|\n|\n" * 10_000,
    "open external links": "[http://a " * 6000,
    "nested templates": "{{small|" * 20_000 + "x" + "}}" * 20_000,
    "nested links": "[[a|" * 30_000 + "x" + "]]" * 30_000,
    "quotes": "'''a''b" * 28_000,
    "equal signs": "{{x|" + "=" * 200_000 + "}}",
    "parameters": "{{Infobox\n" + "".join(f"|k{n}=v\n" for n in range(10_000)) + "}}",
    "deep items": (":" * 500 + "a\n") * 400,
    "all at once": "{{a|[[b|<i>\n{|" * 14_000,
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG)
def test_much_unclosed_markup_is_read(text: str) -> None:
    document = parse_page(f"Before.\n\n{text}", title="T")
    assert document.chunks[0].text.startswith("Before.")


UNCLOSED = ("[[", "[[a|", "{{", "{{a|", "{{{a|", "{{a|[[b|", "{{a|[[b|c}}", "<ref>", "[http://a ")


@pytest.mark.parametrize("opening", UNCLOSED)
@pytest.mark.parametrize("times", [30, 40, 1000])
def test_links_and_templates_behind_unclosed_ones_are_read(opening: str, times: int) -> None:
    document = parse_page(f"{opening * times}\n\nThe [[Moon]] is {{{{nowrap|very far}}}} away.", title="T")
    last = document.chunks[-1]
    assert (last.text, last.links) == ("The Moon is very far away.", (Link(4, 8, "Moon", "", "Moon"),))


@pytest.mark.parametrize("times", [3, 30, 600])
@pytest.mark.parametrize(
    ("opening", "closing"), [("{{small|", "}}"), ("{{{a|", "}}}"), ("[[a|", "]]"), ("{{small|[[a|", "]]}}")]
)
def test_what_stands_in_nested_templates_and_links_is_kept(opening: str, closing: str, times: int) -> None:
    nested = opening * times + "b [[Moon]] {{nowrap|c d}}" + closing * times
    [chunk] = parse_page(f"a {nested} e.", title="T").chunks
    assert chunk.text == "a b Moon c d e."
    assert Link(4, 8, "Moon", "", "Moon") in chunk.links


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("{{a| [[b " * 30, None),
        ("{{a|b}} [[c]] " * 100, None),
        ("{{a| " * 31, "read as text, since nothing closes them: 31 {{"),
        ("{{a|[[b|c}} " * 40, "read as text, since nothing closes them: 40 [["),
        ("<ref>[[ " * 40, "read as text, since nothing closes them: 40 [[, 40 extension tags"),
        ("{{small|" * 26 + "}}" * 26, "flattened, since they nest deeper than 25: 1 templates and links"),
    ],
)
def test_much_that_is_not_read_as_markup_is_noted(text: str, note: str | None) -> None:
    assert parse_page("Before. " + text, title="T").note == note


SIGNS = """{{|}}|{{{|}}}|[[|]]|[|]|{|}|=|a b|:|#if:|small#|<ref>|</ref>|<nowiki>|</nowiki>|<!--|-->|http://a.b|//|
    &amp;|<b>|&|{{small#x}}|[[Moon]]|{{{!}}|;|----|mailto:x|<poem>|</poem>""".replace("\n    ", "").split("|")


def test_the_parser_reads_all_that_is_shown_to_it_as_templates_arguments_and_links() -> None:
    chosen = Random(7)
    signs = [sign.replace("#", "|") for sign in SIGNS]
    signs += ["|", "\n", "\n* ", "\n== a ==\n", "\n{|\n", "\n|-\n", "\n|}\n"]
    for _ in range(1000):
        text = "".join(chosen.choices(signs, k=chosen.choice((5, 20, 100))))
        safe = guarded(text).text
        found = (CTokenizer or Tokenizer)().tokenize(safe, 0, True)
        assert {type(token) for token in found} <= {tokens.Text, *TAKE}, text
        rest = "".join(token.text for token in found if type(token) is tokens.Text)
        assert not re.search(r"[{}\[\]<>&:\n]", rest), text
        parse_page(text, title="T")


@pytest.mark.parametrize("tag", ["div", "span"])
def test_tags_nested_too_deep_are_read_as_flat_text(tag: str) -> None:
    document = parse_page("The [[sea]]." + f"<{tag}>" * 15_000 + "A [[lamp|light]].", title="T")
    assert [(chunk.text, [link.target for link in chunk.links]) for chunk in document.chunks] in (
        [("The sea.", ["Sea"]), ("A light.", ["Lamp"])],
        [("The sea.A light.", ["Sea", "Lamp"])],
    )
    assert document.note == "read as flat text: elements are nested too deep"


def test_more_tags_nested_than_flat_text_may_have_are_refused() -> None:
    reason = "elements are nested too deep, and it has more than 20,000 tags or 2,000,000 characters"
    payload = ("T", "<div>" * 20_000, None, "", Site())
    assert wikitext_dump.parse("T", payload) == Reject("T", reason)


HEAD = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">
  <siteinfo><base>https://wiki.example/wiki/Main_Page</base>
    <namespaces><namespace key="0" /><namespace key="4">Project wiki</namespace></namespaces></siteinfo>
"""


def page(title: str, text: str, more: str = "<ns>0</ns>", stamp: str = "2001-05-12T10:00:00Z") -> str:
    revision = f"<revision><timestamp>{stamp}</timestamp><text>{text}</text><sha1>x</sha1></revision>"
    return f"<page><title>{title}</title>{more}<id>1</id>{revision}</page>\n"


def dump(path: Path, *pages: str, head: str = HEAD) -> Source:
    path.write_text(head + "".join(pages) + "</mediawiki>", "utf-8")
    return Source(path.name, "wikitext", path)


def read(source: Source, **options: int) -> list[Item | Reject | Cut]:
    return list(wikitext_dump.items(source, ReadOptions(**options)))


def parsed(source: Source) -> list[Document | Redirect | Reject | Cut]:
    return [
        wikitext_dump.parse(each.place, each.payload) if isinstance(each, Item) else each
        for each in read(source)
    ]


def test_a_page_has_its_address_language_and_date(tmp_path: Path) -> None:
    [document] = parsed(
        dump(tmp_path / "a.xml", page("Moon &amp; Sun?", "A [[sea]] &amp;amp; more.\n[[Category:Seas]]"))
    )
    assert isinstance(document, Document)
    assert document.title == "Moon & Sun?"
    assert document.url == "https://wiki.example/wiki/Moon_%26_Sun%3F"
    assert (document.language, document.modified, document.marks_links) == ("en", "2001-05-12", True)
    assert document.statements == (Statement("category", "", "Seas"),)
    assert document.chunks[0].text == "A sea & more."
    assert document.chunks[0].links == (Link(2, 5, "Sea", "", "sea"),)


def test_a_dump_without_site_gives_no_address(tmp_path: Path) -> None:
    [document] = parsed(dump(tmp_path / "a.xml", page("Moon", "A."), head="<mediawiki>"))
    assert isinstance(document, Document)
    assert (document.url, document.language) == (None, None)


def test_only_articles_are_read(tmp_path: Path) -> None:
    source = dump(
        tmp_path / "a.xml",
        page("Moon", "A."),
        page("Talk:Moon", "B.", "<ns>1</ns>"),
        page("Dune: Part Two", "C."),
        page("Template:Moon", "D.", ""),
        page("Project wiki:Moon", "E.", ""),
        page("2001: A Space Odyssey", "F.", ""),
    )
    assert [each.place for each in read(source)] == ["Moon", "Dune: Part Two", "2001: A Space Odyssey"]


def test_redirects_are_names_of_pages(tmp_path: Path) -> None:
    source = dump(
        tmp_path / "a.xml",
        page("Luna", "#REDIRECT [[Moon]]", '<ns>0</ns><redirect title="Moon" />'),
        page("Selene", "#REDIRECT [[moon#Names]]"),
        page("Help", "#REDIRECT [[Help:Contents]]", '<ns>0</ns><redirect title="Help:Contents" />'),
    )
    assert parsed(source) == [
        Redirect("Luna", "Moon"),
        Redirect("Selene", "Moon"),
        Reject("Help", "a redirect to Help:Contents, which is no article"),
    ]


def test_of_several_revisions_the_latest_counts(tmp_path: Path) -> None:
    revision = "<revision><timestamp>{}</timestamp><text>{}</text></revision>"
    pages = "<page><title>Moon</title><ns>0</ns>" + "".join(
        revision.format(stamp, text)
        for stamp, text in (("2002-01-01", "Old."), ("2009-01-01", "New."), ("2005-01-01", "Mid."))
    )
    [document] = parsed(dump(tmp_path / "a.xml", pages + "</page>"))
    assert isinstance(document, Document)
    assert (document.modified, document.chunks[0].text) == ("2009-01-01", "New.")


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    source = dump(
        tmp_path / "a.xml",
        page("Long", "é" * 3_000),
        page("Code", "x", "<ns>0</ns>").replace("<text>", "<model>javascript</model><text>"),
        page("Empty", " "),
        page("Moon", "A."),
    )
    assert read(source, max_page_bytes=5_000)[:3] == [
        Reject("Long", "0.0 MB, more than --max-page-mb 0.005"),
        Reject("Code", "its content is javascript, not wikitext"),
        Reject("Empty", "the page has no text"),
    ]
    assert read(source, max_page_bytes=5_000)[3].place == "Moon"


def test_a_title_that_is_met_twice_keeps_its_first_place(tmp_path: Path) -> None:
    source = dump(tmp_path / "a.xml", page("Moon", "A."), page("Moon", "B."))
    assert [each.place for each in read(source)] == ["Moon", "Moon (2)"]


def test_the_hash_follows_what_shows_in_the_document(tmp_path: Path) -> None:
    def hashed(*arguments: str, head: str = HEAD) -> str:
        [entry] = read(dump(tmp_path / "a.xml", page(*arguments), head=head))
        assert isinstance(entry, Item)
        return entry.content_hash

    same = hashed("Moon", "A.")
    assert hashed("Moon", "A.", "<ns>0</ns><id>7</id>", "2001-05-12T23:00:00Z") == same
    others = {
        hashed("Moon", "B."), hashed("Sun", "A."), hashed("Moon", "A.", "<ns>0</ns>", "2009-01-01T00:00:00Z"),
        hashed("Moon", "A.", head=HEAD.replace("wiki.example", "wiki.test")),
        hashed("Moon", "A.", head=HEAD.replace('xml:lang="en"', 'xml:lang="de"')),
        hashed("Moon", "A.", head=HEAD.replace("Project wiki", "Wiki of projects")),
        hashed("Moon", "A.", head=HEAD.replace("<namespaces>", "<case>case-sensitive</case><namespaces>")),
    }  # fmt: skip
    assert len({same, *others}) == 8


@pytest.mark.parametrize(
    ("case", "targets"), [("case-sensitive", ["moon", "Moon", "über"]), ("first-letter", ["Moon", "Moon", "Über"])]
)
def test_a_wikis_first_letters_count_where_its_dump_says_so(tmp_path: Path, case: str, targets: list[str]) -> None:
    head = HEAD.replace("<namespaces>", f"<case>{case}</case><namespaces>")
    text = "[[moon]], [[Moon|a name]], [[über#x|above]], [[sun]]"
    pages = page("sun", text), page("lune", "#REDIRECT [[moon]]")
    [star, redirect] = parsed(dump(tmp_path / "a.xml", *pages, head=head))
    assert isinstance(star, Document)
    own = [] if case == "case-sensitive" else ["Sun"]
    assert [link.target for link in star.chunks[0].links] == [*targets, *own]
    assert star.chunks[0].text == "moon, a name, above, sun"
    assert redirect == Redirect("lune", targets[0])


def test_namespaces_are_those_that_the_dump_lists(tmp_path: Path) -> None:
    names = '<namespace key="100">Portale</namespace><namespace key="6">Datei</namespace></namespaces>'
    text = "[[Portale:A]] [[Draft: a story]] [[Book:One]] [[File:X.png]] [[Help:Me]] [[en:Sun]] [[de:Mond|m]] [[A:b]]"
    [star] = parsed(dump(tmp_path / "a.xml", page("Star", text), head=HEAD.replace("</namespaces>", names)))
    assert isinstance(star, Document)
    assert [link.target for link in star.chunks[0].links] == ["Draft: a story", "Book:One", "A:b"]


@pytest.mark.parametrize("subject", ["Portal", "Draft", "Book", "User", "Help", "Portale"])
@pytest.mark.parametrize("names", [{}, {4: "Weft"}, {100: "Portale", 101: "Portale talk"}])
def test_a_namespace_and_its_discussions_are_of_one_kind(subject: str, names: dict[int, str]) -> None:
    site = read_namespaces(Site(), names)
    assert site.kind_of(f"{subject} talk:A") == site.kind_of(f"{subject}:A")


@pytest.mark.parametrize("packing", ["plain", "gzip", "bzip2", "multistream"])
def test_packed_dumps_are_read_to_their_end(tmp_path: Path, packing: str) -> None:
    pieces = [HEAD, *(page(f"Page {number}", f"Text {number}.") for number in range(300)), "</mediawiki>"]
    raw = "".join(pieces).encode()
    suffix, data = {
        "plain": ("", raw),
        "gzip": (".gz", gzip.compress(raw)),
        "bzip2": (".bz2", bz2.compress(raw)),
        "multistream": (".bz2", b"".join(bz2.compress(piece.encode()) for piece in pieces)),
    }[packing]
    path = tmp_path / f"wiki-pages-articles.xml{suffix}"
    path.write_bytes(data)
    assert format_of(path) == "wikitext"
    assert [each.place for each in read(Source("a", "wikitext", path))] == [
        f"Page {number}" for number in range(300)
    ]


@pytest.mark.parametrize("packing", ["plain", "gzip", "bzip2"])
def test_a_dump_that_breaks_off_gives_what_stands_before(tmp_path: Path, packing: str) -> None:
    texts = [bytes(os.urandom(20_000)).hex() for _ in range(40)]
    raw = (HEAD + "".join(page(f"Page {number}", text) for number, text in enumerate(texts))).encode()
    packed = {"plain": raw, "gzip": gzip.compress(raw), "bzip2": bz2.compress(raw)}[packing]
    path = tmp_path / "a.xml"
    path.write_bytes(packed[: len(packed) * 2 // 3])
    *pages, cut = read(Source("a", "wikitext", path))
    # bzip2 packs blocks of 900 kB, and what is left of a block is lost.
    assert len(pages) >= {"plain": 26, "gzip": 25, "bzip2": 20}[packing]
    assert [each.place for each in pages] == [f"Page {number}" for number in range(len(pages))]
    assert isinstance(cut, Cut)
    assert f"after Page {len(pages) - 1}" in cut.reason


def test_damaged_xml_gives_what_stands_before(tmp_path: Path) -> None:
    *pages, cut = read(
        dump(tmp_path / "a.xml", page("Moon", "A."), "<page><title>Sun</page>", page("Star", "B."))
    )
    assert [each.place for each in pages] == ["Moon"]
    assert isinstance(cut, Cut)
    assert cut.reason.startswith("the XML is damaged after Moon: mismatched tag")


def test_another_kind_of_xml_is_told(tmp_path: Path) -> None:
    [cut] = read(dump(tmp_path / "a.xml", head="<rss>"))
    assert cut == Cut(
        "a.xml", "the XML is damaged before its first page: its root element is rss, not mediawiki"
    )


def test_a_folder_holds_dumps_in_order_and_indexes_are_passed_over(tmp_path: Path) -> None:
    dump(tmp_path / "wiki-articles2.xml-p3p4", page("Star", "A."))
    dump(tmp_path / "wiki-articles1.xml", page("Moon", "A."))
    (tmp_path / "wiki-articles1-index.txt.bz2").write_bytes(bz2.compress(b"600:10:Moon\n"))
    (tmp_path / "wiki-articles2.xml-p3p4").rename(tmp_path / "wiki-articles2.xml-p3p4.bz2")
    assert format_of(tmp_path) == "wikitext"
    assert [each.place for each in read(Source("a", "wikitext", tmp_path))] == ["Moon", "Star"]


KNOWN_DIFFERENCES = {
    # In HTML an ending can stand outside of its link; in wikitext it belongs to the anchor.
    ("Veldra (opera)", "paragraph", "The dam is opened by one of them"),
}


def fixture_pages() -> dict[str, Document]:
    path = paths.FIXTURES / "wikitext" / "encyclopedia.xml"
    return {each.title: each for each in parsed(Source("a", "wikitext", path)) if isinstance(each, Document)}


def test_the_invented_world_is_the_same_from_wikitext_as_from_html() -> None:
    pages = fixture_pages()
    files = sorted((paths.FIXTURES / "encyclopedia").glob("*.html"))
    assert len(files) == len(pages) == 57
    n_chunks, differing = 0, set()
    for file in files:
        from_html = parse_html(file.read_bytes(), name=file.name)
        from_wikitext = pages[from_html.title]
        assert from_wikitext.sections == from_html.sections
        assert from_wikitext.statements == from_html.statements
        assert len(from_wikitext.chunks) == len(from_html.chunks)
        n_chunks += len(from_html.chunks)
        for mine, theirs in zip(from_wikitext.chunks, from_html.chunks, strict=True):
            if mine != theirs:
                differing.add((from_html.title, theirs.kind, theirs.text[:32]))
    assert differing == KNOWN_DIFFERENCES
    assert n_chunks == 369


def test_the_invented_worlds_redirects_are_read() -> None:
    redirects = [each for each in parsed(Source("a", "wikitext", paths.FIXTURES / "wikitext" / "encyclopedia.xml"))]
    assert sum(isinstance(each, Redirect) for each in redirects) == 19
    assert Redirect("Water harp", "Ondrel") in redirects
    assert not any(isinstance(each, Reject | Cut) for each in redirects)


def template_names(text: str) -> Counter[str]:
    """Return the templates that are met, those within references too."""
    names: Counter[str] = Counter()

    def note(call: Call, page: Page) -> str:
        names[call.name] += 1
        return ""

    def tag(name: str, attributes: str, content: str, page: Page) -> str:
        return (
            resolve(content, page)
            if name in ("ref", "gallery", "poem")
            else extension_tag(name, attributes, "", page)
        )

    expand(text, Page("T", Site(), Rules(note, link, tag, trail_of("en"))))
    return names


def test_the_templates_that_mwparserfromhell_finds_in_the_text_as_it_is_are_met() -> None:
    path = paths.FIXTURES / "wikitext" / "encyclopedia.xml"
    for each in read(Source("a", "wikitext", path)):
        assert isinstance(each, Item)
        text = str(each.payload[1])
        found = mwparserfromhell.parse(text, skip_style_tags=True).filter_templates()
        assert template_names(text) == Counter(" ".join(str(one.name).lower().split()) for one in found)


@needs_data
@pytest.mark.parametrize(
    ("file", "articles", "redirects"),
    [
        ("enwiki_shortened.xml.bz2", 106, 99),
        ("dbpedia_minidump_en.xml.bz2", 24, 2),
        ("enwiki-table-markup.xml.bz2", 5, 0),
    ],
)
def test_real_dumps_are_read_without_rejects(file: str, articles: int, redirects: int) -> None:
    outcomes = parsed(Source(file, "wikitext", DATA / file))
    counts = Counter(type(each).__name__ for each in outcomes)
    assert counts == Counter({"Document": articles, "Redirect": redirects})
    chunks = [chunk for each in outcomes if isinstance(each, Document) for chunk in each.chunks]
    for chunk in chunks:
        assert all(chunk.text[start:end] == anchor for start, end, _, _, anchor in chunk.links)
    left_over = [chunk.text for chunk in chunks if chunk.kind != "code" and LEFT_OVER.search(chunk.text)]
    assert len(left_over) <= 0.005 * len(chunks)


@needs_data
def test_the_templates_of_real_pages_are_those_that_mwparserfromhell_finds_in_them() -> None:
    mine, theirs = Counter[str](), Counter[str]()
    for each in read(Source("a", "wikitext", DATA / "enwiki-table-markup.xml.bz2")):
        assert isinstance(each, Item)
        text = str(each.payload[1])
        mine += template_names(text)
        theirs += Counter(
            " ".join(str(one.name).lower().split())
            for one in mwparserfromhell.parse(text, skip_style_tags=True).filter_templates()
        )
    assert sum((mine - theirs).values()) + sum((theirs - mine).values()) <= 0.01 * sum(theirs.values())
