"""Wikitext made safe for the parser: what it may read is balanced and bounded in depth, everything else hidden.

mwparserfromhell takes quadratic time for openings that nothing closes, so each
brace or bracket that is left without its partner is hidden from it. Comments
and extension tags are set aside, as MediaWiki does before it looks for
templates. Tables, headings, lists, HTML tags and addresses are read after
templates have been resolved, which may make them: they are hidden too.

A hidden character stands as a control character, which no page may hold, until
`shown` puts it back.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from builder.readers.wikitext.nesting import MAX_NESTED, SEPARATOR, TOO_DEEP, Nesting, Run

CONTROLS = re.compile("[\ufdd0-\ufdef\x00-\x08\x0b\x0c\x0e-\x1f]")
EXTENSION_TAGS = """
    nowiki ref references math chem ce pre syntaxhighlight source gallery timeline score hiero imagemap poem
    templatedata templatestyles section indicator includeonly graph chart mapframe maplink inputbox
    categorytree charinsert dynamicpagelist phonos langconvert
"""
TRANSPARENT_TAGS = ("noinclude", "onlyinclude")
# Runs of braces and brackets, and where a comment or an extension tag begins.
TOKEN = re.compile(
    r"\{{2,}|\}{2,}|\[+|\]+|<!--|<(?=/?(?:" + "|".join((*EXTENSION_TAGS.split(), *TRANSPARENT_TAGS)) + r")\b)", re.I
)
TAG = re.compile(r"<(/?)([a-zA-Z]+)\b([^<>]*?)(/?)>")
# Around the number of a tag that is set aside.
ASIDE, ASIDE_END = "\ufde2", "\ufde3"
LINE_FEED = "\x1e"
"""The stand-in of the line feed, a blank to Python, as the names of templates need."""
HIDDEN = (
    ("<", "\x0e"), (">", "\x0f"), ("&", "\x10"), (":", "\x11"), ("[", "\x12"), ("]", "\x13"), ("{", "\x14"),
    ("}", "\x15"), ("\n", LINE_FEED),
)  # fmt: skip
# What matched braces and brackets are written as until all others are hidden.
MATCHED = (("\x16", "{"), ("\x17", "}"), ("\x18", "["), ("\x19", "]"))
ALONE_AFTER = re.compile(r"[ \t]*(?:\n|$)")
MANY = 30
"""So many openings of a kind may be unclosed without a note; of 236 real articles one has one, the others none."""


class Guarded(NamedTuple):
    """Text that is safe to parse, the extension tags (name, attributes, content) that it refers to, and counts."""

    text: str
    aside: list[tuple[str, str, str]]
    problems: Counter[str]


def guarded(text: str) -> Guarded:
    """Return wikitext whose braces and brackets are balanced; linear in the text."""
    scan = _Scan(text)
    scan.run()
    Nesting(scan.pieces, scan.problems).run(scan.runs)
    safe = "".join(scan.pieces)
    for plain, control in (*HIDDEN, *MATCHED):
        safe = safe.replace(plain, control)
    return Guarded(safe, scan.aside, scan.problems)


def shown(text: str) -> str:
    """Return text as it was before it was hidden."""
    if text.isprintable():  # no control character is
        return text
    for plain, control in HIDDEN:
        text = text.replace(control, plain)
    return text.replace(SEPARATOR, "")


def note_of(problems: Counter[str]) -> str | None:
    """Return the note on the page's record about markup that was not read as such; None where there is little."""
    unclosed = [f"{n} {kind}" for kind, n in sorted(problems.items()) if kind != TOO_DEEP and n > MANY]
    notes = [f"read as text, since nothing closes them: {', '.join(unclosed)}"] if unclosed else []
    if problems[TOO_DEEP]:
        notes.append(f"flattened, since they nest deeper than {MAX_NESTED}: {problems[TOO_DEEP]} templates and links")
    return "; ".join(notes) or None


class _Scan:
    """One pass over a text: comments go, extension tags are set aside, runs of braces and brackets are noted."""

    def __init__(self, text: str) -> None:
        self.text, self.position = text, 0
        self.pieces: list[str] = []
        self.text_parts = [SEPARATOR]
        self.runs: list[Run] = []
        self.aside: list[tuple[str, str, str]] = []
        self.unclosed_tags: set[str] = set()
        self.problems: Counter[str] = Counter()

    def run(self) -> None:
        text, pieces, parts = self.text, self.pieces, self.text_parts
        while found := TOKEN.search(text, self.position):
            start, token = found.start(), found[0]
            parts.append(text[self.position : start])
            self.position = found.end()
            if token[0] != "<":
                # Templates without anything between them are misread where an equal sign follows.
                pieces += ["".join(parts) or SEPARATOR, token]
                parts.clear()
                self.runs.append(Run(token[0], len(token), len(pieces) - 1))
            elif token == "<!--":
                self.skip_comment(start)
            else:
                self.take_tag(start)
        pieces.append("".join((*parts, text[self.position :])))

    def skip_comment(self, start: int) -> None:
        end = self.text.find("-->", self.position)
        self.position = len(self.text) if end < 0 else end + 3
        # A comment alone on its line takes the line with it.
        line = self.text.rfind("\n", max(0, start - 100), start) + 1
        if (line or start == 0) and not self.text[line:start].strip(" \t"):
            rest = ALONE_AFTER.match(self.text, self.position)
            self.position = rest.end() if rest else self.position

    def take_tag(self, start: int) -> None:
        found = TAG.match(self.text, start)
        if not found:
            self.text_parts.append("<")
            return
        closing, name, attributes, empty = found[1], found[2].lower(), found[3], found[4]
        self.position = found.end()
        if closing or name in TRANSPARENT_TAGS:
            return
        content = "" if empty else self.content_of(name)
        if content is None:
            self.problems["extension tags"] += 1
            return
        self.text_parts.append(f"{ASIDE}{len(self.aside)}{ASIDE_END}")
        self.aside.append((name, attributes, content))

    def content_of(self, name: str) -> str | None:
        """Return what stands before the closing tag; None, when there is none, leaves out the tag alone."""
        if name in self.unclosed_tags:
            return None
        end = re.compile(rf"</{name}\s*>", re.I).search(self.text, self.position)
        if not end:
            self.unclosed_tags.add(name)
            return None
        content = self.text[self.position : end.start()]
        self.position = end.end()
        return content
