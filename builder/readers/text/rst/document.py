"""reStructuredText to a document, parsed by docutils with nothing that reads files or passes markup through.

Roles and directives of Sphinx, or of nobody, keep their text.

>>> rst_document("Moon\\n====\\n\\nIt circles *Earth*.", "moon.rst", {}).chunks[0].text
'It circles Earth.'
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from builder.documents.chunking import Line, join_lines, line_chunks
from builder.documents.records import Chunk, Document, Section
from builder.readers.text.links import TextLinks
from builder.readers.text.names import file_title
from builder.readers.text.rst.lines import CODES, DRAWN, LISTS, SKIPPED, TEXTS, Lines, text_of_wrong
from builder.readers.text.rst.parsing import (
    DESCRIPTION,
    OF_DESCRIPTION,
    OF_VERSION,
    ROLE_NAME,
    NotReadable,
    parse_rst,
    problems_in,
    shown,
    title_and_target,
)
from weft.text.names import title_of

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


def _is_setting(node: Any) -> bool:
    """Tell whether a block of a description is an option of its directive, or a line such as "Default: none"."""
    if node.tagname != "paragraph":
        return False
    return OF_DESCRIPTION in node["classes"] or SETTING.fullmatch(node.astext()) is not None


class _Walk:
    """Gathers the sections and chunks of a tree."""

    def __init__(self, links: TextLinks) -> None:
        self.lines = Lines(links)
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
            self.add(Chunk(section, "paragraph", 0, *self.lines.line(node)))
        elif kind in DRAWN:
            self.add(Chunk(section, "paragraph", 0, *self.lines.line_of([node])))
        elif kind == "system_message":
            self.add(Chunk(section, "paragraph", 0, text_of_wrong(node)))
        elif kind in CODES:
            self.add(Chunk(section, "code", 0, node.astext().strip("\n")))
        elif kind == "caption":
            self.add(Chunk(section, "caption", 0, *self.lines.line(node)))
        elif kind in LISTS:
            for chunk in line_chunks(section, LISTS[kind], list(self.lines.items(node, ""))):
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
        settings = [each for each in rest if _is_setting(each)]
        texts = [each for each in rest if each not in settings]
        lead = next((each for each in texts if OF_VERSION not in each.get("classes", ())), None)
        told = [each for each in (lead, *settings) if each is not None and each.tagname == "paragraph"]
        if not told:
            self.blocks([signature, *rest], section, level)
            return
        lines = [join_lines((Line("  "), self.lines.line(each)), "") for each in told]
        self.add(Chunk(section, "definition", 0, *join_lines((self.lines.line(signature), *lines))))
        self.blocks([each for each in texts if each not in told], section, level)

    def section(self, node: Any, section: int, level: int) -> None:
        title = self.lines.line(node.children[0]).text
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
        lines = [join_lines([self.lines.joined(cell) for cell in row.children], " | ") for row in rows]
        caption = next((each for each in node.children if each.tagname == "title"), None)
        if caption is not None:
            self.add(Chunk(section, "caption", 0, *self.lines.line(caption)))
        for chunk in line_chunks(section, "table", lines, header=len(heads)):
            self.add(chunk)


__all__ = ["NotReadable", "heading_title", "rst_document"]
