"""A page being resolved: what has been met in it, what templates are called with, and text as HTML.

Results that must not be read as wikitext again are kept aside, each as a
`mark` in the text, until `Page.restore` puts them back.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from builder.readers.wikitext.site import Site

# Noncharacters around a number, none of those that the extraction uses.
BEGIN, END = "\ufde0", "\ufde1"
MARK = re.compile(f"{BEGIN}([0-9]+){END}")
MAX_DEPTH = 40

INLINE_TAGS = (
    "b|i|u|s|em|strong|font|big|small|tt|code|kbd|samp|var|cite|abbr|q|del|ins|strike|mark|dfn|bdi|bdo|rb"
    "|time|data"
)
KEPT_TAGS = (
    "div|span|p|br|hr|sup|sub|table|caption|thead|tbody|tfoot|tr|td|th|ul|ol|li|dl|dt|dd|blockquote|center"
    "|h1|h2|h3|h4|h5|h6|ruby|rt|rp|rtc|col|colgroup|wbr|a"
)
INLINE_TAG = re.compile(rf"</?(?:{INLINE_TAGS})(?:\s[^<>]*)?/?>", re.I)
NOT_MARKUP = re.compile(
    rf"&(?!(?:#[0-9]+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);)|<(?!/?(?:{KEPT_TAGS})(?:[\s/>]))", re.I
)
ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


class Call(NamedTuple):
    """A template with its arguments resolved: `named` ones trimmed, `positional` ones as they stand.

    `name` is folded: lower case, blanks single; `head` is the name as written. `alone` tells whether nothing
    else stands on its line. `arguments` are all in their order, names (None: without) and values as they stand.
    """

    name: str
    positional: list[str]
    named: dict[str, str]
    head: str = ""
    alone: bool = False
    arguments: Sequence[tuple[str | None, str]] = ()

    def get(self, *keys: str) -> str:
        """Return the first of these arguments that is given, else an empty string; numbers count from 1."""
        for key in keys:
            value = self.named.get(key) or (
                self.positional[int(key) - 1].strip()
                if key.isdecimal() and 0 < int(key) <= len(self.positional)
                else ""
            )
            if value:
                return value
        return ""


Rule = Callable[["Call", "Page", str], str]
"""What a kind of template shows; the text is what the table of templates gives for the template's name."""


class Rules(NamedTuple):
    """What the resolving of a text asks: for a template, a link's parts, and an extension tag and its content."""

    template: Callable[[Call, Page], str]
    link: Callable[[list[str], Page], str | None]
    tag: Callable[[str, str, str, Page], str]
    trail: re.Pattern[str]


class Page:
    """What has been met in a page so far: its categories, the results kept aside, markup not read as such."""

    def __init__(self, title: str, site: Site, rules: Rules, date: str = "") -> None:
        self.title, self.site, self.rules, self.date = title, site, rules, date
        self.categories: list[str] = []
        self.kept: list[str] = []
        self.problems: Counter[str] = Counter()
        self.depth = 0

    def keep(self, html: str) -> str:
        """Return a mark that stands for HTML until the end."""
        self.kept.append(html)
        return f"{BEGIN}{len(self.kept) - 1}{END}"

    def restore(self, html: str) -> str:
        """Put back what was kept aside, also where it holds marks itself."""
        for _ in range(MAX_DEPTH):
            if BEGIN not in html:
                break
            html = MARK.sub(self._kept_at, html)
        return html.replace(BEGIN, "").replace(END, "")

    def _kept_at(self, mark: re.Match[str]) -> str:
        # Each is put back once, or marks within marks could grow without end.
        number = int(mark[1])
        html, self.kept[number] = (self.kept[number], "") if number < len(self.kept) else ("", "")
        return html


def escape(text: str) -> str:
    """Return plain text as HTML."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def escape_stray(text: str) -> str:
    """Escape what is no markup, and leave out tags that only set off running text."""
    if "<" in text:
        text = INLINE_TAG.sub("", text)
    elif "&" not in text:
        return text
    return NOT_MARKUP.sub(lambda found: ESCAPES[found[0]], text)
