"""Markdown within a line: the tokens of markdown-it-py to plain text whose links are marked.

Roles of MyST, as in {doc}`the guide <guide>`, are told by the token before their code:
mdit-py-plugins' own rule for them takes quadratic time.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from builder.readers.html.inline import CLOSE, OPEN
from builder.readers.text.extensions.html import ANCHOR
from builder.readers.text.extensions.mkdocs import plain_code, plain_text
from builder.readers.text.links import ADDRESS_END
from builder.readers.text.rst.parsing import shown

if TYPE_CHECKING:
    from markdown_it.token import Token

TEXTS = frozenset(("text", "text_special", "code_inline"))
BREAKS = frozenset(("softbreak", "hardbreak"))
# Pandoc's attributes, as in `![map](map.png){width=50%}`.
ATTRIBUTES = re.compile(r"\{[^{}]*\}")
LINK_TAG = re.compile(ANCHOR, re.I)
ROLE = re.compile(r"\{[\w.+:-]++\}\Z")
BROKEN_AT_HYPHEN = re.compile(r"(?<=[^\W\d_]-)\n(?=(\w))")


def marked_text(tokens: Sequence[Token]) -> str:
    """Return what inline tokens say, its links marked; images, marks of footnotes and names of roles are left out.

    A word that an author broke at its hyphen stays one.
    """
    pieces: list[str] = []
    after = ""
    links = anchors = 0
    for token in tokens:
        kind = token.type
        if kind == "code_inline" and after == "text" and (role := ROLE.search(pieces[-1])):
            pieces[-1:] = pieces[-1][: role.start()], shown(token.content)
        elif kind in TEXTS:
            pieces.append(_shown_of(token, after))
        elif kind in BREAKS:
            pieces.append("\n")
        elif kind == "link_open":
            # A link within a link is one to an address that stands there as text.
            pieces += [OPEN, str(token.attrs["href"]), ADDRESS_END] * (links == 0)
            links += 1
        elif kind == "link_close":
            links -= 1
            pieces += [CLOSE] * (links == 0)
        elif kind == "html_inline" and token.content[:3].lower() == "<br":
            pieces.append(" ")
        elif kind == "html_inline" and links == 0 and (anchor := LINK_TAG.match(token.content)):
            pieces += [OPEN, anchor[1], ADDRESS_END]
            links = anchors = 1
        elif kind == "html_inline" and anchors and token.content[:3].lower() == "</a":
            pieces += [CLOSE] * (links == 1)
            links, anchors = links - 1, 0
        elif kind == "footnote_ref" and pieces:
            pieces[-1] = pieces[-1].rstrip()
        after = kind
    pieces += [CLOSE] * (anchors and links > 0)
    return BROKEN_AT_HYPHEN.sub(lambda found: "" if found[1].islower() else "\n", "".join(pieces))


def image_caption(tokens: Sequence[Token]) -> str | None:
    """Return the titles, or else descriptions, of a paragraph's images; None where it has more than images."""
    captions: list[str] = []
    after = ""
    for token in tokens:
        if token.type == "image":
            captions.append(str(token.attrs.get("title") or marked_text(token.children or ())))
        elif token.nesting or (_without_attributes(token.content) if after == "image" else token.content).strip():
            return None
        after = token.type
    return " ".join(captions) if captions else None


def _shown_of(token: Token, after: str) -> str:
    if token.type != "text":
        return plain_code(token.content) if token.type == "code_inline" else token.content
    return plain_text(_without_attributes(token.content) if after == "image" else token.content)


def _without_attributes(text: str) -> str:
    """Return the text behind an image without the image's attributes."""
    found = ATTRIBUTES.match(text)
    return text[found.end() :] if found else text
