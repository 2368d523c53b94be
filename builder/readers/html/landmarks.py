"""The text of an HTML page that is no wiki's: all but landmarks (navigation, banners, footers) and hidden parts.

No class name decides: the class that one generator gives navigation is another's for articles.

>>> from builder.readers.html.tree import open_tree
>>> tree = open_tree("<nav>Home</nav><article class='navbar'>Text</article><footer>Imprint</footer>")
>>> drop_landmarks(tree)
>>> [tree.text(part) for part in main_parts(tree)]
['Text']
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from builder.readers.html.tree import Node, Tree

# A letter or digit of any script.
WORD = re.compile(r"[^\W_]")
SECTIONING = ':is(article, aside, main, nav, section, [role="main" i], [role="article" i])'
MAIN = ':is(main, [role="main" i])'
# As in HTML's own definition, a header, footer or aside is a landmark only outside of sectioning elements.
LANDMARKS = f"""
    nav, search, aside:not(:is(article, section) aside),
    header:not({SECTIONING} header), footer:not({SECTIONING} footer),
    [role="navigation" i], [role="banner" i], [role="contentinfo" i], [role="complementary" i], [role="search" i]
"""
UNSEEN = """
    script, style, template, [hidden]:not([hidden="until-found"], [role="tabpanel"]),
    [style*="display:none" i], [style*="display: none" i],
    [style*="visibility:hidden" i], [style*="visibility: hidden" i]
"""
PERMALINKS = """
    :is(h1, h2, h3, h4, h5, h6, dt, caption, figcaption, legend, summary) a[href*="#"],
    a[href*="#"][title^="permalink" i], a[href*="#"][title^="permanent link" i], a[href*="#"][title^="link to" i],
    a[href*="#"][aria-label^="permalink" i], a[href*="#"][aria-label^="link to" i]
"""
# An icon font's link sign is U+F0C1; an empty text is an icon drawn by style.
PERMALINK_SIGNS = frozenset(("", "¶", "§", "#", "🔗", "⚓", "∞", "\uf0c1"))
HEADING_BUTTONS = ":is(h1, h2, h3, h4, h5, h6, summary) button"
MAIN_SHARE, ARTICLES_SHARE = 0.1, 0.5
"""The least of a page's text that its main parts or its articles hold when they are all of it.

A short page may have menus that are larger and not marked as such, so the part that its
author declares as main needs less than articles, which may be teasers of other pages.
"""
# The title is the first of these that has text: in the main part, else outside landmarks, else any.
FIRST_HEADINGS = (
    f"{MAIN} h1:not(:is(nav, aside) h1)",
    f"h1:not(:is(nav, aside) h1, header:not({SECTIONING} header) h1)",
    "h1",
)


def drop_unseen(tree: Tree) -> None:
    """Take out scripts, styles, hidden parts and the signs that only link to their own position."""
    tree.drop(tree.select(UNSEEN))
    tree.drop([node for node in tree.select(PERMALINKS) if _is_permalink(tree, node)])
    # The one kind of button that is text: a heading that opens its section.
    for node in tree.select(HEADING_BUTTONS):
        tree.replace(node, tree.text(node))


def _is_permalink(tree: Tree, node: Node) -> bool:
    text = tree.text(node)
    return len(text) < 20 and "".join(text.split()).rstrip("\ufe0e\ufe0f") in PERMALINK_SIGNS


def headings_to_title(tree: Tree, declared: str) -> list[Node]:
    """Return the headings up to that which gives the page its title.

    It is one of the main part, else one outside landmarks, else any. Of several
    it is the first with which the `<title>`, `declared`, begins, since sites have
    a heading of their own before that of the page.
    """
    for css in FIRST_HEADINGS:
        found = [(node, text) for node in tree.select(css) if WORD.search(text := tree.text(node))]
        if not found:
            continue
        own = (n for n, (_, text) in enumerate(found) if declared.startswith(" ".join(text.split())))
        return [node for node, _ in found[: next(own, 0) + 1]]
    return []


def make_plain(tree: Tree, headings: Sequence[Node]) -> None:
    """Make plain text of headings."""
    for node in headings:
        tree.replace(node, f" {tree.text(node)} ")


def drop_landmarks(tree: Tree) -> None:
    """Take the page's landmarks out, but for those that hold its main part."""
    tree.drop([node for node in tree.select(LANDMARKS) if not tree.select(MAIN, node)])


def main_parts(tree: Tree) -> list[Node]:
    """Return the elements that hold the page's text: its main parts, its articles, or the whole body.

    The heading that is the page's title does not count as text, so it has to be taken out before.
    """
    body = tree.select("body")
    whole = body[0] if body else tree.root
    characters = _characters(tree, [whole])
    for css, share in ((f"{MAIN}:not({MAIN} *)", MAIN_SHARE), ("article:not(article *)", ARTICLES_SHARE)):
        parts = tree.select(css)
        found = _characters(tree, parts)
        if found and found >= share * characters:
            return parts
    return [whole]


def _characters(tree: Tree, nodes: list[Node]) -> int:
    return sum(len("".join(tree.text(node).split())) for node in nodes)
