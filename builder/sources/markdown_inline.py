"""Markdown within a line: emphasis, code, images and links, to plain text with exact link spans.

>>> line = Inline({}, {}, "Ondrel").line("See *the* [harbour](cape_thoon.md#Lamp)[^1].")
>>> line.text, line.links[0].target, line.links[0].fragment
('See the harbour.', 'Cape thoon', 'Lamp')
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from posixpath import splitext
from urllib.parse import unquote

from builder.cutting import Line
from builder.sources.inline import CLOSE, OPEN, finish
from weft.names import LinkTarget, link_target, title_of

DOCUMENT_SUFFIXES = (".md", ".markdown", ".mdown", ".mkd", ".txt", ".text")
ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
PRIVATE = 0xE000
PROTECTED = re.compile("[\ue000-\ue07f]")
CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.S)
TEXT = r"((?:[^\[\]]|\[[^\[\]]*\])*)"
TARGET = r"\(\s*(?:<([^<>]*)>|((?:[^\s()]|\([^\s()]*\))*))(?:\s+(?:\"[^\"]*\"|'[^']*'|\([^()]*\)))?\s*\)"
IMAGE = re.compile(rf"!\[{TEXT}\](?:{TARGET}|\[([^\[\]]*)\])")
LINK = re.compile(rf"(?<!!)\[{TEXT}\](?:{TARGET}|\[([^\[\]]*)\])?")
WIKI_LINK = re.compile(r"!?\[\[([^\[\]|]+)(?:\|([^\[\]]*))?\]\]")
FOOTNOTE = re.compile(r"\[\^[^\[\]\s]+\]")
AUTOLINK = re.compile(r"<((?:https?|mailto|ftp):[^<>\s]*|[\w.+-]+@[\w.-]+)>")
HTML_TAG = re.compile(r"<!--.*?-->|</?[A-Za-z][^<>]*>", re.S)
STRONG = re.compile(r"(?<!\*)\*\*(?=\S)(.+?)(?<=\S)\*\*|(?<![\w_])__(?=\S)(.+?)(?<=\S)__(?!\w)", re.S)
EMPHASIS = re.compile(r"(?<![\w*])\*(?=[^\s*])(.+?)(?<=[^\s*])\*(?!\*)|(?<![\w_])_(?=[^\s_])(.+?)(?<=[^\s_])_(?![\w_])", re.S)
INNER_EMPHASIS = re.compile(r"(?<=\w)\*(?=[^\s*])([^*]+?)(?<=[^\s*])\*(?!\*)")
STRUCK = re.compile(r"~~(?=\S)(.+?)(?<=\S)~~", re.S)


class Inline:
    """Reads the running text of one document.

    `references` are its link definitions by folded label, `titles` the titles
    of the documents that its relative links lead to, by address without
    fragment, `own` is its own title: a link to itself is none.
    """

    def __init__(self, references: Mapping[str, str], titles: Mapping[str, str], own: str) -> None:
        self.references, self.titles, self.own = references, titles, own

    def line(self, text: str) -> Line:
        """Return a text without markup, blanks single, with its internal links."""
        targets: list[LinkTarget] = []
        text = CODE.sub(lambda found: _protected(found[2].strip()), _hidden_escapes(text))
        text = FOOTNOTE.sub("", text)
        text = AUTOLINK.sub(lambda found: found[1], text)
        text = WIKI_LINK.sub(lambda found: self._wiki_link(found), text)
        text = IMAGE.sub("", text)
        text = self._with_links(text)
        text = HTML_TAG.sub(lambda found: " " if found[0].lower().startswith("<br") else "", text)
        for pattern in (STRONG, EMPHASIS, INNER_EMPHASIS, STRUCK):
            text = pattern.sub(lambda found: next(filter(None, found.groups()), ""), text)
        text = html.unescape(text)
        pieces, targets = _collected(text)
        return finish([PROTECTED.sub(lambda found: chr(ord(found[0]) - PRIVATE), piece) for piece in pieces], targets)
