"""Lists and definition lists: one chunk a list, a line an item, inner items indented."""

from __future__ import annotations

from builder.cutting import Line, join_lines
from builder.sources.blocks import BLOCK, IN_ITEM, Handlers, Passages, caption
from builder.sources.tree import Node

INDENT = "  "


def bullets(passages: Passages, node: Node) -> None:
    """Add a list, or what it is instead: a gallery's captions, a part of an outer item or of a cell."""
    if passages.in_cell:
        passages.boundary()
        passages.walk(node)
        passages.boundary()
    elif passages.mode == IN_ITEM:
        passages.boundary()
        passages.items.extend(map(_indented, _items(passages, node)))
    else:
        passages.flush()
        if "gallery" in passages.tree.attribute(node, "class").split():
            _gallery(passages, node)
        else:
            passages.add_lines("list", _items(passages, node))


def definitions(passages: Passages, node: Node) -> None:
    """Add a list of terms and what they mean; without a term it is merely indented text."""
    if passages.in_cell or (passages.mode == BLOCK and not passages.tree.select("dt", node)):
        passages.boundary()
        passages.walk(node)
        passages.boundary()
    elif passages.mode == IN_ITEM:
        passages.boundary()
        passages.items.extend(map(_indented, _terms(passages, node)))
    else:
        passages.flush()
        passages.add_lines("definition", _terms(passages, node))


def _items(passages: Passages, node: Node) -> list[Line]:
    lines: list[Line] = []
    for tag, child in passages.tree.children(node):
        if tag in ("ul", "ol"):
            lines.extend(map(_indented, _items(passages, child)))
        elif tag == "-text":
            if child.strip():
                lines.append(Line(" ".join(child.split())))
        elif tag[0] != "-" and tag not in ("style", "link", "script", "meta"):
            lines.extend(_item(passages, child))
    return lines


def _terms(passages: Passages, node: Node) -> list[Line]:
    lines: list[Line] = []
    for tag, child in passages.tree.children(node):
        if tag == "dd":
            lines.extend(map(_indented, _item(passages, child)))
        elif tag == "dt":
            lines.extend(_item(passages, child))
        elif tag == "-text":
            if child.strip():
                lines.append(Line(" ".join(child.split())))
        elif tag[0] != "-":
            lines.extend(_terms(passages, child))
    return lines


def _item(passages: Passages, node: Node) -> list[Line]:
    """Return an item's line and below it those of the lists within it."""
    outer, passages.items = passages.items, []
    passages.depth += 1
    line = passages.capture(node, IN_ITEM)
    passages.depth -= 1
    inner, passages.items = passages.items, outer
    return [line, *inner] if line.text else inner


def _indented(line: Line) -> Line:
    return join_lines((Line(""), line), INDENT)


def _gallery(passages: Passages, node: Node) -> None:
    for tag, child in passages.tree.children(node):
        if tag == "li" and "gallerycaption" in passages.tree.attribute(child, "class"):
            caption(passages, child)
        elif tag == "li":
            passages.walk(child)
            passages.flush()


HANDLERS: Handlers = dict.fromkeys(("ul", "ol", "dir", "menu"), bullets) | {"dl": definitions}
