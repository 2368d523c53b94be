"""reStructuredText to a document, parsed by docutils with nothing that reads files or passes markup through.

Roles and directives of Sphinx, or of nobody, keep their text.

>>> rst_document("Moon\\n====\\n\\nIt circles *Earth*.", "moon.rst", {}).chunks[0].text
'It circles Earth.'
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from builder.documents.chunking import Line, join_lines, line_chunks
from builder.documents.records import Chunk, Document, Section
from builder.readers.html.inline import CLOSE, OPEN, finish
from builder.readers.text.links import TextLinks
from builder.readers.text.names import file_title, label_name
from builder.readers.text.rst.parsing import (
    DESCRIPTION,
    DOC,
    REF,
    ROLE_NAME,
    NotReadable,
    parse_rst,
    problems_in,
    shown,
    title_and_target,
)
from weft.text.names import LinkTarget, title_of

# A line of one mark, as it stands below titles and above them.
RULE = re.compile(r"([!-/:-@\[-`{-~])\1*")
SHORTEST_RULE = 4
"""A rule below a title is at least as long as the title or as this."""
NO_TITLE = re.compile(r"\s|\.\.(?:\s|$)|[-+*\u2022\u2023\u2043](?:\s|$)")
INTERPRETED = re.compile(rf"(?:(?<!\w):({ROLE_NAME}):)?`([^`]*+)`_{{0,2}}")
NUMBERED_ROLES = ("pep", "rfc")
MARKS = re.compile(r"\*\*?|``|\|(?=\S)|(?<=\S)\|")
SETTING = re.compile(r"[^\W\d]\w*(?: \w+)?: [^\n]{1,60}")
"""A line such as "Default: none" in what describes a setting."""

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


def rst_document(text: str, name: str, titles: Mapping[str, str], own: str | None = None) -> Document:
    """Return the document that a reStructuredText says; raise NotReadable where docutils fails.

    `titles` are the link targets of the files it links to, by address (`doc:`
    before that of a `:doc:` role; `ref:` and `heading:` before a label that `:ref:` names, the second for its heading),
    `own` is its own where that is not its title.
    """
    tree = parse_rst(text)
    found = heading_title(text) or title_of(_plain(_title_node(tree)), capital=False, underscores=True)
    title = found or file_title(name)
    walk = _Walk(TextLinks(titles, own or title))
    walk.blocks(_below_title(tree), -1, 1)
    return Document(
        title, tuple(walk.sections), tuple(walk.chunks), marks_links=any(chunk.links for chunk in walk.chunks),
        named_by_title=False, note=problems_in(tree),
    )  # fmt: skip


def heading_title(text: str) -> str:
    """Return the first heading of a text without its markup, an empty string where it has none. Linear."""
    heading = INTERPRETED.sub(_shown_of_interpreted, _first_heading(text))
    return title_of(MARKS.sub("", heading).replace("\\", ""), capital=False, underscores=True)


def _shown_of_interpreted(found: re.Match[str]) -> str:
    role, text = found.groups()
    if role is None:
        title, target = title_and_target(text)
        return (title or target).removeprefix("~")
    return (f"{role.upper()} " if role.lower() in NUMBERED_ROLES else "") + shown(text)


def _first_heading(text: str) -> str:
    """Return the first heading as it is written: a line above a rule, and below the same rule or the end of a block."""
    before = line = ""
    for below in map(str.rstrip, text.split("\n")):
        if line and RULE.fullmatch(below) and _is_heading(before, line, below):
            return line.strip()
        before, line = line, below
    return ""


def _is_heading(above: str, line: str, below: str) -> bool:
    if RULE.fullmatch(line) or (len(below) < SHORTEST_RULE and len(below) < _width(line)):
        return False
    if RULE.fullmatch(above):
        return above == below
    return not NO_TITLE.match(line) and (not above or NO_TITLE.match(above) is not None)


def _width(line: str) -> int:
    from docutils.utils import column_width

    return int(column_width(line))


def _title_node(tree: Any) -> Any:
    first = _first_section(tree.children)
    return None if first is None else tree.children[first].children[0]


def _first_section(nodes: Sequence[Any]) -> int | None:
    return next((number for number, node in enumerate(nodes) if node.tagname == "section"), None)


def _plain(node: Any) -> str:
    return "" if node is None else str(node.astext())


def _below_title(tree: Any) -> list[Any]:
    """Return the blocks of a document, those of its first section among them, whose heading is the title."""
    nodes = list(tree.children)
    first = _first_section(nodes)
    return nodes if first is None else [*nodes[:first], *nodes[first].children[1:], *nodes[first + 1 :]]


def _text_of_wrong(message: Any) -> str:
    """Return the text of a wrong directive, which stands in the message that it is wrong."""
    lines = [line for each in message.children[1:] for line in each.astext().split("\n")]
    return " ".join(" ".join(line for line in lines if not MARKUP_LINE.match(line)).split())


def _is_of_file(fields: Any, field: Any) -> bool:
    return fields.parent.tagname in ("document", "section") and field.children[0].astext() in FILE_FIELDS


class _Walk:
    """Gathers the sections and chunks of a tree."""

    def __init__(self, links: TextLinks) -> None:
        self.links = links
        self.sections: list[Section] = []
        self.chunks: list[Chunk] = []

    def blocks(self, nodes: Sequence[Any], section: int, level: int) -> None:
        for node in nodes:
            self.block(node, section, level)

    def block(self, node: Any, section: int, level: int) -> None:
        kind = node.tagname
        if kind in SKIPPED:
            return
        if kind == "section":
            self.section(node, section, level)
        elif kind in TEXTS:
            self.add(Chunk(section, "paragraph", 0, *self.line(node)))
        elif kind in DRAWN:
            self.add(Chunk(section, "paragraph", 0, *self.line_of([node])))
        elif kind == "system_message":
            self.add(Chunk(section, "paragraph", 0, _text_of_wrong(node)))
        elif kind in CODES:
            self.add(Chunk(section, "code", 0, node.astext().strip("\n")))
        elif kind == "caption":
            self.add(Chunk(section, "caption", 0, *self.line(node)))
        elif kind in LISTS:
            for chunk in line_chunks(section, LISTS[kind], list(self.items(node, ""))):
                self.add(chunk)
        elif kind == "table":
            self.table(node, section)
        elif kind == "topic" and "contents" in node["classes"]:
            return
        elif kind == "container" and DESCRIPTION in node["classes"]:
            self.description(node, section, level)
        else:
            self.blocks([child for child in node.children if hasattr(child, "tagname")], section, level)

    def description(self, node: Any, section: int, level: int) -> None:
        """Add the signature of something with the first paragraph below it as its definition, then the rest.

        Short lines such as "Default: none" belong to the definition.
        """
        signature, *rest = [child for child in node.children if child.tagname not in SKIPPED]
        if not rest or rest[0].tagname != "paragraph":
            self.blocks([signature, *rest], section, level)
            return
        settings = [each for each in rest[1:] if each.tagname == "paragraph" and SETTING.fullmatch(each.astext())]
        told = [join_lines((Line("  "), self.line(each)), "") for each in (rest[0], *settings)]
        self.add(Chunk(section, "definition", 0, *join_lines((self.line(signature), *told))))
        self.blocks([each for each in rest[1:] if each not in settings], section, level)

    def section(self, node: Any, section: int, level: int) -> None:
        title = self.line(node.children[0]).text
        if title:
            self.sections.append(Section(title, level + 1, section))
            section = len(self.sections) - 1
        self.blocks(node.children[1:], section, level + 1)

    def add(self, chunk: Chunk) -> None:
        if any(map(str.isalnum, chunk.text)):
            self.chunks.append(chunk)

    def table(self, node: Any, section: int) -> None:
        rows = list(node.findall(lambda each: getattr(each, "tagname", "") == "row"))
        heads = [row for row in rows if row.parent.tagname == "thead"]
        lines = [join_lines([self.joined(cell) for cell in row.children], " | ") for row in rows]
        caption = next((each for each in node.children if each.tagname == "title"), None)
        if caption is not None:
            self.add(Chunk(section, "caption", 0, *self.line(caption)))
        for chunk in line_chunks(section, "table", lines, header=len(heads)):
            self.add(chunk)

    def items(self, node: Any, indent: str) -> Iterator[Line]:
        """Yield the lines of a list, those of inner lists indented."""
        for item in node.children:
            if item.tagname == "field" and _is_of_file(node, item):
                continue
            label = TERM_AND_TEXT.get(item.tagname)
            parts = [child for child in item.children if label is None or child.tagname not in (label, "classifier")]
            blocks = [each for part in parts for each in (part.children if label else [part])]
            texts = [self.joined(each) for each in blocks if each.tagname not in LISTS]
            if label:
                terms = [child for child in item.children if child.tagname == label]
                texts = [join_lines([self.line(term) for term in terms], ", "), *texts]
            first = join_lines([each for each in texts[:1] if each.text], "")
            rest = join_lines([each for each in texts[1:] if each.text], " ")
            line = join_lines([each for each in (first, rest) if each.text], ": " if label else " ")
            if line.text:
                yield join_lines((Line(indent), line), "")
            for each in blocks:
                if each.tagname in LISTS:
                    yield from self.items(each, indent + "  ")

    def joined(self, node: Any) -> Line:
        """Return all the text of a block in one line."""
        if node.tagname in SKIPPED:
            return Line("")
        if node.tagname == "system_message":
            return Line(_text_of_wrong(node))
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


__all__ = ["NotReadable", "heading_title", "rst_document"]
