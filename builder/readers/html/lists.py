"""Lists and definition lists: one chunk a list, a line an item, inner items indented; one an item of segments."""

from __future__ import annotations

from builder.documents.chunking import Line, join_lines
from builder.documents.collector import HAS_WORD
from builder.readers.html.passages import BLOCK, IN_ITEM, Handlers, Item, Passages, caption
from builder.readers.html.tree import Node

HEADINGS_IN_ITEMS = "li h2, li h3, li h4, li h5, li h6"
INDENT = "  "
# Deeper items are not indented further: the text stays linear in the page however deep its lists are.
MAX_INDENT = 20


def bullets(passages: Passages, node: Node) -> None:
    """Add a list, or what it is instead: a gallery's captions, a part of an outer item or of a cell, sections.

    Outside a wiki an item with a heading is a section, as Javadoc has one for each method of a class.
    """
    if passages.in_cell or _holds_sections(passages, node):
        passages.boundary()
        passages.walk(node)
        passages.boundary()
    elif passages.mode == IN_ITEM:
        passages.break_item()
        passages.items.extend(_items(passages, node, passages.list_level + 1))
    else:
        passages.flush()
        if "gallery" in passages.tree.attribute(node, "class").split():
            _gallery(passages, node)
        else:
            passages.add_lines("list", list(map(_indented, _items(passages, node, 0))))


def _holds_sections(passages: Passages, node: Node) -> bool:
    return passages.mode == BLOCK and bool(passages.boxes) and bool(passages.tree.select(HEADINGS_IN_ITEMS, node))


def definitions(passages: Passages, node: Node) -> None:
    """Add a list of terms and their definitions; without a term it is merely indented text."""
    if passages.in_cell or (passages.mode == BLOCK and not passages.tree.select("dt", node)):
        passages.boundary()
        passages.walk(node)
        passages.boundary()
    elif passages.mode == IN_ITEM:
        passages.break_item()
        passages.items.extend(_terms(passages, node, passages.list_level + 1))
    else:
        passages.flush()
        passages.add_lines("definition", list(map(_indented, _terms(passages, node, 0))))


def segments(passages: Passages, node: Node) -> None:
    """Add an item of DocBook's segmented lists, whose labelled segments are one text; the first names the item."""
    if passages.mode != BLOCK:
        passages.boundary()
        passages.walk(node)
        passages.boundary()
        return
    passages.flush()
    items = _items(passages, node, 1)
    names = [line for _, line in items[:1]]
    passages.add_lines("definition", [*names, *map(_indented, items[1:])])


def _items(passages: Passages, node: Node, level: int) -> list[Item]:
    lines: list[Item] = []
    passages.enter()
    has_code = bool(passages.tree.select("pre", node))
    for tag, child in passages.tree.children(node):
        if tag in ("ul", "ol"):
            lines.extend(_items(passages, child, level + 1))
        elif tag == "-text":
            if child.strip():
                lines.append((level, Line(" ".join(child.split()))))
        elif tag[0] != "-" and tag not in ("style", "link", "script", "meta"):
            if has_code and passages.tree.select("pre", child):
                lines.extend(_hanging(_item(passages, child, level, in_order=True), level))
            else:
                lines.extend(_item(passages, child, level))
    passages.depth -= 1
    return lines


def _terms(passages: Passages, node: Node, level: int) -> list[Item]:
    lines: list[Item] = []
    passages.enter()
    for tag, child in passages.tree.children(node):
        if tag == "dd":
            lines.extend(_item(passages, child, level + 1, in_order=True))
        elif tag == "dt":
            lines.extend(_item(passages, child, level))
        elif tag == "-text":
            if child.strip():
                lines.append((level, Line(" ".join(child.split()))))
        elif tag[0] != "-":
            lines.extend(_terms(passages, child, level))
    passages.depth -= 1
    return lines


def _item(passages: Passages, node: Node, level: int, *, in_order: bool = False) -> list[Item]:
    """Return an item's line and below it those of the lists within it; `in_order` its text behind these follows them.

    Else all its text is one line, so that a list has as many lines as items.
    """
    outer = passages.items, passages.list_level, passages.in_order
    passages.items, passages.list_level, passages.in_order = [], level, in_order
    passages.depth += 1
    line = passages.capture(node, IN_ITEM)
    passages.depth -= 1
    inner, (passages.items, passages.list_level, passages.in_order) = passages.items, outer
    if not line.text or (inner and not HAS_WORD(line.text)):
        return inner
    return [*inner, (level, line)] if in_order else [(level, line), *inner]


def _hanging(lines: list[Item], level: int) -> list[Item]:
    """Return the lines of an item with those behind its first one further in: code, and the text around it."""
    return [*lines[:1], *((max(own, level + 1), line) for own, line in lines[1:])]


def _indented(item: Item) -> Line:
    level, line = item
    return join_lines((Line(INDENT * min(level, MAX_INDENT)), line), "") if level else line


def _gallery(passages: Passages, node: Node) -> None:
    passages.depth += 1
    for tag, child in passages.tree.children(node):
        if tag == "li" and "gallerycaption" in passages.tree.attribute(child, "class"):
            caption(passages, child)
        elif tag == "li":
            passages.walk(child)
            passages.flush()
    passages.depth -= 1


HANDLERS: Handlers = dict.fromkeys(("ul", "ol", "dir", "menu"), bullets) | {"dl": definitions, "seglistitem": segments}
