"""One small view of an HTML tree with two implementations: selectolax, which defines the result, and bs4.

A node is whatever the library has; only the tree's methods look into it.

>>> tree = open_tree("<p>Sun and <a href='/wiki/Moon'>Moon</a></p>")
>>> [tree.attribute(node, "href") for node in tree.select("p > a")]
['/wiki/Moon']
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

Node = Any

MAX_DEPTH = 500
# Below this number of angle brackets no parser is slow, however deep the tree;
# lexbor takes time with the square of the depth (26 s at 100,000).
HARMLESS = 15_000
TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)([^>]*)")
CHILDLESS_TAGS = """
    area base br col embed hr img input link meta param source track wbr p li dt dd tr td th tbody option
"""
NEVER_DEEP = frozenset(CHILDLESS_TAGS.split())
# In a drawing a tag may end with a slash; a drawing ends where one of these begins.
NEVER_DRAWN = NEVER_DEEP | frozenset(
    """b big blockquote center code dd div dl em font h1 h2 h3 h4 h5 h6 head i listing menu nobr ol pre ruby s small
    span strong strike sub sup table tt u ul var""".split()
)


class Tree(Protocol):
    """What the extraction needs of an HTML library.

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

    def text(self, node: Node) -> str:
        """Return all text below a node as it stands."""

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
    """The tree on Beautiful Soup with lxml, which supplies the end tags that HTML lets a page leave out.

    Tests and benchmarks compare it with the other one; lxml comes with the extra `dev` alone.
    """

    def __init__(self, text: str) -> None:
        from bs4 import BeautifulSoup

        self.root: Node = BeautifulSoup(text, "lxml")

    def select(self, css: str, within: Node | None = None) -> list[Node]:
        return list((self.root if within is None else within).select(css))

    def children(self, node: Node) -> list[tuple[str, Any]]:
        return list(_soup_children(node.children))

    def attribute(self, node: Node, name: str) -> str:
        value = node.get(name) or ""
        return value if isinstance(value, str) else " ".join(value)

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
    return TREES[library](text)


def is_too_deep(text: str) -> bool:
    """Tell whether a page's tags are nested so deep that parsing it would take long. Linear in the tags."""
    if text.count("<") < HARMLESS:
        return False
    depth = 0
    unclosed: Counter[str] = Counter()
    is_drawing = False
    for slash, tag, rest in TAG.findall(text):
        name = tag.lower()
        is_drawing = (is_drawing or name in ("svg", "math")) and name not in NEVER_DRAWN
        if name in NEVER_DEEP or (is_drawing and rest.endswith("/")):
            continue
        if not slash:
            unclosed[name] += 1
            depth += 1
            if depth > 10 * MAX_DEPTH:
                return True
        elif unclosed[name]:
            unclosed[name] -= 1
            depth -= 1
    return False


def _soup_children(nodes: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    from bs4 import Tag
    from bs4.element import PreformattedString, Script, Stylesheet, TemplateString

    for node in nodes:
        if isinstance(node, Tag):
            yield node.name, node
        elif not isinstance(node, PreformattedString | Script | Stylesheet | TemplateString):
            yield "-text", str(node)
