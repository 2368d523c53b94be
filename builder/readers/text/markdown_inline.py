"""Markdown within a line: emphasis, code, images and links, to plain text with exact link spans.

>>> line = Inline({}, {}, "Ondrel").line("See *the* [harbour](cape_thoon.md#Lamp)[^1].")
>>> line.text, line.links[0].target, line.links[0].fragment
('See the harbour.', 'Cape thoon', 'Lamp')
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from urllib.parse import unquote

from builder.documents.chunking import Line
from builder.readers.html.inline import CLOSE, OPEN, finish
from builder.readers.text.names import DOCUMENT_SUFFIXES, file_title
from weft.text.names import LinkTarget, link_target, title_of

MARKUP = re.compile(r"[\\`*_~<&\[]")
ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
# Characters that stand for themselves, as ASCII moved to where no text has any.
PRIVATE = 0x100000
PROTECTED = re.compile(f"[{chr(PRIVATE)}-{chr(PRIVATE + 127)}]")
SIGN = re.compile(r"[!-/:-@\[-`{-~]")
CODE = re.compile(r"(?<!`)(`+)(?!`)(.{1,2000}?)(?<!`)\1(?!`)", re.S)
INNER = r"((?:[^\[\]]|\[[^\[\]]*\])*)"
ADDRESS = (
    r"\(\s*(?:<(?P<{0}a>[^<>]*)>|(?P<{0}b>(?:[^\s()]|\([^\s()]*\))*))"
    r"(?:\s+(?P<{0}t>\"[^\"]*\"|'[^']*'|\([^()]*\)))?\s*\)"
)
IMAGE = re.compile(rf"!\[{INNER}\](?:{ADDRESS.format('i')}|\[[^\[\]]*\])(?:\{{[^{{}}]*\}})?")
LINK = re.compile(
    rf"\[\[(?P<wiki>[^\[\]|]+)(?:\|(?P<shown>[^\[\]]*))?\]\]"
    rf"|\[(?P<text>(?:[^\[\]]|\[[^\[\]]*\])*)\](?:{ADDRESS.format('l')}|\[(?P<label>[^\[\]]*)\])?"
)
FOOTNOTE = re.compile(r"\s*\[\^[^\[\]\s]+\]")
AUTOLINK = re.compile(r"<((?:https?|mailto|ftp):[^<>\s]*|[\w.+-]+@[\w.-]+)>")
HTML_TAG = re.compile(r"<!--.{0,2000}?-->|</?[A-Za-z][^<>]*>", re.S)
# An end to how far a mark looks for its partner keeps a text full of lone marks linear.
STRONG = re.compile(
    r"\*\*(?=[^\s*])(.{1,1000}?)(?<=[^\s*])\*\*|(?<!\w)__(?=\S)(.{1,1000}?)(?<=\S)__(?!\w)", re.S
)
EMPHASIS = re.compile(
    r"\*(?=[^\s*])([^*]{1,1000}?)(?<=[^\s*])\*|(?<!\w)_(?=[^\s_])(.{1,1000}?)(?<=[^\s_])_(?!\w)", re.S
)
STRUCK = re.compile(r"~~(?=\S)(.{1,1000}?)(?<=\S)~~", re.S)
EXTERNAL = re.compile(r"https?://|//|(?:\.\./)*/?wiki/", re.I)
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


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
        if not MARKUP.search(text):
            return finish([text], ())
        targets: list[LinkTarget] = []
        text = CODE.sub(lambda found: _protected(found[2].strip()), text)
        text = ESCAPED.sub(lambda found: _protected(found[1]), text)
        text = AUTOLINK.sub(lambda found: _protected(found[1]), FOOTNOTE.sub("", text))
        text = self._links(IMAGE.sub("", text), targets)
        text = HTML_TAG.sub(lambda found: " " if found[0][:3].lower() == "<br" else "", text)
        for pattern in (STRONG, EMPHASIS, STRUCK):
            text = pattern.sub(lambda found: next(filter(None, found.groups()), ""), text)
        text = PROTECTED.sub(lambda found: chr(ord(found[0]) - PRIVATE), html.unescape(text))
        return finish([text], targets)

    def _links(self, text: str, targets: list[LinkTarget]) -> str:
        """Replace links by their anchors, marked where they lead to documents; note the targets in order."""
        return LINK.sub(lambda found: self._link(found, targets), text)

    def _link(self, found: re.Match[str], targets: list[LinkTarget]) -> str:
        if found["wiki"]:
            shown = found["shown"] or found["wiki"].replace("#", " > ")
            return _marked(shown, self._wiki_target(found["wiki"]), targets)
        address = found["la"] if found["la"] is not None else found["lb"]
        if address is None:
            address = self.references.get(folded(found["label"] or found["text"]))
        if address is None:
            label = f"[{found['label']}]" if found["label"] is not None else ""
            return f"[{self._links(found['text'], targets)}]{label}"
        return _marked(found["text"], self.target_of(address), targets)

    def _wiki_target(self, address: str) -> LinkTarget | None:
        page, _, fragment = address.partition("#")
        title = self.titles.get(page.strip()) or title_of(page, capital=False)
        is_own = title in (self.own, title_of(self.own, capital=False))
        return LinkTarget(title, fragment.strip()) if title and not is_own else None

    def target_of(self, address: str) -> LinkTarget | None:
        """Return the document that an address leads to: another file's, or a wiki's article."""
        address = html.unescape(PROTECTED.sub(lambda found: chr(ord(found[0]) - PRIVATE), address)).strip()
        if EXTERNAL.match(address):
            target = link_target(address)
        else:
            path, _, fragment = address.partition("#")
            path = path.partition("?")[0]
            known = self.titles.get(path)
            if SCHEME.match(path) or not (known or path.lower().endswith(DOCUMENT_SUFFIXES)):
                return None
            target = LinkTarget(known or file_title(unquote(path)), unquote(fragment))
        return target if target and target.title and target.title != self.own else None


def image_caption(text: str) -> str | None:
    """Return what a paragraph of nothing but images says about them, None when there is more in it."""
    found = list(IMAGE.finditer(text))
    if not found or IMAGE.sub("", text).strip(" \t\n[]()"):
        return None
    return " ".join(" ".join((each["it"] or "")[1:-1].split()) or " ".join(each[1].split()) for each in found)


def folded(label: str) -> str:
    """Return a reference's label as labels are compared."""
    return " ".join(label.split()).casefold()


def _marked(shown: str, target: LinkTarget | None, targets: list[LinkTarget]) -> str:
    if target is None or not shown.strip():
        return shown
    targets.append(target)
    return f"{OPEN}{shown}{CLOSE}"


def _protected(text: str) -> str:
    return SIGN.sub(lambda found: chr(ord(found[0]) + PRIVATE), text)
