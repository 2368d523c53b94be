"""A page's HTML to a document: a wiki's of any age and skin, or that of any other maker.

>>> page = parse_page("<h1>Moon</h1><p>The Moon circles <a href='/wiki/Earth'>Earth</a>.</p>")
>>> page.title, page.chunks[0].text, page.chunks[0].links[0].target
('Moon', 'The Moon circles Earth.', 'Earth')
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from builder.documents.contents import without_contents, without_generator, without_index
from builder.documents.manual_page import with_sections
from builder.documents.records import Document
from builder.readers.html import head as page_head
from builder.readers.html import lists, tables
from builder.readers.html import passages as blocks
from builder.readers.html.boilerplate import drop_noise, drop_surroundings
from builder.readers.html.flat import parse_flat
from builder.readers.html.head import is_mediawiki
from builder.readers.html.inline import TITLE
from builder.readers.html.manuals.furniture import drop_furniture
from builder.readers.html.manuals.landmarks import (
    drop_landmarks,
    drop_navigation,
    headings_to_title,
    main_parts,
    make_plain,
)
from builder.readers.html.manuals.mandoc import read_mandoc
from builder.readers.html.manuals.unseen import drop_unseen
from builder.readers.html.parsing_cost import too_costly, without_crowds_of_options
from builder.readers.html.passages import Passages
from builder.readers.html.tree import TOO_DEEP, BadPage, Node, NoTree, Tree, is_too_deep, open_tree
from builder.readers.links.page_links import NO_FILES, TargetOf, target_reader
from builder.readers.preformatted import with_plain_text
from builder.streams.encodings import declared_encoding, is_damaged_utf8, windows_1252
from builder.streams.foreign import foreign_kind
from weft.text.normalise import LONE_SURROGATE

__all__ = ["BadPage", "parse_page"]

# The first that a page has holds its article: newer and more specific names first.
CONTENTS = ("#mw-content-text", ".mw-parser-output", "#bodyContent", "#content", "article", "main")
# In this order: the frame of a whole formula first, since it holds the others, then formulas without one.
MATHS = (
    ".mwe-math-element",
    "math, img.tex, img.mwe-math-fallback-image-inline, img.mwe-math-fallback-image-display",
)
# One of these elements makes a file HTML; a text with "<" alone does not.
MARKUP = re.compile(
    r"<(?:!doctype\s+html|html|head|body|title|meta|p|div|span|section|article|main|h[1-6]|table|ul|ol|dl|a|b|i|br|em"
    r"|strong|center|font|blockquote|pre|figure)\b[^<]*>",
    re.I,
)
# Formats of XML whose text may hold HTML elements.
OTHER_ROOT = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?<(mediawiki|rss|feed|rdf:RDF|svg|urlset)\b", re.I)
# A template of Jinja, Django, Twig or Liquid, behind its comments.
TEMPLATE = re.compile(
    r"\s*(?:\{#.*?#\}\s*)*\{%[-+]?\s*(?:block|extends|for|from|if|import|include|load|macro|set|with)\b", re.S
)
# Both forms: `<meta charset=x>` and `<meta http-equiv=... content="text/html; charset=x">`.
CHARSET = re.compile(rb"""<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)""", re.I)
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# UTF-16 without a byte order mark: whitespace and "<", each with a zero byte.
NO_MARKS = ((re.compile(rb"(?:\s\0)*<\0"), "utf-16-le"), (re.compile(rb"(?:\0\s)*\0<"), "utf-16-be"))
CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
# MediaWiki wraps each formula as {\displaystyle ...}.
DISPLAY_STYLE = re.compile(r"^\{\s*\\(?:displaystyle|textstyle)\b\s*(.*)\}$", re.S)

HANDLERS = {**blocks.HANDLERS, **lists.HANDLERS, **tables.HANDLERS}


def parse_page(
    raw: bytes | str,
    *,
    name: str = "",
    title: str | None = None,
    tree: str = "selectolax",
    wiki: bool | None = None,
    files: Mapping[str, str] = NO_FILES,
    own: str | None = None,
) -> Document:
    """Return the document of a page's HTML.

    `name` is the file's name, `title` one given beside the page, `tree` the
    HTML library, `wiki` whether MediaWiki made the page (None: it shows that by
    itself). `files` has the link targets of relative addresses, `own` the one
    that means this page, where it is not its title. A page that nests elements
    too deep is read as flat text, which its note says. Raise BadPage when `raw`
    is no HTML, or has neither title nor text. Linear in the page.
    """
    text, note = decode(raw) if isinstance(raw, bytes) else (LONE_SURROGATE.sub("\ufffd", raw), None)
    check_markup(text)
    wiki = is_mediawiki(text) if wiki is None else wiki
    try:
        check_cost(text)
        document = _parse_tree(text, tree, name, title, wiki, files, own)
    except NoTree as error:
        document = parse_flat(text, str(error), name=name, title=title, wiki=wiki, files=files, own=own)
    document = document if wiki else with_plain_text(with_sections(document))
    return document._replace(note="; ".join(filter(None, (document.note, note))) or None)


def _parse_tree(
    text: str, tree: str, name: str, title: str | None, wiki: bool, files: Mapping[str, str], own: str | None
) -> Document:
    page = open_tree(without_crowds_of_options(text), tree)
    head = page_head.read_head(page)
    url = page_head.page_url(head)
    heading = _take_title(page, text, head, wiki)
    page_title, is_named = page_head.page_title(heading, head, url, title, name, wiki=wiki)
    statements = list(page_head.statements(page, text, head, page_title, files))
    parts = [find_content(page)] if wiki else main_parts(page)
    language = page_head.page_language(page, head, parts[0])
    # Outside a wiki, links to a wiki's host are external.
    home = page_head.home_of(_hrefs(page, parts), url, language) if wiki else page_head.host_of(url) or ""
    target_of = target_reader(home, files, own or page_title, wiki=wiki)
    passages = read_content(page, parts, target_of, wiki=wiki, is_titled=bool(heading))
    others = any(target != own for target in files.values())
    if not wiki and (page_head.is_whole_book(text, head, name, others) or page_head.is_picture(head, passages.chunks)):
        passages.chunks.clear()
        passages.sections.clear()
    if not is_named and not passages.chunks and not passages.sections:
        raise BadPage("the page has neither a title nor any text")
    said = (*statements, *passages.statements)
    changed = page_head.modified_date(text, head)
    document = Document(page_title, tuple(passages.sections), tuple(passages.chunks), said, url, language, changed,
                        named_by_title=wiki)  # fmt: skip
    return document if wiki else without_generator(without_index(without_contents(document, _shown_within(page))))


def _take_title(page: Tree, text: str, head: page_head.Head, wiki: bool) -> str:
    """Return the heading that gives a page its title, and take it and what is around the page's text out."""
    if not wiki:
        drop_unseen(page)
        read_mandoc(page, text)
        drop_furniture(page, text)
    before, heading, shown = read_headings(page, head, wiki)
    is_title = heading is not None and len(shown) <= page_head.MAX_TITLE
    if wiki:
        page.drop([heading] if is_title else [])
        return shown
    if is_title:
        page.replace(heading, TITLE)
    # Blocks with headings of the site are no lines of navigation.
    drop_navigation(page, head.links, (head.title, shown))
    make_plain(page, before)
    drop_landmarks(page)
    return shown


def _hrefs(page: Tree, parts: Iterable[Node]) -> Iterator[str]:
    return (page.attribute(node, "href") for part in parts for node in page.select("a", part))


def _shown_within(page: Tree) -> Iterator[str]:
    """Yield the texts of the links to the page itself."""
    return map(page.text, page.select('a[href^="#"]'))


def read_headings(page: Tree, head: page_head.Head, wiki: bool) -> tuple[list[Node], Node | None, str]:
    """Return the headings of the site, that which gives a page its title, None where none does, and that title.

    Outside a wiki, what nobody sees is to be taken out before.
    """
    if wiki:
        heading = page_head.first_heading(page)
        return [], heading, page_head.heading_text(page, heading)
    before, heading = headings_to_title(page, head.title)
    text = "" if heading is None else page.text(heading)
    is_of_book = heading is not None and page_head.BOOK_CLASS in page.attribute(heading, "class").split()
    return before, heading, page_head.chapter_title(head.title, text) if is_of_book else text


def decode(raw: bytes) -> tuple[str, str | None]:
    """Return a page's text and a note about bytes that its encoding does not allow.

    Raise BadPage where the bytes are those of another kind of file.
    """
    if kind := foreign_kind(raw):
        raise BadPage(f"not HTML: it is {kind}")
    for sign, encoding in NO_MARKS:
        if sign.match(raw):
            return _decoded(raw, encoding)
    for mark, encoding in BYTE_ORDER_MARKS:
        if raw.startswith(mark):
            return _decoded(raw[len(mark) :], encoding)
    declared = CHARSET.search(raw, 0, 4096)
    known = declared_encoding(declared[1].decode("ascii")) if declared else None
    return _undeclared(raw) if known is None else _decoded(raw, known)


def _undeclared(raw: bytes) -> tuple[str, str | None]:
    try:
        return raw.decode("utf-8"), None
    except UnicodeDecodeError:
        return _decoded(raw, "utf-8") if is_damaged_utf8(raw) else windows_1252(raw)


def _decoded(raw: bytes, encoding: str) -> tuple[str, str | None]:
    try:
        return raw.decode(encoding), None
    except UnicodeDecodeError:
        pass
    if encoding != "utf-8":
        text = raw.decode(encoding, "replace")
        return text, f"{text.count(chr(0xFFFD))} invalid {encoding.upper()} characters replaced"
    text, bad = LONE_SURROGATE.subn("\ufffd", raw.decode("utf-8", "surrogateescape"))
    return text, f"{bad} invalid UTF-8 byte{'s' * (bad != 1)} replaced"


def check_markup(text: str) -> None:
    """Raise BadPage when a text is not HTML."""
    if not text.strip():
        raise BadPage("the file is empty")
    root = OTHER_ROOT.match(text)
    if root:
        raise BadPage(f"not HTML: its root element is {root[1]}")
    if not MARKUP.search(text):
        raise BadPage("not HTML: it has no HTML element")
    if TEMPLATE.match(text):
        raise BadPage("a template, not a page: it begins with what a template engine runs ({% ... %})")
    controls = len(CONTROLS.findall(text))
    if controls > max(20, len(text) // 100):
        raise BadPage(f"not text: {controls} of its {len(text)} characters are control characters")


def check_cost(text: str) -> None:
    """Raise NoTree when a page nests so deep, or repeats what, that making a tree of it would take long."""
    cost = TOO_DEEP if is_too_deep(text) else too_costly(text)
    if cost:
        raise NoTree(cost)


def find_content(tree: Tree) -> Node:
    """Return the element that holds the article, the whole page when nothing names it."""
    for css in CONTENTS:
        found = tree.select(css)
        if found:
            return found[0]
    body = tree.select("body")
    whole = body[0] if body else tree.root
    drop_surroundings(tree, whole)
    return whole


def read_content(
    tree: Tree, parts: Sequence[Node], target_of: TargetOf, *, wiki: bool = True, is_titled: bool = False
) -> Passages:
    """Return the passages of the article in `parts`, a wiki's noise and hidden parts removed.

    `is_titled` tells whether a heading above them was the page's title. Raises
    NoTree where elements are nested too deep.
    """
    passages = Passages(tree, target_of, HANDLERS if wiki else HANDLERS | {"svg": blocks.drawing})
    passages.titles = int(is_titled)
    passages.boxes = frozenset() if wiki else blocks.BOXES
    for content in parts:
        for css in MATHS:
            for node in tree.select(css, content):
                tree.replace(node, math_text(tree, node))
        if wiki:
            drop_noise(tree, content)
        try:
            passages.walk(content)
        except RecursionError as error:
            # The caller had more calls under way than MAX_CALLS leaves.
            raise NoTree(TOO_DEEP) from error
        passages.flush()
    return passages


def math_text(tree: Tree, node: Node) -> str:
    """Return a formula's TeX, once, from wherever the page keeps it."""
    text = tree.attribute(node, "alttext") or tree.attribute(node, "alt")
    for css, name in (("math[alttext]", "alttext"), ("annotation", ""), ("img[alt]", "alt")):
        if text:
            break
        found = tree.select(css, node)
        if found:
            text = tree.attribute(found[0], name) if name else tree.text(found[0])
    text = text or tree.text(node)
    display = DISPLAY_STYLE.match(text.strip())
    return (display[1] if display else text).strip()
