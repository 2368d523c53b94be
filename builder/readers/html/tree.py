"""One small view of an HTML tree with two implementations: selectolax, which defines the result, and bs4.

A node is whatever the library has; only the tree's methods look into it.

>>> tree = open_tree("<p>Sun and <a href='/wiki/Moon'>Moon</a></p>")
>>> [tree.attribute(node, "href") for node in tree.select("p > a")]
['/wiki/Moon']
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

from builder.readers.html.parsing_cost import simplified

Node = Any

MAX_TAGS = 20_000
MAX_CHARACTERS = 2_000_000
"""With more of either Beautiful Soup takes seconds."""

MAX_DEPTH = 5_000
TOO_DEEP = "elements are nested too deep"
# Below this number of angle brackets no parser is slow, however deep the tree;
# lexbor takes time with the square of the depth (26 s at 100,000).
HARMLESS = 15_000
# A comment holds no tags.
TAG = re.compile(r"<!--(?:-?>|.*?(?:--!?>|\Z))|<(/?)([a-zA-Z][^\s/>]*)([^>]*)", re.S)
# A slash ends a tag only outside of its attributes' values.
SELF_CLOSED = re.compile(r"""(?:[^"'=/]++|/(?!\Z)|=\s*+(?:"[^"]*+"|'[^']*+'|[^\s"'][^\s"']*+(?=\s)))*+/""")
CHILDLESS_TAGS = """
    area base br col embed hr img input link meta param source track wbr p li dt dd tr td th tbody option
"""
NEVER_DEEP = frozenset(CHILDLESS_TAGS.split())
# In a drawing a tag may end with a slash; these are HTML again until they end.
DRAWINGS = frozenset(("svg", "math"))
HTML_WITHIN = frozenset("annotation-xml desc foreignobject mi mn mo ms mtext title".split())
HTML_ENCODING = re.compile(r"text/html|application/xhtml\+xml", re.I)
# A drawing ends where one of these begins.
NEVER_DRAWN = NEVER_DEEP | frozenset(
    """b big blockquote center code dd div dl em font h1 h2 h3 h4 h5 h6 head i listing menu nobr ol pre ruby s small
    span strong strike sub sup table tt u ul var""".split()
)

# A heading up to the first block in it, where the next heading begins before any ends.
BLOCK = r"(?:p|div|[uod]l|table|pre|blockquote|section|article|main|figure|hr)(?=[\s/>])"
UNENDED_HEADING = re.compile(
    rf"<(h[1-6])\b[^<>]*>(?:[^<]++|<(?!/?h[1-6]\b|{BLOCK}))*+(?=<{BLOCK}(?:[^<]++|<(?!/?h[1-6]\b))*+(?:<h|\Z))", re.I
)
SHOWN = re.compile(r">[^<]*[^<\s]")


class BadPage(ValueError):
    """A page that cannot be read; the message is a one-line reason."""


class NoTree(BadPage):
    """A page that is read as flat text alone, since a tree of it takes too much time or calls."""


class Tree(Protocol):
    """The operations that the extraction needs of an HTML library.

    Nodes come in document order. `children` gives `("-text", text)` for text,
    `(tag, node)` with a lower-case tag for elements, and may give other tags
    beginning with `-` (comments), to be passed over.
    """

    root: Node

    def select(self, css: str, within: Node | None = None) -> list[Node]:
        """Return the nodes below `within` (the whole page without it) that a selector matches."""

    def children(self, node: Node) -> list[tuple[str, Any]]:
        """Return the child nodes with their tags."""

    def attribute(self, node: Node, name: str) -> str:
        """Return an attribute's value, or an empty string."""

    def parent(self, node: Node) -> tuple[str, Any] | None:
        """Return the element that a node lies in, with its tag, None for the root."""

    def key(self, node: Node) -> int:
        """Return a number by which the node is told from all others of the tree."""

    def text(self, node: Node) -> str:
        """Return all text below a node, unchanged."""

    def drop(self, nodes: list[Node]) -> None:
        """Take nodes, given in document order, and all below them out of the tree."""

    def replace(self, node: Node, text: str) -> None:
        """Put text in a node's place."""


class SelectolaxTree:
    """The tree on selectolax's lexbor."""

    def __init__(self, text: str) -> None:
        from selectolax.lexbor import LexborHTMLParser

        self._parser = LexborHTMLParser(text)
        self.root: Node = self._parser.root

    def select(self, css: str, within: Node | None = None) -> list[Node]:
        found: list[Node] = (self._parser if within is None else within).css(css)
        if within is not None and found and found[0].mem_id == within.mem_id:
            found = [node for node in found if node.mem_id != within.mem_id]
        # A node that two selectors of a list match is found twice.
        return list({node.mem_id: node for node in found}.values()) if "," in css else found

    def children(self, node: Node) -> list[tuple[str, Any]]:
        return [
            (child.tag, child if (text := child.text_content) is None else text)
            for child in node.iter(include_text=True)
        ]

    def attribute(self, node: Node, name: str) -> str:
        return node.attrs.get(name) or ""

    def parent(self, node: Node) -> tuple[str, Any] | None:
        parent = node.parent
        return None if parent is None else (parent.tag, parent)

    def key(self, node: Node) -> int:
        key: int = node.mem_id
        return key

    def text(self, node: Node) -> str:
        text: str = node.text()
        return text

    def drop(self, nodes: list[Node]) -> None:
        # Last first: decomposing frees what lies below, and that may be in the list too.
        for node in reversed(nodes):
            node.decompose()

    def replace(self, node: Node, text: str) -> None:
        node.replace_with(text)


class SoupTree:
    """The tree on Beautiful Soup, for a page as text with lxml, which supplies the end tags that HTML may leave out.

    Tests and benchmarks compare it with the other one; lxml comes with the extra `dev` alone.
    """

    def __init__(self, page: str | Any) -> None:
        """Parse a text, or take what Beautiful Soup has parsed."""
        from bs4 import BeautifulSoup

        self.root: Node = BeautifulSoup(page, "lxml") if isinstance(page, str) else page

    def select(self, css: str, within: Node | None = None) -> list[Node]:
        return list((self.root if within is None else within).select(css))

    def children(self, node: Node) -> list[tuple[str, Any]]:
        return list(_soup_children(node.children))

    def attribute(self, node: Node, name: str) -> str:
        value = node.get(name) or ""
        return value if isinstance(value, str) else " ".join(value)

    def parent(self, node: Node) -> tuple[str, Any] | None:
        return None if node.parent is None else (node.parent.name, node.parent)

    def key(self, node: Node) -> int:
        return id(node)

    def text(self, node: Node) -> str:
        return "".join(text for tag, text in _soup_children(node.descendants) if tag == "-text")

    def drop(self, nodes: list[Node]) -> None:
        for node in reversed(nodes):
            node.decompose()

    def replace(self, node: Node, text: str) -> None:
        node.replace_with(text)


TREES: dict[str, Callable[[str], Tree]] = {"selectolax": SelectolaxTree, "bs4": SoupTree}


def open_tree(text: str, library: str = "selectolax") -> Tree:
    """Parse HTML text with the library named, `selectolax` or `bs4`."""
    return TREES[library](with_headings_ended(text))


def with_headings_ended(text: str) -> str:
    """Return HTML text with an end for each heading that has none, where its words are followed by a block. Linear.

    >>> with_headings_ended("<h1>Oil<p>It burns.<h2>Wicks</h2>")
    '<h1>Oil</h1><p>It burns.<h2>Wicks</h2>'
    """
    return UNENDED_HEADING.sub(lambda found: found[0] + f"</{found[1]}>" * bool(SHOWN.search(found[0])), text)


def flat_soup(text: str, reason: str) -> Any:
    """Parse a page of which no tree is made for this reason with html.parser; raise BadPage for too large a page."""
    from bs4 import BeautifulSoup

    if text.count("<") > MAX_TAGS or len(text) > MAX_CHARACTERS:
        raise BadPage(f"{reason}, and it has more than {MAX_TAGS:,} tags or {MAX_CHARACTERS:,} characters")
    return BeautifulSoup(simplified(with_headings_ended(text)), "html.parser", multi_valued_attributes=None)


def is_too_deep(text: str) -> bool:
    """Tell whether a page's tags are nested so deep that parsing it would take long. Linear in the tags."""
    if text.count("<") < HARMLESS:
        return False
    depth = 0
    unclosed: Counter[str] = Counter()
    drawings = _Drawings()
    for slash, tag, rest in TAG.findall(text):
        name = tag.lower()
        if not name or drawings.is_childless(name, rest):
            continue
        if not slash:
            unclosed[name] += 1
            depth += 1
            drawings.begin(name, rest, depth)
            if depth > MAX_DEPTH:
                return True
        elif unclosed[name]:
            drawings.end(name, depth)
            unclosed[name] -= 1
            depth -= 1
    return False


class _Drawings:
    """Follows where SVG and MathML stand in a page, and HTML within them."""

    def __init__(self) -> None:
        self._open: list[tuple[str, int]] = []

    def is_childless(self, name: str, rest: str) -> bool:
        """Tell whether a tag has no children; one that no drawing has ends the drawings that are open."""
        if name in NEVER_DRAWN:
            while self._is_drawing():
                self._open.pop()
        if name in NEVER_DEEP:
            return True
        is_drawn = name in DRAWINGS or self._is_drawing()
        return is_drawn and rest.endswith("/") and SELF_CLOSED.fullmatch(rest) is not None

    def begin(self, name: str, rest: str, depth: int) -> None:
        """Take in the tag that begins an element."""
        if name in DRAWINGS or (name in HTML_WITHIN and self._is_drawing() and _holds_html(name, rest)):
            self._open.append((name, depth))

    def end(self, name: str, depth: int) -> None:
        """Take in an end tag: browsers pass that of HTML's place in a drawing over where elements in it are open."""
        if self._open and self._open[-1][0] == name and (name in DRAWINGS or self._open[-1][1] == depth):
            self._open.pop()

    def _is_drawing(self) -> bool:
        return bool(self._open) and self._open[-1][0] in DRAWINGS


def _holds_html(name: str, rest: str) -> bool:
    return name != "annotation-xml" or HTML_ENCODING.search(html.unescape(rest)) is not None


def _soup_children(nodes: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    from bs4 import Tag
    from bs4.element import PreformattedString, Script, Stylesheet, TemplateString

    for node in nodes:
        if isinstance(node, Tag):
            yield node.name, node
        elif not isinstance(node, PreformattedString | Script | Stylesheet | TemplateString):
            yield "-text", str(node)
