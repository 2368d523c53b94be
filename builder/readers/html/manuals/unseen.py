"""What is no text of a page, and is not seen as such: scripts, hidden parts, and signs that only link to themselves.

>>> from builder.readers.html.tree import open_tree
>>> tree = open_tree('<h2 id="oil">Oil<a href="#oil">¶</a></h2><p hidden>Whale.</p><style>p { color: red }</style>')
>>> drop_unseen(tree)
>>> tree.text(tree.root)
'Oil'
"""

from __future__ import annotations

from collections.abc import Iterator

from builder.readers.html.manuals.landmarks import WORDS, below
from builder.readers.html.tree import Node, Tree

UNSEEN = """
    script, style, template, [hidden]:not([hidden="until-found"], [role="tabpanel"]),
    [style*="display:none" i], [style*="display: none" i],
    [style*="visibility:hidden" i], [style*="visibility: hidden" i]
"""
HEADED = "h1 h2 h3 h4 h5 h6 dt caption figcaption legend summary".split()
PERMALINKS = f"""
    {below(HEADED, 'a[href*="#"]')},
    a[href*="#"][title^="permalink" i], a[href*="#"][title^="permanent link" i], a[href*="#"][title^="link to" i],
    a[href*="#"][aria-label^="permalink" i], a[href*="#"][aria-label^="link to" i]
"""
# Of these no parser of selectors takes more than linear time: it looks neither far up nor deep into them.
NEAR_PERMALINKS = f"""
    :is({", ".join(HEADED)}) > a[href*="#"]:not(:has(*)),
    a[href*="#"][title^="permalink" i]:not(:has(*)), a[href*="#"][title^="permanent link" i]:not(:has(*)),
    a[href*="#"][title^="link to" i]:not(:has(*))
"""
# An icon font's link sign is U+F0C1; an empty text is an icon drawn by style.
PERMALINK_SIGNS = frozenset(("", "¶", "§", "#", "🔗", "⚓", "∞", "\uf0c1"))
BUTTON_HEADINGS = "h1 h2 h3 h4 h5 h6 summary".split()
HEADING_BUTTONS = below(BUTTON_HEADINGS, "button")


def drop_unseen(tree: Tree) -> None:
    """Take out scripts, styles, hidden parts and the signs that only link to their own position."""
    tree.drop(tree.select(UNSEEN))
    drop_permalinks(tree)
    tree.drop(list(_signs_of_own_position(tree)))
    _read_heading_buttons(tree)


def _read_heading_buttons(tree: Tree) -> None:
    """Take out buttons beside the text of a heading; one that is all of it opens its section, and is text."""
    headings: dict[int, Node] = {}
    for node in tree.select(HEADING_BUTTONS):
        found = tree.parent(node)
        while found is not None and found[0] not in BUTTON_HEADINGS:
            found = tree.parent(found[1])
        if found is not None:
            headings.setdefault(tree.key(found[1]), found[1])
    for heading in headings.values():
        buttons = tree.select("button", heading)
        if sum(map(_words, map(tree.text, buttons))) < _words(tree.text(heading)):
            tree.drop(buttons)
        for button in tree.select("button", heading):
            tree.replace(button, tree.text(button))


def _words(text: str) -> int:
    return len(WORDS.findall(text))


def drop_permalinks(tree: Tree, css: str = PERMALINKS) -> None:
    """Take out the signs among these links that only link to their own position."""
    tree.drop([node for node in tree.select(css) if _is_permalink(tree, node)])


def _is_permalink(tree: Tree, node: Node) -> bool:
    text = tree.text(node)
    return len(text) < 20 and "".join(text.split()).rstrip("\ufe0e\ufe0f") in PERMALINK_SIGNS


def _signs_of_own_position(tree: Tree) -> Iterator[Node]:
    """Yield the signs that link to the last position before them."""
    position = ""
    for node in tree.select('[id], a[href^="#"]'):
        position = tree.attribute(node, "id") or position
        if tree.attribute(node, "href") == f"#{position}" and _is_permalink(tree, node):
            yield node
