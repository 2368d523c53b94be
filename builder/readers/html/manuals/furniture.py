"""Elements that the generator of a manual writes around its text, removed before anything is read.

They are contents, sidebars, lines of navigation and of its site, indexes, forms to search it, who made it and when.
A class or an id alone decides nothing, since another generator gives it to text: what is inside has to be what the
name says, as a sidebar holds hardly a word beside its links.

>>> from builder.readers.html.tree import open_tree
>>> page = "<div class='toc'><dl><dt><a href='oil.html'>Oil</a></dt></dl></div><p class='toc'>A lamp needs oil.</p>"
>>> tree = open_tree(page)
>>> drop_furniture(tree, page)
>>> tree.text(tree.root)
'A lamp needs oil.'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from builder.readers.html.manuals.landmarks import (
    ACCESS_KEYS,
    LINE_BLOCKS,
    MAIN,
    MAX_LABEL,
    MAX_LEVELS,
    MAX_LINE,
    MAX_LINKS,
    NOT_IN_LINES,
    WORD,
)
from builder.readers.html.tree import Node, Tree

# What generators of documentation call their menus, in lower case: Sphinx's themes (classic, alabaster and guzzle; Read
# the Docs; furo; pydata and book), Doxygen, Javadoc, MkDocs, Docusaurus, texinfo, LaTeX2HTML.
MENUS = """
    sphinxsidebar sphinxsidebarwrapper footer-relations wy-nav-side wy-menu sidebar-drawer sidebar-tree toc-drawer
    bd-sidebar bd-sidebar-primary bd-sidebar-secondary bd-toc prev-next-area
    navpath topnav subnav bottomnav navlist subnavlist md-sidebar bs-sidebar
    theme-doc-sidebar-container theme-doc-toc-desktop theme-doc-toc-mobile theme-doc-breadcrumbs pagination-nav
    nav-panel navigation childlinks tofc #nav-path #side-nav #navrow1 #navrow2 #navrow3 #navrow4
"""
# When a page was changed, and by what it was made: Sphinx, Doxygen and Javadoc, Docusaurus, MkDocs, AsciiDoc.
DATES = "last_updated last-updated theme-last-updated theme-edit-this-page md-source-file #footer-text"
CREDIT = "footer"
DIGIT = re.compile(r"\d")
MAX_DATE, MAX_CREDIT = 60, 300
"""The letters and digits of a line that tells a date, beside its links, and of one that tells who made the page."""
CREDITED = ", ".join(f'a[href*="{name}" i]' for name in "sphinx doxygen asciidoctor mkdocs".split())
# Links to these are a site's alone, where one leads home, to the map of the site or to the next page.
NEIGHBORS = frozenset(
    """home|home page|homepage|main page|site map|sitemap|next|next chapter|next page|next section|previous
    |previous chapter|previous page|previous section""".replace("\n    ", "").split("|")
)
SITE_PAGES = NEIGHBORS | frozenset(
    """about|about us|bugs|community|contact|contact us|contacts|contents|credits|directives|docs|documentation|download
    |downloads|faq|glossary|help|index|libraries|license|mailing lists|menu|modules|more|news|people|purchase
    |prev|report a bug|search|security|support|table of contents|top|up|wiki""".replace("\n    ", "").split("|")
)
NEIGHBOR = re.compile(rf">\s*(?:{'|'.join(sorted(NEIGHBORS)).replace(' ', '[^a-z<>]+')})\s*<", re.I)
MOST_NEIGHBORS = 2
"""So many such links are looked at from the page's start, and so many from its end."""

# Searching the text is far cheaper than a selector that finds nothing.
NAMES = re.compile(
    r"""(?:class|id)\s*=\s*(?:["'][^"'<>]*|)(?<![\w-])"""
    r"(?:toc|list-of-|header|navheader|navfooter|longdesc-link|viewcode-link|indexdiv|indextable|search-documentation|"
    r"index-|[a-z]+-entries-printindex|"
    rf"{'|'.join(f'{MENUS} {DATES} {CREDIT}'.replace('#', '').split())})",
    re.I,
)
NAMED = ", ".join(
    (
        "div[class], dl[class], ul[class], ol[class], section[class], aside[class]",
        f"address.{CREDIT}, li.{CREDIT}, span.viewcode-link",
        'table.header, table[class^="index-" i], table[class$="-entries-printindex" i]',
        *(name if name[0] == "#" else f":is(p, a, span).{name}" for name in DATES.split()),
        *(name for name in MENUS.split() if name[0] == "#"),
    )
)
MOST_LOOKS = 5
"""How often each element of a page may be looked at, on average."""
MAX_CONTENTS_TITLE = 40
"""The letters and digits of a title such as "Table of Contents"."""
ENTRIES = frozenset("a dt dd li".split())
ROWS = frozenset(("thead", "tbody", "tr"))
"""What a table, and nothing else, has right below it."""
MAX_SIGN = 3
"""The letters and digits of a link such as "[D]"."""
# Sphinx: the headings of its page that searches the manual and of its index; neither page has text.
SEARCH_HEADING, SEARCH_PARTS = "#search-documentation", "#search-results, form"
INDEX_HEADING, INDEX_PARTS = "h1#index", "table.indextable"
# texinfo: tables that are its indexes, in older versions and in newer ones, and those of the letters in these.
INDEX_TABLE = re.compile(r"index-[a-z]{2}|[a-z]+-entries-printindex")
LETTERS = 'a[class^="summary-letter"]'


def drop_furniture(tree: Tree, text: str) -> None:
    """Take out of a page, whose HTML is `text`, what its generator has put around its text. Linear in the page."""
    if NEIGHBOR.search(text) is not None:
        tree.drop(_site_lines(tree))
    if NAMES.search(text) is None:
        return
    named = _named_blocks(tree, MOST_LOOKS * text.count("<"))
    tree.drop([node for node, is_furniture in named if is_furniture(tree, node)])
    tree.drop(_lines_of_letters(tree))
    for heading, parts in ((SEARCH_HEADING, SEARCH_PARTS), (INDEX_HEADING, INDEX_PARTS)):
        for node in tree.select(heading)[:1]:
            _drop_around(tree, node, parts)


def _named_blocks(tree: Tree, most_elements: int) -> Iterator[tuple[Node, Callable[[Tree, Node], bool]]]:
    """Yield the blocks that have the name of a kind of furniture, with what tells whether they are it.

    Where such blocks lie within each other, looking through all would be slow:
    no more elements are looked through than `most_elements`.
    """
    for node in tree.select(NAMED):
        name = tree.attribute(node, "id")
        is_furniture = _kind_of((*tree.attribute(node, "class").lower().split(), f"#{name}"))
        if is_furniture is None:
            continue
        most_elements -= len(tree.select("*", node))
        if most_elements < 0:
            break
        yield node, is_furniture


def _kind_of(classes: Iterable[str]) -> Callable[[Tree, Node], bool] | None:
    return next(filter(None, map(KINDS.get, map(_kind_named, classes))), None)


def _kind_named(name: str) -> str:
    if name.startswith("list-of-"):
        return "toc"
    return "printindex" if INDEX_TABLE.fullmatch(name) else name


def _is_contents(tree: Tree, node: Node) -> bool:
    """Tell whether a block holds links into the manual, but for a title, labels, and the purposes of what they name."""
    links = tree.select("a[href]", node)
    if not links or any("://" in tree.attribute(link, "href") for link in links):
        return False
    children = [child for tag, child in tree.children(node) if tag[0] != "-" and tag not in ENTRIES]
    title = sum(_letters(tree.text(child)) for child in children if not tree.select("a[href]", child))
    named = sum(_letters(tree.text(each)) for each in (*links, *tree.select(".refpurpose", node)))
    return title <= MAX_CONTENTS_TITLE and _letters(tree.text(node)) - title - named <= MAX_LABEL * len(links)


def _is_line(tree: Tree, node: Node) -> bool:
    """Tell whether a block is a line of navigation: all its links are those to the pages around its own."""
    keys = {tree.attribute(link, "accesskey").lower() for link in tree.select("a[href]", node)}
    return keys <= ACCESS_KEYS and len(" ".join(tree.text(node).split())) <= MAX_LINE


def _is_menu(tree: Tree, node: Node) -> bool:
    """Tell whether a block holds links, and beside them hardly more than a title and labels."""
    links = tree.select("a[href]", node)
    if not links or tree.select(f"{MAIN}, pre", node):
        return False
    return _letters(tree.text(node)) <= _letters_of(tree, links) + MAX_CONTENTS_TITLE + MAX_LABEL * len(links)


def _is_row_of_links(tree: Tree, node: Node) -> bool:
    """Tell whether a table, or a block around one, holds several links, and not a letter beside them."""
    links = tree.select("a[href]", node) if tree.select("tr", node) else []
    return len(links) > 2 and not tree.select(NOT_IN_LINES, node) and _are_all(tree, links, node)


def _lines_of_letters(tree: Tree) -> list[Node]:
    """Return the tables that lead to the letters of texinfo's indexes."""
    lines: dict[int, Node] = {}
    for node in tree.select(LETTERS):
        found = tree.parent(node)
        for _ in range(MAX_LEVELS):
            if found is None or found[0] == "table":
                break
            found = tree.parent(found[1])
        if found is not None and found[0] == "table":
            lines.setdefault(tree.key(found[1]), found[1])
    return list(lines.values())


def _is_date(tree: Tree, node: Node) -> bool:
    """Tell whether a block is a few words with a number, or only links."""
    text = tree.text(node)
    beside = _letters(text) - _letters_of(tree, tree.select("a[href]", node))
    return beside <= (MAX_DATE if DIGIT.search(text) else 0)


def _is_credit(tree: Tree, node: Node) -> bool:
    """Tell whether a block names what has made the page, beside who holds its rights."""
    return bool(tree.select(CREDITED, node)) and _letters(tree.text(node)) <= MAX_CREDIT


def _site_lines(tree: Tree) -> list[Node]:
    """Return the lines of the first and last links home or to neighbors that lead to a site's pages alone."""
    neighbors = [node for node in tree.select("a[href]") if _page_named(tree, node) in NEIGHBORS]
    lines: dict[int, Node] = {}
    for node in neighbors[:MOST_NEIGHBORS] + neighbors[MOST_NEIGHBORS:][-MOST_NEIGHBORS:]:
        line = _site_line(tree, node)
        if line is not None:
            lines.setdefault(tree.key(line), line)
    return list(lines.values())


def _site_line(tree: Tree, node: Node) -> Node | None:
    """Return the largest block around a link that holds links to a site's pages, and no word else."""
    line = None
    for _ in range(MAX_LEVELS):
        found = tree.parent(node)
        if found is None or found[0] in ("body", "main", "article") or not _is_site_line(tree, found[1]):
            break
        node = found[1]
        line = node if found[0] in LINE_BLOCKS else line
    return line if line is not None and len(tree.select("a[href]", line)) > 1 else None


def _is_site_line(tree: Tree, block: Node) -> bool:
    links = tree.select("a[href]", block)
    if len(links) > MAX_LINKS or any(_page_named(tree, link) not in SITE_PAGES for link in links):
        return False
    return _are_all(tree, links, block)


def _are_all(tree: Tree, links: Iterable[Node], block: Node) -> bool:
    return _letters(tree.text(block)) == _letters_of(tree, links)


def _page_named(tree: Tree, link: Node) -> str:
    return " ".join(tree.text(link).lower().split())


def _letters_of(tree: Tree, nodes: Iterable[Node]) -> int:
    return sum(_letters(tree.text(node)) for node in nodes)


def _letters(text: str) -> int:
    return len(WORD.findall(text))


def _drop_around(tree: Tree, heading: Node, parts: str) -> None:
    """Take out all but the heading of a page that shows nothing else than these parts."""
    node, found = heading, tree.parent(heading)
    if found is None or not tree.select(parts, found[1]):
        return
    while found is not None and found[0] != "html":
        others = [child for tag, child in tree.children(found[1]) if tag[0] != "-"]
        tree.drop([child for child in others if tree.key(child) != tree.key(node)])
        node, found = found[1], tree.parent(found[1])


KINDS: dict[str, Callable[[Tree, Node], bool]] = {
    **dict.fromkeys(("toc", "toc2"), _is_contents),
    # Sphinx's links from what is described to its source: "[source]".
    "viewcode-link": lambda tree, node: _letters(tree.text(node)) <= MAX_LABEL,
    "header": _is_row_of_links,
    "navheader": _is_line,
    "navfooter": _is_line,
    "longdesc-link": lambda tree, node: _letters(tree.text(node)) <= MAX_SIGN,
    "printindex": lambda tree, node: any(tag in ROWS for tag, _ in tree.children(node)),
    "indexdiv": lambda tree, node: bool(tree.select("a.indexterm[href]", node)),
    **dict.fromkeys(MENUS.split(), _is_menu),
    **dict.fromkeys(DATES.split(), _is_date),
    CREDIT: _is_credit,
}
