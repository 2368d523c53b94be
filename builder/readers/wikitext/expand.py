"""Wikitext without its templates: the templates, arguments and links that mwparserfromhell finds, resolved.

They are read off the tokens of its tokenizer, of which its tree of nodes is
made: the tree takes ten times as long as the tokens.

>>> from builder.readers.wikitext.nesting import SEPARATOR
>>> from builder.readers.wikitext.state import Rules
>>> from builder.readers.wikitext.site import Site
>>> rules = Rules(lambda call, page: call.get("1"), lambda parts, page: parts[0], lambda *tag: "", re.compile("x"))
>>> expand("{{small|a [[b]]}} <ref>c</ref>d", Page("T", Site(), rules))
'a b d'
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from mwparserfromhell.parser import CTokenizer, ParserError, tokens
from mwparserfromhell.parser.tokenizer import Tokenizer

from builder.readers.html.tree import BadPage
from builder.readers.wikitext.guard import ASIDE, ASIDE_END, CONTROLS, LINE_FEED, guarded, shown
from builder.readers.wikitext.nesting import SEPARATOR
from builder.readers.wikitext.state import Call, Page, escape_stray

MARK = re.compile(f"{ASIDE}([0-9]+){ASIDE_END}")
# In hidden text: nothing but blanks stands behind a line's end, or before one.
LINE_BEGINS = re.compile(rf"{LINE_FEED}[ \t{SEPARATOR}]*\Z")
LINE_ENDS = re.compile(rf"[ \t{SEPARATOR}]*{LINE_FEED}")
MAX_TAGS = 20
"""The levels of extension tags within each other whose content is read as wikitext."""


def expand(text: str, page: Page) -> str:
    """Return wikitext without templates, links, comments and extension tags; linear in the text."""
    return resolve(CONTROLS.sub("", text.replace("\r\n", "\n")), page)


def resolve(text: str, page: Page) -> str:
    """Resolve wikitext that stands within an extension tag; raise BadPage when the parser gives up."""
    if page.depth > MAX_TAGS:
        return escape_stray(text.replace("<", "&lt;"))
    page.depth += 1
    safe = guarded(text)
    page.problems += safe.problems
    tokenizer = CTokenizer() if CTokenizer else Tokenizer()
    try:
        found = tokenizer.tokenize(safe.text, 0, True)
    except ParserError as error:
        raise BadPage(f"its wikitext cannot be parsed: {error}") from error
    resolved = _Walk(page, safe.aside, found).run()
    page.depth -= 1
    return resolved


class _Frame:
    """An open template, argument or link: its parts as pieces, each with the name before its equal sign or None."""

    __slots__ = ("is_alone", "is_link", "names", "parts")

    def __init__(self, is_link: bool = False, is_alone: bool = False) -> None:
        self.is_link, self.is_alone = is_link, is_alone
        self.names: list[str | None] = [None]
        self.parts: list[list[str]] = [[]]

    def part(self) -> None:
        self.names.append(None)
        self.parts.append([])


class _Walk:
    """Resolves the tokens of one text, to whose extension tags its marks refer; the lowest frame takes the result."""

    def __init__(self, page: Page, aside: list[tuple[str, str, str]], found: list[Any]) -> None:
        self.page, self.aside, self.tokens = page, aside, found
        self.frames = [_Frame()]
        self.number = 0
        self.trail = 0

    def run(self) -> str:
        for number, token in enumerate(self.tokens):
            self.number = number
            if type(token) is tokens.Text:
                self.text(shown(token.text))
            else:
                TAKE[type(token)](self)
        return "".join(self.frames[0].parts[0])

    def hidden_at(self, number: int) -> str:
        """Return the hidden text of a token, empty where it is no text; a line begins and ends with the tokens."""
        if number == len(self.tokens):
            return LINE_FEED
        token = self.tokens[number]
        text: str = token.text if type(token) is tokens.Text else ""
        return LINE_FEED * (number == 0) + text + LINE_FEED * (number == len(self.tokens) - 1)

    def text(self, text: str) -> None:
        """Add text as HTML has it, with what its extension tags show; a link is parted at its bars."""
        text, self.trail = text[self.trail :], 0
        frame = self.frames[-1]
        if frame.is_link and "|" in text and len(frame.parts) > 1:
            text, *rest = text.split("|")
            frame.parts[-1].append(self.restored(text))
            for each in rest:
                frame.part()
                frame.parts[-1].append(self.restored(each))
        else:
            frame.parts[-1].append(self.restored(text))

    def restored(self, text: str) -> str:
        if ASIDE not in text:
            return escape_stray(text)
        pieces = MARK.split(text)
        pieces[::2] = map(escape_stray, pieces[::2])
        pieces[1::2] = [self.page.rules.tag(*self.aside[int(number)], self.page) for number in pieces[1::2]]
        return "".join(pieces)

    def open_template(self) -> None:
        self.frames.append(_Frame(is_alone=bool(LINE_BEGINS.search(self.hidden_at(self.number - 1)))))

    def open_argument(self) -> None:
        self.frames.append(_Frame())

    def open_link(self) -> None:
        self.frames.append(_Frame(is_link=True))

    def separate(self) -> None:
        self.frames[-1].part()

    def name(self) -> None:
        frame = self.frames[-1]
        frame.names[-1] = "".join(frame.parts[-1])
        frame.parts[-1] = []

    def close_template(self) -> None:
        frame = self.frames.pop()
        head, *values = map("".join, frame.parts)
        is_alone = frame.is_alone and bool(LINE_ENDS.match(self.hidden_at(self.number + 1)))
        call = call_of(head.strip(), list(zip(frame.names[1:], values, strict=True)), is_alone)
        self.frames[-1].parts[-1].append(self.page.rules.template(call, self.page))

    def close_argument(self) -> None:
        frame = self.frames.pop()
        self.frames[-1].parts[-1] += frame.parts[1] if len(frame.parts) > 1 else []

    def close_link(self) -> None:
        parts = list(map("".join, self.frames.pop().parts))
        found = self.page.rules.trail.match(self.hidden_at(self.number + 1))
        trail = found[0] if found else ""
        resolved = self.page.rules.link([*parts, trail], self.page)
        if resolved is None:
            resolved = "[[" + "|".join(parts) + "]]"
        else:
            self.trail = len(trail)
        self.frames[-1].parts[-1].append(resolved)


TAKE: dict[type, Callable[[_Walk], None]] = {
    tokens.TemplateOpen: _Walk.open_template,
    tokens.TemplateParamSeparator: _Walk.separate,
    tokens.TemplateParamEquals: _Walk.name,
    tokens.TemplateClose: _Walk.close_template,
    tokens.ArgumentOpen: _Walk.open_argument,
    tokens.ArgumentSeparator: _Walk.separate,
    tokens.ArgumentClose: _Walk.close_argument,
    tokens.WikilinkOpen: _Walk.open_link,
    tokens.WikilinkSeparator: _Walk.separate,
    tokens.WikilinkClose: _Walk.close_link,
}
"""What the guard leaves to be found; all other markup is hidden from the tokenizer."""


def call_of(head: str, arguments: list[tuple[str | None, str]], is_alone: bool) -> Call:
    """Return a call of a template with these arguments, each with its name or None."""
    name = " ".join(head[:200].replace("_", " ").split()).lower()
    positional: list[str] = []
    named: dict[str, str] = {}
    for spelled, value in arguments:
        key = None if spelled is None else spelled.strip()
        if key is None:
            positional.append(value)
        elif key.isdecimal() and len(key) < 5 and 0 < int(key) <= len(positional) + 1:
            positional[int(key) - 1 : int(key)] = [value.strip()]
        elif value.strip() or key not in named:
            named[key] = value.strip()
    return Call(name, positional, named, head, is_alone, arguments)
