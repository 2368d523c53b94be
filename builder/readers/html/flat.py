"""A page that no tree is made of as flat text: a walk through Beautiful Soup's elements, one after the other.

Headings make sections; paragraphs, items and rows are a chunk each, with their
links. What is nested in them is text of its own, infoboxes are rows, and nothing
but the head is read for statements. Neither parsing nor the walk calls itself,
so no nesting is too deep; their time is bounded by the number of tags.

>>> document = parse_flat("<h1>Oil</h1><p>It <a href='b.html'>burns</a>.", "too deep", files={"b.html": "Burning"})
>>> document.title, document.note, [(chunk.text, chunk.links[0].target) for chunk in document.chunks]
('Oil', 'read as flat text: too deep', [('It burns.', 'Burning')])
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from builder.documents.chunking import LIMIT, Line
from builder.documents.collector import Box, Collector
from builder.documents.records import Document
from builder.readers.html import head as page_head
from builder.readers.html.boilerplate import AROUND_CLASSES, AROUND_IDS, NOISE_IDS, is_noise_class
from builder.readers.html.inline import BREAK, CLOSE, GAP, MARKS, OPEN, TITLE, finish
from builder.readers.html.manuals.landmarks import WORD, drop_navigation, own_heading
from builder.readers.html.manuals.unseen import NEAR_PERMALINKS, drop_permalinks
from builder.readers.html.passages import BOUNDARIES, BOXES, MAX_HEADING, TEXTLESS_TAGS
from builder.readers.html.tree import BadPage, SoupTree, flat_soup
from builder.readers.links.page_links import NO_FILES, TargetOf, target_reader
from weft.text.names import title_of

FLAT = "read as flat text: "
"""How the note of such a page begins; why it was follows."""

KINDS = {
    "li": "list", "dt": "term", "dd": "definition", "tr": "table", "pre": "code",
    "caption": "caption", "figcaption": "caption",
}  # fmt: skip
HEADINGS = {f"h{level}": level for level in range(1, 7)}
MAX_FIRST_HEADINGS = 20
# `head` is not among them: its end tag may be left out, and html.parser supplies none.
TEXTLESS = frozenset(TEXTLESS_TAGS.split()) - {"head"}
SECTIONING = ("article", "aside", "main", "nav", "section")
LANDMARK_ROLES = frozenset(("navigation", "banner", "contentinfo", "complementary", "search"))
IDS_LEFT_OUT = frozenset(f"{NOISE_IDS} {AROUND_IDS}".split())
CLASSES_AROUND = frozenset(AROUND_CLASSES.split())

Element = Any  # a Tag or a NavigableString of bs4, which is imported when it is needed


def parse_flat(
    text: str, reason: str, *, name: str = "", title: str | None = None, wiki: bool = False,
    files: Mapping[str, str] = NO_FILES, own: str | None = None,
) -> Document:  # fmt: skip
    """Return the document of a page of which no tree is made for this reason.

    The others are as in `page.parse_page`. Raise BadPage for too many tags, or neither title nor text.
    """
    soup = flat_soup(text, reason)
    head = _head(soup)
    url = page_head.page_url(head)
    heading = _first_heading(soup, head, wiki)
    page_title, is_named = page_head.page_title(heading, head, url, title, name, wiki=wiki)
    language = head.language or head.metas.get("content-language") or None
    home = page_head.home_of(_hrefs(soup), url, language) if wiki else page_head.host_of(url) or ""
    walk = FlatWalk(target_reader(home, files, own or page_title, wiki=wiki), page_title, wiki=wiki)
    walk.titles = 1 if heading else 0
    walk.read(_content(soup, wiki))
    if not is_named and not walk.chunks and not walk.sections:
        raise BadPage("the page has neither a title nor any text")
    return Document(
        page_title, tuple(walk.sections), tuple(walk.chunks), (), url, language,
        page_head.modified_date(text, head), FLAT + reason, named_by_title=wiki,
    )  # fmt: skip


def flat_title(text: str, reason: str, name: str, title: str | None, wiki: bool) -> str:
    """Return the title that `parse_flat` gives a page; raise BadPage for one that has too many tags."""
    head = _head(soup := flat_soup(text, reason))
    url = page_head.page_url(head)
    return page_head.page_title(_first_heading(soup, head, wiki), head, url, title, name, wiki=wiki)[0]


def read_flat(html: str, reason: str, target_of: TargetOf, title: str) -> tuple[Collector, str]:
    """Return the text of a wiki's page and the note for it; raise BadPage for one that has too many tags."""
    walk = FlatWalk(target_of, title, wiki=True)
    walk.read(flat_soup(html, reason))
    return walk, FLAT + reason


def _head(soup: Element) -> page_head.Head:
    html, title = soup.find("html"), soup.find("title")
    links: dict[str, list[str]] = {}
    for tag in soup.find_all("link"):  # a name alone is found in a third of the time
        for relation in tag.get("rel", "").lower().split() if tag.has_attr("href") else ():
            links.setdefault(relation, []).append(tag["href"])
    metas: dict[str, str] = {}
    for tag in soup.find_all("meta", content=True):
        metas.setdefault((tag.get("property") or tag.get("name") or "").lower(), tag["content"])
    declared = " ".join(title.get_text().split()) if title else ""
    return page_head.Head(declared, links, metas, html.get("lang", "") if html else "")


def _first_heading(soup: Element, head: page_head.Head, wiki: bool) -> str:
    """Return the text of the heading that gives the page its title, or an empty string."""
    if not wiki:
        return _take_heading(soup, head)
    found = soup.find_all(id="firstHeading", limit=1) or soup.find_all("h1", limit=MAX_FIRST_HEADINGS)
    texts = [text for tag in found if WORD.search(text := " ".join(tag.get_text().split()))]
    return next((text for text in texts if head.title.startswith(text)), texts[0] if texts else "")


def _take_heading(soup: Element, head: page_head.Head) -> str:
    """Take the title's heading, permalinks and navigation out of a page of no wiki, and return the heading's text."""
    tree, hrefs = SoupTree(soup), _hrefs(soup)
    if any("#" in href for href in hrefs):  # selecting takes as long as parsing
        drop_permalinks(tree, NEAR_PERMALINKS)
    found = [tag for tag in soup.find_all("h1", limit=MAX_FIRST_HEADINGS) if WORD.search(tag.get_text())]
    before, own = own_heading(tree, found, head.title) if found else ([], None)
    text = " ".join(own.get_text().split()) if own else ""
    if own and len(text) <= page_head.MAX_TITLE:
        own.replace_with(TITLE)
    if len(hrefs) > 1:
        drop_navigation(tree, head.links, (head.title, text))
    for tag in before:
        tag.name = "p"
    return text


def _hrefs(soup: Element) -> list[str]:
    return [tag["href"] for tag in soup.find_all("a") if tag.get("href")]


def _content(soup: Element, wiki: bool) -> Element:
    """Return the element that holds the text."""
    if wiki:
        found = soup.find(id="mw-content-text") or soup.find(class_="mw-parser-output") or soup.find(id="bodyContent")
    else:
        tags = soup.find_all(True)
        mains = [tag for tag in tags if tag.name == "main"] or [tag for tag in tags if tag.get("role") == "main"]
        found = mains[0] if mains else None
    return found or soup.find("body") or soup


class FlatWalk(Collector):
    """Sections and chunks of a page's elements in document order."""

    def __init__(self, target_of: TargetOf, title: str, *, wiki: bool) -> None:
        super().__init__()
        self._target_of, self._title, self._wiki = target_of, title, wiki
        self._kinds: list[str] = []
        self._level = 0
        self._size, self._cell_begins, self._linking, self._is_term = 0, False, False, False
        self._open: Counter[str] = Counter()
        self._left_out: Element = None
        self._boxes: list[Box] = []

    def read(self, root: Element) -> None:
        """Collect everything below an element. Linear in its elements."""
        from bs4 import Tag
        from bs4.element import NavigableString

        ends = [root]
        node = next(root.children, None)
        while node is not None:
            while ends and ends[-1] is not node.parent:
                self._end(ends.pop())
            if not ends:
                break
            if isinstance(node, Tag):
                self._begin(node)
                ends.append(node)
            elif type(node) is NavigableString and self._left_out is None:
                self._add_text(str(node))
            node = node.next_element
        while ends:
            self._end(ends.pop())
        self.flush()

    def flush(self) -> None:
        """Make a section or a chunk of the pieces gathered."""
        self._end_link()
        pieces, targets, level = self.pieces, self.targets, self._level
        self.pieces, self.targets, self._level, self._size, self._cell_begins = [], [], 0, 0, False
        kind = self._kinds[-1] if self._kinds else "paragraph"
        line = _code(pieces) if kind == "code" else finish(pieces, targets)
        if not level or len(line.text) > MAX_HEADING:
            self._add(kind, line)
        elif line.text and self._wiki and title_of(line.text, capital=True, underscores=False) == self._title:
            # The page's own heading is its title.
            self._title = ""
        elif line.text:
            self.begin_section(level, line.text)

    def _add(self, kind: str, line: Line) -> None:
        """Add a chunk; a definition, or another term, is one with the term before it."""
        count = len(self.chunks)
        self.add("definition" if kind == "term" else kind, line)
        if len(self.chunks) > count:
            if self._is_term and (kind in ("term", "definition") or self._open["dd"] > 0):
                self.join_to_term("\n  " if kind == "definition" else "\n")
            self._is_term = kind == "term"

    def _begin(self, tag: Element) -> None:
        if self._left_out is not None:
            return
        if self._is_left_out(tag):
            self._left_out = tag
            return
        self._open[tag.name] += 1
        if tag.name in KINDS:
            self.flush()
            self._kinds.append(KINDS[tag.name])
        elif tag.name in HEADINGS:
            self.flush()
            self._level = HEADINGS[tag.name]
        elif tag.name == "a":
            self._begin_link(tag.get("href", ""))
        elif tag.name == "br":
            self.pieces.append(" " if self._kinds and self._kinds[-1] != "code" else BREAK)
        elif tag.name in ("td", "th"):
            self._cell_begins = self._size > 0
        elif tag.name in BOUNDARIES:
            self._boundary()
            if tag.name in BOXES and not self._wiki:
                self._boxes.append(self.begin_box())

    def _end(self, tag: Element) -> None:
        if self._left_out is not None:
            if tag is self._left_out:
                self._left_out = None
            return
        self._open[tag.name] -= 1
        if tag.name in KINDS and self._kinds:
            self.flush()
            self._kinds.pop()
        elif tag.name in HEADINGS:
            self.flush()
        elif tag.name == "a":
            self._end_link()
        elif tag.name in BOUNDARIES:
            count = len(self.chunks)
            self._boundary()
            # The element that the walk began with is none.
            if tag.name in BOXES and self._boxes:
                self.end_box(self._boxes.pop(), count)

    def _boundary(self) -> None:
        """End a paragraph or heading; in an item or a row begin another chunk where it is long."""
        if self._kinds and not self._level and self._size < LIMIT:
            self.pieces.append(GAP)
        else:
            self.flush()

    def _add_text(self, text: str) -> None:
        if not text.isspace():
            self._begin_cell()
            self._size += len(text)
        self.titles += text == TITLE
        self.pieces.append(text)

    def _begin_cell(self) -> None:
        if self._cell_begins:
            self.pieces.append(" | ")
            self._cell_begins = False

    def _begin_link(self, href: str) -> None:
        target = None if self._linking else self._target_of(href)
        if target is not None:
            self._begin_cell()
            self._linking = True
            self.pieces.append(OPEN)
            self.targets.append(target)

    def _end_link(self) -> None:
        if self._linking:
            self._linking = False
            self.pieces.append(CLOSE)

    def _is_left_out(self, tag: Element) -> bool:
        """Tell whether an element is no text of the page: hidden, a landmark, or what a wiki puts around its text."""
        style = tag.get("style", "").lower().replace(" ", "")
        if tag.name in TEXTLESS or tag.get("hidden", "until-found") != "until-found":
            return True
        # A collapsed box of a wiki's page hides its rows, which are text all the same.
        if ("display:none" in style or "visibility:hidden" in style) and not (self._wiki and tag.name == "tr"):
            return True
        role, classes = tag.get("role", ""), tag.get("class", "")
        if self._wiki:
            is_around = tag.get("id") in IDS_LEFT_OUT or not CLASSES_AROUND.isdisjoint(classes.split())
            return is_around or role == "navigation" or is_noise_class(classes) or tag.name == "nav"
        if tag.name in ("header", "footer", "aside"):
            around = ("article", "section") if tag.name == "aside" else SECTIONING
            return not any(self._open[name] > 0 for name in around)
        return tag.name in ("nav", "search") or role in LANDMARK_ROLES


def _code(pieces: list[str]) -> Line:
    text = MARKS.sub("", "".join(pieces)).replace(BREAK, "\n").replace("\r\n", "\n").replace("\xa0", " ")
    return Line("\n".join(map(str.rstrip, text.split("\n"))).strip("\n"))
