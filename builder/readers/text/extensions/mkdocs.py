"""MkDocs in Markdown: admonitions and tabs as a label and the text below it, and text without what only styles it.

>>> plain_markdown('!!! warning "Hot oil"\\n    Stand *back*.\\n\\nGo on.')
'Hot oil:\\n\\nStand *back*.\\n\\nGo on.'
"""

from __future__ import annotations

import re
from collections.abc import Set

OPENS = re.compile(
    r"""(?:!{3}|[?]{3}[+]?)[ ]+(?P<kind>[A-Za-z][\w -]*?)?[ ]*(?:"(?P<title>[^"\n]*)")?[ ]*"""
    r"""|={3}[+!]{0,2}[ ]+"(?P<tab>[^"\n]+)"[ ]*"""
)
"""The first line of an admonition, `!!! note "Title"`, of a folded one, `??? note`, and of a tab, `=== "Title"`."""

LONGEST = 300
"""Characters of such a line."""

MAY_OPEN = re.compile(r"""^[ ]*(?:!!!|[?]{3}|={3}[+!]{0,2}[ ]+"|/{3,}[ ]*[a-z]|-+8<-)""", re.M)
SLASHED = re.compile(r"(?P<marks>/{3,})[ ]*(?P<kind>[a-z][\w-]*)(?:[ ]*[|][ ]*(?P<title>[^\n]*?))?[ ]*")
CLOSED, OPTION = re.compile(r"^[ ]*(/{3,})[ ]*$", re.M), re.compile(r"[ ]{4}[\w-]+:")
"""A block between `/// tab | Title`, with lines for its options below, and `///`."""

SNIPPET = re.compile(r"[ ]*-+8<-+[ ]+[\"'][^\"'\n]*[\"'][ ]*")
"""A line in the place of which MkDocs shows another file."""

SHOWN_KINDS = frozenset("admonition details tab note tip info warning danger question example quote success".split())
ATTRIBUTE = (
    r"(?:[.#][A-Za-z][\w-]*|[A-Za-z][\w-]*=(?:\"[^\"\n]*\"|'[^'\n]*')|(?:width|height|align|loading|target|rel)=[\w.%-]+)"
)
STYLE = re.compile(
    rf"[ ]?\{{:?[ ]*{ATTRIBUTE}(?:[ ]+{ATTRIBUTE})*[ ]*\}}"
    r"|:(?:octicons|material|fontawesome|simple|twemoji)(?:-[a-z0-9]+)+:[ ]?"
)
"""Attributes of what stands before them, `{ .annotate title="x" }`, and icons."""

TITLE = re.compile(r"\btitle=[\"']([^\"'\n]*)")
"""The attribute that is shown where a pointer rests on the text."""

HIGHLIGHT = re.compile(r"\A#![a-z][\w+-]*[ ](?=\S)")
"""What says by which language code within a line is coloured."""

FENCE = re.compile(r"(?:`{3,}|~{3,})")
ITEM = re.compile(r"(?:[-*+]|\d{1,9}[.)])\s")
ENDS = (":", ".", "!", "?", "：")
INDENT = 4
"""Blanks by which what stands in a block is indented."""

MOST_DEEP = 20
"""Blocks within each other that are read as such."""


def plain_markdown(text: str) -> str:
    """Return a Markdown text with the blocks of MkDocs as a label and the text below it, no longer indented. Linear.

    Fenced code stays as it is, but for the indent of the block that it stands in.
    """
    if MAY_OPEN.search(text) is None:
        return text
    source = text.split("\n")
    plain = _Plain({*CLOSED.findall(text)})
    for line, behind in zip(source, _indents_behind(source), strict=True):
        plain.add(line, behind)
    return "\n".join(plain.lines)


class _Plain:
    """The lines read so far, as plain Markdown, and what is open behind them."""

    def __init__(self, closed: Set[str]) -> None:
        self.closed = closed
        self.lines: list[str] = []
        self.blocks: list[int] = []
        """By how many blanks the open blocks are indented."""
        self.fence = ""
        self.in_list = self.has_options = False

    def add(self, line: str, behind: int) -> None:
        """Add a line; the next one that is not blank is indented by `behind` blanks."""
        if SNIPPET.fullmatch(line):
            return
        bare = line.lstrip(" ")
        indent = len(line) - len(bare)
        if bare and not self.fence:
            self._close(indent)
        depth = max(0, indent - INDENT * len(self.blocks))
        self.has_options = self.has_options and OPTION.match(line[indent - depth :]) is not None
        if self.has_options:
            return
        slashed = None if self.fence else _slashed(bare, self.closed)
        if slashed is not None:
            self.has_options = bool(slashed)
            self._head(depth, slashed.strip())
        elif self._may_open(bare, depth) and behind >= indent + INDENT and (label := _label(bare)) is not None:
            self.blocks.append(indent)
            self._head(depth, label)
        else:
            self.lines.append(" " * depth + bare if bare else "")
            self.fence = open_fence(bare, self.fence)

    def _close(self, indent: int) -> None:
        """End the blocks in which a line that is indented so does not stand."""
        within = [block for block in self.blocks if indent >= block + INDENT]
        self.lines += [""] if len(within) < len(self.blocks) and self.lines and self.lines[-1] else []
        self.blocks = within

    def _may_open(self, bare: str, depth: int) -> bool:
        """Tell whether a line may begin a block; what is indented that far and stands in no list is code."""
        if bare and not self.fence and depth < INDENT:
            self.in_list = ITEM.match(bare) is not None or (self.in_list and depth > 0)
        return not self.fence and len(self.blocks) < MOST_DEEP and (self.in_list or depth < INDENT)

    def _head(self, depth: int, label: str) -> None:
        """Add the label of a block as a paragraph of its own, if it has one."""
        self.lines += [""] if self.lines and self.lines[-1] else []
        self.lines += [" " * depth + label, ""] if label else []


def plain_text(text: str) -> str:
    """Return text between markup without the attributes and icons that MkDocs does not show, titles in parentheses.

    >>> plain_text(':octicons-code-16: False{ .flag title="default value" }')
    'False (default value)'
    """
    return STYLE.sub(_titled, text) if "{" in text or ":" in text else text


def _titled(found: re.Match[str]) -> str:
    title = TITLE.search(found[0])
    return f" ({title[1].strip()})" if title and title[1].strip() else ""


def plain_code(text: str) -> str:
    """Return code within a line without the name of its language: `#!python x`."""
    return HIGHLIGHT.sub("", text)


def _slashed(line: str, closed: Set[str]) -> str | None:
    """Return the label of a block that slashes begin, " " for none, "" where they end one; None in another line."""
    if line.rstrip() in closed:
        return ""
    found = SLASHED.fullmatch(line) if line.startswith("///") and len(line) <= LONGEST else None
    if found is None or found["marks"] not in closed:
        return None
    if found["kind"] not in SHOWN_KINDS:
        return " "
    title = found["title"] or _shown(found["kind"])
    return title if title.endswith(ENDS) else f"{title}:"


def _indents_behind(lines: list[str]) -> list[int]:
    """Return for each line by how many blanks the next one that is not blank is indented, -1 for the last one."""
    behind = -1
    found = []
    for line in reversed(lines):
        found.append(behind)
        behind = len(line) - len(line.lstrip(" ")) if line.strip() else behind
    return found[::-1]


def _label(line: str) -> str | None:
    """Return what is shown above a block that a line begins, "" for nothing; None where it begins none."""
    found = OPENS.fullmatch(line) if len(line) <= LONGEST else None
    if found is None or all(each is None for each in found.groups()):
        return None
    given = found["tab"] or found["title"]
    title = plain_text(_shown(found["kind"]) if given is None else given)
    return title if not title or title.endswith(ENDS) else f"{title}:"


def _shown(kind: str | None) -> str:
    """Return what MkDocs shows for an admonition without a title: its first kind."""
    return (kind or "").split(" ")[0].replace("-", " ").capitalize()


def open_fence(line: str, fence: str) -> str:
    """Return the marks of the fence that is open behind a line without its indent, "" where none is."""
    found = FENCE.match(line)
    if found is None:
        return fence
    if not fence:
        return found[0]
    return "" if found[0].startswith(fence) and not line[len(found[0]) :].strip() else fence
