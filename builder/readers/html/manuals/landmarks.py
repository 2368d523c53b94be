"""The text of an HTML page that is no wiki's: all but landmarks (navigation, banners, footers).

Lines that lead through a manual, to the previous, next and upper pages, are left out by what HTML says of their links.

No class name decides: the class that one generator gives navigation is another's for articles.

>>> from builder.readers.html.tree import open_tree
>>> tree = open_tree("<nav>Home</nav><article class='navbar'>Text</article><footer>Imprint</footer>")
>>> drop_landmarks(tree)
>>> [tree.text(part) for part in main_parts(tree)]
['Text']
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from builder.readers.html.tree import Node, Tree

# A letter or digit of any script.
WORD = re.compile(r"[^\W_]")


def below(above: Iterable[str], css: str) -> str:
    """Return what selects `css` below any of these; of `:is(a, b) c` lexbor finds the children of a and b alone."""
    return ", ".join(f"{each} {css}" for each in above)


MAINS = ("main", '[role="main" i]')
MAIN = f":is({', '.join(MAINS)})"
SECTIONING = (*MAINS, "article", "aside", "nav", "section", '[role="article" i]')
# As in HTML's own definition, a header, footer or aside is a landmark only outside of sectioning elements.
LANDMARKS = f"""
    nav, search, aside:not(article aside, section aside),
    header:not({below(SECTIONING, "header")}), footer:not({below(SECTIONING, "footer")}),
    [role="navigation" i], [role="banner" i], [role="contentinfo" i], [role="complementary" i], [role="search" i]
"""
# The neighbors and the upper pages of a page, in the words of HTML, and the access keys that DocBook, texinfo and
# Sphinx give the links to them.
RELATIONS = frozenset("begin contents first home index last next parent prev previous start toc top up".split())
ACCESS_KEYS = frozenset("chinptu")
# A line of navigation is one of these, and has nothing of the second kind within it.
LINE_BLOCKS = frozenset("center dir div dl footer header menu ol p section table ul".split())
NOT_IN_LINES = "h1, h2, h3, h4, h5, h6, pre, blockquote, figure"
MAX_LEVELS = 16
"""How many elements above a node are looked at."""
MAX_LINE, MAX_LINKS = 2_000, 30
"""The most characters and links of a line of navigation."""
MOST_TOO_LARGE = 20
"""Of blocks too large for a line so many are looked at: where they lie within each other, all would be slow."""
MAX_LABEL = 15
"""The letters and digits for each of its links that a line may have beside them and the titles of pages."""
MAIN_SHARE, ARTICLES_SHARE = 0.1, 0.5
"""The least of a page's text that its main parts or its articles hold when they are all of it.

A short page may have menus that are larger and not marked as such, so the part that its
author declares as main needs less than articles, which may be teasers of other pages.
"""
WORDS = re.compile(r"\w+")
# What may show a page's title that is no heading, and what it does not stand in.
SHOWING = "div, p, center, td, th, b, strong, big, font, span"
NOT_SHOWING = frozenset("a nav header footer aside li button".split())
MANUAL_PAGE = "NAME"
"""The first heading of every Unix manual page, as pod2html writes it too."""
# The title is the first of these that has text: in the main part, else outside landmarks, else any.
FIRST_HEADINGS = (
    below(MAINS, "h1:not(nav h1, aside h1)"),
    f"h1:not(nav h1, aside h1, header:not({below(SECTIONING, 'header')}) h1)",
    "h1",
)


def headings_to_title(tree: Tree, declared: str) -> tuple[list[Node], Node | None]:
    """Return the site's headings before that which gives the page its title, and this one, None where none does.

    It is one of the main part, else one outside landmarks, else any; of several
    as `own_heading` has it.
    """
    for css in FIRST_HEADINGS:
        found = [node for node in tree.select(css) if WORD.search(tree.text(node))]
        if found:
            return own_heading(tree, found, declared)
    return [], None


def own_heading(tree: Tree, headings: Sequence[Node], declared: str) -> tuple[list[Node], Node | None]:
    """Return the headings of the site before the page's own one, and this one, None where the `<title>` is its title.

    It is the first with which the `<title>`, `declared`, begins. Else it is what
    shows the `<title>` before all headings, which are sections then; so are they
    where the first is that of a Unix manual page's name. Else it is the first
    heading that is not merely a link, as a site's name is.
    """
    words = WORDS.findall(declared)
    for number, text in enumerate(map(tree.text, headings)):
        begins = WORDS.findall(text)
        if declared.startswith(_one_line(text)) or words[: len(begins)] == begins:
            return list(headings[:number]), headings[number]
    if not declared:
        return [], headings[0]
    if shown := _shown_before(tree, headings[0], words):
        return [], shown
    if _one_line(tree.text(headings[0])) == MANUAL_PAGE:
        return [], None
    own = next((number for number, node in enumerate(headings) if not _is_link(tree, node)), None)
    if own is None:
        return (list(headings), None) if len(headings) == 1 else ([], None)
    return list(headings[:own]), headings[own]


def _shown_before(tree: Tree, heading: Node, title: list[str]) -> Node | None:
    """Return the element before a heading that holds a title's words alone, outside landmarks and links."""
    end = tree.key(heading)
    for node in tree.select(f"{SHOWING}, h1"):
        if tree.key(node) == end:
            break
        own = "".join(text for tag, text in tree.children(node) if tag == "-text")
        if own and WORDS.findall(own) == title:
            alone = WORDS.findall(tree.text(node)) == title
            return node if alone and not any(tag in NOT_SHOWING for tag, _ in _above(tree, node)) else None
    return None


def _is_link(tree: Tree, heading: Node) -> bool:
    links = tree.select('a[href]:not([href^="#"])', heading)
    return len(links) == 1 and _one_line(tree.text(links[0])) == _one_line(tree.text(heading))


def make_plain(tree: Tree, headings: Sequence[Node]) -> None:
    """Make plain text of headings."""
    for node in headings:
        tree.replace(node, f" {tree.text(node)} ")


def drop_landmarks(tree: Tree) -> None:
    """Take the page's landmarks out, but for those that hold its main part."""
    tree.drop([node for node in tree.select(LANDMARKS) if not tree.select(MAIN, node)])


class _PageLink(NamedTuple):
    """A link to a neighbor or an upper page of its page, which says so itself or by the page's head."""

    node: Node
    href: str
    is_marked: bool


def drop_navigation(tree: Tree, links: Mapping[str, Sequence[str]], titles: Sequence[str]) -> None:
    """Take out the lines that lead to the previous, next and upper pages, contents and index. Linear in the page.

    `links` are those of the page's head by relation, `titles` what the page is
    called. A line is the smallest block around two such links: they mark
    themselves by `rel` or `accesskey`, or lead where the head says. At least half
    of its links are such, and it holds hardly a word beside them and the titles
    of the pages that they lead to. Of links that only the head knows it takes three.
    """
    known = {href for relation in RELATIONS & links.keys() for href in links[relation]}
    lines: dict[int, tuple[Node, list[_PageLink]]] = {}
    for node, link in _blocks_of_links(tree, list(_page_links(tree, known))):
        lines.setdefault(tree.key(node), (node, []))[1].append(link)
    found: set[int] = set()
    too_large = 0
    for key, (block, inner) in lines.items():
        if _is_too_large(tree, block):
            too_large += 1
            if too_large == MOST_TOO_LARGE:
                break
        elif _is_navigation(tree, block, inner, titles):
            found.add(key)
    if found:
        blocks = tree.select(", ".join(sorted(LINE_BLOCKS)))
        tree.drop([node for node in blocks if tree.key(node) in found])


def _page_links(tree: Tree, known: Collection[str]) -> Iterator[_PageLink]:
    css = "a[href]" if known else "a[href][rel], a[href][accesskey]"
    for node in tree.select(css):
        href = tree.attribute(node, "href")
        is_marked = tree.attribute(node, "accesskey").lower() in ACCESS_KEYS or not RELATIONS.isdisjoint(
            tree.attribute(node, "rel").lower().split()
        )
        if is_marked or href in known:
            yield _PageLink(node, href, is_marked)


def _blocks_of_links(tree: Tree, links: Sequence[_PageLink]) -> Iterator[tuple[Node, _PageLink]]:
    """Yield each link with the smallest block that it is in with another one."""
    above = [_blocks_above(tree, link.node) for link in links]
    counts = Counter(tree.key(block) for blocks in above for block in blocks)
    for link, blocks in zip(links, above, strict=True):
        block = next((block for block in blocks if counts[tree.key(block)] > 1), None)
        if block is not None:
            yield block, link


def _blocks_above(tree: Tree, node: Node) -> list[Node]:
    above = takewhile(lambda found: found[0] not in ("body", "main", "article"), _above(tree, node))
    return [block for tag, block in above if tag in LINE_BLOCKS]


def _above(tree: Tree, node: Node) -> Iterator[tuple[str, Node]]:
    """Yield the nearest elements that a node lies in."""
    for _ in range(MAX_LEVELS):
        found = tree.parent(node)
        if found is None:
            break
        yield found
        node = found[1]


def _is_too_large(tree: Tree, block: Node) -> bool:
    return len(_one_line(tree.text(block))) > MAX_LINE or len(tree.select("a[href]", block)) > MAX_LINKS


def _is_navigation(tree: Tree, block: Node, links: Sequence[_PageLink], titles: Sequence[str]) -> bool:
    hrefs = {link.href for link in links}
    if len(hrefs) < (2 if any(link.is_marked for link in links) else 3):
        return False
    anchors = tree.select("a[href]", block)
    if tree.select(NOT_IN_LINES, block) or 2 * len(hrefs) < len({tree.attribute(node, "href") for node in anchors}):
        return False
    if any(WORD.search(tree.text(node)) for node in tree.select("p:not(:has(a[href]))", block)):
        return False
    text = _one_line(tree.text(block))
    shown = [tree.text(node) for node in anchors] + [tree.attribute(node, "title") for node in anchors]
    for title in sorted(map(_one_line, (*titles, *shown)), key=len, reverse=True):
        text = text.replace(title, " ", 1) if title else text
    return len(WORD.findall(text)) <= MAX_LABEL * len(links)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def main_parts(tree: Tree) -> list[Node]:
    """Return the elements that hold the page's text: its main parts, its articles, or the whole body.

    The heading that is the page's title does not count as text, so it has to be taken out before.
    """
    body = tree.select("body")
    whole = body[0] if body else tree.root
    characters = _characters(tree, [whole])
    for css, share in ((f"{MAIN}:not({below(MAINS, '*')})", MAIN_SHARE), ("article:not(article *)", ARTICLES_SHARE)):
        parts = tree.select(css)
        found = _characters(tree, parts)
        if found and found >= share * characters:
            return parts
    return [whole]


def _characters(tree: Tree, nodes: list[Node]) -> int:
    return sum(len("".join(tree.text(node).split())) for node in nodes)
