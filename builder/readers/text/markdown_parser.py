"""The Markdown parser: markdown-it-py with tables, definition lists, footnotes and links of wikis.

A text that has a label or a directive of MyST is parsed as MyST, with labels, comments and fences of colons.

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
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.myst_blocks import myst_block_plugin

from builder.readers.text.links import WIKI
from builder.readers.text.rst.parsing import CODE, WITHOUT_TEXT

Parse = Callable[[str], list[Token]]
DEEPEST = 20
"""Levels of nesting: a quote or footnote is one, a list or definition list with its item two."""
WIKI_LINK = re.compile(r"(!?)\[\[([^\[\]|\n]+)(?:\|([^\[\]\n]*))?\]\](?![(\[])")
PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".bmp", ".avif")
# Without one of these the parser returns a text as it is; prose is read twice as fast past it.
MARKUP = re.compile(r"[\\`*_~<&\[]")
OPENING = re.compile(r"!?\[")
FOOTNOTE = re.compile(r"\[\^[^\[\]\s]+\]")

DIRECTIVE = re.compile(r"\{([\w.+:-]+)\}[ \t]*(.*)")
OPTIONS = re.compile(
    r"(?:[ \t]*\n)*+(?:---[ \t]*\n(?:.*\n)*?---[ \t]*(?:\n|\Z)|(?:[ \t]*:[\w-]+:(?:[ \t].*)?(?:\n|\Z))++)"
)
# What stands behind the name of these is a title or the beginning of their text.
TITLED = frozenset(
    """admonition attention caution danger error hint important note tip warning seealso todo card centered details
    dropdown epigraph grid-item-card highlights list-table margin pull-quote rubric sidebar tab-item table
    topic""".split()
)
# Here it is a setting.
UNTITLED = frozenset("compound container div figure glossary grid grid-item hlist only tab-set toggle".split())
# As Sphinx shows them.
VERSIONS = {"versionadded": "Added in version", "versionchanged": "Changed in version",
            "versionremoved": "Removed in version", "deprecated": "Deprecated since version"}  # fmt: skip
NOTHING = WITHOUT_TEXT | frozenset("bibliography contents image tableofcontents".split())
DIRECTIVES = sorted((*TITLED, *UNTITLED, *VERSIONS, *NOTHING, *CODE, "eval-rst"))
# What no other Markdown has. Elsewhere a line that begins with "%" is prose, and "+++" is what it shows.
LABEL = r"\([\w|@<>*./+:-]++\)=[ \t]*$"
MYST = re.compile(
    rf"^[ \t>]*+(?:{LABEL}|(?:`{{3,}}+|~{{3,}}+|:{{3,}}+)[ \t]*\{{(?:{'|'.join(DIRECTIVES)})\}})", re.M
)

LAST_CLOSING = "weft_last_closing_bracket"


class _Parser(MarkdownIt):
    """Leaves addresses as they are written: they name files."""

    def normalizeLink(self, url: str) -> str:
        return url

    def normalizeLinkText(self, link: str) -> str:
        return link

    def validateLink(self, url: str) -> bool:
        return True


def parsers_of(text: str) -> tuple[Parse, Parse]:
    """Return what parses the blocks of a text, and parts of it, and what parses running text with its link definitions.

    Both are linear.
    """
    parser = _parser(is_myst=MYST.search(text) is not None)
    env: dict[str, Any] = {}

    def parse_blocks(part: str) -> list[Token]:
        blocks: list[Token] = []
        parser.block.parse(part, parser, env, blocks)
        return blocks

    def parse_inline(content: str) -> list[Token]:
        if not MARKUP.search(content):
            lines = "\n".join(map(str.strip, content.split("\n")))
            return [Token("text", "", 0, content=lines)]
        env[LAST_CLOSING] = content.rfind("]")
        return parser.inline.parse(content, parser, env, [])

    return parse_blocks, parse_inline


def content_of_fence(token: Token) -> tuple[str, bool]:
    """Return what a fence holds, and whether that is Markdown rather than code: options of a directive are neither."""
    found = DIRECTIVE.match(token.info.strip())
    if found is None:
        is_text = token.type == "colon_fence"
        return f"{token.info}\n\n{token.content}" if is_text else token.content, is_text
    name, argument = found.groups()
    options = OPTIONS.match(token.content)
    content = token.content[options.end() :] if options else token.content
    if name in NOTHING:
        return "", True
    if name in VERSIONS:
        return f"{VERSIONS[name]} {argument}{': ' if content.strip() else ''}{content}", True
    if name in TITLED:
        return f"{argument}\n\n{content}", True
    return content, name in UNTITLED


@cache
def _parser(*, is_myst: bool) -> MarkdownIt:
    # No block goes on at DEEPEST, and an item opens two levels at once.
    parser = _Parser("commonmark", {"maxNesting": DEEPEST + 2}).enable(["table", "strikethrough"])
    parser.use(deflist_plugin).use(footnote_plugin, inline=False, move_to_end=False)
    if is_myst:
        parser.use(myst_block_plugin).use(colon_fence_plugin)
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
    if found is None or found[2].isspace():
        return False
    embeds, name, shown = found.groups()
    if not silent and not (embeds and name.lower().endswith(PICTURES)):
        state.push("link_open", "a", 1).attrs = {"href": WIKI + name}
        state.push("text", "", 0).content = shown or name.replace("#", " > ")
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
