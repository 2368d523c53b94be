"""Markdown to blocks: headings, paragraphs, lists, tables, code, quotes, definitions, footnotes.

A list is one block with a line for each item, those of inner lists indented;
code and tables within an item are lines of their own below it.

>>> [(block.kind, block.lines) for block in markdown_blocks("# Ondrel\\n\\nA port.\\n- gulls\\n  - grey")]
[('heading', ['Ondrel']), ('paragraph', ['A port.']), ('list', ['gulls', '  grey'])]
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from builder.readers.text.block import VERBATIM, Block, are_labelled
from builder.readers.text.extensions.html import html_texts
from builder.readers.text.extensions.mkdocs import plain_markdown
from builder.readers.text.extensions.sites import plain_sites
from builder.readers.text.markdown_inline import image_caption, marked_text

if TYPE_CHECKING:
    from markdown_it.token import Token

# The marks of links and of verbatim lines; Unicode promises that these code points are never characters.
RESERVED = re.compile("[\ufdd0-\ufdef]")
INDENT = "  "
LISTS = {"bullet_list_open": "list", "ordered_list_open": "list", "dl_open": "definition"}
LIST_ENDS = frozenset(("bullet_list_close", "ordered_list_close", "dl_close"))
ITEMS = frozenset(("list_item_open", "dt_open", "dd_open"))
HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
FENCES = frozenset(("fence", "colon_fence"))
TASK = re.compile(r"\[[ xX]\][ \t]+")
# In a heading that begins with such signs.
CLOSING_SIGNS = re.compile(r"(?:^|[ \t])#+$")
# What is longer is text: the uris of all that stands below a heading repeat it.
LONGEST_HEADING = 1000


def markdown_blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of a Markdown text in its order, their links marked for `TextLinks`. Linear."""
    from builder.readers.text.markdown_parser import parsers_of

    text = plain_markdown(plain_sites(RESERVED.sub("", text)))
    parse, read = parsers_of(text)
    return _Walk(parse, read).blocks(parse(text))


class _Walk:
    """Makes blocks of tokens; within a list, at `level` 1 or deeper, everything is its lines.

    A meaning in a list of definitions stands one level below its term.
    """

    def __init__(self, parse: Callable[[str], list[Token]], read: Callable[[str], list[Token]]) -> None:
        self.parse, self.read = parse, read
        self.level = 0
        self.directives = 0
        """How many directives are around what is read."""
        self.kind = ""
        self.lines: list[list[str]] = []
        """Of the open list: what each line is indented by, then its texts."""
        self.ended = False
        """Whether the last line is complete, so that more text of its item begins another one."""
        self.rows: list[list[str]] = []

    def blocks(self, tokens: Iterable[Token]) -> Iterator[Block]:
        """Yield the blocks of tokens."""
        before = markup = ""
        for token in tokens:
            if token.type == "inline":
                yield from self.text(token.content, before, markup)
            elif token.type == "code_block":
                yield from self.code(token.content)
            elif token.type in FENCES:
                yield from self.fence(token)
            elif token.type == "html_block":
                for tag, content in html_texts(token.content):
                    yield from self.text(content, tag)
            elif token.type == "tr_open":
                self.rows.append([])
            elif token.type == "table_close":
                yield from self.table()
            else:
                yield from self.list_part(token.type)
            before, markup = (token.tag, token.markup) if token.nesting > 0 else ("", "")

    def text(self, content: str, tag: str, markup: str = "") -> Iterator[Block]:
        """Yield running text as what its tag makes of it, or add it to the table or list that is open.

        `markup` is what a heading begins with, or is underlined by.
        """
        if tag in ("th", "td"):
            self.rows[-1].append(" ".join(marked_text(self.read(content)).split()))
        elif self.level:
            self.add(content)
        elif tag in HEADINGS:
            tokens = self.read(_without_attributes(content, is_closed="#" in markup))
            heading = marked_text(tokens)
            heading = heading if heading.strip() else image_caption(tokens) or ""
            if heading.strip():
                is_short = len(heading) <= LONGEST_HEADING
                yield Block("heading", [heading], int(tag[1])) if is_short else Block("paragraph", [heading])
        else:
            tokens = self.read(content)
            caption = image_caption(tokens)
            yield _running(marked_text(tokens)) if caption is None else Block("caption", [caption])

    def add(self, content: str) -> None:
        """Add running text to the last line of the open list."""
        if self.ended:
            self.lines.append([INDENT * self.level])
            self.ended = False
        line = self.lines[-1]
        line.append(marked_text(self.read(TASK.sub("", content, count=1) if len(line) == 1 else content)))

    def fence(self, token: Token) -> Iterator[Block]:
        """Yield code, or the blocks that a directive holds."""
        from builder.readers.text.markdown_parser import DEEPEST, content_of_fence

        content, is_text = content_of_fence(token)
        if is_text and self.directives < DEEPEST:
            self.directives += 1
            yield from self.blocks(self.parse(content))
            self.directives -= 1
        elif content or not token.content:
            yield from self.code(content)

    def code(self, content: str) -> Iterator[Block]:
        """Yield code, or add its lines to the open list."""
        lines = [(INDENT * self.level + line).rstrip() for line in content.removesuffix("\n").split("\n")]
        if self.level:
            self.lines.extend([VERBATIM, line] for line in lines)
            self.ended = True
        else:
            yield Block("code", lines)

    def table(self) -> Iterator[Block]:
        """Yield the table that was read, with tabs between its cells, or add its rows to the open list, with bars."""
        rows, self.rows = [_filled(row) for row in self.rows], []
        header = int(any(rows[0]))
        rows = rows[1 - header :]
        if self.level:
            self.lines.extend([INDENT * self.level, " | ".join(row)] for row in rows)
            self.ended = True
        else:
            yield Block("table", ["\t".join(row) for row in rows], header=header)

    def list_part(self, kind: str) -> Iterator[Block]:
        """Open or close a list or an item; a list that is in none is yielded when it closes."""
        if kind in LISTS:
            self.kind = self.kind if self.level else LISTS[kind]
            self.level += 1
        elif kind in ITEMS:
            self.level += kind == "dd_open"
            self.lines.append([INDENT * (self.level - 1)])
            self.ended = False
        elif kind == "dd_close":
            self.level -= 1
        elif kind in LIST_ENDS:
            self.level -= 1
            self.ended = True
            if not self.level:
                lines, self.lines = self.lines, []
                texts = ((line[0], " ".join(filter(None, line[1:]))) for line in lines)
                yield Block(self.kind, [indent + text for indent, text in texts if text.strip() or indent == VERBATIM])


def _running(text: str) -> Block:
    """Return a paragraph, or a list where each of its lines begins with a label."""
    lines = [line.strip() for line in text.split("\n")]
    return Block("list", lines) if are_labelled(lines) else Block("paragraph", [text])


def _filled(row: list[str]) -> list[str]:
    """Return a row without the empty cells at its end, which the parser adds to short rows."""
    filled = len(row)
    while filled and not row[filled - 1]:
        filled -= 1
    return row[:filled]


def _without_attributes(heading: str, *, is_closed: bool) -> str:
    """Return a heading without the identifier and classes behind it, as in `Pier {#pier .old}`.

    Where it may be closed, as `## Pier ## {#pier}`, the closing signs before them are left out too.
    """
    opened = heading.rfind("{")
    if opened < 0 or not heading.endswith("}") or heading[opened + 1] not in "#.:":
        return heading
    name = heading[:opened].rstrip()
    return CLOSING_SIGNS.sub("", name).rstrip() if is_closed else name
