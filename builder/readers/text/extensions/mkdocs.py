"""Blocks of MkDocs in Markdown, admonitions and tabs, as plain Markdown: a label and the text below it.

>>> plain_markdown('!!! warning "Hot oil"\\n    Stand *back*.\\n\\nGo on.')
'Hot oil:\\n\\nStand *back*.\\n\\nGo on.'
"""

from __future__ import annotations

import re

OPENS = re.compile(
    r"""(?:!{3}|[?]{3}[+]?)[ ]+(?P<kind>[A-Za-z][\w -]*?)?[ ]*(?:"(?P<title>[^"\n]*)")?[ ]*"""
    r"""|={3}[+!]{0,2}[ ]+"(?P<tab>[^"\n]+)"[ ]*"""
)
"""The first line of an admonition, `!!! note "Title"`, of a folded one, `??? note`, and of a tab, `=== "Title"`."""

LONGEST = 300
"""Characters of such a line."""

MAY_OPEN = re.compile(r"""^[ ]*(?:!!!|[?]{3}|={3}[+!]{0,2}[ ]+")""", re.M)
FENCE = re.compile(r"(?:`{3,}|~{3,})")
ITEM = re.compile(r"(?:[-*+]|\d{1,9}[.)])\s")
ICON = re.compile(r":[a-z]+(?:-[a-z0-9]+)+:\s*")
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
    lines: list[str] = []
    blocks: list[int] = []
    fence, in_list = "", False
    source = text.split("\n")
    for line, deep in zip(source, _indents_behind(source), strict=True):
        bare = line.lstrip(" ")
        indent = len(line) - len(bare)
        if bare and not fence:
            within = [block for block in blocks if indent >= block + INDENT]
            lines += [""] if len(within) < len(blocks) and lines[-1:] != [""] else []
            blocks = within
        depth = max(0, indent - INDENT * len(blocks))
        if bare and not fence and depth < INDENT:
            in_list = ITEM.match(bare) is not None or (in_list and depth > 0)
        # What is indented that far and stands in no list is code.
        may_open = not fence and len(blocks) < MOST_DEEP and (in_list or depth < INDENT) and deep >= indent + INDENT
        label = _label(bare) if may_open else None
        if label is None:
            lines.append(" " * depth + bare if bare else "")
            fence = _fence(bare, fence)
            continue
        blocks.append(indent)
        lines += [""] if lines and lines[-1] else []
        lines += [" " * depth + label, ""] if label else []
    return "\n".join(lines)


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
    title = ICON.sub("", _shown(found["kind"]) if given is None else given)
    return title if not title or title.endswith(ENDS) else f"{title}:"


def _shown(kind: str | None) -> str:
    """Return what MkDocs shows for an admonition without a title: its first kind."""
    return (kind or "").split(" ")[0].replace("-", " ").capitalize()


def _fence(line: str, fence: str) -> str:
    """Return the marks of the fence that is open behind a line, "" where none is."""
    found = FENCE.match(line)
    if found is None:
        return fence
    if not fence:
        return found[0]
    return "" if found[0].startswith(fence) and not line[len(found[0]) :].strip() else fence
