"""The lines of reStructuredText: the text of nodes with its links, and the items of lists."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from builder.documents.chunking import Line, join_lines
from builder.readers.html.inline import CLOSE, OPEN, finish
from builder.readers.text.links import TextLinks
from builder.readers.text.names import label_name
from builder.readers.text.rst.parsing import DOC, REF
from weft.text.names import LinkTarget

SKIPPED = frozenset("comment substitution_definition pending raw transition meta decoration docinfo label".split())
LISTS = {"bullet_list": "list", "enumerated_list": "list", "definition_list": "definition",
         "field_list": "definition", "option_list": "definition"}  # fmt: skip
# Blocks that are drawn: a picture, or a link that is one.
DRAWN = frozenset(("image", "reference"))
CODES = frozenset(("literal_block", "doctest_block", "math_block"))
TERM_AND_TEXT = {"definition_list_item": "term", "field": "field_name", "option_list_item": "option_group"}
FILE_FIELDS = frozenset("orphan tocdepth nocomments nosearch no-search".split())
"""Fields that tell Sphinx of a file."""

PLACED = re.compile(r" \([^()]*\.[a-z]+\)\Z")
"""What is behind a title that several files share."""

TEXTS = frozenset(("paragraph", "attribution", "rubric", "line_block", "title", "subtitle"))
MARKUP_LINE = re.compile(r"[ \t]*(?:\.\.|:[\w-]+:)")


class Lines:
    """Makes lines of nodes; `links` tells where their links lead."""

    def __init__(self, links: TextLinks) -> None:
        self.links = links

    def items(self, node: Any, indent: str) -> Iterator[Line]:
        """Yield the lines of a list, those of inner lists indented."""
        for item in node.children:
            if item.tagname == "field" and _is_of_file(node, item):
                continue
            label = TERM_AND_TEXT.get(item.tagname)
            parts = [child for child in item.children if label is None or child.tagname not in (label, "classifier")]
            blocks = [each for part in parts for each in (part.children if label else [part])]
            terms = [self.line(child) for child in item.children if child.tagname == label]
            has_code = next(item.findall(_is_code), None) is not None
            yield from (self.in_order if has_code else self.item)(join_lines(terms, ", "), blocks, indent)

    def item(self, term: Line, blocks: Sequence[Any], indent: str) -> Iterator[Line]:
        """Yield an item's line, behind its term where it has one, and the lines of the lists in it."""
        texts = [self.joined(each) for each in blocks if each.tagname not in LISTS]
        if term.text:
            texts = [term, *texts]
        first = join_lines([each for each in texts[:1] if each.text], "")
        rest = join_lines([each for each in texts[1:] if each.text], " ")
        line = join_lines([each for each in (first, rest) if each.text], ": " if term.text else " ")
        if line.text:
            yield join_lines((Line(indent), line), "")
        for each in blocks:
            if each.tagname in LISTS:
                yield from self.items(each, indent + "  ")

    def in_order(self, term: Line, blocks: Sequence[Any], indent: str) -> Iterator[Line]:
        """Yield the lines of an item with code, which has lines of its own, and so what is around it."""
        groups = [(kind, list(own)) for kind, own in groupby(_parts(blocks), key=_has_lines)]
        lead = groups.pop(0)[1] if groups and not groups[0][0] else []
        yield from self.item(term, lead, indent)
        inner = indent + "  "
        for has_lines, own in groups:
            if not has_lines:
                yield from self.item(Line(""), own, inner)
                continue
            for each in own:
                if each.tagname in LISTS:
                    yield from self.items(each, inner)
                else:
                    yield from (Line(inner + line) for line in each.astext().strip("\n").split("\n") if line.strip())

    def joined(self, node: Any) -> Line:
        """Return all the text of a block in one line."""
        if node.tagname in SKIPPED:
            return Line("")
        if node.tagname == "system_message":
            return Line(text_of_wrong(node))
        if node.tagname in DRAWN:
            return self.line_of([node])
        inner = [child for child in node.children if child.tagname != "#text"]
        if node.tagname in TEXTS or node.tagname in ("term", "caption") or not inner:
            return self.line(node)
        lines = [self.joined(child) for child in node.children]
        return join_lines([line for line in lines if line.text], " ")

    def line(self, node: Any) -> Line:
        """Return a node's text, blanks single, with its links."""
        return self.line_of(node.children)

    def line_of(self, nodes: Sequence[Any]) -> Line:
        """Return the text of inline nodes, blanks single, with its links."""
        targets: list[LinkTarget] = []
        return finish(list(self.pieces(nodes, targets)), targets)

    def pieces(self, nodes: Sequence[Any], targets: list[LinkTarget]) -> Iterator[str]:
        for child in nodes:
            if child.tagname == "#text":
                yield str(child.astext())
            elif child.tagname == "reference" and (link := self.link(child)):
                anchor, target = link
                targets += [target] if target else []
                yield f"{OPEN}{anchor}{CLOSE}" if target else anchor
            elif child.tagname == "line":
                yield from (*self.pieces(child.children, targets), " ")
            elif child.tagname == "image":
                # What is seen where the picture is not.
                yield str(child.astext())
            elif child.tagname not in SKIPPED and child.tagname != "footnote_reference":
                yield from self.pieces(child.children, targets)

    def link(self, node: Any) -> tuple[str, LinkTarget | None] | None:
        """Return what a reference shows and where it leads, if to another document; None where neither is known."""
        address, anchor, titles = node.get("refuri", ""), node.astext(), self.links.titles
        if not anchor.strip() or not address:
            return None
        if address.startswith(REF):
            name = label_name(address.removeprefix(REF))
            heading, title = titles.get(f"heading:{name}"), titles.get(REF + name)
            target = LinkTarget(title, heading or "") if title and title != self.links.own else None
            return (heading if heading and node.get("untitled") else anchor), target
        if not address.startswith(DOC):
            found = self.links.target_of(address)
            return (anchor, found) if found else None
        title = titles.get(address)
        shown = PLACED.sub("", title) if title and node.get("untitled") else anchor
        return shown, LinkTarget(title, "") if title and title != self.links.own else None


def _is_code(node: Any) -> bool:
    return getattr(node, "tagname", "") in CODES


def _has_lines(node: Any) -> bool:
    return node.tagname in LISTS or node.tagname in CODES


def _parts(blocks: Sequence[Any]) -> Iterator[Any]:
    """Yield blocks, and in the place of those that hold code what is in them; messages quote what is wrong as code."""
    for each in blocks:
        if _has_lines(each) or each.tagname == "system_message" or next(each.findall(_is_code), None) is None:
            yield each
        else:
            yield from _parts([child for child in each.children if hasattr(child, "tagname")])


def text_of_wrong(message: Any) -> str:
    """Return the text of a wrong directive, which stands in the message that it is wrong."""
    lines = [line for each in message.children[1:] for line in each.astext().split("\n")]
    return " ".join(" ".join(line for line in lines if not MARKUP_LINE.match(line)).split())


def _is_of_file(fields: Any, field: Any) -> bool:
    return fields.parent.tagname in ("document", "section") and field.children[0].astext() in FILE_FIELDS
