"""Blocks of HTML in Markdown: their headings, texts and links, the rest of their markup left out.

>>> list(html_texts('<h1 align="center">Lamps</h1><p>See <a href="oil.md">the <b>oil</b></a>, H<sub>2</sub>O.</p>'))
[('h1', 'Lamps'), ('', 'See [the oil](<oil.md>), H2O.')]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from builder.readers.text.block import joined

# What is not shown, by how it begins and ends, and tags, which addresses such as `<me@x.org>` are not.
HIDDEN = re.compile(r"<(?P<kind>script|style)\b|(?P<comment><!--)", re.I)
HIDDEN_ENDS = {
    "comment": re.compile("-->"),
    **{kind: re.compile(rf"</{kind}\s*>", re.I) for kind in ("script", "style")},
}
TAG = re.compile(r"<(?P<end>/?)(?P<name>[A-Za-z][\w:-]*)(?=[\s/>])[^<>]*>|<[!?][^<>]*>")
INLINE = frozenset(
    """abbr b bdi bdo big cite code data del dfn em font i img ins kbd label mark picture q s samp small source span
    strike strong sub sup svg time tt u var wbr""".split()
)
HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
ANCHOR = r"""<a\s(?:[^<>]*?\s)?href\s*=\s*["']?([^"'<>\s]++)"""
"""Where the tag of a link begins, up to the end of its address, which is the group."""
LINK = re.compile(rf"{ANCHOR}[^<>]*+>([^<>]*+)</a\s*+>", re.I)
BEGIN, END = "\ufdea", "\ufdeb"
"""Stand before a heading, with its level, and behind it; no text has them."""
HEADING = re.compile(f"{BEGIN}([1-6])([^{BEGIN}{END}]*){END}")
UNPAIRED = re.compile(f"{BEGIN}[1-6]|{END}")


def html_texts(markup: str) -> Iterator[tuple[str, str]]:
    """Yield (tag, Markdown of its text) of each heading, and ("", text) of what is between these and blank lines."""
    for is_blank, lines in groupby(_shown(markup).split("\n"), key=lambda line: not line.strip()):
        if not is_blank:
            run = LINK.sub(_link, TAG.sub(_without_inline, "\n".join(lines)))
            yield from _texts(TAG.sub(_as_lines, run))


def _texts(run: str) -> Iterator[tuple[str, str]]:
    """Yield the headings of a run of lines, and the text around each in one line."""
    position = 0
    for found in (*HEADING.finditer(run), None):
        text = run[position : found.start() if found else None]
        if text := joined(UNPAIRED.sub("\n", text).split("\n")):
            yield "", text
        if found and (title := " ".join(found[2].split())):
            yield f"h{found[1]}", title
        position = found.end() if found else position


def _shown(markup: str) -> str:
    """Take scripts, styles and comments out; the end of none is looked for behind the last one of its kind."""
    last = {kind: max((each.start() for each in end.finditer(markup)), default=-1) for kind, end in HIDDEN_ENDS.items()}
    pieces, position = [], 0
    for found in HIDDEN.finditer(markup):
        kind = "comment" if found["comment"] else found["kind"].lower()
        if found.start() < position or found.end() > last[kind]:
            continue
        pieces.append(markup[position : found.start()])
        ended = HIDDEN_ENDS[kind].search(markup, found.end())
        position = ended.end() if ended else len(markup)
    return "".join((*pieces, markup[position:]))


def _without_inline(tag: re.Match[str]) -> str:
    """Return nothing for a tag within a line, but for a link's; any other tag as it is."""
    return "" if (tag["name"] or "").lower() in INLINE else tag[0]


def _link(found: re.Match[str]) -> str:
    return f"[{found[2]}](<{found[1]}>)" if found[2].strip() else found[2]


def _as_lines(tag: re.Match[str]) -> str:
    """Return what parts the text at a tag: a heading is a run of its own."""
    name = (tag["name"] or "").lower()
    if name in HEADINGS:
        return END if tag["end"] else f"{BEGIN}{name[1]}"
    return "" if name == "a" else "\n"
