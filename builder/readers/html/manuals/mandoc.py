"""Manual pages that mandoc has formatted: their headers and footers left out, the forms of a command on lines.

>>> from builder.readers.html.tree import open_tree
>>> page = '<div class="manual-text"><table class="Nm"><tr><td>lamp</td><td>-o <i>oil</i></td></tr></table></div>'
>>> tree = open_tree(page)
>>> read_mandoc(tree, page)
>>> tree.text(tree.root)
'lamp -o oil'
"""

from __future__ import annotations

from builder.readers.html.tree import Node, Tree

MARK = 'class="manual-text"'
AROUND = (
    (".head:is(table, div)", ".head-vol"),
    (".foot:is(table, div)", ".foot-os, .foot-date"),
)
"""A page's header and footer, and what of theirs has a name that nothing else has."""
FORM = "table.Nm"
"""A form of a command: its name and its arguments in two cells."""


def read_mandoc(tree: Tree, text: str) -> None:
    """Take out of a page by mandoc, whose HTML is `text`, what is around its text, and make lines of its forms."""
    if MARK not in text:
        return
    for around, part in AROUND:
        tree.drop([node for node in tree.select(around) if tree.select(part, node)])
    for node in tree.select(FORM):
        tree.replace(node, _form(tree, node))


def _form(tree: Tree, node: Node) -> str:
    rows = (tree.select("td", row) for row in tree.select("tr", node))
    return "\n".join(" ".join(" ".join(map(tree.text, cells)).split()) for cells in rows)
