"""Running text: pieces and link marks in document order, then one clean text with exact link spans.

>>> pieces = ["The ", OPEN, "Moon ", CLOSE, " rises", BREAK, " late."]
>>> finish(pieces, [LinkTarget("Moon", "")])
Line(text='The Moon rises\\nlate.', links=(Link(start=4, end=8, target='Moon', fragment='', anchor='Moon'),))
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from builder.documents.chunking import Line
from builder.documents.records import Link
from weft.text.names import LinkTarget

# Marks inside the pieces; Unicode promises that these code points are never characters.
OPEN, CLOSE, BREAK, ITEM, GAP = "\ufdd0", "\ufdd1", "\ufdd2", "\ufdd3", "\ufdd4"
MARKS = re.compile(f"[{OPEN}{CLOSE}]")
# Stands where the heading was that is the page's title; Python takes it for a blank.
TITLE = "\x1d"
# Runs are matched whole and judged by what surrounds them: a lookahead at every
# position within a run would take time quadratic in its length.
GAPS = re.compile(rf"{GAP}[\s{GAP}]*([,.;:)\]]?)")
# A run of item marks at a link mark: the mark of the item is moved outside of the link.
ITEMS = re.compile(rf"({OPEN}?)([ {ITEM}]*{ITEM})( *)({CLOSE}?)")
# Soft hyphen, zero-width space, direction marks, word joiner, byte order mark: they would split words in the index.
INVISIBLE = re.compile("[\u00ad\u200b\u200e\u200f\u2060\ufeff]")
# No comma is added after an item that ends with one of STOPS, or before one that begins with one of ASIDES.
STOPS = (",", ";", ":", "/", "(", "–", "•", "·")
ASIDES = ("(", "[", "/", ",", "–", "•", "·")


def finish(pieces: Sequence[str], targets: Sequence[LinkTarget]) -> Line:
    """Join pieces into one text: blanks single, breaks as newlines, items by commas; locate the links.

    A gap, where blocks meet within a line, is a blank, but none before punctuation.
    `targets` are those of the OPEN marks in order; each mark has its CLOSE.
    Where the marks do not match the targets, some came from the page: all are
    dropped, and the links with them.
    """
    text = "".join(pieces)
    if not text.isascii():
        text = INVISIBLE.sub("", text)
        if text.count(OPEN) != len(targets) or text.count(CLOSE) != len(targets):
            text = MARKS.sub("", text)
            targets = ()
        if GAP in text:
            text = GAPS.sub(lambda run: run[1] or " ", text)
    text = " ".join(text.split())
    if ITEM in text:
        text = _with_commas(ITEMS.sub(_items_outside, text) if targets else text)
    if targets:
        text = _blanks_outside_links(text)
    if BREAK in text:
        text = "\n".join(filter(None, map(str.strip, text.split(BREAK))))
    return _located(text, targets) if targets else Line(text)


def _items_outside(match: re.Match[str]) -> str:
    opened, run, blanks, closed = match.groups()
    kept = run.replace(ITEM, "") + blanks
    if opened:
        return ITEM + opened + kept + closed
    return kept + closed + ITEM if closed else match[0]


def _blanks_outside_links(text: str) -> str:
    text = text.replace(OPEN + " ", " " + OPEN).replace(" " + CLOSE, CLOSE + " ")
    return text.replace("  ", " ").replace("  ", " ").strip()


def _with_commas(text: str) -> str:
    joined = ""
    for item in text.split(ITEM):
        item = item.strip()
        if item:
            run_on = joined.endswith(STOPS) or item.startswith(ASIDES)
            joined += (" " if run_on else ", ") * bool(joined) + item
    return joined


def _located(text: str, targets: Sequence[LinkTarget]) -> Line:
    """Remove the link marks from a clean text and return it with the spans of its links."""
    pieces = MARKS.split(text)
    links: list[Link] = []
    position = 0
    for number, (title, fragment) in enumerate(targets):
        start = position + len(pieces[2 * number])
        shown = pieces[2 * number + 1]
        position = start + len(shown)
        anchor = shown.strip()
        if anchor:
            start += shown.find(anchor)
            links.append(Link(start, start + len(anchor), title, fragment, anchor))
    return Line("".join(pieces), tuple(links))
