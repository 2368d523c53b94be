"""The Markdown parser: markdown-it-py with tables, definition lists, footnotes and links of wikis.

What is nested deeper than `DEEPEST` is the text of a paragraph. Within that bound
markdown-it-py 4.3 is linear; its own bound for nesting drops what is deeper.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin

from builder.readers.text.links import WIKI

DEEPEST = 20
"""Levels of nesting: a quote or footnote is one, a list or definition list with its item two."""
WIKI_LINK = re.compile(r"\[\[([^\[\]|\n]+)(?:\|([^\[\]\n]*))?\]\](?![(\[])")
# Without one of these the parser returns a text as it is; prose is read twice as fast past it.
MARKUP = re.compile(r"[\\`*_~<&\[]")
OPENING = re.compile(r"!?\[")
FOOTNOTE = re.compile(r"\[\^[^\[\]\s]+\]")

LAST_CLOSING = "weft_last_closing_bracket"


class _Parser(MarkdownIt):
    """Leaves addresses as they are written: they name files."""

    def normalizeLink(self, url: str) -> str:
        return url

    def normalizeLinkText(self, link: str) -> str:
        return link

    def validateLink(self, url: str) -> bool:
        return True


def parse_blocks(text: str) -> tuple[list[Token], Callable[[str], list[Token]]]:
    """Return the block tokens of a text and a function that parses running text with its link definitions. Linear."""
    parser = _parser()
    env: dict[str, Any] = {}
    blocks: list[Token] = []
    parser.block.parse(text, parser, env, blocks)

    def parse_inline(content: str) -> list[Token]:
        if not MARKUP.search(content):
            lines = "\n".join(map(str.strip, content.split("\n")))
            return [Token("text", "", 0, content=lines)]
        env[LAST_CLOSING] = content.rfind("]")
        return parser.inline.parse(content, parser, env, [])

    return blocks, parse_inline


@cache
def _parser() -> MarkdownIt:
    # No block goes on at DEEPEST, and an item opens two levels at once.
    parser = _Parser("commonmark", {"maxNesting": DEEPEST + 2}).enable(["table", "strikethrough"])
    parser.use(deflist_plugin).use(footnote_plugin, inline=False, move_to_end=False)
    parser.block.ruler.before("table", "too_deep", _too_deep)
    parser.inline.ruler.before("link", "unclosed_bracket", _unclosed_bracket)
    parser.inline.ruler.before("link", "wiki_link", _wiki_link)
    parser.inline.ruler.at("footnote_ref", _footnote_mark)
    return parser


def _too_deep(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read the lines up to a blank one, or to the end of what they are nested in, as a paragraph."""
    if state.level < DEEPEST:
        return False
    line = start + 1
    while line < end and not state.isEmpty(line) and state.sCount[line] >= state.blkIndent:
        line += 1
    state.push("paragraph_open", "p", 1)
    state.push("inline", "", 0).content = state.getLines(start, line, state.blkIndent, False).strip()
    state.push("paragraph_close", "p", -1)
    state.line = line
    return True


def _unclosed_bracket(state: StateInline, silent: bool) -> bool:
    """Read a bracket that nothing closes as text; to search the end of each takes up to 60 microseconds."""
    found = OPENING.match(state.src, state.pos, state.posMax)
    if found is None or state.pos < state.env[LAST_CLOSING]:
        return False
    if not silent:
        state.append_pending(found[0])
    state.pos = found.end()
    return True


def _wiki_link(state: StateInline, silent: bool) -> bool:
    found = WIKI_LINK.match(state.src, state.pos, state.posMax)
    if found is None or found[1].isspace():
        return False
    if not silent:
        state.push("link_open", "a", 1).attrs = {"href": WIKI + found[1]}
        state.push("text", "", 0).content = found[2] or found[1].replace("#", " > ")
        state.push("link_close", "a", -1)
    state.pos = found.end()
    return True


def _footnote_mark(state: StateInline, silent: bool) -> bool:
    """Read a reference to a footnote, whether or not the text has that footnote."""
    found = FOOTNOTE.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if not silent:
        state.push("footnote_ref", "", 0)
    state.pos = found.end()
    return True
