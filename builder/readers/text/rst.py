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
from builder.readers.text.markdown_inline import Inline
from builder.readers.text.names import file_title
from builder.readers.text.rst_parsing import DOC, NotReadable, parse_rst, problems_in
from weft.text.names import LinkTarget, title_of

HEADING = re.compile(
    r"^(?:([!-/:-@\[-`{-~])\1{2,}[ \t]*\n[ \t]*(\S[^\n]*)\n\1{3,}[ \t]*$"
    r"|(?!\.\.[ \t])(\S[^\n]*)\n([!-/:-@\[-`{-~])\4{2,}[ \t]*$)",
    re.M,
)
ROLE = re.compile(r":[\w:.+-]+:(?=`)")
EXPLICIT = re.compile(r"`~?([^`<]*?)(?:\s*<[^`<>]*>)?`_{0,2}")
MARKS = re.compile(r"\*\*?|``|\|(?=\S)|(?<=\S)\|")
SKIPPED = frozenset(
    "comment substitution_definition target pending raw transition meta decoration title subtitle docinfo"
    " label citation_reference_label".split()
)
LISTS = {"bullet_list": "list", "enumerated_list": "list", "definition_list": "definition",
         "field_list": "definition", "option_list": "definition"}  # fmt: skip
CODES = frozenset(("literal_block", "doctest_block", "math_block"))
TERM_AND_TEXT = {"definition_list_item": "term", "field": "field_name", "option_list_item": "option_group"}
TEXTS = frozenset(("paragraph", "attribution", "rubric", "line_block"))
MARKUP_LINE = re.compile(r"[ \t]*(?:\.\.|:[\w-]+:)")


def rst_document(text: str, name: str, titles: Mapping[str, str], own: str | None = None) -> Document:
    """Return the document that a reStructuredText says; raise NotReadable where docutils fails.

    `titles` are the link targets of the files it links to, by address (`doc:`
    before that of a `:doc:` role), `own` is its own where that is not its title.
    """
    tree = parse_rst(text)
    said = heading_title(text) or title_of(_plain(_title_node(tree)), capital=False, underscores=True)
    title = said or file_title(name)
    walk = _Walk(Inline({}, titles, own or title))
    walk.blocks(_below_title(tree), -1, 1)
    return Document(
        title, tuple(walk.sections), tuple(walk.chunks), marks_links=any(chunk.links for chunk in walk.chunks),
        named_by_title=False, note=problems_in(tree),
    )  # fmt: skip


def heading_title(text: str) -> str:
    """Return the first heading of a text without its markup, an empty string where it has none. Linear."""
    found = HEADING.search(text)
    if not found:
        return ""
    heading = EXPLICIT.sub(lambda role: role[1], ROLE.sub("", found[2] or found[3]))
    return title_of(MARKS.sub("", heading).replace("\\", ""), capital=False, underscores=True)


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


class _Walk:
    """Gathers the sections and chunks of a tree."""

    def __init__(self, inline: Inline) -> None:
        self.inline = inline
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
        elif kind == "system_message":
            # What a directive says stands in the message that it is wrong.
            lines = [line for each in node.children[1:] for line in each.astext().split("\n")]
            text = " ".join(line.strip() for line in lines if not MARKUP_LINE.match(line))
            self.add(Chunk(section, "paragraph", 0, " ".join(text.split())))
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
        else:
            self.blocks([child for child in node.children if hasattr(child, "tagname")], section, level)

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
        inner = [child for child in node.children if child.tagname != "#text"]
        if node.tagname in TEXTS or node.tagname in ("term", "caption") or not inner:
            return self.line(node)
        lines = [self.joined(child) for child in node.children]
        return join_lines([line for line in lines if line.text], " ")

    def line(self, node: Any) -> Line:
        """Return a node's text, blanks single, with its links."""
        targets: list[LinkTarget] = []
        return finish(list(self.pieces(node, targets)), targets)

    def pieces(self, node: Any, targets: list[LinkTarget]) -> Iterator[str]:
        for child in node.children:
            if child.tagname == "#text":
                yield str(child.astext())
            elif child.tagname == "reference" and (target := self.target(child)):
                targets.append(target)
                yield f"{OPEN}{child.astext()}{CLOSE}"
            elif child.tagname == "line":
                yield from (*self.pieces(child, targets), " ")
            elif child.tagname == "image":
                yield ""
            elif child.tagname not in SKIPPED and child.tagname != "footnote_reference":
                yield from self.pieces(child, targets)

    def target(self, node: Any) -> LinkTarget | None:
        address = node.get("refuri", "")
        if not node.astext().strip() or not address:
            return None
        if not address.startswith(DOC):
            return self.inline.target_of(address)
        title = self.inline.titles.get(address)
        return LinkTarget(title, "") if title and title != self.inline.own else None


__all__ = ["NotReadable", "heading_title", "rst_document"]
